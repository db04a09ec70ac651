// name:    catalog/class_labels
// purpose: The labels of classes that a graph's entities carry, most frequent first, by a sample of the entities.
// params:  $sample int entities looked at; splices `<label>`, the graph's label
// returns: label str; one row per label
// needs:   nothing
// cost:    O($sample)

CYPHER 5
MATCH (n:`<label>`)
WITH n LIMIT $sample // unordered: any will do
UNWIND labels(n) AS label
WITH label, count(*) AS entities
WHERE label <> 'Entity' AND NOT label STARTS WITH 'KG_'
RETURN label
ORDER BY entities DESC, label
