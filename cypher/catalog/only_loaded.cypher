// name:    catalog/only_loaded
// purpose: Whether the entities of loaded graphs, and no other nodes, carry the label that all of those share.
// params:  none
// returns: only_loaded bool; one row
// needs:   nothing
// cost:    O(graphs)

CYPHER 5
OPTIONAL MATCH (graph:_KGQA_Graph)
WITH sum(graph.entities) AS loaded
RETURN COUNT { (:Entity) } = loaded AS only_loaded
