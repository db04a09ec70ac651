"""Which place a condition gives what is asked for."""

from __future__ import annotations

import pytest

from kgqa_graphdb.language.english_roles import roles
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.parse import Lexicon
from kgqa_graphdb.parse.clause import clause_of
from kgqa_graphdb.parse.parsed import Bound
from kgqa_graphdb.parse.read import read

NOUNS = frozenset("person people member members".split())
STAFF = GraphMapping(
    graph="staff",
    entities=(EntityKind("Member", "name", ("name",)),),
    relations=(make_relation("MENTORS", heads=("Member",), tails=("Member",)),),
)
AGENT, PATIENT, OBLIQUE = "agent", "patient", "oblique"


def place(clause: str) -> str:
    """The place that a clause gives ``[X]``; empty: none, or several."""
    found = {role.place for role in roles(clause).roles}
    return found.pop() if len(found) == 1 else ""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("mentors the most members", AGENT),
        ("mentor {c0} members", AGENT),
        ("mentor no member", AGENT),
        ("mentored the most members", AGENT),
        ("have mentored the most members", AGENT),
        ("do not mentor members", AGENT),
        ("are mentors of the most members", AGENT),
        ("beat the most members", AGENT),
        ("is mentored by the most members", PATIENT),
        ("mentored by {c0} members", PATIENT),
        ("were mentored by no member", PATIENT),
        ("mentored most", PATIENT),
        ("are not mentored", PATIENT),
        ("have never been mentored", PATIENT),
        ("do the most members mentor", PATIENT),
        ("does no member mentor", PATIENT),
        ("{c0} members mentor", PATIENT),
        ("has the most mentors", PATIENT),
        ("{c0} mentors", PATIENT),
        ("without mentors", PATIENT),
        ("are the most members mentored by", AGENT),
        ("do the most members report to", OBLIQUE),
        ("report to the most members", AGENT),
        ("has the most citations", PATIENT),
        ("has the most members mentored", ""),
        ("[X] mentors", ""),
    ],
)
def test_a_condition_gives_what_is_asked_for_a_place(words: str, expected: str) -> None:
    assert place(clause_of(words.split(), NOUNS)) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many members does each member mentor?", AGENT),
        ("How many members are mentored by each member?", AGENT),
        ("How many members mentor each member?", PATIENT),
        ("How many mentors does each member have?", PATIENT),
        ("How many mentors are there per member?", PATIENT),
        ("How many members mentored per member?", AGENT),
    ],
)
def test_a_grouping_gives_each_a_place(question: str, expected: str) -> None:
    parsed = read(question, Lexicon.of(STAFF))
    assert (parsed.per, place(parsed.clause)) == ("member", expected)


def test_a_superlative_keeps_the_clause_of_its_condition() -> None:
    for question, expected in (
        ("Which member mentors the most members?", AGENT),
        ("Which is the most mentored member?", PATIENT),
        ("Top 3 members by number of mentors", PATIENT),
    ):
        extreme = read(question, Lexicon.of(STAFF)).extreme
        assert extreme is not None
        assert place(extreme.clause) == expected


@pytest.mark.parametrize(
    ("question", "text", "negated"),
    [
        ("How many tasks does Kim own but not review?", "does [X] review", True),
        ("How many tasks does Kim own and review?", "does [X] review", False),
        ("Which tasks has Kim owned but not paid?", "has [X] paid", True),
        ("Which tasks does Kim own but not reviewed?", "reviewed", True),
        ("Which tasks does Kim own and cost 5?", "cost", False),
    ],
)
def test_one_more_verb_is_the_topics(question: str, text: str, negated: bool) -> None:
    tasks = GraphMapping(
        "tasks",
        (EntityKind("Member", "name", ("name",)), EntityKind("Task", "name", ("name",))),
        (make_relation("OWNS", heads=("Member",), tails=("Task",)),),
    )
    start = question.find("Kim")
    _, more, *_ = read(question, Lexicon.of(tasks), (start, start + 3)).conditions
    assert (more.text, more.negated, more.again) == (text, negated, "[X]" in text)


@pytest.mark.parametrize(
    ("question", "bound"),
    [
        ("Which members lead the same member as Kim?", Bound.SHARED),
        ("Which members lead the same number of members as Kim?", Bound.OTHER),
        ("Which members have the same rank as Kim?", Bound.OTHER),
    ],
)
def test_the_same_entity_is_not_the_same_number(question: str, bound: Bound) -> None:
    start = question.find("Kim")
    (condition,) = read(question, Lexicon.of(STAFF), None, (start, start + 3)).conditions
    assert [one.value for one in condition.comparisons] == [bound]


def test_who_did_something_to_somebody_did_it() -> None:
    assert clause_of(["defeated", "someone"], {"player"}) == "[X] defeated someone"
    assert clause_of(["defeated"], {"player"}) == "[X] is defeated"
