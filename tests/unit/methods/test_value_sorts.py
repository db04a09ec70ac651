"""Whether values may be what a question's noun asks for."""

from __future__ import annotations

from datetime import date

import pytest

from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.methods.value_sorts import may_be_noun, noun_phrase
from kgqa_graphdb.types import Scalar


@pytest.mark.parametrize(
    ("question", "nouns"),
    [
        ("Which journal published [X]?", ("journal",)),
        ("What is the hourly rate of [X]?", ("hourly", "rate")),
        ("In which city is [X]?", ("city",)),
        ("What does [X] cost?", ()),
        ("What is [X]'s salary?", ()),
    ],
)
def test_the_noun_ends_before_a_verb_or_a_preposition(question: str, nouns: tuple[str, ...]) -> None:
    assert noun_phrase(question) == nouns


@pytest.mark.parametrize(
    ("noun", "name", "value", "may_be"),
    [
        ("journal", "published", date(2016, 5, 5), False),
        ("museum", "rooms", 12, False),
        ("year", "published", date(2016, 5, 5), True),
        ("amount", "rooms", 12, True),
        ("room", "rooms", 12, True),
        ("wage", "salary", 12, False),
        ("company", "sector", "fuel", True),  # of texts their meaning tells
    ],
)
def test_numbers_and_days_are_what_their_property_says(noun: str, name: str, value: Scalar, may_be: bool) -> None:
    assert may_be_noun((noun,), make_relation(name, kind="property"), [value], ENGLISH) is may_be
