// name:    vectors/remove
// purpose: Take the vectors off some entities of a label.
// params:  $limit int entities at most · $apart list[str] labels of other graphs, whose nodes are left alone; splices `<label>`
// returns: removed int; one row
// needs:   nothing
// cost:    O(entities of the label)

CYPHER 5
MATCH (n:`<label>`)
WHERE (n._kgqa_vector IS NOT NULL OR n._kgqa_vector_of IS NOT NULL)
  AND (size($apart) = 0 OR none(label IN labels(n) WHERE label IN $apart))
WITH n LIMIT $limit // unordered: which are first does not matter, all of them go
REMOVE n._kgqa_vector, n._kgqa_vector_of
RETURN count(n) AS removed
