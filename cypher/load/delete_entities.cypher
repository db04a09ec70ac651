// name:    load/delete_entities
// purpose: Delete entities that the source no longer has, but for those to which others have attached relationships.
// params:  $graph str · $load str id of the load · $elements list[str] element ids
// returns: deleted int; one row
// needs:   load/claim, load/delete_facts before it
// cost:    O($elements)

CYPHER 5
MATCH (g:_KGQA_Graph {graph: $graph, load: $load})
UNWIND $elements AS element
MATCH (n) WHERE elementId(n) = element AND NOT EXISTS { (n)--() }
DELETE n
RETURN count(*) AS deleted
