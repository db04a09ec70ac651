// name:    load/stored
// purpose: What the meta nodes say of a graph.
// params:  $graph str name of the graph
// returns: graph map properties of its meta node · relations list[map] those of its relations' meta nodes, by number;
//          one row, or none when there is no such graph
// needs:   schema/graph_constraint, schema/relation_index
// cost:    O(relations of the graph)

CYPHER 5
MATCH (g:_KGQA_Graph {graph: $graph})
OPTIONAL MATCH (r:_KGQA_Relation {graph: $graph})
WITH g, r ORDER BY r.number
WITH g, collect(r {.*}) AS relations  // grouped by the node: its properties are megabytes, to be compared for each row
RETURN g {.*} AS graph, relations
