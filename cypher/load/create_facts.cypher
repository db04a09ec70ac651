// name:    load/create_facts
// purpose: New facts, and in the same transaction the number of this batch in the ledger, the graph's meta node. Its
//          lock lets one load at a time write; another load that claimed the graph meanwhile leaves nothing to match.
// params:  $graph str · $load str id of the load · $batch int number of this batch · $heads list[str] element ids
//          · $types list[str] relationship types · $tails list[str] element ids; the lists run side by side
// returns: created int; one row
// needs:   load/claim
// cost:    O($heads)

CYPHER 5
MATCH (g:_KGQA_Graph {graph: $graph, load: $load})
SET g.batch = $batch
WITH g
UNWIND range(0, size($heads) - 1) AS i
MATCH (h) WHERE elementId(h) = $heads[i]
MATCH (t) WHERE elementId(t) = $tails[i]
CREATE (h)-[:$($types[i])]->(t)
RETURN count(*) AS created
