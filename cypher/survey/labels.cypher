// name:    survey/labels
// purpose: The labels of the database, without those of our own meta nodes and of graphs that we loaded.
// params:  none
// returns: label str a node label
// needs:   nothing
// cost:    O(labels)

CYPHER 5
CALL db.labels() YIELD label
WHERE NOT label STARTS WITH '_KGQA' AND NOT label STARTS WITH 'KG_'
RETURN label
ORDER BY label
