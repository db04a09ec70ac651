// name:    browser/between
// purpose: The shortest ways between two entities, of four facts at most.
// params:  $one str name of an entity · $other str of another; splices `<label>` and `<key>`
// returns: way path; one row per way, 25 at most
// needs:   nothing
// cost:    O(entities of the label), and what lies between

CYPHER 5
MATCH (one:`<label>` {`<key>`: $one}), (other:`<label>` {`<key>`: $other})
WHERE one <> other
MATCH way = allShortestPaths((one)-[*..4]-(other))
WHERE all(node IN nodes(way) WHERE node:`<label>`)
RETURN way
ORDER BY length(way), [fact IN relationships(way) | elementId(fact)]
LIMIT 25
