// name:    load/set_details
// purpose: Names, aliases, typed literals and class labels of entities that exist.
// params:  $rows list[list] element id, map of properties (null takes one away), list of labels to set and list of labels
//          to take away, of each entity
// returns: entities int; one row
// needs:   nothing
// cost:    O($rows)

CYPHER 5
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row[0]
SET n += row[1], n:$(row[2])
REMOVE n:$(row[3])
RETURN count(n) AS entities
