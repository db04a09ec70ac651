// name:    load/create_statements
// purpose: New facts that have properties; as load/create_facts otherwise.
// params:  $graph str · $load str id of the load · $batch int number of this batch · $heads list[str] element ids
//          · $types list[str] relationship types · $tails list[str] element ids · $properties list[map], statement_id
//          among them; the lists run side by side
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
CREATE (h)-[r:$($types[i])]->(t)
SET r = $properties[i]
RETURN count(*) AS created
