// name:    browser/sample
// purpose: Some facts, to have a look at.
// params:  none; splices `<label>`
// returns: fact path; one row per fact, fifty at most
// needs:   nothing
// cost:    O(1)

CYPHER 5
MATCH fact = (:`<label>`)-->(:`<label>`)
RETURN fact
LIMIT 50 // unordered: any will do
