"""Gathering: records become numbered entities, distinct facts and typed values."""

from __future__ import annotations

from kgqa_loaders.gather import gather
from kgqa_loaders.records import MAX_NAME_BYTES, Literal, Named, Record, Reject, Triple
from kgqa_loaders.relations import spec

SPECS = {"height": spec("height", kind="property", datatype="integer"), "aka": spec("aka", kind="alias")}


def test_facts_are_a_set_and_can_be_read_back() -> None:
    gathered = gather([Triple(1, "a", "r", "b"), Triple(2, "b", "s", "a"), Triple(3, "a", "r", "b")], {}, print)
    heads, types, tails = gathered.decode(gathered.codes())
    names, relations = gathered.entities.names, gathered.relations.names
    assert [(names[h], relations[r], names[t]) for h, r, t in zip(heads, types, tails, strict=True)] == [
        ("a", "r", "b"),
        ("b", "s", "a"),
    ]


def test_codes_of_no_facts_are_empty() -> None:
    assert len(gather([Triple(1, "a", "height", "3")], SPECS, print).codes()) == 0


def test_relation_says_what_a_tail_becomes() -> None:
    gathered = gather(
        [Triple(1, "a", "height", "3"), Triple(2, "a", "height", "4"), Triple(3, "a", "aka", "A")], SPECS, print
    )
    assert gathered.entities.names == ["a"]
    assert gathered.values == {"height": {0: {3, 4}}}
    assert gathered.aliases == {0: {"A"}}


def test_what_cannot_be_loaded_is_rejected_with_its_line() -> None:
    long = "é" * MAX_NAME_BYTES
    records: list[Record] = [
        Triple(1, "a", "height", "tall"),
        Triple(2, "a", "r", long),
        Triple(3, long, "r", "a"),
        Literal(4, "a", "r", 3),
        Reject(5, "why", "text"),
        Triple(6, "a", "height", "3"),
    ]
    rejects: list[Reject] = []
    gathered = gather(records, SPECS, rejects.append)
    assert [reject.line for reject in rejects] == [1, 2, 3, 4, 5]
    assert rejects[0].reason == "height: 'tall' is no integer"
    assert gathered.entities.names == ["a"]


def test_named_gives_names_aliases_and_labels() -> None:
    gathered = gather([Named("Q1", "Earth", ("Terra",), ("Planet",)), Triple(1, "Q1", "r", "Q2")], {}, print)
    assert [gathered.name(0), gathered.name(1)] == ["Earth", "Q2"]
    assert gathered.aliases == {0: {"Terra"}}
    assert gathered.labels == {0: ("Planet",)}
