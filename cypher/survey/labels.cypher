// name:    survey/labels
// purpose: The labels of the database, without those of our own meta nodes.
// params:  none
// returns: label str a node label
// needs:   nothing
// cost:    O(labels)

CYPHER 5
CALL db.labels() YIELD label
WHERE NOT label STARTS WITH '_KGQA'
RETURN label
ORDER BY label
