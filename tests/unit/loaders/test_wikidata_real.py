"""Public files made of Wikidata: what is read equals what plain JSON, pyoxigraph and splitting lines count."""

from __future__ import annotations

import bz2
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kgqa_loaders.normal import Row, normalise
from kgqa_loaders.recognise import open_sources
from kgqa_loaders.records import Literal, Named, ReadOptions, Record, Reject, RelationNote, Statement, Triple
from kgqa_loaders.wikidata.statements import VALUE

pytestmark = pytest.mark.data

FOLDER = Path(os.environ.get("KGQA_DATA", "data")) / "wikidata"
JSON_FILES = ("opentapioca/Q31.json", "opentapioca/sample_wikidata_items.json.bz2", "opentapioca/short_stream.json.bz2",
              "qwikidata/wd_Q42.json", "entitybase/json/entities")  # fmt: skip
REJECTS = {
    "opentapioca/Q31.json": 0, "opentapioca/sample_wikidata_items.json.bz2": 11, "opentapioca/short_stream.json.bz2": 3,
    "qwikidata/wd_Q42.json": 0, "entitybase/json/entities": 6,
}  # fmt: skip


def place(name: str) -> Path:
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"no {path}: set KGQA_DATA to the folder that holds wikidata/{name}")
    return path


def read(name: str, format_name: str, **options: Any) -> list[Record]:
    opened = open_sources([str(place(name))], options=ReadOptions(**options))
    assert set(opened.formats) == {format_name}
    return list(opened.source.records())


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def entities(path: Path) -> Iterator[dict[str, Any]]:
    """The entities of a file or folder, by plain JSON."""
    if path.is_dir():
        for file in sorted(path.rglob("*.json")):
            yield from entities(file)
        return
    text = bz2.decompress(path.read_bytes()).decode() if path.suffix == ".bz2" else path.read_text("utf-8")
    try:
        document = json.loads(text)
    except ValueError:
        for line in text.splitlines():
            if line.strip(" ,[]"):
                yield json.loads(line.rstrip().rstrip(","))
        return
    if isinstance(document, list):
        yield from document
    else:
        yield from document.get("entities", {"": document}).values()


def parts(entity: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield entity
    yield from entity.get("forms", [])
    yield from entity.get("senses", [])


def best_statements(path: Path) -> Iterator[dict[str, Any]]:
    for entity in entities(path):
        for part in parts(entity):
            for group in (part.get("claims") or {}).values():
                preferred = any(statement["rank"] == "preferred" for statement in group)
                wanted = "preferred" if preferred else "normal"
                yield from (statement for statement in group if statement["rank"] == wanted)


def counted(path: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    for statement in best_statements(path):
        snak = statement["mainsnak"]
        value = snak.get("datavalue", {})
        if snak["snaktype"] != "value":
            counts[snak["snaktype"]] += 1
        elif value["type"] == "wikibase-entityid":
            counts["entity"] += 1
            counts["entity with qualifiers"] += bool(statement.get("qualifiers"))
        elif value["type"] != "monolingualtext" or value["value"]["language"] in ("en", "mul", "und", "mis", "zxx"):
            counts["value"] += 1
    return counts


@pytest.mark.parametrize("name", JSON_FILES)
def test_json_facts_equal_an_independent_count(name: str) -> None:
    counts = counted(place(name))
    records = read(name, "wikidata-json")
    values = {record.entity_id for record in records if isinstance(record, Named) and VALUE in record.labels}
    lexeme = {"lexicalCategory", "lexemeLanguage", "form", "sense", "grammaticalFeature"}
    plain = [record for record in records if isinstance(record, Triple) and record.relation not in lexeme]
    statements = [record for record in records if isinstance(record, Statement) and record.tail not in values]
    unknown = [record for record in records if isinstance(record, Named) and record.name == "unknown value"]
    literals = [record for record in records if isinstance(record, Literal) and record.head not in values]
    listed = [record for record in records if isinstance(record, Reject)]
    assert len(plain) + len(statements) == counts["entity"]
    assert len(statements) == counts["entity with qualifiers"]
    assert len(unknown) == counts["somevalue"]
    assert len(listed) == REJECTS[name]
    # the rejects: each novalue, and days that no calendar has
    impossible = [record for record in listed if "is no day of any year" in record.reason]
    assert len(listed) - len(impossible) == counts["novalue"]
    in_qualifiers = [record for record in impossible if '"mainsnak"' not in record.text]
    assert len(literals) + len(impossible) - len(in_qualifiers) == counts["value"]


@pytest.mark.parametrize("name", JSON_FILES)
def test_json_names_equal_an_independent_count(name: str) -> None:
    names = {}
    for entity in entities(place(name)):
        labels = entity.get("labels") or entity.get("lemmas") or {}
        if entity["type"] != "property":
            links = entity.get("sitelinks") or {}
            lemma = next(iter(labels.values()))["value"] if "lemmas" in entity else ""
            found = labels.get("en", labels.get("mul", {})).get("value", links.get("enwiki", {}).get("title", lemma))
            names[entity["id"]] = found
    known = dict.fromkeys(names, "")
    for record in read(name, "wikidata-json"):
        if isinstance(record, Named) and record.entity_id in names and record.name:
            known[record.entity_id] = record.name
    assert known == names


def rows(name: str, about: str, **options: Any) -> set[Row]:
    """Facts and values as they would be stored, and what is said of one entity itself."""
    found = normalise(read(name, "wikidata-json" if name.endswith(".json") else "wikidata-rdf", **options), {})
    return {row for row in found if row.kind in "fv" or (row.a == about and row.kind in "ld")}


TURTLE = ("L1883", "L42", "L42353", "Q1", "Q120248304", "Q17633526", "Q17948861", "Q182397", "Q42", "Q51605722",
          "Q53713", "Q8413")  # fmt: skip


@pytest.mark.parametrize("ranks", ["best", "all"])
@pytest.mark.parametrize("entity", TURTLE)
def test_json_and_turtle_of_an_entity_give_the_same_graph(entity: str, ranks: str) -> None:
    from_json = rows(f"entitybase/json/entities/{entity}.json", entity, ranks=ranks)
    from_turtle = rows(f"entitybase/rdf/ttl/{entity}.ttl", entity, ranks=ranks)
    differing = from_json ^ from_turtle
    if entity == "Q42":  # one qualifier is a place, which RDF has with fewer digits
        assert {(row.a, row.b, row.c) for row in differing} == {("Q42", "P119", "Q533697")}
        differing = set()
    assert not differing


# ── RDF ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

QUERY_RDF = {"Q24628793.ttl": 0, "Q37599471.ttl": 0, "Q42.ttl": 0, "commons_dump.ttl": 1, "lexeme_dump.ttl": 0,
             "small_dump_chunk.ttl": 0, "Q_INTERSECTION.ttl": 2}  # fmt: skip
"""Files and their rejects: a statement that is cut off, and an entity whose id is none."""


@pytest.mark.parametrize("name", QUERY_RDF)
def test_turtle_statements_equal_an_independent_count(name: str) -> None:
    pyoxigraph = pytest.importorskip("pyoxigraph")
    quads = list(pyoxigraph.parse(path=place(f"wikidata-query-rdf/{name}"), format=pyoxigraph.RdfFormat.TURTLE))
    best = {quad.subject for quad in quads if str(quad.object) == "<http://wikiba.se/ontology#BestRank>"}
    qualified = {quad.subject for quad in quads if "/prop/qualifier/P" in quad.predicate.value}
    links = {quad.object for quad in quads
             if "/prop/statement/P" in quad.predicate.value and quad.subject in best & qualified
             and "/entity/Q" in str(quad.object)}  # fmt: skip
    owner = {quad.object: quad.subject for quad in quads if "/entity/statement/" in str(quad.object)}
    facts = {
        (
            quad.subject if kind == "direct" else owner[quad.subject],
            quad.predicate.value.rpartition("/")[2],
            quad.object,
        )
        for quad in quads
        for kind in ("direct", "statement")
        if f"/prop/{kind}/P" in quad.predicate.value
        and "/entity/" in str(quad.object)
        and (kind == "direct" or quad.subject in best)
    }
    records = read(f"wikidata-query-rdf/{name}", "wikidata-rdf")
    assert sum(isinstance(record, Reject) for record in records) == QUERY_RDF[name]
    if name == "Q_INTERSECTION.ttl":
        return
    values = {record.entity_id for record in records if isinstance(record, Named) and VALUE in record.labels}
    lexeme = {"lexicalCategory", "lexemeLanguage", "form", "sense", "grammaticalFeature"}
    statements = [record for record in records if isinstance(record, Statement) and record.tail not in values]
    assert {record.tail for record in statements} == {str(link).rpartition("/")[2][:-1] for link in links}
    links_read = [
        record for record in records if isinstance(record, Triple | Statement) and record.relation not in lexeme
    ]
    found = {(record.head, record.relation, record.tail) for record in links_read if record.tail not in values}
    assert len(found) == len(facts)


@pytest.mark.parametrize("name", ["wikidata_triples_small.json", "top_subgraph_triples.json"])
def test_triples_in_json_equal_an_independent_count(name: str) -> None:
    lines = [json.loads(line) for line in place(f"wikidata-query-rdf/{name}").read_text("utf-8").splitlines()]
    direct = {(row["subject"], row["predicate"], row["object"]) for row in lines
              if "/prop/direct/P" in row["predicate"] and "/entity/Q" in row["object"]}  # fmt: skip
    records = read(f"wikidata-query-rdf/{name}", "wikidata-rdf")
    values = {record.entity_id for record in records if isinstance(record, Named) and VALUE in record.labels}
    found = {(record.head, record.relation, record.tail) for record in records
             if isinstance(record, Triple | Statement) and record.tail not in values}  # fmt: skip
    assert len(found) == len(direct)
    labels = {
        row["object"]
        for row in lines
        if row["predicate"].endswith("rdf-schema#label>") and row["object"].endswith("@en")
    }
    named = [
        record for record in records if isinstance(record, Named) and record.name and record.entity_id not in values
    ]
    assert len(named) == len(labels)
    # one statement says that there is no value
    assert [record.text for record in records if isinstance(record, Reject)] == [
        "Q16615008$02B01638-51AE-4C2D-AABE-A0BA4F5B7816"
    ]


# ── tables ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_kgtk_edges_equal_an_independent_count() -> None:
    cells = [line.split("\t") for line in place("kgtk/wikidata_sample.tsv").read_text("utf-8").splitlines()[1:]]
    kinds = Counter(row[2] for row in cells if row[3].endswith("'@en"))
    numbers = sum(row[2].startswith("vertex_") for row in cells)
    records = read("kgtk/wikidata_sample.tsv", "kgtk")
    assert not [record for record in records if isinstance(record, Reject)]
    assert sum(isinstance(record, Literal) for record in records) == numbers
    named = [record for record in records if isinstance(record, Named)]
    notes = [record for record in records if isinstance(record, RelationNote)]  # names and descriptions of properties
    entity_labels = sum(row[2] == "label" and row[1][0] != "P" for row in cells if row[3].endswith("'@en"))
    assert sum(bool(record.name) for record in named) == entity_labels
    assert sum(bool(record.name) for record in named) + sum(bool(note.label) for note in notes) == kinds["label"]
    described = sum(bool(record.description) for record in named) + sum(bool(note.description) for note in notes)
    assert described == kinds["description"]
    types = place("kgtk/wikidata_properties.tsv").read_text("utf-8").count("\tproperty_type\t")
    assert len(read("kgtk/wikidata_properties.tsv", "kgtk")) == types


def test_labelled_triples_equal_an_independent_count() -> None:
    cells = [
        line.split("\t") for line in place("labelled/wikidata_labelled_triples.tsv").read_text("utf-8").split("\n")[:-1]
    ]
    records = read("labelled/wikidata_labelled_triples.tsv", "wikidata-labelled")
    assert sum(isinstance(record, Triple) for record in records) == len(cells)
    ids = {row[0] for row in cells if row[1].strip()} | {row[4] for row in cells if row[5].strip()}
    assert {record.entity_id for record in records if isinstance(record, Named)} == ids
    assert {note.relation for note in records if isinstance(note, RelationNote)} == {row[2] for row in cells}
    assert not [record for record in records if isinstance(record, Reject)]


@pytest.mark.parametrize(
    "name", [f"{kind}/{part}.txt" for kind in ("statements", "triples") for part in ("train", "valid", "test")]
)
def test_statement_lines_equal_an_independent_count(name: str) -> None:
    cells = [line.split(",") for line in place(f"wd50k/{name}").read_text("utf-8").splitlines()]
    records = read(f"wd50k/{name}", "wikidata-statements")
    assert sum(isinstance(record, Triple) for record in records) == sum(len(row) == 3 for row in cells)
    statements = [record for record in records if isinstance(record, Statement)]
    assert len(statements) == sum(len(row) > 3 for row in cells)
    pairs = sum((len(row) - 3) // 2 for row in cells)
    assert pairs == sum(
        len(v) if isinstance(v, list) else 1 for record in statements for v in record.qualifiers.values()
    )
