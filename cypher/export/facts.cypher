// name:    export/facts
// purpose: The relationships that leave nodes, as columns by type.
// params:  $ids list[int] numbers of export/nodes · $types list[str]|null relationship types; null: all
//          · $qualifiers list[str] properties of the relationships wanted
// returns: type str · heads list[int] numbers · tails list[int] numbers · qualifiers list[list] values of $qualifiers, null
//          where missing, empty if none is wanted; lists side by side, one row a type
// needs:   nothing
// cost:    O(relationships of the nodes)

CYPHER 5
UNWIND $ids AS id
MATCH (h) WHERE id(h) = id
MATCH (h)-[r]->(t) WHERE $types IS NULL OR type(r) IN $types
RETURN type(r) AS type, collect(id) AS heads, collect(id(t)) AS tails,
       collect(CASE size($qualifiers) WHEN 0 THEN null ELSE [key IN $qualifiers | r[key]] END) AS qualifiers
