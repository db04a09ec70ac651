// name:    load/write_relations
// purpose: Replace what the meta nodes say of a graph's relations.
// params:  $graph str name of the graph · $relations list[map] properties of each relation's meta node
// returns: written int; one row
// needs:   schema/relation_index
// cost:    O(relations of the graph)

CYPHER 5
OPTIONAL MATCH (old:_KGQA_Relation {graph: $graph})
DELETE old
WITH DISTINCT 1 AS once
UNWIND $relations AS relation
CREATE (r:_KGQA_Relation)
SET r = relation
RETURN count(r) AS written
