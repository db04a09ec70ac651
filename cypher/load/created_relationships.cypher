// name:    load/created_relationships
// purpose: The relationships that leave some nodes, to read back what a script created.
// params:  $elements list[str] element ids of heads
// returns: head str element id · type str · tail str element id · properties map; one row per relationship
// needs:   nothing
// cost:    O(relationships of the heads)

CYPHER 5
MATCH (h) WHERE elementId(h) IN $elements
MATCH (h)-[r]->(t)
RETURN elementId(h) AS head, type(r) AS type, elementId(t) AS tail, properties(r) AS properties
