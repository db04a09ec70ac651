// name:    export/nodes
// purpose: All nodes of a label, numbered by the server, with how many relationships leave each.
// params:  $apart list[str] labels of other graphs, whose nodes are left out · $rows int numbers a row spans; splices `<label>`
// returns: ids list[int] numbers · degrees list[int]; lists side by side, one row for each $rows numbers
// needs:   nothing
// cost:    O(nodes of the label)

CYPHER 5
MATCH (n:`<label>`)
WHERE size($apart) = 0 OR none(label IN labels(n) WHERE label IN $apart)
WITH id(n) AS id, COUNT { (n)-->() } AS degree
WITH id / $rows AS part, id, degree
WITH part, collect(id) AS ids, collect(degree) AS degrees
RETURN ids, degrees
