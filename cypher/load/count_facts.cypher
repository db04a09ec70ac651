// name:    load/count_facts
// purpose: Number of a graph's facts between entities.
// params:  none; splices `<label>`, the graph's label
// returns: facts int; one row
// needs:   nothing
// cost:    O(1), from the count store

CYPHER 5
MATCH (:`<label>`)-[r]->()
RETURN count(r) AS facts
