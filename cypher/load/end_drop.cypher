// name:    load/end_drop
// purpose: Delete the meta nodes of a graph, last of all; its relationship types stay noted, as the database never gives
//          their numbers back.
// params:  $graph str name of the graph
// returns: deleted int; one row
// needs:   schema/graph_constraint, schema/relation_index
// cost:    O(relations of the graph, and those of all graphs dropped before)

CYPHER 5
MERGE (note:_KGQA_Dropped)
WITH note, coalesce(note.types, []) + COLLECT {
    MATCH (r:_KGQA_Relation {graph: $graph})
    WHERE r.kind IN ['edge', 'leg'] AND size(coalesce(r.via, [])) = 0
    RETURN r.type
} AS types
SET note.types = COLLECT { UNWIND types AS type RETURN DISTINCT type ORDER BY type }
WITH DISTINCT 1 AS once
MATCH (m:_KGQA_Graph|_KGQA_Relation)
WHERE m.graph = $graph
DELETE m
RETURN count(m) AS deleted
