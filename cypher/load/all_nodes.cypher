// name:    load/all_nodes
// purpose: The nodes that the database holds, to tell those apart that a script creates.
// params:  none
// returns: element str element id; one row per node
// needs:   nothing
// cost:    O(nodes of the database)

CYPHER 5
MATCH (n)
RETURN elementId(n) AS element
