// name:    schema/graph_constraint
// purpose: One meta node per graph, found at once.
// params:  none
// returns: nothing
// needs:   the right to change the schema
// cost:    O(graphs), once

CYPHER 5
CREATE CONSTRAINT _KGQA_graph IF NOT EXISTS FOR (g:_KGQA_Graph) REQUIRE g.graph IS UNIQUE
