// name:    load/created_nodes
// purpose: What some nodes are, to read back what a script created.
// params:  $elements list[str] element ids
// returns: element str element id · labels list[str] · properties map; one row per node
// needs:   nothing
// cost:    O(|elements|)

CYPHER 5
MATCH (n) WHERE elementId(n) IN $elements
RETURN elementId(n) AS element, labels(n) AS labels, properties(n) AS properties
