// name:    browser/relations
// purpose: The relations of a graph that was loaded, and the words for them.
// params:  $graph str name of the graph
// returns: relation str · kind str · phrase str from head to tail · inverse str from tail to head · description str · unit str;
//          one row per relation
// needs:   index _KGQA_relation (schema/relation_index)
// cost:    O(relations of the graph)

CYPHER 5
MATCH (r:_KGQA_Relation {graph: $graph})
RETURN r.relation AS relation, r.kind AS kind, r.label AS phrase, r.inverse AS inverse, r.description AS description,
       r.unit AS unit
ORDER BY relation
