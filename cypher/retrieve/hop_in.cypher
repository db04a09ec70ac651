// name:    retrieve/hop_in
// purpose: One hop, from the node back to a head, by a relationship type that is a parameter: one plan serves thousands of types.
// params:  $ids list[str] element ids · $type str relationship type · $most int relationships of all the nodes
//          together, above which nothing is expanded · $limit int facts · $keys list[str|null] properties of the
//          relationships to read
// returns: left list[str] element ids · reached list[str] element ids · qualifiers list[list] values of $keys · hub bool;
//          one row. Of a hub the lists are empty, since every relationship of a node is looked at
// needs:   nothing
// cost:    O(relationships of the nodes)
CYPHER 5
MATCH (n) WHERE elementId(n) IN $ids
WITH collect(n) AS nodes, sum(COUNT { (n)--() }) AS degree
CALL (nodes, degree) {
  UNWIND CASE WHEN degree <= $most THEN nodes ELSE [] END AS n
  MATCH (n)<-[r:$($type)]-(m:`<label>`)
  // unordered: whoever asks sees that the limit was reached, and asks again in order
  WITH n, r, m LIMIT $limit
  RETURN collect(elementId(n)) AS left, collect(elementId(m)) AS reached,
         collect([key IN $keys | CASE WHEN key IS NULL THEN null ELSE r[key] END]) AS qualifiers
}
RETURN left, reached, qualifiers, degree > $most AS hub
