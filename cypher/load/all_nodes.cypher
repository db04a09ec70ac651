// name:    load/all_nodes
// purpose: The nodes that the database holds, to tell those apart that a script creates.
// params:  none
// returns: part str last figures of the ids · elements list[str] element ids; up to a hundred rows, since lists are
//          read ten times as fast as rows
// needs:   nothing
// cost:    O(nodes of the database)

CYPHER 5
MATCH (n)
WITH elementId(n) AS element
RETURN right(element, 2) AS part, collect(element) AS elements
