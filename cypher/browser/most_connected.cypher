// name:    browser/most_connected
// purpose: The entities with the most facts.
// params:  none; splices `<label>` and `<key>`
// returns: name any · facts int; one row per entity, 25 at most
// needs:   nothing
// cost:    O(entities of the label)

CYPHER 5
MATCH (n:`<label>`)
WITH n, COUNT { (n)--() } AS facts
ORDER BY facts DESC, elementId(n)
LIMIT 25
RETURN n.`<key>` AS name, facts
