// name:    load/finish_import
// purpose: End a bulk import: its files can't say an empty list, nor when they will be imported.
// params:  $graph str name of the graph; $checksum str SHA-256 of its source, taken unless its files have one
// returns: relations int; one row
// needs:   schema/graph_constraint, schema/relation_index
// cost:    O(relations of the graph)

CYPHER 5
MATCH (g:_KGQA_Graph {graph: $graph})
SET g.state = 'complete', g.loaded_at = datetime(), g.classes = coalesce(g.classes, []),
    g.formats = coalesce(g.formats, []), g.checksum = coalesce(g.checksum, $checksum)
WITH g
MATCH (r:_KGQA_Relation {graph: g.graph})
SET r.heads = coalesce(r.heads, []), r.tails = coalesce(r.tails, []), r.via = coalesce(r.via, []),
    r.said = coalesce(r.said, [])
RETURN count(r) AS relations
