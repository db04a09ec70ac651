// name:    retrieve/first_steps
// purpose: The relationship types and property keys by which nodes can be left, for each of several lists of nodes.
// params:  $items list[list[str]] element ids · $hub int a node with more relationships is not looked through
// returns: number int place of the list · id str element id · degree int · outgoing list[str]|null types; null for a hub · incoming list[str]|null types · keys list[str] property keys
// needs:   nothing
// cost:    O(nodes × min(degree, hub))
CYPHER 5
UNWIND range(0, size($items) - 1) AS number
CALL (number) {
  MATCH (n) WHERE elementId(n) IN $items[number]
  WITH n, COUNT { (n)--() } AS degree
  RETURN elementId(n) AS id,
         degree,
         CASE WHEN degree > $hub THEN null ELSE COLLECT { MATCH (n)-[r]->() RETURN DISTINCT type(r) } END AS outgoing,
         CASE WHEN degree > $hub THEN null ELSE COLLECT { MATCH (n)<-[r]-() RETURN DISTINCT type(r) } END AS incoming,
         keys(n) AS keys
}
RETURN number, id, degree, outgoing, incoming, keys
ORDER BY number, id
