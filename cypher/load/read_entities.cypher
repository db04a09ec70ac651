// name:    load/read_entities
// purpose: A page of a graph's entities, as columns, with some of their properties.
// params:  $after str entity id that the page follows, "" for the first page · $limit int entities a page
//          · $keys list[str] properties wanted · $labels bool whether labels are wanted; splices `<label>`
// returns: ids list[str] · elements list[str] element ids · properties list[list] values of $keys, null where missing
//          · labels list[list[str]]; one row, its lists side by side, by entity id; the last two are empty if not wanted
// needs:   schema/entity_constraint
// cost:    O($limit)

CYPHER 5
MATCH (n:`<label>`)
WHERE n.entity_id > $after
WITH n ORDER BY n.entity_id LIMIT $limit
RETURN collect(n.entity_id) AS ids, collect(elementId(n)) AS elements,
       collect(CASE size($keys) WHEN 0 THEN null ELSE [key IN $keys | n[key]] END) AS properties,
       collect(CASE WHEN $labels THEN labels(n) END) AS labels
