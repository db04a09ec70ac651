// name:    retrieve/hop_out
// purpose: One hop, from the node to a tail, by a relationship type that is a parameter: one plan serves thousands of types.
// params:  $ids list[str] element ids · $type str relationship type · $most int relationships of all the nodes
//          together, above which nothing is expanded · $limit int facts
// returns: left list[str] element ids · reached list[str] element ids · hub bool; one row. Of a hub both lists are empty,
//          since every relationship of a node is looked at
// needs:   nothing
// cost:    O(relationships of the nodes)
CYPHER 5
MATCH (n) WHERE elementId(n) IN $ids
WITH collect(n) AS nodes, sum(COUNT { (n)--() }) AS degree
CALL (nodes, degree) {
  UNWIND CASE WHEN degree <= $most THEN nodes ELSE [] END AS n
  MATCH (n)-[r:$($type)]->(m:`<label>`)
  // unordered: whoever asks sees that the limit was reached, and asks again in order
  WITH n, m LIMIT $limit
  RETURN collect(elementId(n)) AS left, collect(elementId(m)) AS reached
}
RETURN left, reached, degree > $most AS hub
