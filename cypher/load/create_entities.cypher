// name:    load/create_entities
// purpose: New entities.
// params:  $ids list[str] entity ids, none of which the graph has · $names list[str] their names; splices `<label>`
// returns: ids list[str] · elements list[str] element ids; one row, the lists side by side
// needs:   schema/entity_constraint
// cost:    O($ids)

CYPHER 5
UNWIND range(0, size($ids) - 1) AS i
CREATE (n:Entity:`<label>` {entity_id: $ids[i], name: $names[i]})
RETURN collect(n.entity_id) AS ids, collect(elementId(n)) AS elements
