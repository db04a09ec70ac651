"""RDF: the same graph comes of every syntax; names, types, values, annotations and notes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_graphdb.types import Point
from kgqa_loaders.ntriples import quads
from kgqa_loaders.recognise import open_source
from kgqa_loaders.records import (
    Block,
    BlockSource,
    Literal,
    Named,
    ReadOptions,
    Record,
    Reject,
    RelationNote,
    Statement,
    Triple,
)
from kgqa_loaders.vocabulary import Vocabulary, class_label, readable, relation_id, value_of

pyoxigraph = pytest.importorskip("pyoxigraph")

HEAD = b"""@prefix : <http://acme.example/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
ANN, BEN, WORKS = "http://acme.example/ann", "http://acme.example/ben", "worksFor (acme.example/)"


def read(tmp_path: Path, text: bytes, file: str = "some.ttl", **options: object) -> list[Record]:
    path = tmp_path / file
    path.write_bytes(HEAD + text if file.endswith(".ttl") else text)
    return list(open_source(str(path), options=ReadOptions(**options)).records())  # type: ignore[arg-type]


def plain(records: list[Record]) -> set[str]:
    """The records without their places in the source."""
    return {
        repr(record._replace(line=0) if isinstance(record, Triple | Literal | Named) else replace(record, line=0))
        for record in records
        if not isinstance(record, RelationNote)
    }


@pytest.mark.parametrize(
    ("syntax", "file"),
    [
        ("TRIG", "x.trig"), ("N_TRIPLES", "x.nt"), ("N_QUADS", "x.nq"), ("RDF_XML", "x.rdf"), ("JSON_LD", "x.jsonld"),
        ("N3", "x.n3"), ("TURTLE", "x.data"),
    ],
)  # fmt: skip
def test_every_syntax_gives_the_same_records(syntax: str, file: str, tmp_path: Path) -> None:
    text = b""":ann a :Person ; rdfs:label "Ann"@en ; foaf:knows :ben ; :age 41 ; :born "1970-01-02"^^xsd:date .
:ben :motto "it's \\"so\\"\\n" ."""
    expected = plain(read(tmp_path, text))
    kind = getattr(pyoxigraph.RdfFormat, syntax)
    triples = [quad.triple for quad in pyoxigraph.parse(HEAD + text, pyoxigraph.RdfFormat.TURTLE)]
    written = pyoxigraph.serialize(triples, format=kind)
    assert written is not None
    assert plain(read(tmp_path, written, file)) == expected
    assert len(expected) == 6


def test_names_come_in_the_languages_wanted(tmp_path: Path) -> None:
    text = b""":ann rdfs:label "Ann"@en-GB, "Anna"@de, "Anne"@fr, "ann" ;
    skos:altLabel "A."@de ; rdfs:comment "boss"@en ."""
    found = [record for record in read(tmp_path, text, languages=("de", "en")) if isinstance(record, Named)]
    assert {record.name: record.rank for record in found if record.name} == {"Anna": 0, "Ann": 10, "ann": 20}
    assert {record.aliases for record in found if record.aliases} == {("A.",)}
    assert {record.description for record in found if record.description} == {"boss"}


@pytest.mark.parametrize("file", ["x.ttl", "x.nt"])
def test_without_any_names_iris_give_them(file: str, tmp_path: Path) -> None:
    text = b"<http://a/New_York> <http://a/in> <http://a/USA> .\n"
    assert {(record.entity_id, record.name) for record in read(tmp_path, text, file) if isinstance(record, Named)} == {
        ("http://a/New_York", "New York"),
        ("http://a/USA", "USA"),
    }


@pytest.mark.parametrize(("types", "labels", "facts"), [("labels", 1, 0), ("facts", 0, 1), ("both", 1, 1)])
def test_classes_become_labels_or_facts(types: str, labels: int, facts: int, tmp_path: Path) -> None:
    records = read(tmp_path, b":ann a :Person .", types=types)
    found = [record.labels for record in records if isinstance(record, Named) and record.labels]
    assert found == [("Person",)] * labels
    assert [record.relation for record in records if isinstance(record, Triple)] == ["rdf:type"] * facts


def test_annotations_are_qualifiers_of_their_fact(tmp_path: Path) -> None:
    text = b""":ann :worksFor :ben {| :since 1999 ; :role "boss", "owner" |} .
:ann :worksFor :cleo ~ :r . :r :since 2001 .
<< :ben :worksFor :cleo >> :since 2002 ."""
    records = read(tmp_path, text)
    assert [record for record in records if isinstance(record, Triple)] == []
    facts = {record.tail[-4:] + record.head[-3:]: record for record in records if isinstance(record, Statement)}
    assert facts["/benann"].qualifiers == {"since": 1999, "role": ["boss", "owner"]}
    assert facts["cleoann"].qualifiers == {"since": 2001}
    assert facts["cleoben"].qualifiers == {"since": 2002, "asserted": False}
    assert {record.relation for record in facts.values()} == {WORKS}


def test_annotated_lines_go_with_their_fact_too(tmp_path: Path) -> None:
    fact = b"<http://acme.example/ann> <http://acme.example/worksFor> <http://acme.example/ben>"
    text = fact + b" .\n_:r <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( " + fact + b" )>> .\n"
    records = read(tmp_path, text + b'_:r <http://acme.example/since> "1999" .\n', "x.nt")
    assert Statement(0, ANN, WORKS, BEN, {"since": "1999"}) in records


def test_annotation_in_a_file_of_plain_lines_is_rejected_with_its_cure() -> None:
    _, reject = next(quads(Block(7, b"<< <a> <b> <c> >> <d> <e> .\n")))
    assert isinstance(reject, Reject)
    assert reject.line == 7
    assert "--format rdf" in reject.reason


def test_blank_nodes_are_the_same_each_time_and_differ_between_files(tmp_path: Path) -> None:
    path, other = tmp_path / "a.ttl", tmp_path / "b.ttl"
    path.write_bytes(HEAD + b"[ :worksFor :ann ] :likes [ :worksFor :ben ] . _:x :likes :ann .")
    other.write_bytes(HEAD + b"_:x :likes :ben .")
    first, again = (list(open_source(str(path)).records()) for _ in range(2))
    assert first == again
    heads = {record.head for record in first if isinstance(record, Triple)}
    assert len(heads) == 3
    assert heads.isdisjoint(record.head for record in open_source(str(other)).records() if isinstance(record, Triple))


@pytest.mark.parametrize("file", ["x.ttl", "x.nt"])
def test_what_is_said_of_a_property_goes_to_its_relation(file: str, tmp_path: Path) -> None:
    text = (
        HEAD
        + b""":worksFor a owl:ObjectProperty ; rdfs:label "employer"@en ; rdfs:comment "who pays"@en ;
    owl:inverseOf :staff ; rdfs:domain :Person . :ann :worksFor :mill ."""
    )
    if file == "x.nt":
        triples = [quad.triple for quad in pyoxigraph.parse(text, pyoxigraph.RdfFormat.TURTLE)]
        written = pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.N_TRIPLES)
        assert written is not None
        text = written
    path = tmp_path / file
    path.write_bytes(text)
    records = list(open_source(str(path)).records())
    notes = [record for record in records if isinstance(record, RelationNote) and record.relation == WORKS]
    assert {note.label for note in notes if note.rank == 0} >= {"employer"}
    assert {note.description for note in notes} >= {"who pays", "http://acme.example/worksFor"}
    assert {note.inverse for note in notes} == {"", "staff"}
    assert len([record for record in records if not isinstance(record, RelationNote)]) == 1


def test_wrong_line_is_rejected_and_reading_goes_on(tmp_path: Path) -> None:
    lines = b"<http://a/b> <http://a/c> <http://a/d> .\n" * 9 + b"<http://a/b> <http://a/c> what .\n"
    records = read(tmp_path, lines + b"<http://a/e> <http://a/c> <http://a/d> .\n", "x.nt")
    assert [(record.line, "no object" in record.reason) for record in records if isinstance(record, Reject)] == [
        (10, True)
    ]
    assert [record.line for record in records if isinstance(record, Triple)] == [*range(1, 10), 11]


def test_wrong_document_says_the_line_and_the_cure(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"some\.ttl is no .* at line 4: .*N-Triples"):
        read(tmp_path, b":ann :worksFor .")


@pytest.mark.parametrize(
    ("text", "datatype", "value"),
    [
        ("07", "integer", 7), ("1.5", "decimal", 1.5), ("true", "boolean", True), ("1999", "gYear", 1999),
        ("2020-01-02Z", "date", date(2020, 1, 2)),
        ("2020-01-02T03:04:05Z", "dateTime", datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("-0044-03-15", "date", "-0044-03-15"), ("P1D", "duration", "P1D"), ("9" * 30, "integer", "9" * 30),
    ],
)  # fmt: skip
def test_literals_are_typed(text: str, datatype: str, value: object) -> None:
    assert value_of(text, f"http://www.w3.org/2001/XMLSchema#{datatype}") == value


def test_place_in_well_known_text_is_a_point() -> None:
    found = value_of("POINT(13.4 52.5)", "http://www.opengis.net/ont/geosparql#wktLiteral")
    assert found == Point(13.4, 52.5)


@pytest.mark.parametrize(
    ("text", "datatype"), [("x", "integer"), ("2020-13-01", "date"), ("maybe", "boolean"), ("NaN", "double")]
)
def test_literal_that_is_not_of_its_type_is_refused(text: str, datatype: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        value_of(text, f"http://www.w3.org/2001/XMLSchema#{datatype}")


def test_relation_ids_differ_where_iris_do() -> None:
    iris = ["http://xmlns.com/foaf/0.1/name", "http://schema.org/name", "https://schema.org/name", "http://a/name",
            "https://a/name", "http://a#name", "http://a/b/name", "urn:a:name", "name"]  # fmt: skip
    ids = [relation_id(iri) for iri in iris]
    assert len(set(ids)) == len(iris)
    assert ids[:4] == ["foaf:name", "schema:name", "schemas:name", "name (a/)"]


def test_labels_and_names_come_from_local_names() -> None:
    assert class_label("http://a/b#Big%20Film") == "Big Film"
    assert readable("http://a/New_York_%28city%29") == "New York (city)"
    assert readable("Ann: a life") == "Ann: a life"


def test_lines_are_read_in_blocks_like_the_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.nt"
    path.write_bytes(b"".join(b'<http://a/%d> <http://a/r> "%d" .\n' % (at, at) for at in range(50)))
    source = open_source(str(path))
    assert isinstance(source, BlockSource)
    lines = path.read_bytes().splitlines(keepends=True)
    pieces = [Block(at + 1, line) for at, line in enumerate(lines)]
    apart = [record for piece in pieces for record in source.parse(piece) if isinstance(record, Literal)]
    assert apart == [record for record in source.records() if isinstance(record, Literal)]


def test_language_tags_match_their_regions() -> None:
    vocabulary = Vocabulary(("pt", "en"))
    assert [vocabulary.place(tag) for tag in ("pt-BR", "PT", "en", "", "ptx")] == [0, 0, 1, 2, None]
