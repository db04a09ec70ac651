// name:    vectors/claim
// purpose: Note on a graph's meta node which encoder its vectors are made with from now on.
// params:  $graph str name of the graph · $properties map encoder, fingerprint and dimension; null for what goes
// returns: graphs int; one row, 0 when there is no such graph
// needs:   schema/graph_constraint
// cost:    O(1)

CYPHER 5
MATCH (g:_KGQA_Graph {graph: $graph})
SET g += $properties
RETURN count(g) AS graphs
