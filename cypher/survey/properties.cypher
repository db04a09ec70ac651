// name:    survey/properties
// purpose: What some nodes hold: how much of it, of what kind, and what its texts are like. No value leaves the server.
// params:  $ids list[str] element ids
// returns: key str property · held int nodes that have it · different int values · types list[str] · mean float characters of its
//          texts · longest int characters · unbroken int texts of more than 100 characters without a space · lettered int texts with
//          two letters in a row · spaced int texts of several words · worded int texts that read as names: of several words with
//          letters, or of letters alone that are not all capitals; by key
// needs:   nothing
// cost:    O(|ids| × properties)

CYPHER 5
MATCH (n) WHERE elementId(n) IN $ids
UNWIND [key IN keys(n) WHERE NOT key STARTS WITH '_kgqa_'] AS key
WITH key, n[key] AS value
WITH key, value, valueType(value) AS type, CASE WHEN value IS :: STRING THEN value END AS text
RETURN key, count(*) AS held, count(DISTINCT value) AS different, collect(DISTINCT type) AS types,
       coalesce(avg(size(text)), 0.0) AS mean, coalesce(max(size(text)), 0) AS longest,
       sum(CASE WHEN size(text) > 100 AND NOT text CONTAINS ' ' THEN 1 ELSE 0 END) AS unbroken,
       sum(CASE WHEN left(text, 100) =~ '(?s).*\\p{L}\\p{L}.*' THEN 1 ELSE 0 END) AS lettered,
       sum(CASE WHEN left(trim(text), 100) CONTAINS ' ' THEN 1 ELSE 0 END) AS spaced,
       sum(CASE WHEN left(text, 100) =~ '(?s).*\\p{L}\\p{L}.* .*|.* .*\\p{L}\\p{L}.*|(?=.*[\\p{Ll}\\p{Lo}])[\\p{L}\\p{M}.\'’&-]{2,}'
           THEN 1 ELSE 0 END) AS worded
ORDER BY key
