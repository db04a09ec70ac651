// name:    load/script_nodes
// purpose: The nodes that a script created, told by the label that they have while it runs.
// params:  none
// returns: part str last figures of the ids · elements list[str] element ids; up to a hundred rows, since lists are
//          read ten times as fast as rows
// needs:   nothing
// cost:    O(nodes of the script)

CYPHER 5
MATCH (n:_KGQA_Script)
WITH elementId(n) AS element
RETURN right(element, 2) AS part, collect(element) AS elements
