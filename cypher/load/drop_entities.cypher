// name:    load/drop_entities
// purpose: Delete a graph's first entities, with what is left of their relationships.
// params:  $nodes int entities deleted at most; splices `<label>`
// returns: deleted int; one row
// needs:   load/drop_facts before it, or hubs make the transaction big
// cost:    O($nodes)

CYPHER 5
MATCH (n:`<label>`)
WITH n LIMIT $nodes // unordered: which are first does not matter, all of them go
DETACH DELETE n
RETURN count(n) AS deleted
