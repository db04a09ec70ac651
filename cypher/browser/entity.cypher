// name:    browser/entity
// purpose: An entity and its facts.
// params:  $name str its name; splices `<label>`, that of entities, and `<key>`, the property that holds the name
// returns: facts path; one row per fact, a hundred at most
// needs:   nothing
// cost:    O(entities of the label), unless the key is indexed

CYPHER 5
MATCH facts = (n:`<label>` {`<key>`: $name})--(:`<label>`)
RETURN facts
ORDER BY [fact IN relationships(facts) | type(fact)], [fact IN relationships(facts) | elementId(fact)]
LIMIT 100
