// name:    mining/around
// purpose: All relationships of some nodes, and their properties: what paths are mined from.
// params:  $ids list[str] element ids · $hub int a node with more relationships is left out · $types list[str]
//          relationship types · $labels list[str] a neighbour has one of these · $keys list[str] property keys
// returns: id str element id · leaving list[list[str]] type and element id of the tail · entering list[list[str]] the same of
//          the head · values list[any|null] of $keys
// needs:   nothing
// cost:    O(|ids| × min(degree, hub))

CYPHER 5
MATCH (n) WHERE elementId(n) IN $ids AND COUNT { (n)--() } <= $hub
RETURN elementId(n) AS id,
       COLLECT { MATCH (n)-[r]->(m) WHERE type(r) IN $types AND any(l IN labels(m) WHERE l IN $labels)
                 RETURN [type(r), elementId(m)] } AS leaving,
       COLLECT { MATCH (n)<-[r]-(m) WHERE type(r) IN $types AND any(l IN labels(m) WHERE l IN $labels)
                 RETURN [type(r), elementId(m)] } AS entering,
       [key IN $keys | n[key]] AS values
