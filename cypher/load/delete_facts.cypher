// name:    load/delete_facts
// purpose: Delete facts of one relation that the source no longer has.
// params:  $graph str · $load str id of the load · $heads list[str] element ids · $tails list[str] element ids
//          · $statements list[str] statement ids, "" for plain facts; the lists run side by side; splices `<type>`
// returns: deleted int; one row
// needs:   load/claim
// cost:    O($heads), more where both ends have many facts of the relation

CYPHER 5
MATCH (g:_KGQA_Graph {graph: $graph, load: $load})
UNWIND range(0, size($heads) - 1) AS i
MATCH (h) WHERE elementId(h) = $heads[i]
MATCH (t) WHERE elementId(t) = $tails[i]
MATCH (h)-[r:`<type>`]->(t)
WHERE coalesce(r.statement_id, '') = $statements[i]
DELETE r
RETURN count(*) AS deleted
