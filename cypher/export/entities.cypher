// name:    export/entities
// purpose: Some properties of nodes, as columns by the labels that the nodes have.
// params:  $ids list[int] numbers of export/nodes · $keys list[str] properties wanted
// returns: labels list[str] · ids list[int] numbers · columns list[list] for each of $keys the values of the nodes, null
//          where missing; one row for all nodes of the same labels; a node that is gone is left out
// needs:   nothing
// cost:    O(nodes)

CYPHER 5
UNWIND $ids AS id
MATCH (n) WHERE id(n) = id
WITH labels(n) AS labels, collect(n) AS nodes
RETURN labels, [n IN nodes | id(n)] AS ids, [key IN $keys | [n IN nodes | n[key]]] AS columns
