// name:    load/holds
// purpose: What the database holds; a bulk import replaces all of it.
// params:  none
// returns: nodes int · graphs list[str] names of the graphs that were loaded; one row
// needs:   nothing
// cost:    O(graphs)

CYPHER 5
MATCH (n)
WITH count(n) AS nodes
RETURN nodes, COLLECT { MATCH (g:_KGQA_Graph) RETURN g.graph AS graph ORDER BY graph } AS graphs
