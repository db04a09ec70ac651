// name:    retrieve/first_steps
// purpose: The relationship types and property keys by which nodes can be left.
// params:  $ids list[str] element ids · $hub int a node with more relationships is not looked through
// returns: id str element id · degree int · outgoing list[str]|null types; null for a hub · incoming list[str]|null types · keys list[str] property keys
// needs:   nothing
// cost:    O(|ids| × min(degree, hub))
CYPHER 5
MATCH (n) WHERE elementId(n) IN $ids
WITH n, COUNT { (n)--() } AS degree
RETURN elementId(n) AS id,
       degree,
       CASE WHEN degree > $hub THEN null ELSE COLLECT { MATCH (n)-[r]->() RETURN DISTINCT type(r) } END AS outgoing,
       CASE WHEN degree > $hub THEN null ELSE COLLECT { MATCH (n)<-[r]-() RETURN DISTINCT type(r) } END AS incoming,
       keys(n) AS keys
ORDER BY id
