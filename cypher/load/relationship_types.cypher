// name:    load/relationship_types
// purpose: The relationship types that the database has, and those that dropped graphs had; it can hold 65,536 over its
//          life.
// params:  none
// returns: types list[str]; one row, some types twice
// needs:   nothing
// cost:    O(types)

CYPHER 5
CALL db.relationshipTypes() YIELD relationshipType
WITH collect(relationshipType) AS used
OPTIONAL MATCH (note:_KGQA_Dropped)
WITH used, collect(note.types) AS dropped
RETURN reduce(types = used, more IN dropped | types + more) AS types
