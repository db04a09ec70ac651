"""Wikidata's entity dumps: what each kind of statement, entity and layout becomes."""

from __future__ import annotations

import bz2
import gzip
import json
import pickle
from datetime import date
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_graphdb.types import Point
from kgqa_loaders.files import blocks_of
from kgqa_loaders.recognise import open_sources
from kgqa_loaders.records import BlockSource, Literal, Named, ReadOptions, Record, RelationNote, Statement, Triple
from kgqa_loaders.subset import Subset, subset
from kgqa_loaders.wikidata import dump
from tests.unit.loaders.wikidata_samples import (
    GUID,
    ISLAND,
    JULIAN,
    claim,
    dump_of,
    entity,
    item_value,
    place,
    quantity,
    read,
    records_of,
    rejects,
    string,
    text_in,
    texts,
    time,
)


def test_item_has_its_names_and_facts(tmp_path: Path) -> None:
    records = records_of(tmp_path, ISLAND)
    assert records[0] == Named("Q100", "Made Island", ("The Island",), description="island that is made up", line=2)
    assert Triple(2, "Q100", "P31", "Q200") in records
    assert Statement(2, "Q100", "P17", "Q300", {"P580": 1912}, f"Q100${GUID}2") in records
    assert Literal(2, "Q100", "P571", date(1911, 5, 3)) in records
    assert Literal(2, "Q100", "P625", Point(-70.25, 12.5)) in records
    assert Literal(2, "Q100", "P227", "X-77") in records


def test_unit_is_part_of_the_relation(tmp_path: Path) -> None:
    records = records_of(tmp_path, ISLAND)
    assert Literal(2, "Q100", "P2046_Q712226", 3.5) in records
    assert RelationNote("P2046_Q712226", unit="km²", like="P2046") in records


def test_value_of_which_something_is_said_is_also_a_node(tmp_path: Path) -> None:
    records = records_of(tmp_path, ISLAND)
    node = f"Q100${GUID}4"
    assert Literal(2, "Q100", "P1082", 1200) in records
    assert Named(node, "1,200", labels=("Value",), line=2) in records
    assert Statement(2, "Q100", "P1082", node, {"P585": 2011}, node) in records
    assert {record for record in records if isinstance(record, Literal) and record.head == node} == {
        Literal(2, node, "value", 1200), Literal(2, node, "upper", 1250), Literal(2, node, "lower", 1150),
    }  # fmt: skip
    values = [record for record in records if isinstance(record, Named) and "Value" in record.labels]
    assert len(values) == 1  # a day, a place, a text and a quantity without bounds say all that there is to say


def test_texts_in_other_languages_are_left_out(tmp_path: Path) -> None:
    assert not [r for r in records_of(tmp_path, ISLAND) if isinstance(r, Literal) and r.relation == "P1705"]


def test_second_language_gives_aliases_and_says_its_texts_language(tmp_path: Path) -> None:
    records = records_of(tmp_path, ISLAND, languages=("en", "nl"))
    assert isinstance(records[0], Named)
    assert records[0].aliases == ("Verzonnen Eiland", "The Island")
    assert Literal(2, f"Q100${GUID}7", "language", "nl") in records


def test_name_in_the_second_language_yields_to_one_in_the_first(tmp_path: Path) -> None:
    named = records_of(tmp_path, entity("Q1", labels=texts(nl="Een"), descriptions=texts(en="one")),
                       languages=("en", "nl"))  # fmt: skip
    assert named == [Named("Q1", "Een", rank=1, line=2), Named("Q1", description="one", rank=0, line=2)]


def test_label_for_all_languages_and_title_of_the_page_stand_in(tmp_path: Path) -> None:
    links = {"enwiki": {"site": "enwiki", "title": "Someone (poet)"}}
    assert records_of(tmp_path, entity("Q1", labels=texts(mul="Someone"), sitelinks=links)) == [
        Named("Q1", "Someone", rank=1, line=2)
    ]
    assert records_of(tmp_path, entity("Q1", labels=texts(de="Jemand"), sitelinks=links)) == [
        Named("Q1", "Someone (poet)", rank=2, line=2)
    ]


def test_only_statements_of_the_best_rank_count(tmp_path: Path) -> None:
    ranked = entity(
        "Q1",
        claim("P6", item_value("Q2"), rank="preferred"), claim("P6", item_value("Q3")),
        claim("P7", item_value("Q4")), claim("P7", item_value("Q5"), rank="deprecated"),
        claim("P8", item_value("Q6"), rank="deprecated"),
    )  # fmt: skip
    assert records_of(tmp_path, ranked)[1:] == [Triple(2, "Q1", "P6", "Q2"), Triple(2, "Q1", "P7", "Q4")]


def test_all_ranks_are_kept_with_their_rank_if_asked(tmp_path: Path) -> None:
    ranked = entity("Q1", claim("P6", item_value("Q2"), rank="preferred"), claim("P6", item_value("Q3"), "Q1$a"),
                    claim("P9", quantity("+3"), "Q1$b", rank="deprecated"))  # fmt: skip
    records = records_of(tmp_path, ranked, ranks="all")
    assert Triple(2, "Q1", "P6", "Q2") in records
    assert Statement(2, "Q1", "P6", "Q3", {"rank": "normal"}, "Q1$a") in records
    assert Statement(2, "Q1", "P9", "Q1$b", {"rank": "deprecated"}, "Q1$b") in records
    assert Literal(2, "Q1", "P9", 3) not in records  # plain properties hold what counts


def test_qualifiers_are_typed_and_lists_are_of_one_type(tmp_path: Path) -> None:
    qualifiers = {
        "P1": [item_value("Q5"), item_value("Q6")], "P2": [quantity("+2", "Q11573"), quantity("+2.5", "Q11573")],
        "P3": [time("+1900-01-02T00:00:00Z"), time("+1901-00-00T00:00:00Z", 9)], "P4": ["somevalue"],
        "P5": ["novalue"], "P6": [place(1, 2)], "P7": [text_in("ja", "島")],
    }  # fmt: skip
    records = records_of(tmp_path, entity("Q1", claim("P10", item_value("Q2"), "Q1$a", qualifiers=qualifiers)))
    assert RelationNote("P2_Q11573", unit="m", like="P2") in records
    [found] = [record for record in records if isinstance(record, Statement)]
    assert found.qualifiers == {
        "P1": ["Q5", "Q6"], "P2_Q11573": [2.0, 2.5], "P3": ["1900-01-02", "1901"], "P4": "unknown value",
        "P5": "no value", "P6": Point(2.0, 1.0), "P7": "島",
    }  # fmt: skip


def test_references_are_kept_if_asked(tmp_path: Path) -> None:
    references = [{"P248": [item_value("Q7")], "P813": [time("+2020-02-03T00:00:00Z")]}, {"P854": [string("u")]}]
    sourced = entity("Q1", claim("P10", item_value("Q2"), "Q1$a", references=references))
    assert records_of(tmp_path, sourced)[1] == Triple(2, "Q1", "P10", "Q2")
    kept = {"references": ["P248 Q7; P813 2020-02-03", "P854 u"]}
    assert records_of(tmp_path, sourced, references=True)[1] == Statement(2, "Q1", "P10", "Q2", kept, "Q1$a")


def test_external_ids_can_be_left_out(tmp_path: Path) -> None:
    records = records_of(tmp_path, ISLAND, external_ids=False)
    assert not [record for record in records if isinstance(record, Literal) and record.relation == "P227"]


@pytest.mark.parametrize(
    ("types", "labels", "facts"), [("facts", (), 1), ("labels", ("Q200",), 0), ("both", ("Q200",), 1)]
)
def test_classes_become_facts_labels_or_both(tmp_path: Path, types: str, labels: tuple[str, ...], facts: int) -> None:
    records = records_of(tmp_path, ISLAND, types=types)
    named = [record for record in records if isinstance(record, Named) and record.entity_id == "Q100"]
    assert tuple(label for record in named for label in record.labels) == labels
    assert sum(isinstance(record, Triple) and record.relation == "P31" for record in records) == facts


def test_unknown_value_is_a_node_and_none_is_listed(tmp_path: Path) -> None:
    records = read(tmp_path, dump_of(entity("Q1", claim("P22", "somevalue", "Q1$a"), claim("P40", "novalue", "Q1$b"))))
    assert Statement(2, "Q1", "P22", "Q1$a", {}, "Q1$a") in records
    assert Named("Q1$a", "unknown value", labels=("Value",), line=2) in records
    [listed] = rejects(records)
    assert (listed.line, listed.text) == (2, "Q1$b")
    assert "P40" in listed.reason


def test_julian_day_is_converted_and_says_so(tmp_path: Path) -> None:
    born = entity("Q1", claim("P569", time("+1643-12-25T00:00:00Z", 11, JULIAN), "Q1$a"))
    records = records_of(tmp_path, born)
    assert Literal(2, "Q1", "P569", date(1644, 1, 4)) in records
    assert Named("Q1$a", "4 January 1644", labels=("Value",), line=2) in records
    assert Literal(2, "Q1$a", "calendar", "Julian") in records


def test_place_on_another_globe_is_no_place_on_earth(tmp_path: Path) -> None:
    records = records_of(tmp_path, entity("Q1", claim("P625", place(20.5, 30.25, "Q405"), "Q1$a")))
    assert Literal(2, "Q1", "P625", "20.5° N, 30.25° E on Q405") in records
    assert Literal(2, "Q1$a", "globe", "Q405") in records


def test_property_says_what_its_relation_is(tmp_path: Path) -> None:
    inverse = {"type": "wikibase-entityid", "value": {"entity-type": "property", "numeric-id": 25, "id": "P25"}}
    records = records_of(tmp_path, entity(
        "P40", claim("P1696", inverse, "P40$a"), kind="property", datatype="wikibase-item", labels=texts(en="child"),
        descriptions=texts(en="has as offspring"),
        aliases={"en": [{"language": "en", "value": "son"}, {"language": "en", "value": "daughter"}]},
    ))  # fmt: skip
    description = "has as offspring; also called: son, daughter"
    assert records[:3] == [
        Named("P40", labels=("Property",), description=f"child: {description}", line=2),
        RelationNote("P40", label="child", description=description),
        RelationNote("P25", inverse="child"),
    ]
    assert Triple(2, "P40", "P1696", "P25") in records


def test_lexeme_has_forms_and_senses(tmp_path: Path) -> None:
    lexeme = entity(
        "L7", claim("P5", string("x")), kind="lexeme", lemmas=texts(fi="saari"), lexicalCategory="Q1084",
        language="Q1412",
        forms=[{"id": "L7-F1", "representations": texts(fi="saaren"), "grammaticalFeatures": ["Q8"], "claims": []}],
        senses=[{"id": "L7-S1", "glosses": texts(en="island", fi="maa"), "claims": {}}],
    )  # fmt: skip
    records = [record for record in records_of(tmp_path, lexeme) if not isinstance(record, RelationNote)]
    assert records == [
        Named("L7", "saari", labels=("Lexeme",), rank=2, line=2),
        Triple(2, "L7", "lexicalCategory", "Q1084"),
        Triple(2, "L7", "lexemeLanguage", "Q1412"),
        Triple(2, "L7", "form", "L7-F1"),
        Named("L7-F1", "saaren", labels=("Form",), rank=2, line=2),
        Triple(2, "L7-F1", "grammaticalFeature", "Q8"),
        Triple(2, "L7", "sense", "L7-S1"),
        Named("L7-S1", "island", labels=("Sense",), line=2),
        Literal(2, "L7", "P5", "x"),
    ]


def test_media_file_goes_by_its_title_and_its_statements_count(tmp_path: Path) -> None:
    media = {"type": "mediainfo", "id": "M5", "title": "File:Made island.jpg", "labels": [], "descriptions": [],
             "statements": {"P180": [claim("P180", item_value("Q100"), "M5$a")]}}  # fmt: skip
    assert records_of(tmp_path, media) == [
        Named("M5", "Made island.jpg", labels=("MediaInfo",), rank=2, line=2), Triple(2, "M5", "P180", "Q100")
    ]  # fmt: skip


def test_redirect_is_an_alias_and_missing_entity_is_listed(tmp_path: Path) -> None:
    records = read(tmp_path, dump_of({"entity": "Q9", "redirect": "Q1"}, {"id": "Q8", "missing": ""}))
    assert records[0] == Named("Q1", aliases=("Q9",), line=2)
    assert [(reject.line, reject.text) for reject in rejects(records)] == [(3, "Q8")]


def test_old_dump_with_numbers_only_and_empty_lists(tmp_path: Path) -> None:
    old = entity("Q1", claim("P2", {"type": "wikibase-entityid", "value": {"entity-type": "item", "numeric-id": 42}}))
    assert records_of(tmp_path, old | {"labels": [], "aliases": []})[1] == Triple(2, "Q1", "P2", "Q42")
    assert records_of(tmp_path, {"type": "item", "id": "Q1", "claims": []}) == [Named("Q1", line=2)]


def test_flaw_in_a_qualifier_costs_the_qualifier_only(tmp_path: Path) -> None:
    qualifiers = {"P580": [time("+1900-02-30T00:00:00Z")], "P582": [time("+1901-00-00T00:00:00Z", 9)]}
    records = read(tmp_path, dump_of(entity("Q1", claim("P10", item_value("Q2"), "Q1$a", qualifiers=qualifiers))))
    assert Statement(2, "Q1", "P10", "Q2", {"P582": 1901}, "Q1$a") in records
    assert "is no day of any year" in rejects(records)[0].reason


# ── layouts ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def lines(*items: object) -> bytes:
    return b"\n".join(json.dumps(item).encode() for item in items) + b"\n"


SMALL = [entity("Q1", claim("P2", item_value("Q2")), labels=texts(en="one")), entity("Q2", labels=texts(en="two"))]
LAYOUTS = {
    "array": dump_of(*SMALL),
    "lines": lines(*SMALL),
    "array on one line": json.dumps(SMALL).encode(),
    "array in compact lines": b"[" + b",\n".join(json.dumps(item).encode() for item in SMALL) + b"]",
    "pretty array": json.dumps(SMALL, indent=2).encode(),
    "entities": json.dumps({"entities": {item["id"]: item for item in SMALL}}).encode(),
    "pretty entities": json.dumps({"entities": {item["id"]: item for item in SMALL}, "success": 1}, indent=4).encode(),
    "success first": json.dumps({"success": 1, "entities": {item["id"]: item for item in SMALL}}).encode(),
    "documents one after another": b"\n".join(json.dumps(item, indent=1).encode() for item in SMALL),
    "byte order mark": b"\xef\xbb\xbf" + dump_of(*SMALL),
    "Windows line ends": dump_of(*SMALL).replace(b"\n", b"\r\n"),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_recognised_and_gives_the_same(tmp_path: Path, layout: str) -> None:
    path = tmp_path / "dump"
    path.write_bytes(LAYOUTS[layout])
    opened = open_sources([str(path)])
    assert opened.formats == ("wikidata-json",)
    assert opened.licence == "CC0-1.0"
    found = [record._replace(line=0) if isinstance(record, Triple) else (record.entity_id, record.name)  # type: ignore[union-attr]
             for record in opened.source.records()]  # fmt: skip
    assert found == [("Q1", "one"), Triple(0, "Q1", "P2", "Q2"), ("Q2", "two")]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_packed_dump_is_unpacked(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    assert len(read(tmp_path, pack(dump_of(*SMALL)))) == 3


def test_dump_cut_in_a_line_gives_what_is_whole_and_one_reject(tmp_path: Path) -> None:
    records = read(tmp_path, dump_of(*SMALL)[:-30])
    assert [type(record).__name__ for record in records] == ["Named", "Triple", "Reject"]
    assert rejects(records)[0].line == 3
    assert rejects(records)[0].reason == "the JSON is cut off"


def test_packed_dump_that_is_cut_gives_what_is_whole_then_the_error(tmp_path: Path) -> None:
    path = tmp_path / "dump.json.gz"
    path.write_bytes(gzip.compress(dump_of(*[entity(f"Q{n}") for n in range(1, 200_000)]))[:-200])
    source = dump.open_dump(path, "dump.json.gz", ReadOptions())
    seen: list[Record] = []
    with pytest.raises(LoadError, match=r"dump\.json\.gz to its end"):
        seen.extend(source.records())
    assert len(seen) > 10_000


def test_cut_document_gives_its_whole_entities(tmp_path: Path) -> None:
    records = read(tmp_path, LAYOUTS["pretty entities"][:-150])
    assert [type(record).__name__ for record in records] == ["Named", "Triple", "Reject"]


def test_blocks_are_read_alone_and_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(dump_of(*[ISLAND | {"id": f"Q{number}"} for number in range(1, 50)]))
    source = dump.open_dump(path, "dump.json", ReadOptions(types="facts"))
    assert isinstance(source, BlockSource)
    whole = [record for record in source.records() if not isinstance(record, RelationNote)]
    again = pickle.loads(pickle.dumps(source))  # noqa: S301
    parts = [list(again.parse(block)) for block in blocks_of(path, "dump.json", 10_000)]
    assert len(parts) > 5
    assert [record for part in parts for record in part if not isinstance(record, RelationNote)] == whole


def test_without_orjson_the_same_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = dump_of(ISLAND, entity("Q5", labels={"en": {"language": "en", "value": "half \ud800"}}))
    with_it = read(tmp_path, content)
    monkeypatch.setattr(dump, "loader", lambda: dump._loads)
    assert read(tmp_path, content) == with_it


def test_nesting_without_end_is_a_reject(tmp_path: Path) -> None:
    deep = b'{"type":"item","id":"Q1","claims":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    records = read(tmp_path, b"[\n" + deep + b",\n" + json.dumps(SMALL[1]).encode() + b"\n]\n")
    assert [reject.line for reject in rejects(records)] == [2]
    assert Named("Q2", "two", line=3) in records


@pytest.mark.parametrize("part", [Subset(relations=("P1082",)), Subset(classes=("Q200",)), Subset(seeds=("Q100",))])
def test_part_of_a_dump_keeps_what_is_said_of_values(tmp_path: Path, part: Subset) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(dump_of(ISLAND, SMALL[0]))
    records = list(subset(dump.open_dump(path, "dump.json", ReadOptions(types="facts")), part).records())
    node = f"Q100${GUID}4"
    assert Statement(2, "Q100", "P1082", node, {"P585": 2011}, node) in records
    assert Literal(2, node, "upper", 1250) in records
    assert not [record for record in records if isinstance(record, Triple) and record.head == "Q1"]
