// name:    survey/counts
// purpose: How many nodes each label has, and how many relationships each type, whole and by the labels at their ends, from the server's
//          own counts: exact, and nothing is read.
// params:  none
// returns: data map of two lists: nodes (count, label), relationships (count, relationshipType, startLabel, endLabel); one row
// needs:   the right to call db.stats.retrieve
// cost:    O(labels × types), from counts

CYPHER 5
CALL db.stats.retrieve('GRAPH COUNTS') YIELD data
RETURN data {.nodes, .relationships} AS data
