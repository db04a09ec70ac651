"""Freebase's RDF dump: its dialects, names, types, literals, schema nodes and keys."""

from __future__ import annotations

import pickle
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from kgqa_graphdb.types import Scalar
from kgqa_loaders.freebase.literals import decoded_key, language_rank, typed, unescaped
from kgqa_loaders.freebase.rdf import FreebaseRdf, fits, open_rdf
from kgqa_loaders.recognise import open_sources
from kgqa_loaders.records import Block, Literal, Named, ReadOptions, Record, Reject, RelationNote, Triple

NS = "http://rdf.freebase.com/ns/"
XSD = "http://www.w3.org/2001/XMLSchema#"


def line(head: str, relation: str, tail: str) -> str:
    """A line of the dump; a tail that begins with a quotation mark is a literal."""
    return f"<{NS}{head}>\t<{NS}{relation}>\t{tail if tail.startswith(chr(34)) else f'<{NS}{tail}>'}\t.\n"


def read(tmp_path: Path, text: str, options: ReadOptions | None = None) -> list[Record]:
    path = tmp_path / "dump.nt"
    path.write_text(text, encoding="utf-8")
    return list(open_rdf(path, "dump", options or ReadOptions()).records())


@pytest.mark.parametrize(
    "text",
    [
        f"<{NS}m.0ab>\t<{NS}film.film.genre>\t<{NS}m.0xy>\t.\n",
        f"<{NS}m.0ab> <{NS}film.film.genre> <{NS}m.0xy> .\r\n",
        f"<{NS}m.0ab> <{NS}film.film.genre> <{NS}m.0xy> .".replace("freebase", "basekb"),
        "@prefix ns: <http://rdf.freebase.com/ns/>.\n# a comment\n\nns:m.0ab\tns:film.film.genre\tns:m.0xy.\n",
        f"\ufeff<{NS}m.0ab>\t<{NS}film.film.genre>\t<{NS}m.0xy>\t.\n",
    ],
    ids=["dump", "spaces", "basekb", "prefixes", "byte order mark"],
)
def test_dialects_give_the_same_fact(tmp_path: Path, text: str) -> None:
    (record,) = read(tmp_path, text)
    assert isinstance(record, Triple)
    assert record[1:] == ("m.0ab", "film.film.genre", "m.0xy")


def test_names_aliases_and_descriptions_are_of_the_languages_wanted_best_first(tmp_path: Path) -> None:
    text = (
        line("m.0ab", "type.object.name", '"Der Turm"@de')
        + line("m.0ab", "type.object.name", '"The Tower"@en')
        + line("m.0ab", "type.object.name", '"La Tour"@fr')
        + f'<{NS}m.0ab>\t<http://www.w3.org/2000/01/rdf-schema#label>\t"The Tower"@en\t.\n'
        + line("m.0ab", "common.topic.alias", '"Tower"@en-GB')
        + line("m.0ab", "common.topic.description", '"A \\"tall\\" one.\\nIt \\u00e9 leans."@en')
    )
    assert read(tmp_path, text, ReadOptions(languages=("de", "en"))) == [
        Named("m.0ab", name="Der Turm", rank=0, line=1),
        Named("m.0ab", name="The Tower", rank=2, line=2),
        Named("m.0ab", name="The Tower", rank=2, line=4),
        Named("m.0ab", aliases=("Tower",), line=5),
        Named("m.0ab", description='A "tall" one.\nIt é leans.', rank=2, line=6),
    ]


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ("labels", [Named("m.0ab", labels=("film.film",), line=1)]),
        ("facts", [Triple(1, "m.0ab", "type.object.type", "film.film")]),
        ("both", [Named("m.0ab", labels=("film.film",), line=1), Triple(1, "m.0ab", "type.object.type", "film.film")]),
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        line("m.0ab", "type.object.type", "film.film"),
        f"<{NS}m.0ab>\t<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>\t<{NS}film.film>\t.\n",
        line("film.film", "type.type.instance", "m.0ab"),
    ],
    ids=["type", "rdf:type", "instance"],
)
def test_types_become_labels_facts_or_both(tmp_path: Path, types: str, expected: list[Record], text: str) -> None:
    assert read(tmp_path, text, ReadOptions(types=types)) == expected


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ('"plain"', "plain"),
        (f'"12"^^<{XSD}integer>', 12),
        (f'"twelve"^^<{XSD}integer>', "twelve"),
        (f'"{10**30}"^^<{XSD}integer>', str(10**30)),
        (f'"1.5"^^<{XSD}decimal>', 1.5),
        (f'"INF"^^<{XSD}double>', "INF"),
        (f'"true"^^<{XSD}boolean>', True),
        (f'"1999-12-31"^^<{XSD}date>', date(1999, 12, 31)),
        (f'"1999-02-31"^^<{XSD}date>', "1999-02-31"),
        (f'"-0044-03-15"^^<{XSD}date>', "-0044-03-15"),
        (f'"1999"^^<{XSD}gYear>', 1999),
        (f'"-0044"^^<{XSD}gYear>', -44),
        (f'"1999-12"^^<{XSD}gYearMonth>', "1999-12"),
        (f'"1999-12-31T10:30:00Z"^^<{XSD}dateTime>', datetime(1999, 12, 31, 10, 30, tzinfo=UTC)),
        (f'"T10:30"^^<{XSD}dateTime>', "T10:30"),
        ('"something"^^<http://example.com/other>', "something"),
        ('"1999"^^xsd:gYear', 1999),
        ("4.5", 4.5),
        ("-12", -12),
        ("1.5e+03", 1500.0),
        ("true", True),
    ],
)
def test_literals_are_typed_and_one_that_does_not_fit_its_type_stays_a_text(
    tmp_path: Path, literal: str, value: Scalar
) -> None:
    (record,) = read(tmp_path, f"<{NS}m.0ab>\t<{NS}film.film.about>\t{literal}\t.\n")
    assert record == Literal(1, "m.0ab", "film.film.about", value)
    assert isinstance(record, Literal)
    assert type(record.value) is type(value)


def test_a_literal_without_a_datatype_is_of_the_type_that_the_schema_says(tmp_path: Path) -> None:
    text = line("film.film.length", "type.property.expected_type", "type.int") + line(
        "m.0ab", "film.film.length", '"90"'
    )
    assert Literal(2, "m.0ab", "film.film.length", 90) in read(tmp_path, text)


def test_web_addresses_are_texts_and_other_languages_are_left_out(tmp_path: Path) -> None:
    text = f"<{NS}m.0ab>\t<{NS}common.topic.official_website>\t<http://example.com/a>\t.\n" + line(
        "m.0ab", "film.film.tagline", '"Ein Turm"@de'
    )
    assert read(tmp_path, text) == [Literal(1, "m.0ab", "common.topic.official_website", "http://example.com/a")]


def test_bookkeeping_is_left_out(tmp_path: Path) -> None:
    text = (
        line("m.0ab", "type.object.permission", "m.0p")
        + line("m.0ab", "type.object.key", '"/wikipedia/en/Tower$0028film$0029"')
        + f'<{NS}m.0ab>\t<http://rdf.freebase.com/key/wikipedia.en>\t"Tower$0028film$0029"\t.\n'
        + line("m.0ab", "freebase.valuenotation.is_reviewed", "film.film.country")
        + line("film.film", "type.object.name", '"Film"@en')
    )
    assert read(tmp_path, text) == []


def test_keys_are_kept_where_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "dump.nt"
    path.write_text(f'<{NS}m.0ab>\t<http://rdf.freebase.com/key/wikipedia.en>\t"Tower$0028film$0029"\t.\n')
    source = replace(open_rdf(path, "dump", ReadOptions()), keys=True)
    assert list(source.records()) == [Literal(1, "m.0ab", "key.wikipedia.en", "Tower(film)")]


SCHEMA = (
    line("film.film.starring", "type.property.schema", "film.film")
    + line("film.film.starring", "type.property.expected_type", "film.performance")
    + line("film.film.starring", "type.object.name", '"Starring"@en')
    + line("film.performance.film", "type.property.schema", "film.performance")
    + line("film.performance.film", "type.property.expected_type", "film.film")
    + line("film.performance.film", "type.property.master_property", "film.film.starring")
    + line("film.performance.film", "type.object.name", '"Film"@en')
    + line("film.performance.actor", "type.property.schema", "film.performance")
    + line("film.performance.actor", "type.property.expected_type", "film.actor")
    + line("film.performance", "freebase.type_hints.mediator", '"true"')
)


def test_schema_nodes_become_notes_on_relations(tmp_path: Path) -> None:
    notes = [record for record in read(tmp_path, SCHEMA) if isinstance(record, RelationNote)]
    own = [note for note in notes if note.rank == 0]
    assert RelationNote("film.film.starring", label="starring") in own
    assert RelationNote("film.film.starring", inverse="film of") in own, "the words of its mirror image"
    assert RelationNote("film.performance.actor", tails=("film.actor",)) in own
    (via,) = [note for note in notes if note.via]
    assert via.relation == "film.film.starring..film.performance.actor"
    assert via.via == (">film.film.starring", ">film.performance.actor")
    assert (via.heads, via.tails) == (("film.film",), ("film.actor",))
    assert {note.relation for note in notes if note.kind == "leg"} == {"film.film.starring", "film.performance.actor"}


def test_a_mediator_may_be_told_by_a_truth_value_without_quotation_marks(tmp_path: Path) -> None:
    text = SCHEMA.replace('"true"', "true")
    assert [record for record in read(tmp_path, text) if isinstance(record, RelationNote) and record.via]


def test_a_fact_and_its_mirror_image_are_one(tmp_path: Path) -> None:
    text = line("m.0film", "film.film.starring", "m.0p") + line("m.0p", "film.performance.film", "m.0film") + SCHEMA
    facts = [record[1:] for record in read(tmp_path, text) if isinstance(record, Triple)]
    assert facts == [("m.0film", "film.film.starring", "m.0p")] * 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"<{NS}m.0ab>\t<{NS}film.film.genre>\t<{NS}m.0x", "the statement does not end in a full stop"),
        (f'<{NS}m.0ab>\t<{NS}film.film.about>\t"text .', "the literal does not end"),
        (f"<{NS}m.0ab>\t<{NS}film.film.genre>\t.", "it is no statement of subject, predicate and object"),
    ],
)
def test_a_line_that_is_no_statement_is_a_reject(tmp_path: Path, text: str, reason: str) -> None:
    good = line("m.0ab", "film.film.genre", "m.0xy")
    assert read(tmp_path, good + text + "\n" + good) == [
        Triple(1, "m.0ab", "film.film.genre", "m.0xy"),
        Reject(2, reason, text),
        Triple(3, "m.0ab", "film.film.genre", "m.0xy"),
    ]


def test_a_source_can_be_pickled_and_its_blocks_read_apart(tmp_path: Path) -> None:
    path = tmp_path / "dump.nt"
    path.write_text(SCHEMA + line("m.0p", "film.performance.film", "m.0film"))
    source: FreebaseRdf = pickle.loads(pickle.dumps(open_rdf(path, "dump", ReadOptions())))  # noqa: S301 - our own
    block = Block(11, line("m.0p", "film.performance.film", "m.0film").encode())
    assert list(source.parse(block)) == [Triple(11, "m.0film", "film.film.starring", "m.0p")]


def test_the_dump_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "part-00"
    path.write_text(SCHEMA)
    opened = open_sources([str(path)])
    assert (opened.formats, opened.licence) == (("freebase-rdf",), "CC BY 2.5")
    assert fits(b"<http://example.com/a> <http://example.com/b> <http://example.com/c> .\n") == 0


def test_unescaped_joins_surrogates_and_leaves_what_is_no_escape() -> None:
    assert unescaped(r"a\tb \"c\" \\ \u00e9 \U0001F600 \uD83D\uDE00 \q \u12") == 'a\tb "c" \\ é 😀 😀 \\q \\u12'
    assert unescaped(r"half \uD83D pair") == "half \ud83d pair"


def test_decoded_key() -> None:
    assert decoded_key("Queen$0027s_Radio$0028$00e9$XY") == "Queen's_Radio($00e9$XY"
    assert decoded_key("$00E9t$00E9") == "été"


def test_typed_by_freebase_own_types() -> None:
    assert typed("1999", "type.datetime") == 1999
    assert typed("1999-12-31", "type.datetime") == date(1999, 12, 31)
    assert typed("2.5", "type.float") == 2.5
    assert typed("true", "type.boolean") is True
    assert typed("x", "type.text") == "x"


@pytest.mark.parametrize(
    ("tag", "languages", "rank"),
    [("en", ("en",), 0), ("en-GB", ("en",), 1), ("de", ("en", "de"), 2), ("", ("en",), 2), ("fr", ("en",), None)],
)
def test_language_rank(tag: str, languages: tuple[str, ...], rank: int | None) -> None:
    assert language_rank(tag, languages) == rank
    assert language_rank(tag, ()) == 0
