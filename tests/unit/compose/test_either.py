"""Questions that ask which of two topics is the greater."""

from __future__ import annotations

import pytest

from kgqa_graphdb.compose.either import of_two
from kgqa_graphdb.types import Entity, Link


def asked(question: str) -> str:
    links = [
        Link(question.index(name), question.index(name) + len(name), Entity(name, name), 1.0) for name in ("Ada", "Bo")
    ]
    return of_two(question, *links)


@pytest.mark.parametrize(
    ("question", "of_all"),
    [
        ("Who is older, Ada or Bo?", "Who is oldest"),
        ("Which lake is deeper: Ada or the Bo?", "Which lake is deepest"),
        ("Which is more expensive, Ada or Bo?", "Which is most expensive"),
        ("Which lake was mapped earlier, Ada or Bo?", "Which lake was mapped first"),
        ("Who was born later, Ada or Bo?", "Who was born last"),
        ("Which lake was mapped first, Ada or Bo?", "Which lake was mapped first"),
        ("Which is the deepest, Ada or Bo?", "Which is the deepest"),
        ("Which is most expensive, Ada or Bo?", "Which is most expensive"),
    ],
)
def test_are_read_as_of_all(question: str, of_all: str) -> None:
    assert asked(question) == of_all


@pytest.mark.parametrize(
    "question",
    [
        "Which lakes did Ada or Bo map?",
        "Is Ada older than Bo?",
        "Who is older than Ada or Bo?",
        "Is Ada older or Bo?",
        "Who mapped the first lakes, Ada or Bo?",
        "Which is the deepest oldest, Ada or Bo?",
    ],
)
def test_others_are_left_alone(question: str) -> None:
    assert asked(question) == ""
