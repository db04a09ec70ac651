// name:    load/finish
// purpose: End a load: the graph is complete, its ledger closed.
// params:  $graph str · $load str id of the load · $properties map what changed in its meta node · $changed bool
// returns: graphs int 1, or 0 when another load claimed the graph; one row
// needs:   load/claim
// cost:    O(1)

CYPHER 5
MATCH (g:_KGQA_Graph {graph: $graph, load: $load})
SET g += $properties, g.state = 'complete', g.load = null, g.batch = null,
    g.loaded_at = CASE WHEN $changed THEN datetime() ELSE g.loaded_at END
RETURN count(g) AS graphs
