// name:    load/count_entities
// purpose: Number of a graph's entities.
// params:  none; splices `<label>`, the graph's label
// returns: entities int; one row
// needs:   nothing
// cost:    O(1), from the count store

CYPHER 5
MATCH (n:`<label>`)
RETURN count(n) AS entities
