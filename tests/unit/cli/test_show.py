"""What a person reads in a terminal."""

from __future__ import annotations

from dataclasses import replace

from kgqa_graphdb.cli.show import MAX_ANSWERS, MAX_BRANCHES, proof_tree, show_reply
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.plan import Follow, Result
from kgqa_graphdb.types import Entity, Fact, Scored, Step
from tests.unit.replies import HALL, MARS, MOON, abstention, both, dated, moons, two_hops


def tree(reply) -> list[str]:
    return proof_tree(reply.answer.proof[0].item)


def test_a_proof_grows_from_its_topic() -> None:
    assert tree(two_hops()) == [
        "Mars",
        "├←─ planet ─ Phobos",
        "│   └── discoverer → Asaph Hall, year 1877",
        "└←─ planet ─ Deimos <b>& co</b>",
        "    └── discoverer → Asaph Hall",
    ]


def test_two_topics_have_a_tree_each() -> None:
    assert tree(both()) == ["Mars", "└←─ planet ─ Phobos", "Asaph Hall", "└←─ discoverer ─ Phobos"]


def test_a_value_stands_behind_an_equals_sign() -> None:
    assert tree(dated()) == ["Phobos", "└── date of discovery → = 1877-08-18"]


def moons_of_mars(count: int) -> Result:
    found = tuple(Entity(f"m{number}", f"Moon {number}") for number in range(count))
    plan = Follow(MARS, (Step(MOON, inverse=True),))
    return Result(plan, found, tuple(Fact(moon, MOON, MARS) for moon in found), False)


def test_many_branches_are_counted() -> None:
    lines = proof_tree(moons_of_mars(MAX_BRANCHES + 5))
    assert len(lines) == MAX_BRANCHES + 2
    assert lines[-1] == "└── … and 5 more"
    assert all(line.startswith("├") for line in lines[1:-1])


def test_many_answers_are_counted() -> None:
    reply, result = moons(), moons_of_mars(MAX_ANSWERS + 3)
    answer = replace(reply.answer, answers=tuple(Scored(node, 1.0) for node in result.nodes))
    assert "  … and 3 more (all with --json)" in show_reply(replace(reply, answer=answer)).splitlines()


def test_a_reply_shows_sentence_answers_proof_and_cypher_in_this_order() -> None:
    shown = show_reply(moons(), "http://127.0.0.1:7474/browser/")
    places = [shown.index(part) for part in ("The <answer>.", "Answers", "Proof", "Cypher for Neo4j Browser", "MATCH")]
    assert places == sorted(places)
    assert "http://127.0.0.1:7474/browser/" in shown


def test_a_single_answer_is_not_listed_again() -> None:
    assert "Answers" not in show_reply(two_hops()).splitlines()


def test_an_abstention_shows_its_notes_and_nothing_else() -> None:
    assert show_reply(abstention()) == "I can't answer that: no.\nnote: a note"


def test_line_breaks_and_escape_codes_in_names_reach_no_terminal() -> None:
    nasty = replace(HALL, name="\x1b[31mred\r\nline")
    result = Result(Follow(MARS, (Step(MOON),)), (nasty,), (Fact(MARS, MOON, nasty),), False)
    assert all(line.isprintable() for line in proof_tree(result))
    reply = moons()
    answer = replace(reply.answer, text="It is \x1b[31mred\r\nline.", answers=(Scored(nasty, 1.0), Scored(MARS, 1.0)))
    assert "\x1b" not in show_reply(replace(reply, answer=answer))
    assert "\r" not in show_reply(replace(reply, answer=answer))


def test_all_legs_of_a_step_are_shown_unless_they_are_one_fact() -> None:
    order, line, loaf = (Entity(name, name) for name in ("order", "line", "loaf"))
    has, of = make_relation("has", kind="leg"), make_relation("of", kind="leg")
    contains = make_relation("contains", via=(">has", ">of"))
    plan = Follow(order, (Step(contains),))
    legs = Result(plan, (loaf,), (Fact(order, has, line), Fact(line, of, loaf)), False)
    assert proof_tree(legs) == ["order", "└── has → line", "    └── of → loaf"]
    one = Result(plan, (loaf,), (Fact(order, contains, loaf),), False)
    assert proof_tree(one) == ["order", "└── contains → loaf"]


def test_facts_are_numbered_where_a_language_model_cites_them() -> None:
    reply = moons()
    assert "Facts" not in show_reply(reply)
    text = "Deimos [1] and Phobos [2] are moons of Mars. That is all."
    written = replace(reply, answer=replace(reply.answer, text=text, verbalised_by="some model"))
    shown = show_reply(written).splitlines()
    place = shown.index("Facts (written by some model)")
    assert shown[place + 2] == "  [2] Phobos is a moon of Mars."
    assert written.text_pieces == ("Deimos [1] and Phobos [2] are moons of Mars.", " That is all.")
