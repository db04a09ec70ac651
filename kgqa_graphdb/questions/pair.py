"""A question and its gold answers, whichever data set it is from."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import isfinite

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.types import Scalar


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold answer. A data set gives its id, its name, or both; a value (a number, a date, ``true``) has no id.

    :ivar id: as the data set writes it, e.g. ``Q42``; empty: not given
    :ivar name: empty: not given
    """

    id: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not isinstance(self.name, str):
            raise TypeError(f"a gold answer's id and name are no texts: {self.id!r:.80}, {self.name!r:.80}")
        if not self.id and not self.name:
            raise ValueError("a gold answer has neither id nor name")


@dataclass(frozen=True, slots=True)
class Pair:
    """A question-answer pair.

    Only ``question`` and ``answers`` are trained on, and ``topics`` where a person says so; the rest is for reports and
    for scoring proofs.

    :ivar id: of the question in its data set; where that has none, the number of its line
    :ivar question: with topics in [brackets] where the data set marks them
    :ivar answers: in the data set's order, without repeats; empty where the right answer is none
    :ivar topics: ids or names of the topic entities, or both, where the data set gives them
    :ivar type: question type, empty where there is none
    :ivar hops: length of the gold path, 0 where it is not known
    :ivar paths: gold relation paths, each relation as the data set names it
    :ivar chain: the facts on a gold path, from the topic to an answer: head, relation, tail by their ids
    :ivar candidates: what somebody, such as a language model, took for the answer, likeliest first; with repeats
    """

    id: str
    question: str
    answers: tuple[Gold, ...]
    topics: tuple[str, ...] = ()
    type: str = ""
    hops: int = 0
    paths: tuple[tuple[str, ...], ...] = ()
    chain: tuple[tuple[str, str, str], ...] = ()
    candidates: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.question, str):
            raise TypeError(f"the question is no text: {self.question!r:.80}")
        if not all(isinstance(topic, str) for topic in self.topics):
            raise TypeError(f"the topics are no texts: {self.topics!r:.80}")
        if not all(isinstance(candidate, str) for candidate in self.candidates):
            raise TypeError(f"the candidates are no texts: {self.candidates!r:.80}")


def with_topics(pairs: Sequence[Pair], *, given: bool) -> list[Pair]:
    """The pairs with the topics that may be given, or without any.

    :raises UsageError: they are to be given, and no pair has one
    """
    if given and not any(pair.topics for pair in pairs):
        raise UsageError("the file of questions names no topics; leave --given-topics away")
    return list(pairs) if given else [replace(pair, topics=()) for pair in pairs]


def sampled(pairs: Sequence[Pair], limit: int | None, seed: int) -> list[Pair]:
    """A random sample of at most so many pairs, in their order; ``None``: all."""
    places = range(len(pairs))
    if limit is not None and limit < len(pairs):
        return [pairs[place] for place in sorted(random.Random(seed).sample(places, limit))]
    return list(pairs)


_NUMBER = re.compile(r"[+-]?[0-9][0-9,]*(?:\.[0-9]+)?")
_MIDNIGHT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T00:00:00(?:\.0+)?(?:Z|\+00:00)?")


def canonical(text: str) -> str:
    """One way of writing a value: ``+1,200.0`` as ``1200``, midnight of a day as the day; other texts as they are."""
    text = text.strip()
    if _NUMBER.fullmatch(text):
        number = float(text.replace(",", ""))
        if not isfinite(number):
            return text
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
    day = _MIDNIGHT.fullmatch(text)
    return day[1] if day else text


_TRUTH = {"true": "yes", "yes": "yes", "false": "no", "no": "no"}


def canonical_value(text: str) -> str:
    """As :func:`canonical`, for what is no name: ``true``, ``True`` and ``Yes`` are ``yes``."""
    plain = canonical(text)
    return _TRUTH.get(plain.lower(), plain)


def value_text(value: Scalar) -> str:
    """A value as data sets write it: without a unit, days and times as ISO 8601."""
    return value.isoformat() if isinstance(value, date) else str(value)


def harmonic(precision: float, recall: float) -> float:
    """F1; 0 where both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
