"""Names that a reader gave become nodes of what it read, or nothing."""

from __future__ import annotations

import pytest

from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.methods.grounding import ground, listed_names
from kgqa_graphdb.types import Entity, Fact, Subgraph, Value

MOON_OF, DIAMETER, MAKER = make_relation("moon_of"), make_relation("diameter", kind="property"), make_relation("maker")
SATURN, TITAN, RHEA = Entity("s", "Saturn"), Entity("t", "Titan"), Entity("r", "Rhea")
ROCKET, COMPANY = Entity("ti", "TITAN"), Entity("c", "Titan Ltd.")
FACTS = (
    Fact(TITAN, MOON_OF, SATURN),
    Fact(RHEA, MOON_OF, SATURN),
    Fact(TITAN, DIAMETER, Value(5150, "km")),
    Fact(RHEA, DIAMETER, Value(5150, "km")),
    Fact(ROCKET, MAKER, RHEA),
    Fact(ROCKET, MAKER, COMPANY),
)
AROUND = Subgraph(FACTS, False, (SATURN,), {SATURN: 0, TITAN: 1, RHEA: 1, ROCKET: 2, COMPANY: 3})


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('["Titan", "Rhea, the moon"]', ("Titan", "Rhea, the moon")),
        ('```json\n["Titan"]\n```', ("Titan",)),
        ("Titan, Rhea", ("Titan", "Rhea")),
        ("Titan | Rhea | Titan", ("Titan", "Rhea")),
        ("1. Titan\n2) Rhea\n- Io", ("Titan", "Rhea", "Io")),
        ("Answer: Titan.", ("Titan",)),
        ('"Rhea, the moon"', ("Rhea, the moon",)),
        ("<s> Titan </s><|im_end|>", ("Titan",)),
        ("[Titan", ("[Titan",)),
        ("[1, 2]", ("1", "2")),
        ("", ()),
        (" \n ", ()),
    ],
)
def test_lists_are_read_however_a_model_writes_them(text: str, names: tuple[str, ...]) -> None:
    assert listed_names(text) == names


def test_what_is_found_is_cited_with_a_shortest_way_from_the_topic_in_the_order_of_the_names() -> None:
    found = ground(["Rhea", "Titan", "Io"], AROUND)
    assert found.plan.nodes == (RHEA, TITAN)
    assert found.plan.facts == (FACTS[1], FACTS[0])
    assert found.ungrounded == ("Io",)
    assert found.scores == {RHEA: 1.0, TITAN: 0.5}


def test_letter_for_letter_beats_folded_and_near_beats_far() -> None:
    assert ground(["TITAN"], AROUND).plan.nodes == (ROCKET,)
    assert ground(["titan"], AROUND).plan.nodes == (TITAN,)
    assert ground(["titan ltd"], AROUND).plan.nodes == (COMPANY,)


def test_a_value_is_found_with_its_unit_or_without_and_is_no_way_to_anything_else() -> None:
    for name in ("5150 km", "5150"):
        found = ground([name], AROUND)
        assert found.plan.nodes == (Value(5150, "km"),)
        assert found.plan.facts == (FACTS[0], FACTS[2])
    apart = Subgraph((FACTS[2], Fact(COMPANY, DIAMETER, Value(5150, "km"))), False, (TITAN,))
    assert ground(["Titan Ltd."], apart).plan.facts == ()


def test_a_topic_is_an_answer_only_where_nothing_else_is_called_so() -> None:
    assert ground(["Saturn"], AROUND).plan.nodes == (SATURN,)
    twin = Entity("s2", "Saturn")
    both = Subgraph((Fact(twin, MOON_OF, SATURN),), False, (SATURN,), {SATURN: 0, twin: 1})
    assert ground(["Saturn"], both).plan.nodes == (twin,)


def test_of_nothing_nothing_is_made() -> None:
    assert ground(["Titan"], Subgraph((), False, (SATURN,))).plan.nodes == ()
    assert ground([], AROUND).plan.nodes == ()
