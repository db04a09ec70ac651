// name:    survey/fulltext_indexes
// purpose: The full-text indexes over nodes that are ready to use.
// params:  none
// returns: name str of the index · labels list[str] · properties list[str]
// needs:   nothing
// cost:    O(indexes)

CYPHER 5
SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, state
WHERE type = 'FULLTEXT' AND entityType = 'NODE' AND state = 'ONLINE'
RETURN name, labelsOrTypes AS labels, properties
ORDER BY name
