"""A small file of each general format, all written for these tests."""

from __future__ import annotations

import json
from pathlib import Path

NTRIPLES = b"""<http://acme.example/ann> <http://acme.example/worksFor> <http://acme.example/mill> .
<http://acme.example/ann> <http://www.w3.org/2000/01/rdf-schema#label> "Ann \\u00C5s"@en .
<http://acme.example/ann> <http://acme.example/born> "1970-02-03"^^<http://www.w3.org/2001/XMLSchema#date> .
_:b1 <http://acme.example/worksFor> <http://acme.example/mill> .
<http://acme.example/mill> <http://acme.example/staff> "12"^^<http://www.w3.org/2001/XMLSchema#integer> .
"""
NQUADS = NTRIPLES.replace(b" .\n", b" <http://acme.example/graph> .\n")
TURTLE = b"""@prefix : <http://acme.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann"@en, "Anna"@de ;
    :worksFor :mill {| :since 1999 |} .
:mill rdfs:label "Mill" ; :staff 12 .
[ :worksFor :mill ] rdfs:label "somebody" .
"""
TRIG = TURTLE + b":g { :ben :worksFor :mill . }\n"
RDF_XML = b"""<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:a="http://acme.example/">
  <rdf:Description rdf:about="http://acme.example/ann">
    <a:worksFor rdf:resource="http://acme.example/mill"/>
    <a:age rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">41</a:age>
  </rdf:Description>
</rdf:RDF>
"""
JSON_LD = b"""{
  "@context": {"@vocab": "http://acme.example/", "worksFor": {"@type": "@id"}},
  "@id": "http://acme.example/ann",
  "@type": "Person",
  "age": 41,
  "worksFor": "http://acme.example/mill"
}
"""
NODES_CSV = b"""personId:ID(Person),name,born:int,tags:string[],:LABEL,paid:boolean
1,"Ann ""Annie"" As",1970,mill;boss,Person;Boss,true
2,"Ben, the younger",1999,,Person,false
3,Cleo,,new,Person,
"""
EDGES_CSV = b""":START_ID(Person);:END_ID(Person);:TYPE;since:date
1;2;BOSS_OF;2020-01-02
1;3;BOSS_OF;
2;3;KNOWS;2021-05-06
"""
TRIPLES_CSV = b"head,relation,tail,source\nann,boss of,ben,diary\nben,knows,cleo,\n"
JSON_FACTS = b"""{"head": "ann", "relation": "boss of", "tail": "ben", "since": 2020}
{"head": "ben", "relation": "knows", "tail": "cleo"}
{"head": "ben", "relation": "age", "tail": 22}
"""
JSON_NODES = b"""{"id": "ann", "name": "Ann As", "labels": ["Person"], "born": 1970}
{"id": "ben", "name": "Ben", "labels": ["Person"], "tags": ["young", "tall"]}
"""
APOC_JSON = b"""{"type":"node","id":"7","labels":["Person"],"properties":{"name":"Ann"}}
{"type":"node","id":"8","labels":["Person"],"properties":{"name":"Ben"}}
{"id":"1","type":"relationship","label":"BOSS_OF","properties":{"since":2020},"start":{"id":"7"},"end":{"id":"8"}}
"""
CYPHER = b"""CREATE CONSTRAINT IF NOT EXISTS FOR (p:Person) REQUIRE p.name IS UNIQUE;
CREATE (ann:Person {name: 'Ann; the boss', born: 1970}) // not the end;
CREATE (ben:Person {name: "Ben"})
CREATE (ann)-[:BOSS_OF {since: date('2020-01-02')}]->(ben);
"""
PIPES = b"ann|boss of|ben\nben|knows|cleo\n"
TABS = b"ann\tboss of\tben\nben\tknows\tcleo\n"


def parquet(rows: list[dict[str, object]], folder: Path) -> bytes:
    """A Parquet file of some rows."""
    import duckdb

    source, made = folder / "rows.json", folder / "rows.parquet"
    source.write_text("\n".join(map(json.dumps, rows)))
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT * FROM read_json_auto('{source}')) TO '{made}' (FORMAT parquet)")
    return made.read_bytes()


SAMPLES: dict[str, tuple[str, bytes]] = {
    "ntriples": ("ntriples", NTRIPLES),
    "nquads": ("ntriples", NQUADS),
    "turtle": ("rdf", TURTLE),
    "trig": ("rdf", TRIG),
    "rdf-xml": ("rdf", RDF_XML),
    "json-ld": ("rdf", JSON_LD),
    "csv-nodes": ("csv", NODES_CSV),
    "csv-edges": ("csv", EDGES_CSV),
    "csv-triples": ("csv", TRIPLES_CSV),
    "json-facts": ("jsonl", JSON_FACTS),
    "json-nodes": ("jsonl", JSON_NODES),
    "json-apoc": ("jsonl", APOC_JSON),
    "cypher": ("cypher", CYPHER),
    "pipes": ("triples", PIPES),
    "tabs": ("tsv", TABS),
}
"""Name of the sample → the format that it is of, its content."""
