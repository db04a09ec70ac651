// name:    survey/label
// purpose: What the nodes of a label hold, from a sample of those that we did not load.
// params:  $sample int nodes to look at
// returns: nodes int nodes with the label · sampled int of them looked at · properties list key, holders, distinct values, value types; by key
// needs:   nothing; splices `<label>`
// cost:    O(sample × properties)

CYPHER 5
MATCH (n:`<label>`)
WHERE NOT any(label IN labels(n) WHERE label STARTS WITH 'KG_')
// unordered: any nodes will do for a sample, and an order would read all
WITH n LIMIT $sample
WITH collect(n) AS nodes
RETURN COUNT { (m:`<label>`) } AS nodes,
       size(nodes) AS sampled,
       COLLECT {
         UNWIND nodes AS n
         UNWIND keys(n) AS key
         WITH key, count(*) AS held, count(DISTINCT n[key]) AS values, collect(DISTINCT valueType(n[key])) AS types
         ORDER BY key
         RETURN [key, held, values, types]
       } AS properties
