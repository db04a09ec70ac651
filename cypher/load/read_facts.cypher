// name:    load/read_facts
// purpose: The facts of some entities, as columns by relationship type.
// params:  $elements list[str] element ids of heads; splices `<label>`, the graph's label
// returns: type str · heads list[str] element ids · tails list[str] element ids; one row per type, lists side by side
// needs:   nothing
// cost:    O(facts of the heads)

CYPHER 5
UNWIND $elements AS element
MATCH (h) WHERE elementId(h) = element
MATCH (h)-[r]->(t:`<label>`)
RETURN type(r) AS type, collect(elementId(h)) AS heads, collect(elementId(t)) AS tails
