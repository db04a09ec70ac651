// name:    load/set_details
// purpose: Names, aliases, typed literals and class labels of entities that exist.
// params:  $rows list[list] element id, map of properties, list of labels of each entity
// returns: entities int; one row
// needs:   nothing
// cost:    O($rows)

CYPHER 5
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row[0]
SET n += row[1], n:$(row[2])
RETURN count(n) AS entities
