// name:    schema/entity_constraint
// purpose: An entity id is unique within its graph; the index behind it finds entities by id.
// params:  none; splices `<constraint>`, its name, and `<label>`, the graph's label
// returns: nothing
// needs:   the right to change the schema
// cost:    O(entities of the graph), once

CYPHER 5
CREATE CONSTRAINT `<constraint>` IF NOT EXISTS FOR (n:`<label>`) REQUIRE n.entity_id IS UNIQUE
