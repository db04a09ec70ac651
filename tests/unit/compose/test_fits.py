"""Whether a path can be what some words mean."""

from __future__ import annotations

import pytest

from kgqa_graphdb.compose.fits import contradicts, is_known, turns_order
from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.types import Path, Step

FLOWS, PEOPLE = make_relation("flows_into"), make_relation("lives_at", heads=("Person",), tails=("Lake",))
DEPTH = make_relation("depth", kind="property")


@pytest.mark.parametrize(("path", "known"), [
    ((Step(FLOWS),), True), ((Step(PEOPLE), Step(PEOPLE, inverse=True)), True), ((Step(FLOWS), Step(DEPTH)), True),
    ((Step(FLOWS), Step(FLOWS)), False), ((Step(PEOPLE), Step(FLOWS)), False),
])  # fmt: skip
def test_what_is_counted_over_two_steps_is_of_a_kind(path: Path, known: bool) -> None:
    assert is_known(path) is known


OPENED, PREDECESSOR = Step(make_relation("opened", kind="property")), Step(make_relation("PREVIOUS_STOP"))
NEXT = Step(make_relation("NEXT_STOP", heads=("Stop",), tails=("Stop",)))
BACK = Step(NEXT.relation, inverse=True)


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


@pytest.mark.parametrize(
    ("words", "path", "turned"),
    [
        ("which stop comes after [X]", (NEXT,), False),
        ("which stop comes after [X]", (BACK,), True),
        ("the next stop after [X]", (BACK, NEXT), True),
        ("which stop is before [X]", (NEXT,), True),
        ("which stop is before [X]", (BACK,), False),
        ("which stop comes after [X]", (PREDECESSOR,), True),
        ("which stop has [X] as its next stop", (BACK,), False),
    ],
)
def test_after_and_before_have_a_direction(words: str, path: tuple[Step, ...], turned: bool) -> None:
    assert turns_order(path, words) is turned
