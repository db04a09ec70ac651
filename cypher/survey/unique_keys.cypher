// name:    survey/unique_keys
// purpose: The node properties that a constraint makes unique.
// params:  none
// returns: label str · key str property; both by name
// needs:   nothing
// cost:    O(constraints)

CYPHER 5
SHOW CONSTRAINTS YIELD type, entityType, labelsOrTypes, properties
WHERE entityType = 'NODE' AND size(properties) = 1 AND type IN ['UNIQUENESS', 'NODE_PROPERTY_UNIQUENESS', 'NODE_KEY']
RETURN labelsOrTypes[0] AS label, properties[0] AS key
ORDER BY label, key
