// name:    survey/ends
// purpose: Which labels the relationship types join, from the server's own counts: exact, and no relationship is read.
// params:  none
// returns: type str relationship type · head str label · tail str label; one row per combination that exists
// needs:   nothing
// cost:    O(types × labels), from counts

CYPHER 5
CALL db.schema.visualization() YIELD nodes, relationships
UNWIND relationships AS r
RETURN DISTINCT type(r) AS type,
       [n IN nodes WHERE elementId(n) = elementId(startNode(r)) | labels(n)[0]][0] AS head,
       [n IN nodes WHERE elementId(n) = elementId(endNode(r)) | labels(n)[0]][0] AS tail
ORDER BY type, head, tail
