// name:    survey/around
// purpose: What lies around some nodes: over which types, in which direction, how many at a time, with which labels.
// params:  $ids list[str] element ids · $hub int a node with more relationships is not looked around
// returns: type str relationship type · outgoing bool · nodes int that have such relationships · single int of them that have one · double int that
//          have two · others list[list[str]] labels of the nodes at their other ends; by type and direction
// needs:   nothing
// cost:    O(|ids| × hub)

CYPHER 5
MATCH (n) WHERE elementId(n) IN $ids
WITH n WHERE COUNT { (n)--() } <= $hub
MATCH (n)-[r]-(m)
WITH n, type(r) AS type, startNode(r) = n AS outgoing, count(*) AS degree, collect(DISTINCT labels(m))[..5] AS labels
WITH type, outgoing, degree, labels, count(*) AS nodes
UNWIND labels AS other
WITH type, outgoing, collect(DISTINCT {degree: degree, labels: labels, nodes: nodes}) AS groups, collect(DISTINCT other) AS others
RETURN type, outgoing,
       reduce(sum = 0, g IN groups | sum + g.nodes) AS nodes,
       reduce(sum = 0, g IN groups | sum + CASE WHEN g.degree = 1 THEN g.nodes ELSE 0 END) AS single,
       reduce(sum = 0, g IN groups | sum + CASE WHEN g.degree = 2 THEN g.nodes ELSE 0 END) AS double,
       others
ORDER BY type, outgoing
