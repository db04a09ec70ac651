"""Wikidata's dumps read in columns: the same rows as the usual way, also of what is broken."""

from __future__ import annotations

import bz2
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from kgqa_loaders.bulk.plain import plain_reader
from kgqa_loaders.normal import FACT, NAME, Row, normalise
from kgqa_loaders.records import Block, ReadOptions
from kgqa_loaders.relations import RelationSpec
from kgqa_loaders.wikidata.dump import EntityLines
from tests.unit.loaders.mutate import mutants
from tests.unit.loaders.test_wikidata_broken import DUMP
from tests.unit.loaders.wikidata_samples import (
    ISLAND,
    claim,
    dump_of,
    entity,
    item_value,
    place,
    quantity,
    string,
    text_in,
    texts,
    time,
)

DATES = [time("+1912-00-00T00:00:00Z", 9), time("+1913-02-00T00:00:00Z", 10)]
OLD = {"entity-type": "item", "numeric-id": 9}
AREA = quantity("+3.5", "Q712226")
ITEMS = {
    "island": ISLAND,
    "ranks": entity("Q1", claim("P1", item_value("Q2")), claim("P1", item_value("Q3"), rank="preferred"),
                    claim("P1", item_value("Q4"), rank="deprecated")),
    "classes": entity("Q1", claim("P31", item_value("Q5")), claim("P31", item_value("Q6"), qualifiers={"P580": DATES})),
    "qualifiers": entity("Q1", *(claim("P1", item_value("Q2"), f"Q1${n}", qualifiers=held) for n, held in enumerate(
        [{"P580": DATES}, {"P1": [AREA, quantity("+4")]}, {"P580": ["somevalue"]}, {"P580": ["wrong"]}, {}]))),
    "units": entity("Q1", claim("P2046", AREA), claim("P2046", quantity("+4")), claim("P2", AREA)),
    "values": entity("Q1", claim("P1", place(1, 2)), claim("P1", place(1, 2, "Q405")), claim("P1", time("+1912-05-03")),
                     claim("P1", text_in("en", "hello")), claim("P1", text_in("xx", "hello")), claim("P1", string("")),
                     claim("P1", string("a\x00b")), claim("P1", string("\ud800")), claim("P1", quantity("x"))),
    "ids": entity("Q1", claim("P1", string("X"), datatype="external-id"), claim("P1", item_value("Q2"), references=[
        {"P2": [string("there")]}])),
    "odd ids": entity("Q1", claim("P1", {"type": "wikibase-entityid", "value": OLD}),
                      claim("P1", {"type": "wikibase-entityid", "value": {"id": "L1-F1"}}),
                      claim("P1", {"type": "wikibase-entityid", "value": {"id": 7}}), claim("also", item_value("Q2"))),
    "no snaks": entity("Q1", claim("P1", "novalue"), claim("P1", "somevalue"), claim("P1", "other")),
    "no list": {**entity("Q1"), "claims": {"P1": 7, "P2": [claim("P2", item_value("Q2"))], "P3": [1]}},
    "no names": entity("Q1", claim("P1", item_value("Q2")), labels=[1]),
    "nothing said": entity("Q1", labels=texts(en="nothing")),
    "property": entity("P1", claim("P1", item_value("Q2")), kind="property", labels=texts(en="says")),
    "redirect": {"entity": "Q1", "redirect": "Q2"},
}  # fmt: skip
OPTIONS = [
    ReadOptions(types="facts"), ReadOptions(types="labels", external_ids=False), ReadOptions(types="both", ranks="all"),
    ReadOptions(languages=("en", "xx", "nl"), types="facts", references=True),
]  # fmt: skip
NOTHING = {"P1": RelationSpec("property")}


def both_ways(
    contents: Iterable[bytes], options: ReadOptions, specs: dict[str, RelationSpec]
) -> list[tuple[set[Row], set[Row]]]:
    """The rows of some blocks the usual way, and as one reader reads them, one after the other."""
    source = EntityLines(Path("dump.json"), "dump.json", options)
    reader = plain_reader(source, specs)
    assert reader is not None
    usual: set[Row] = set()
    quick: set[Row] = set()
    found = []
    for content in contents:  # what is said of a relation is said once, so rows add up
        block = Block(3, content)
        plain = reader(block)
        assert plain is not None
        assert plain.numbered
        assert not plain.rest
        usual |= set(normalise(source.parse(block), specs))
        quick |= {Row(FACT, *fact) for fact in zip(plain.heads, plain.relations, plain.tails, strict=True)}
        quick |= {*plain.rows, *normalise(plain.records, specs)}
        found.append((_telling(usual), _telling(quick)))
    return found


def _telling(rows: set[Row]) -> set[Row]:
    """Without those that only say that an entity is."""
    return {row for row in rows if row.kind != NAME or row.c}


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: f"{options.types}")
@pytest.mark.parametrize("specs", [{}, NOTHING], ids=["no specs", "specs"])
@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_items_are_read_the_quick_way_as_they_are_the_usual_way(
    item: dict[str, Any], specs: dict[str, RelationSpec], options: ReadOptions
) -> None:
    content = dump_of(item, ISLAND, item).replace(b"[\n", b"", 1)
    for usual, quick in both_ways([content], options, specs):
        assert quick == usual


def test_plain_facts_are_read_in_columns() -> None:
    source = EntityLines(Path("dump.json"), "dump.json", ReadOptions(types="facts"))
    reader = plain_reader(source, {})
    assert reader is not None
    plain = reader(Block(1, dump_of(entity("Q1", claim("P1", item_value("Q2")), claim("P2", item_value("Q3"))))))
    assert plain is not None
    assert (plain.heads, plain.relations, plain.tails) == (["Q1", "Q1"], ["P1", "P2"], ["Q2", "Q3"])


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: f"{options.types}")
def test_broken_dumps_are_read_the_quick_way_as_they_are_the_usual_way(options: ReadOptions) -> None:
    for number, (usual, quick) in enumerate(both_ways(mutants(DUMP), options, {})):
        assert quick == usual, number


@pytest.mark.data
@pytest.mark.parametrize("name", ["Q31.json", "sample_wikidata_items.json.bz2"])
def test_real_items_are_read_the_quick_way_as_they_are_the_usual_way(name: str) -> None:
    path = Path(os.environ.get("KGQA_DATA", "data")) / "wikidata" / "opentapioca" / name
    if not path.exists():
        pytest.skip(f"no {path}: set KGQA_DATA to the folder that holds wikidata/opentapioca")
    content = bz2.decompress(path.read_bytes()) if path.suffix == ".bz2" else path.read_bytes()
    if path.suffix == ".json":
        content = json.dumps(json.loads(content)).encode()
    for options in OPTIONS:
        for usual, quick in both_ways([content], options, {}):
            assert quick == usual
