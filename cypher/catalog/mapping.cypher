// name:    catalog/mapping
// purpose: What a loaded graph looks like: its index, its walk rule and the words of its relations, as columns.
// params:  $graph str name of the graph
// returns: fulltext str · walk str · state str · source str · after bytes · rare bytes
//          · vectors list index, encoder, fingerprint, dimension; nulls without
//          · language str code; empty: English · relation list[str] · type list[str] · kind list[str]
//          · label list[str] · inverse list[str] · description list[str] · template list[str] · unit list[str]
//          · heads list[list[str]] · tails list[list[str]] · of list[str] · via list[list[str]]
//          · symmetric list[str] true, false, or empty: not stored;
//          one row, or none when no graph has that name; the lists run side by side, by the relation's number
// needs:   constraint _KGQA_graph and index _KGQA_relation (schema/meta) make it quick
// cost:    O(relations of the graph)

CYPHER 5
MATCH (g:_KGQA_Graph {graph: $graph})
OPTIONAL MATCH (r:_KGQA_Relation {graph: $graph})
WITH g, r ORDER BY r.number
RETURN g.fulltext AS fulltext, g.walk AS walk, g.state AS state, g.source AS source, g.after AS after, g.rare AS rare,
       [g.vectors, g.vector_encoder, g.vector_fingerprint, g.vector_dimension] AS vectors,
       coalesce(g.language, '') AS language,
       collect(r.relation) AS relation, collect(r.type) AS type, collect(r.kind) AS kind, collect(r.label) AS label,
       collect(r.inverse) AS inverse, collect(r.description) AS description, collect(r.template) AS template,
       collect(r.unit) AS unit, collect(r.heads) AS heads, collect(r.tails) AS tails,
       collect(CASE WHEN r IS NULL THEN null ELSE coalesce(r.of, '') END) AS of,
       collect(CASE WHEN r IS NULL THEN null ELSE coalesce(r.via, []) END) AS via,
       collect(CASE WHEN r IS NULL THEN null ELSE coalesce(toString(r.symmetric), '') END) AS symmetric
