"""Names are cut out of what a language model wrote, and each is kept once."""

from __future__ import annotations

import pytest

from kgqa_graphdb.plan import Candidate
from kgqa_graphdb.rerank.guesses import LONGEST, cleaned_guess, distinct_guesses, readings_of


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Lake Ladoga", "Lake Ladoga"),
        ("  1968  Confidence score: 90% (right)'", "1968"),
        ("1968. Certainty: high", "1968"),
        ("1968 (score 0.9)", "1968"),
        ("The answer is Lake Ladoga. It lies in Russia and is deep.", "Lake Ladoga"),
        ("Answer: **Lake Ladoga**", "Lake Ladoga"),
        ("1) Lake Ladoga\n2) Lake Onega", "Lake Ladoga"),
        ("So, the final answer: Lake Ladoga", "Lake Ladoga"),
        ("```\nLake Ladoga\n```</s>", "Lake Ladoga"),
        ("J. S. Bach", "J. S. Bach"),
        ("Washington, D.C.", "Washington, D.C."),
        ("Acme Inc.", "Acme Inc."),
        ("Ladoga.", "Ladoga"),
        ("“Lake Ladoga”,", "Lake Ladoga"),
        ("", ""),
        (" ... ", ""),
        ("word " * LONGEST, ""),
    ],
)
def test_a_name_is_cut_out_of_the_chatter(text: str, name: str) -> None:
    assert cleaned_guess(text) == name


@pytest.mark.parametrize(
    ("name", "readings"),
    [
        ("Oslo", ("Oslo",)),
        ("Dune (1984)", ("Dune (1984)", "Dune")),
        ("the film “Dune” by Lynch", ("the film “Dune” by Lynch", "Dune")),
        ("Lake Ladoga is the largest", ("Lake Ladoga is the largest", "Lake Ladoga")),
        ("Ada Byrne, the mayor", ("Ada Byrne, the mayor", "Ada Byrne")),
        ("3rd mayor of Oslo, Ada Byrne", ("3rd mayor of Oslo, Ada Byrne", "Ada Byrne", "3rd mayor of Oslo")),
        ("all that one could think of was this", ("all that one could think of was this",)),
    ],
)
def test_what_a_guess_may_name_is_itself_or_the_name_in_it(name: str, readings: tuple[str, ...]) -> None:
    assert readings_of(name) == readings


def test_the_first_distinct_guesses_are_kept_with_their_votes() -> None:
    texts = ["Oslo", "oslo.", "Bergen", "", "OSLO", "Tromsø", "Bergen", "Narvik"]
    assert distinct_guesses(texts, 3) == [
        Candidate("Oslo", 0, 3), Candidate("Bergen", 1, 2), Candidate("Tromsø", 2, 1),
    ]  # fmt: skip
    assert distinct_guesses([], 3) == []
