// name:    survey/relationships
// purpose: What the relationships around some nodes hold. No value leaves the server.
// params:  $ids list[str] element ids · $hub int a node with more relationships is not looked around
// returns: type str relationship type · key str property · held int relationships that have it · types list[str] · mean float characters of its texts
//          · longest int characters · unbroken int texts of more than 100 characters without a space · repeats int relationships in
//          which it says again what a property of that name says at one of its ends; by type and key
// needs:   nothing
// cost:    O(|ids| × hub × properties)

CYPHER 5
MATCH (n) WHERE elementId(n) IN $ids
WITH n WHERE COUNT { (n)--() } <= $hub
MATCH (n)-[r]-(m)
WITH DISTINCT r, n, m
UNWIND keys(r) AS key
WITH type(r) AS type, key, r[key] AS value, CASE WHEN r[key] = n[key] OR r[key] = m[key] THEN 1 ELSE 0 END AS repeats
WITH type, key, value, repeats, CASE WHEN value IS :: STRING THEN value END AS text
RETURN type, key, count(*) AS held, collect(DISTINCT valueType(value)) AS types,
       coalesce(avg(size(text)), 0.0) AS mean, coalesce(max(size(text)), 0) AS longest,
       sum(CASE WHEN size(text) > 100 AND NOT text CONTAINS ' ' THEN 1 ELSE 0 END) AS unbroken,
       sum(repeats) AS repeats
ORDER BY type, key
