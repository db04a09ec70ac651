// name:    survey/distinct
// purpose: Whether a property tells all nodes of a label apart, without those that we loaded.
// params:  $apart list[str] labels of loaded graphs, whose nodes take no part
// returns: nodes int · held int nodes that have it · different int values; one row
// needs:   nothing; splices `<label>` and `<key>`
// cost:    O(nodes of the label)

CYPHER 5
MATCH (n:`<label>`)
WHERE size($apart) = 0 OR none(label IN labels(n) WHERE label IN $apart)
RETURN count(n) AS nodes, count(n.`<key>`) AS held, count(DISTINCT n.`<key>`) AS different
