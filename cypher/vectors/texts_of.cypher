// name:    vectors/texts_of
// purpose: The texts of some entities.
// params:  $elements list[str] element ids · $keys list[str] properties that make up the text
// returns: elements list[str] element ids of those that are still there · texts list[list] values of $keys; one row,
//          the lists side by side
// needs:   nothing
// cost:    O($elements)

CYPHER 5
UNWIND $elements AS element
MATCH (n) WHERE elementId(n) = element
RETURN collect(elementId(n)) AS elements, collect([key IN $keys | n[key]]) AS texts
