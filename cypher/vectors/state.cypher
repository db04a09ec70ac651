// name:    vectors/state
// purpose: What a graph's meta node says of its vectors.
// params:  $graph str name of the graph
// returns: vectors str name of the index, null while it is not complete · encoder str · fingerprint str
//          · dimension int; one row, none when there is no such graph, its values null when there are no vectors
// needs:   schema/graph_constraint
// cost:    O(1)

CYPHER 5
MATCH (g:_KGQA_Graph {graph: $graph})
RETURN g.vectors AS vectors, g.vector_encoder AS encoder, g.vector_fingerprint AS fingerprint,
       g.vector_dimension AS dimension
