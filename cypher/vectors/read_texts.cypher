// name:    vectors/read_texts
// purpose: Every entity of a label, with what is known of its vector, and its texts if it has one already.
// params:  $keys list[str] properties that make up its text · $apart list[str] labels of other graphs, whose nodes are left alone;
//          splices `<label>`
// returns: element str element id · made_of int digest of the text that its vector was made of, null without a vector
//          · texts list values of $keys, null without a vector; one row per entity
// needs:   nothing
// cost:    O(entities of the label)

CYPHER 5
MATCH (n:`<label>`)
WHERE size($apart) = 0 OR none(label IN labels(n) WHERE label IN $apart)
RETURN elementId(n) AS element, n._kgqa_vector_of AS made_of,
       CASE WHEN n._kgqa_vector_of IS NOT NULL THEN [key IN $keys | n[key]] END AS texts
