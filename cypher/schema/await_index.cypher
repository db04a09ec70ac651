// name:    schema/await_index
// purpose: Wait until an index is populated and online.
// params:  $index str its name · $timeout_s int how long to wait
// returns: nothing; an error when the time is over or the index has failed
// needs:   the index
// cost:    the population of the index

CYPHER 5
CALL db.awaitIndex($index, $timeout_s)
