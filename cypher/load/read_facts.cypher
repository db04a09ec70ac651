// name:    load/read_facts
// purpose: The plain facts of some entities, as columns by relationship type.
// params:  $elements list[str] element ids of heads; splices `<label>`, the graph's label
// returns: type str · heads list[int] places in $elements · tails list[str] element ids; one row per type, lists side
//          by side
// needs:   nothing
// cost:    O(facts of the heads)

CYPHER 5
UNWIND range(0, size($elements) - 1) AS i
MATCH (h) WHERE elementId(h) = $elements[i]
MATCH (h)-[r]->(t:`<label>`) WHERE r.statement_id IS NULL
RETURN type(r) AS type, collect(i) AS heads, collect(elementId(t)) AS tails
