// name:    survey/relationship
// purpose: What the relationships of a type hold, from a sample.
// params:  $sample int relationships to look at
// returns: relationships int relationships of the type · properties list key, value types; by key
// needs:   nothing; splices `<type>`
// cost:    O(sample × properties)

CYPHER 5
MATCH ()-[r:`<type>`]->()
// unordered: any relationships will do for a sample, and an order would read all
WITH r LIMIT $sample
WITH collect(r) AS relationships
RETURN COUNT { ()-[:`<type>`]->() } AS relationships,
       COLLECT {
         UNWIND relationships AS r
         UNWIND keys(r) AS key
         WITH key, collect(DISTINCT valueType(r[key])) AS types
         ORDER BY key
         RETURN [key, types]
       } AS properties
