// name:    vectors/write
// purpose: Store vectors on entities, 4 bytes a number, and what each was made of.
// params:  $elements list[str] element ids · $vectors list[list[float]] · $made_of list[int] digests of the texts; the
//          lists run side by side
// returns: written int; one row
// needs:   nothing
// cost:    O($elements × dimension), and as much again for an index that covers them

CYPHER 5
UNWIND range(0, size($elements) - 1) AS i
MATCH (n) WHERE elementId(n) = $elements[i]
CALL db.create.setNodeVectorProperty(n, '_kgqa_vector', $vectors[i])
SET n._kgqa_vector_of = $made_of[i]
RETURN count(n) AS written
