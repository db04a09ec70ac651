// name:    load/end_drop
// purpose: Delete the meta nodes of a graph, last of all; its relationship types stay noted, as the database never gives
//          their numbers back.
// params:  $graph str name of the graph
// returns: deleted int; one row
// needs:   schema/graph_constraint, schema/relation_index
// cost:    O(relations of the graph, and those of all graphs dropped before)

CYPHER 5
CALL () {
    MATCH (note:_KGQA_Dropped)
    UNWIND note.types AS type
    RETURN type
    UNION
    MATCH (r:_KGQA_Relation {graph: $graph})
    WHERE r.kind IN ['edge', 'leg'] AND size(coalesce(r.via, [])) = 0
    RETURN r.type AS type
}
// A row that has all types counts with all of them against a transaction's memory: there must be but one.
WITH DISTINCT type ORDER BY type
WITH collect(type) AS types
MERGE (note:_KGQA_Dropped)
SET note.types = types
WITH DISTINCT 1 AS once
MATCH (m:_KGQA_Graph|_KGQA_Relation)
WHERE m.graph = $graph
DELETE m
RETURN count(m) AS deleted
