// name:    retrieve/degrees
// purpose: How many relationships nodes have, for each of several lists of nodes.
// params:  $items list[list[str]] element ids
// returns: number int place of the list · id str element id · degree int
// needs:   nothing
// cost:    O(nodes)
CYPHER 5
UNWIND range(0, size($items) - 1) AS number
CALL (number) {
  MATCH (n) WHERE elementId(n) IN $items[number]
  RETURN elementId(n) AS id, COUNT { (n)--() } AS degree
}
RETURN number, id, degree
ORDER BY number, id
