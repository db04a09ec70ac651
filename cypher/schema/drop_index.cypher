// name:    schema/drop_index
// purpose: Remove a graph's full-text index.
// params:  none; splices `<index>`, its name
// returns: nothing
// needs:   the right to change the schema
// cost:    O(1)

CYPHER 5
DROP INDEX `<index>` IF EXISTS
