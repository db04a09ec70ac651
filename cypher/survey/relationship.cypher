// name:    survey/relationship
// purpose: What the relationships of a type hold, from a sample.
// params:  $sample int relationships to look at · $apart list[str] labels of loaded graphs, whose nodes take no part
// returns: properties list key, value types; by key; one row
// needs:   nothing; splices `<type>`
// cost:    O(sample × properties), and where $apart is not empty up to O(relationships of the type)

CYPHER 5
MATCH (n)-[r:`<type>`]->()
WHERE size($apart) = 0 OR none(label IN labels(n) WHERE label IN $apart)
// unordered: any relationships will do for a sample, and an order would read all
WITH r LIMIT $sample
WITH collect(r) AS relationships
RETURN COLLECT {
         UNWIND relationships AS r
         UNWIND keys(r) AS key
         WITH key, collect(DISTINCT valueType(r[key])) AS types
         ORDER BY key
         RETURN [key, types]
       } AS properties
