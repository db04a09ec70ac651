// name:    survey/nodes
// purpose: Some nodes of a label, a stretch of them, without those that we loaded.
// params:  $skip int nodes to pass over · $sample int nodes · $apart list[str] labels of loaded graphs, whose nodes take no part
// returns: ids list[str] element ids; one row
// needs:   nothing; splices `<label>`
// cost:    O(skip + sample), of nodes that are not read

CYPHER 5
MATCH (n:`<label>`)
WHERE size($apart) = 0 OR none(label IN labels(n) WHERE label IN $apart)
// unordered: any nodes will do for a sample, and an order would read all
WITH n SKIP $skip LIMIT $sample
RETURN collect(elementId(n)) AS ids
