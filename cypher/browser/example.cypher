// name:    browser/example
// purpose: One fact of a relation; a picture of the schema is one of each.
// params:  none; splices `<label>` and `<type>`
// returns: fact path; one row at most
// needs:   nothing
// cost:    O(1)

CYPHER 5
MATCH fact = (:`<label>`)-[:`<type>`]->()
RETURN fact
LIMIT 1 // unordered: any will do
