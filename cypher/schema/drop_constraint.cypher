// name:    schema/drop_constraint
// purpose: Remove a graph's constraint, and the index behind it.
// params:  none; splices `<constraint>`, its name
// returns: nothing
// needs:   the right to change the schema
// cost:    O(1)

CYPHER 5
DROP CONSTRAINT `<constraint>` IF EXISTS
