// name:    schema/relation_index
// purpose: The relations of one graph are found without reading those of the others.
// params:  none
// returns: nothing
// needs:   the right to change the schema
// cost:    O(relations), once

CYPHER 5
CREATE INDEX _KGQA_relation IF NOT EXISTS FOR (r:_KGQA_Relation) ON (r.graph)
