"""Whether a path can be what some words mean."""

from __future__ import annotations

import pytest

from kgqa_graphdb.compose.fits import contradicts, goes_back_unsaid, is_known
from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.types import Path, Step

FLOWS, PEOPLE = make_relation("flows_into"), make_relation("lives_at", heads=("Person",), tails=("Lake",))
DEPTH = make_relation("depth", kind="property")


@pytest.mark.parametrize(("path", "known"), [
    ((Step(FLOWS),), True), ((Step(PEOPLE), Step(PEOPLE, inverse=True)), True), ((Step(FLOWS), Step(DEPTH)), True),
    ((Step(FLOWS), Step(FLOWS)), False), ((Step(PEOPLE), Step(FLOWS)), False),
])  # fmt: skip
def test_what_is_counted_over_two_steps_is_of_a_kind(path: Path, known: bool) -> None:
    assert is_known(path) is known


WORKS = make_relation("WORKS_IN", label="works in", heads=("Lawyer",), tails=("Office",))
COLLEAGUES = (Step(WORKS), Step(WORKS, inverse=True))


@pytest.mark.parametrize(
    ("question", "unsaid"),
    [
        ("which cases does work on", True),
        ("who works in the office of", False),
        ("who is working where works", False),
        ("which lawyer is married to", True),
    ],
)
def test_a_way_back_is_said_by_two_words(question: str, unsaid: bool) -> None:
    nouns = {"office": Kind("Office"), "lawyer": Kind("Lawyer")}
    assert goes_back_unsaid(COLLEAGUES, question.split(), nouns, ENGLISH) is unsaid
    assert not goes_back_unsaid((Step(WORKS),), question.split(), nouns, ENGLISH)


OPENED = Step(make_relation("opened", kind="property"))


@pytest.mark.parametrize(
    ("words", "opposite"),
    [
        ("when was [X] closed", True),
        ("when was [X] opened", False),
        ("opened and closed", False),
        ("since when", False),
    ],
)
def test_a_path_contradicts_words_for_the_opposite(words: str, opposite: bool) -> None:
    assert contradicts((OPENED,), words, ENGLISH) is opposite
