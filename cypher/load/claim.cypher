// name:    load/claim
// purpose: Begin a load: from now on only batches that name this load are accepted. Waits for a batch in flight.
// params:  $graph str name of the graph · $load str id of this load · $fresh map properties of a new graph's meta node
//          · $classes list[str] class labels that this load or earlier ones bring
// returns: state str loading, adding or dropping; one row
// needs:   schema/graph_constraint
// cost:    O(1)

CYPHER 5
MERGE (g:_KGQA_Graph {graph: $graph})
ON CREATE SET g += $fresh, g.state = 'loading', g.loaded_at = datetime()
SET g.load = $load, g.batch = 0, g.classes = $classes,
    g.state = CASE g.state WHEN 'complete' THEN 'adding' ELSE g.state END
RETURN g.state AS state
