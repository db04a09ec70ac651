// name:    load/end_drop
// purpose: Delete the meta nodes of a graph, last of all.
// params:  $graph str name of the graph
// returns: deleted int; one row
// needs:   schema/graph_constraint, schema/relation_index
// cost:    O(relations of the graph)

CYPHER 5
MATCH (m:_KGQA_Graph|_KGQA_Relation)
WHERE m.graph = $graph
DELETE m
RETURN count(m) AS deleted
