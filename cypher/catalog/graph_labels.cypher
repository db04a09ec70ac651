// name:    catalog/graph_labels
// purpose: The labels that the entities of loaded graphs carry, one for each graph.
// params:  none
// returns: label str; one row per graph
// needs:   nothing
// cost:    O(labels of the database)

CYPHER 5
CALL db.labels() YIELD label
WHERE label STARTS WITH 'KG_'
RETURN label
ORDER BY label
