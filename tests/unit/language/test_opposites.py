"""What says the opposite of what a question asks for."""

from __future__ import annotations

import pytest

from kgqa_graphdb.language import CHINESE, ENGLISH


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("closed", "opened"),
        ("opening", "closing date"),
        ("end", "start date"),
        ("die", "date of birth"),
        ("born", "death date"),
        ("leave", "joined"),
        ("depart", "arrived"),
        ("import", "exports"),
        ("buy", "sold"),
        ("sold", "bought by"),
        ("sellers", "buyer"),
        ("received", "sender"),
        ("lost", "won by"),
        ("dissolved", "founded"),
        ("fired", "hire date"),
    ],
)
def test_words_say_the_opposite(asked: str, said: str) -> None:
    assert ENGLISH.are_opposite([asked], said.split())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("closed", "closed on"),
        ("opened closed", "opened"),  # it asks for both
        ("closed", "opening and closing times"),
        ("bought", "sold to"),  # who it was sold to bought it
        ("sent", "received from"),
        ("fire", "hired"),
        ("find", "dissolved"),
        ("employees", "left"),
        ("director", "directed by"),
    ],
)
def test_words_do_not_say_the_opposite(asked: str, said: str) -> None:
    assert not ENGLISH.are_opposite(asked.split(), said.split())


def test_a_language_without_such_words_has_no_opposites() -> None:
    assert not CHINESE.are_opposite(["closed"], ["opened"])
