// name:    survey/distinct
// purpose: Whether a property tells all nodes of a label apart, without those that we loaded.
// params:  $mixed bool the database holds graphs that we loaded
// returns: nodes int · held int nodes that have it · different int values; one row
// needs:   nothing; splices `<label>` and `<key>`
// cost:    O(nodes of the label)

CYPHER 5
MATCH (n:`<label>`)
WHERE NOT $mixed OR NOT any(label IN labels(n) WHERE label STARTS WITH 'KG_')
RETURN count(n) AS nodes, count(n.`<key>`) AS held, count(DISTINCT n.`<key>`) AS different
