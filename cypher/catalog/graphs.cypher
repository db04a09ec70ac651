// name:    catalog/graphs
// purpose: Every graph that was loaded into this database, with where it comes from and how big it is.
// params:  none
// returns: graph str · entities int · facts int · source str · licence str · loaded_at str, ISO 8601 · state str
//          · checksum str · formats list[str] · sources str, JSON, empty for one; one row per graph, by name
// needs:   nothing
// cost:    O(graphs)

CYPHER 5
MATCH (g:_KGQA_Graph)
RETURN g.graph AS graph, g.entities AS entities, g.facts AS facts, g.source AS source, g.licence AS licence,
       toString(g.loaded_at) AS loaded_at, g.state AS state,
       coalesce(g.checksum, '') AS checksum, coalesce(g.formats, []) AS formats,
       coalesce(g.sources, '') AS sources
ORDER BY graph
