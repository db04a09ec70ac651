// name:    load/begin_drop
// purpose: Mark a graph as being dropped; a load of it that is running finds nothing to write to.
// params:  $graph str name of the graph
// returns: graphs int; one row, 0 when there is no such graph
// needs:   schema/graph_constraint
// cost:    O(1)

CYPHER 5
MATCH (g:_KGQA_Graph {graph: $graph})
SET g.state = 'dropping', g.load = null
RETURN count(g) AS graphs
