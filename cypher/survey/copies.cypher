// name:    survey/copies
// purpose: Which properties of some nodes say again what a property of a neighbour says: foreign keys that came with an import.
// params:  $ids list[str] element ids · $hub int a node with more relationships is not looked around
// returns: key str property · type str relationship type · outgoing bool · label str a label of the neighbour · copied str the neighbour's
//          property · agree int pairs of nodes that say the same · looked int pairs that have both; by all of these
// needs:   nothing
// cost:    O(|ids| × types × properties²)

CYPHER 5
MATCH (n) WHERE elementId(n) IN $ids
WITH n WHERE COUNT { (n)--() } <= $hub
MATCH (n)-[r]-(m) WHERE n <> m
WITH n, type(r) AS type, startNode(r) = n AS outgoing, collect(m) AS others
WHERE size(others) = 1
WITH n, type, outgoing, others[0] AS m
UNWIND [key IN keys(n) WHERE NOT key STARTS WITH '_kgqa_' AND (n[key] IS :: STRING OR n[key] IS :: INTEGER)] AS key
UNWIND [copied IN keys(m) WHERE NOT copied STARTS WITH '_kgqa_' AND (m[copied] IS :: STRING OR m[copied] IS :: INTEGER)] AS copied
WITH key, type, outgoing, labels(m)[0] AS label, copied, sum(CASE WHEN n[key] = m[copied] THEN 1 ELSE 0 END) AS agree, count(*) AS looked
WHERE agree > 0
RETURN key, type, outgoing, label, copied, agree, looked
ORDER BY key, type, outgoing, label, copied
