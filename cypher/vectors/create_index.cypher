// name:    vectors/create_index
// purpose: An index that finds the entities of a label whose vectors are nearest to a given one.
// params:  $options map the index's options, with dimension and similarity; splices `<index>`, its name, and `<label>`
// returns: nothing
// needs:   the right to change the schema
// cost:    O(entities of the label × log of that), once; some ms each

CYPHER 5
CREATE VECTOR INDEX `<index>` IF NOT EXISTS FOR (n:`<label>`) ON (n._kgqa_vector) OPTIONS $options
