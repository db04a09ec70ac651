// name:    load/drop_facts
// purpose: Delete some relationships of a graph's first entities, in any direction.
// params:  $nodes int entities looked at · $limit int relationships deleted at most; splices `<label>`
// returns: deleted int; one row
// needs:   nothing
// cost:    O($limit)

CYPHER 5
MATCH (n:`<label>`)
WITH n LIMIT $nodes // unordered: which are first does not matter, all of them go
MATCH (n)-[r]-()
WITH DISTINCT r LIMIT $limit
DELETE r
RETURN count(r) AS deleted
