// name:    browser/find
// purpose: Entities by name or alias, misspelled ones too.
// params:  $index str the graph's full-text index · $text str words in Lucene's syntax, a ~ after each that may be misspelled
// returns: node node · score float; one row per entity, best first
// needs:   the full-text index
// cost:    a few ms

CYPHER 5
CALL db.index.fulltext.queryNodes($index, $text, {limit: 25}) YIELD node, score
RETURN node, score
ORDER BY score DESC, elementId(node)
