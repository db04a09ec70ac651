// name:    browser/graph
// purpose: Where a graph that was loaded comes from, and how big it is.
// params:  $graph str name of the graph
// returns: graph str · source str · licence str · loaded_at datetime · entities int · facts int; one row
// needs:   schema/graph_constraint
// cost:    O(1)

CYPHER 5
MATCH (g:_KGQA_Graph {graph: $graph})
RETURN g.graph AS graph, g.source AS source, g.licence AS licence, g.loaded_at AS loaded_at, g.entities AS entities,
       g.facts AS facts
