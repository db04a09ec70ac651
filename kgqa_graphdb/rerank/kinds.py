"""Which questions no entity answers: those for yes or no, and those that count.

The paper trains a classifier on Mintaka's questions. The rules of our parser do as well without data, better than a
logistic regression on the text encoder's vectors (``benchmarks/question_kinds.py``), and need no model. They leave the
paper in one thing: comparisons that are answered by yes or no ("is X older than Y?") are for yes or no here, since no
candidate for them is in a graph; Mintaka counts them among the comparisons.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.language.english_days import with_days
from kgqa_graphdb.parse.cues import asks_whether, counts
from kgqa_graphdb.parse.wanted import COUNT
from kgqa_graphdb.types import Link

QuestionKind = Literal["yes_no", "count", "other"]

_VALUE = re.compile(r"[-+]?\d[\d.,:/-]*(?:st|nd|rd|th)?%?(?: [a-z]+){0,2}")
"""Units are in lower case: "50 Cent" is a name."""
_MAY_BE_TITLES = frozenset(("count", "count of", "the count of"))
"""What counts in a question that was parsed, but begins a name in others: "Count Dracula", "The Count of Monte …"."""


def question_kind(question: str, language: Language = ENGLISH, links: Sequence[Link] = ()) -> QuestionKind:
    """What a question asks for, by its words.

    :param language: only English questions are told apart; those in others are all ``other``
    :param links: to what the question names, whose words say nothing of what it asks for
    """
    if language.code != ENGLISH.code:
        return "other"
    if counts(question, links) or _asks_number(question, links):
        return "count"
    return "yes_no" if asks_whether(question, links, language) else "other"


def is_value(guess: str) -> bool:
    """Whether a guess is a day, a year or a number, which no subgraph joins with a topic: "300 million people"."""
    return bool(_VALUE.fullmatch(with_days(guess)))


def _asks_number(question: str, links: Sequence[Link]) -> bool:
    """Whether a question begins as "what is the number of" does."""
    start = len(question) - len(question.lstrip())
    found = COUNT.match(question[start:].lower())
    if not found or found[0] in _MAY_BE_TITLES:
        return False
    return not any(link.start < start + found.end() and link.end > start for link in links)
