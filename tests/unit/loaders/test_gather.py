"""Gathering: records become numbered entities, distinct facts, typed values and statements."""

from __future__ import annotations

from itertools import permutations

from kgqa_loaders.gather import StagedGraph, gather
from kgqa_loaders.normal import Packed, normalise, unpack
from kgqa_loaders.records import MAX_NAME_BYTES, Literal, Named, Record, Reject, RelationNote, Statement, Triple
from kgqa_loaders.relations import RelationSpec, spec

SPECS = {"height": spec("height", kind="property", datatype="integer"), "aka": spec("aka", kind="alias")}


def gathered(records: list[Record], specs: dict[str, RelationSpec] | None = None) -> tuple[StagedGraph, list[Reject]]:
    rejects: list[Reject] = []
    return gather(normalise(records, specs or {}), rejects.append), rejects


def test_facts_are_a_set_and_can_be_read_back() -> None:
    data, _ = gathered([Triple(1, "a", "r", "b"), Triple(2, "b", "s", "a"), Triple(3, "a", "r", "b")])
    heads, types, tails = data.decode(data.codes())
    names, relations = data.entities.names, data.relations.names
    assert [(names[h], relations[r], names[t]) for h, r, t in zip(heads, types, tails, strict=True)] == [
        ("a", "r", "b"),
        ("b", "s", "a"),
    ]


def test_codes_of_no_facts_are_empty() -> None:
    assert len(gathered([Triple(1, "a", "height", "3")], SPECS)[0].codes()) == 0


def test_relation_says_what_a_tail_becomes() -> None:
    records: list[Record] = [Triple(1, "a", "height", "3"), Triple(2, "a", "height", "4"), Triple(3, "a", "aka", "A")]
    data, _ = gathered(records, SPECS)
    assert data.entities.names == ["a"]
    assert data.values == {"height": {0: {Packed("integer", "3"), Packed("integer", "4")}}}
    assert data.aliases == {0: {"A"}}


def test_what_cannot_be_loaded_is_rejected_with_its_line() -> None:
    long = "é" * MAX_NAME_BYTES
    records: list[Record] = [
        Triple(1, "a", "height", "tall"),
        Triple(2, "a", "r", long),
        Triple(3, long, "r", "a"),
        Literal(4, "a", "r", float("nan")),
        Reject(5, "why", "text"),
        Triple(6, "a", "r", "half \ud800 pair"),
        Literal(7, "a", "r", "a\0b"),
        Statement(8, "a", "r", "b", {"": 3}),
        Named("a", aliases=("",), line=9),
        Triple(10, "a", "height", "3"),
    ]
    data, rejects = gathered(records, SPECS)
    assert [reject.line for reject in rejects] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert rejects[0].reason == "height: 'tall' is no integer"
    assert data.entities.names == ["a"]
    assert all(reject.text.encode() for reject in rejects)


def test_named_gives_names_aliases_and_labels() -> None:
    data, _ = gathered([Named("Q1", "Earth", ("Terra",), ("Planet",)), Triple(1, "Q1", "r", "Q2")])
    assert [data.name(0), data.name(1)] == ["Earth", "Q2"]
    assert data.aliases == {0: {"Terra"}}
    assert data.labels == {0: {"Planet"}}


def test_order_of_records_does_not_matter() -> None:
    records: list[Record] = [
        Named("Q1", "Erde", rank=1, description="ein Planet"),
        Named("Q1", "Earth", rank=0, labels=("Planet",)),
        Named("Q1", "The Earth", rank=0, description="a planet"),
        Statement(4, "Q1", "r", "Q2", {"since": 1990, "by": ["b", "a"]}),
        Statement(5, "Q1", "r", "Q2", {"by": ["a", "b"], "since": 1990}),
    ]
    seen = set()
    for order in permutations(records):
        data, _ = gathered(list(order))
        seen.add((data.name(data.entities.index["Q1"]), *sorted(data.aliases[data.entities.index["Q1"]])))
        seen.add(data.descriptions[data.entities.index["Q1"]])
        assert len(data.statements) == 1
    assert seen == {("Earth", "Erde", "The Earth"), ("0000", "a planet")}


def test_statements_with_different_qualifiers_both_survive() -> None:
    records: list[Record] = [
        Statement(1, "a", "r", "b", {"since": 1990}),
        Statement(2, "a", "r", "b", {"since": 2001}),
        Statement(3, "a", "r", "b", {}, "given-id"),
        Triple(4, "a", "r", "b"),
    ]
    data, _ = gathered(records)
    assert len(data.statements) == 3
    assert len(data.codes()) == 1
    assert data.qualifiers() == {("r", "since")}


def test_notes_are_kept_by_relation() -> None:
    notes = [RelationNote("r", label="likes"), RelationNote("r", inverse="liked by"), RelationNote("r", label="likes")]
    data, _ = gathered(list(notes))
    assert data.notes == {"r": set(notes)}


def test_wrong_value_of_a_qualifier_costs_no_fact() -> None:
    data, rejects = gathered([Statement(1, "a", "r", "b", {"pay": [float("nan"), 2.5], "note": "a\0b"})], {})
    assert [reject.reason for reject in rejects] == ["pay: nan is no number", "note: it holds a NUL character"]
    assert data.entities.names == ["a", "b"]
    assert [unpack(text) for text in data.statements.values()] == [{"pay": 2.5}]
