// name:    retrieve/neighbours
// purpose: What nodes are joined with by mapped relationships, type by type in the order of the neighbours' keys, and
//          their properties.
// params:  $ids list[str] element ids · $hub int a node with more relationships is left out · $leaving map relationship
//          type to the labels of which its tails have one · $entering map the same of its heads · $within list[str]|null
//          element ids of the neighbours that are wanted; null: any · $order list[str] property keys whose first value
//          orders neighbours · $limit int neighbours of a node that are alike in type, direction and labels · $qualifiers
//          map relationship type to the keys of its properties · $keys list[str] property keys of the nodes
// returns: id str element id · labels list[str] · leaving list[list] type, labels, element ids of the tails, values of $qualifiers ·
//          entering list[list] the same of the heads · values list[any|null] of $keys
// needs:   nothing
// cost:    O(|ids| × min(degree, hub))

CYPHER 5
MATCH (n) WHERE elementId(n) IN $ids AND COUNT { (n)--() } <= $hub
RETURN elementId(n) AS id,
       labels(n) AS labels,
       COLLECT { MATCH (n)-[r]->(m)
                 WHERE any(l IN labels(m) WHERE l IN $leaving[type(r)]) AND ($within IS NULL OR elementId(m) IN $within)
                 WITH r, m, head([key IN $order WHERE m[key] IS NOT NULL | toString(m[key])]) AS key
                 ORDER BY key, elementId(m)
                 WITH type(r) AS type, [l IN $leaving[type(r)] WHERE l IN labels(m)] AS labels,
                      collect(elementId(m))[..$limit] AS ids,
                      collect([key IN $qualifiers[type(r)] | r[key]])[..$limit] AS qualifiers
                 RETURN [type, labels, ids, qualifiers] } AS leaving,
       COLLECT { MATCH (n)<-[r]-(m)
                 WHERE any(l IN labels(m) WHERE l IN $entering[type(r)]) AND ($within IS NULL OR elementId(m) IN $within)
                 WITH r, m, head([key IN $order WHERE m[key] IS NOT NULL | toString(m[key])]) AS key
                 ORDER BY key, elementId(m)
                 WITH type(r) AS type, [l IN $entering[type(r)] WHERE l IN labels(m)] AS labels,
                      collect(elementId(m))[..$limit] AS ids,
                      collect([key IN $qualifiers[type(r)] | r[key]])[..$limit] AS qualifiers
                 RETURN [type, labels, ids, qualifiers] } AS entering,
       [key IN $keys | n[key]] AS values
