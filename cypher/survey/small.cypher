// name:    survey/small
// purpose: All nodes of a small database, by the labels that they carry together: one statement, where planning one for each label would take
//          longer than this.
// params:  none
// returns: labels list[str] · ids list[str] element ids; by labels
// needs:   nothing
// cost:    O(nodes)

CYPHER 5
MATCH (n)
WITH labels(n) AS labels, n ORDER BY elementId(n)
RETURN labels, collect(elementId(n)) AS ids
ORDER BY labels
