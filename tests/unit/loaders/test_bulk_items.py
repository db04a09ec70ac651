"""Wikidata's dumps read in columns: the same rows as the usual way, also of what is broken."""

from __future__ import annotations

import bz2
import json
import os
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kgqa_loaders.bulk.plain import plain_reader
from kgqa_loaders.normal import FACT, NAME, NOTE, REJECT, Row, normalise
from kgqa_loaders.records import Block, ReadOptions
from kgqa_loaders.relations import RelationSpec, spec
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
    "sitelinks": entity("Q1", claim("P1", item_value("Q2")), sitelinks={"enwiki": {"title": "Lake X"}}),
    "odd sitelinks": entity("Q1", claim("P1", item_value("Q2")), sitelinks=[1]),
    "odd texts": entity("Q1", claim("P1", item_value("Q2")), labels={"en": {"value": 5}}),
    "no group": {**entity("Q1"), "claims": {"P1": None, "P2": [claim("P2", item_value("Q2"))], "P3": 0, "P4": {}}},
    "odd types": entity("Q1", *(claim("P1", {"type": kind, "value": {"id": "Q2"}}) for kind in ("string", "time", 7)),
                        claim("P1", {"value": {"id": "Q2"}}), claim("P1", text_in(None, "a"))),  # type: ignore[arg-type]
    "external": entity("Q1", claim("P1", item_value("Q2"), datatype="external-id"),
                       claim("P1", {"type": "string", "value": 7}, datatype="external-id")),
    "odd units": entity("Q1", *(claim("P2", quantity("+1", unit)) for unit in ("Q1\x00", "x", "Q1"))),
    "big": entity("Q1", claim("P2", quantity("+1" + "0" * 400)), claim("P2", quantity("+" + "9" * 30))),
    "no names": entity("Q1", claim("P1", item_value("Q2")), labels=[1]),
    "nothing said": entity("Q1", labels=texts(en="nothing")),
    "property": entity("P1", claim("P1", item_value("Q2")), kind="property", labels=texts(en="says")),
    "redirect": {"entity": "Q1", "redirect": "Q2"},
}  # fmt: skip
OPTIONS = [
    ReadOptions(types="facts"), ReadOptions(types="labels", external_ids=False), ReadOptions(types="both", ranks="all"),
    ReadOptions(languages=("en", "xx", "nl"), types="", references=True),
]  # fmt: skip
SPECS = {
    "no specs": {},
    "property": {"P1": spec("P1", kind="property", datatype="integer"), "P580": spec("P580", kind="property")},
    "alias": {"P1": spec("P1", kind="alias"), "P2046_Q712226": spec("P2046_Q712226", kind="alias")},
    "edge": {"P1": spec("P1", kind="edge"), "P2046_Q712226": spec("P2046_Q712226", kind="edge")},
}


def differences(contents: Iterable[bytes], options: ReadOptions, specs: dict[str, RelationSpec]) -> Iterator[set[Row]]:
    """For each of some blocks the rows that only one way gives: the usual one, or that of one reader for all blocks.

    Left out are rows that only say that an entity is; notes (and rejects of them, which have no line) are added up, as
    a reader gives them once and not once a block.
    """
    source = EntityLines(Path("dump.json"), "dump.json", options)
    reader = plain_reader(source, specs)
    assert reader is not None
    notes: tuple[set[Row], set[Row]] = (set(), set())
    for content in contents:
        block = Block(3, content)
        plain = reader(block)
        assert plain is not None
        assert plain.numbered
        assert not plain.rest
        facts = zip(plain.heads, plain.relations, plain.tails, strict=True)
        both = (
            set(normalise(source.parse(block), specs)),
            {*(Row(FACT, *fact) for fact in facts), *plain.rows, *normalise(plain.records, specs)},
        )
        for told, rows in zip(notes, both, strict=True):
            told |= {row for row in rows if is_note(row)}
        telling = [{row for row in rows if not is_note(row) and (row.kind != NAME or row.c)} for rows in both]
        yield (telling[0] ^ telling[1]) | (notes[0] ^ notes[1])


def is_note(row: Row) -> bool:
    return row.kind == NOTE or (row.kind == REJECT and row.a == "0")


def structural(item: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    """An item in which something is missing or something else, anywhere in it."""
    random = Random(1)
    odd = (None, 0, 7, "", "x", [], [1], {}, {"a": 1}, True, "Q7", "a\x00b", "+" + "9" * 400)
    for _ in range(count):
        changed = deepcopy(item)
        at: Any = changed
        while True:
            key = random.choice(list(at) if isinstance(at, dict) else range(len(at)))
            if not isinstance(at[key], dict | list) or not at[key] or random.random() < 0.15:
                break
            at = at[key]
        if random.random() < 0.3:
            del at[key]
        else:
            at[key] = random.choice(odd)
        yield changed


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options.types or "default")
@pytest.mark.parametrize("specs", SPECS.values(), ids=SPECS)
@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_items_are_read_the_quick_way_as_they_are_the_usual_way(
    item: dict[str, Any], specs: dict[str, RelationSpec], options: ReadOptions
) -> None:
    content = dump_of(item, ISLAND, item).replace(b"[\n", b"", 1)
    assert not any(differences([content, content], options, specs))


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options.types or "default")
@pytest.mark.parametrize("specs", SPECS.values(), ids=SPECS)
def test_items_that_are_built_otherwise_are_read_as_they_are_the_usual_way(
    specs: dict[str, RelationSpec], options: ReadOptions
) -> None:
    for name, item in ITEMS.items():
        contents = (dump_of(changed) for changed in structural(item, 60))
        for number, found in enumerate(differences(contents, options, specs)):
            assert not found, (name, number)


def test_plain_facts_are_read_in_columns() -> None:
    source = EntityLines(Path("dump.json"), "dump.json", ReadOptions(types="facts"))
    reader = plain_reader(source, {})
    assert reader is not None
    plain = reader(Block(1, dump_of(entity("Q1", claim("P1", item_value("Q2")), claim("P2", item_value("Q3"))))))
    assert plain is not None
    assert (plain.heads, plain.relations, plain.tails) == (["Q1", "Q1"], ["P1", "P2"], ["Q2", "Q3"])


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options.types or "default")
def test_broken_dumps_are_read_the_quick_way_as_they_are_the_usual_way(options: ReadOptions) -> None:
    for number, found in enumerate(differences(mutants(DUMP), options, {})):
        assert not found, number


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
        assert not any(differences([content], options, {}))
