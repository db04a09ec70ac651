// name:    load/relationship_types
// purpose: The relationship types that the database has; it can hold 65,536 over its life.
// params:  none
// returns: types list[str]; one row
// needs:   nothing
// cost:    O(types)

CYPHER 5
CALL db.relationshipTypes() YIELD relationshipType
RETURN collect(relationshipType) AS types
