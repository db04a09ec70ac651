"""What a question describes instead of naming it, by the words alone."""

from __future__ import annotations

import pytest

from kgqa_graphdb.parse.described import Described, descriptions
from kgqa_graphdb.types import Entity, Link

NOUNS = {"horse", "horses", "groom", "grooms", "riding school", "school"}


def described(question: str, name: str = "") -> list[str]:
    """The stretches that may describe entities, as they stand in a question."""
    start = question.index(name) if name else 0
    links = [Link(start, start + len(name), Entity(name, name), 1.0)] if name else []
    return [question[one.start : one.end] for one in descriptions(question, NOUNS, links)]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who grooms the oldest horse?", "the oldest horse"),
        ("In which box does the heaviest black horse stand?", "the heaviest black horse"),
        ("Who feeds horses older than 10?", "horses older than 10"),
        ("Does Ann ride a lame horse?", "a lame horse"),
        ("Who owns the oldest riding school?", "the oldest riding school"),
        ("Is the oldest horse lame?", "the oldest horse"),
    ],
)
def test_a_noun_with_what_is_said_of_it_is_described(question: str, found: str) -> None:
    assert found in described(question)


@pytest.mark.parametrize(
    "question",
    [
        "Which is the oldest horse?",
        "Which lame horses are there?",
        "How many lame horses are there?",
        "Who is Ann?",
        "Who is Ann the groom of?",
    ],
)
def test_what_is_asked_for_is_not_described(question: str) -> None:
    assert described(question) == []


def test_what_is_named_is_not_described() -> None:
    assert described("Who rides the Red Horse?", "Red Horse") == []


def test_what_is_described_is_asked_for_with_the_links_in_it() -> None:
    text = "Who owns a horse ridden by Ann?"
    ann = Link(text.index("Ann"), text.index("Ann") + 3, Entity("Ann", "Ann"), 1.0)
    one = next(iter(descriptions(text, NOUNS, [ann])))
    question = one.question(text)
    assert question == "Which are the horse ridden by Ann?"
    (inside,) = one.inside(text, [ann])
    assert question[inside.start : inside.end] == "Ann"


def test_its_name_takes_the_place_of_what_is_described() -> None:
    text = "Does the oldest horse belong to Ann?"
    ann = Link(text.index("Ann"), text.index("Ann") + 3, Entity("Ann", "Ann"), 1.0)
    one = Described(text.index("the oldest"), text.index(" belong"))
    called, links = one.outside(text, [ann], Link(0, 0, Entity("Bo", "Bo"), 1.0))
    assert called == "Does Bo belong to Ann?"
    assert [called[link.start : link.end] for link in links] == ["Bo", "Ann"]
