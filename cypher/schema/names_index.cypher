// name:    schema/names_index
// purpose: The graph's own full-text index over names and aliases; one over all graphs lets big ones crowd out small.
// params:  $options map the index's options, with its analyzer; splices `<index>`, its name, and `<label>`
// returns: nothing
// needs:   the right to change the schema
// cost:    O(entities of the graph), once

CYPHER 5
CREATE FULLTEXT INDEX `<index>` IF NOT EXISTS FOR (n:`<label>`) ON EACH [n.name, n.aliases] OPTIONS $options
