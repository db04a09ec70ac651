"""Names that a reader gave become nodes of what it read, or nothing."""

from __future__ import annotations

import pytest

from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.methods.grounding import ground, ground_list, listed_names
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
        ("Answer: [1]", ("1",)),
        ('Sure: ["Titan", 2]', ("Titan", "2")),
        ("Titan [1], Rhea [2, 3]", ("Titan", "Rhea [2", "3]")),
        ("Titan [1]\nRhea [2]", ("Titan", "Rhea")),
        ("Titan [1]", ("Titan",)),
        ("", ()),
        (" \n ", ()),
        ("**Titan**, *Rhea*", ("Titan", "Rhea")),
        ("A*, C++", ("A*", "C++")),
        ("Titan**", ("Titan",)),
        ("['Titan', \"Barnard's Star\"]", ("Titan", "Barnard's Star")),
        ("['Titan', Rhea", ("['Titan", "Rhea")),
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


def test_a_topic_that_is_named_beside_others_is_no_answer() -> None:
    found = ground(["Saturn", "Titan"], AROUND)
    assert found.plan.nodes == (TITAN,)
    assert found.plan.facts == (FACTS[0],)
    assert (found.scores, found.ungrounded) == ({TITAN: 1.0}, ())


def test_of_nothing_nothing_is_made() -> None:
    assert ground(["Titan"], Subgraph((), False, (SATURN,))).plan.nodes == ()
    assert ground([], AROUND).plan.nodes == ()


STATE, DISTRICT, CITY = Entity("w", "Washington"), Entity("dc", "Washington, D.C."), Entity("n", 'Ann "X" O\'Hara')
CAPITAL, PRICE, SOLD = make_relation("capital"), make_relation("price", kind="property"), make_relation("sold")


def test_a_known_name_with_commas_or_quotes_is_one_name() -> None:
    around = Subgraph(tuple(Fact(RHEA, CAPITAL, one) for one in (STATE, DISTRICT, CITY)), False, (RHEA,))
    assert ground_list("Washington, D.C.", around).plan.nodes == (DISTRICT,)
    assert ground_list("washington, d.c., Titan, Washington", around).plan.nodes == (DISTRICT, STATE)
    assert ground_list("Washington, Titan", around).ungrounded == ("Titan",)
    assert ground_list('Ann "X" O\'Hara', around).plan.nodes == (CITY,)
    assert ground_list('"Washington", "D.C."', around).plan.nodes == (STATE,)


def test_a_known_name_that_is_broken_into_lines_at_its_commas_is_one_name() -> None:
    film = Entity("f", "Stop, Look, and Listen!")
    around = Subgraph(tuple(Fact(RHEA, CAPITAL, one) for one in (STATE, DISTRICT, film)), False, (RHEA,))
    assert ground_list("Stop\nLook\nand Listen!", around).plan.nodes == (film,)
    assert ground_list("- Stop,\n- Look,\n- and Listen!\n- Washington", around).plan.nodes == (film, STATE)
    broken = ground_list("Washington\nD.C.", around)
    assert (broken.plan.nodes, broken.ungrounded) == ((STATE,), ("D.C",))
    assert ground_list("Stop\nLook\nWashington", around).ungrounded == ("Stop", "Look")


def test_what_looks_like_a_mark_of_a_list_may_be_the_names_own() -> None:
    days, monkeys = Entity("d", "(500) Days of Summer"), Entity("m", "12. Monkeys")
    around = Subgraph(tuple(Fact(RHEA, CAPITAL, one) for one in (days, monkeys, STATE)), False, (RHEA,))
    for text in ('["(500) Days of Summer", "12. Monkeys"]', "(500) Days of Summer\n12. Monkeys"):
        assert ground_list(text, around).plan.nodes == (days, monkeys)
    assert ground_list("(500) Days of Summer", around).plan.nodes == (days,)
    assert ground_list("1. (500) Days of Summer\n2. Washington", around).plan.nodes == (days, STATE)


def test_numbers_are_found_however_they_are_written() -> None:
    around = Subgraph((FACTS[2], Fact(RHEA, PRICE, Value(9.0))), False, (TITAN, RHEA))
    for text in ("5,150 km", "5,150", "5150"):
        assert ground_list(text, around).plan.nodes == (Value(5150, "km"),)
    assert ground_list("9", around).plan.nodes == (Value(9.0),)


def test_yes_is_not_one() -> None:
    assert Value(True) != Value(1) == Value(1.0)
    around = Subgraph((Fact(TITAN, PRICE, Value(1)), Fact(TITAN, SOLD, Value(True))), False, (TITAN,))
    assert ground(["yes"], around).plan.facts == (around.facts[1],)
    assert ground(["1"], around).plan.facts == (around.facts[0],)


def test_an_entity_is_not_found_by_a_key_that_no_fact_shows() -> None:
    one = Entity("1", "Ann")
    around = Subgraph((Fact(TITAN, CAPITAL, one), Fact(TITAN, PRICE, Value(1))), False, (TITAN,))
    assert ground(["1"], around).plan.nodes == (Value(1),)


def test_names_that_differ_by_symbols_are_no_answers_for_each_other() -> None:
    plain, plus, star = Entity("c", "C"), Entity("cpp", "C++"), Entity("a", "A*")
    around = Subgraph(tuple(Fact(one, MAKER, COMPANY) for one in (plain, plus, star)), False, (COMPANY,))
    assert ground(["c++", "C", "a*"], around).plan.nodes == (plus, plain, star)
    assert ground(["C#", "A", "C+"], around).ungrounded == ("C#", "A", "C+")
    assert ground_list("1. A*\n2. C++", around).plan.nodes == (star, plus)
