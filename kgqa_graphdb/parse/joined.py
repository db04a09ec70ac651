"""How two topics of a question go together: joined, compared with each other, or each with words of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgqa_graphdb.language import Language
from kgqa_graphdb.parse.cues import either_will_do
from kgqa_graphdb.plan import CombineOp
from kgqa_graphdb.types import Link


@dataclass(frozen=True, slots=True)
class Joined:
    """Two topics of which the question says one thing: "visited by X but not by Y", "both X and Y".

    :ivar text: the question about the first alone
    :ivar topic: where that names the first
    :ivar alike: the words before the first are meant of the second, too; not so in "launched on X but not from Y"
    :ivar excepted: the second may also be one of those that are asked for
    """

    op: CombineOp
    text: str
    topic: Link
    alike: bool = True
    excepted: bool = False


@dataclass(frozen=True, slots=True)
class EachOf:
    """A question whether something is so of either or both of two: "does X manage Y or Z?".

    :ivar op: ``or`` where either will do, ``and`` where it must be so of both
    :ivar each: the question about each of them alone, and where that names its two topics, in their order
    """

    op: CombineOp
    each: tuple[tuple[str, Link, Link], ...]


_JOINING = re.compile(
    r"\W+(or|(?:and |but )?(?:not|without|except|excluding|other than))(?: (for|with|by|in|to|from|on|at))?(?: the)?\W+"
)
"""What stands between two topics of which either will do, or the second will not."""
_BOTH = re.compile(r"\bboth (?:of )?(?:the )?$", re.IGNORECASE)
"""What stands before two topics that are joined by :data:`_AND`."""
_AND = re.compile(r" and (?:(?:for|with|by|in|to|from) )?(?:the )?")
_EITHER = re.compile(r"\bor\b", re.IGNORECASE)
_EITHER_OR = re.compile(r"\W+(or|and)(?: (?:with|by|in|to|from|for|on|at))?(?: the)?\W+", re.IGNORECASE)
"""What stands between two of which either or both are asked for."""
_WHICHEVER = re.compile(r"\b(?:either|both) (?:of )?(?:the )?$", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(?:(?<!other )than|before|(?<!named )after|(?:the same|as many) (?:\w+ ){1,3}as)(?: the| an?)?(?: [a-z]+)?\W+$"
)
"""What stands before an entity that others are compared with."""
_DOES = re.compile(r"\W*(?:does|do|did) (the )?", re.IGNORECASE)
_HAVE = re.compile(r" have (?:any |some |an? )?(\w+)\W*", re.IGNORECASE)
"""What stands around a topic where a question asks whether it has some."""
_BEFORE = re.compile(r"(\w*)(?: the)?\W*$", re.IGNORECASE)
"""The word before a topic."""


def joined(text: str, topic: Link, other: Link) -> Joined | None:
    """How two topics are joined; ``None``: each has words of its own.

    :param topic: that which stands first
    """
    before, between = text[: topic.start], text[topic.end : other.start]
    if found := _JOINING.fullmatch(between):
        word = found[1].split()[-1]
        preposition = "with" if word == "without" else found[2]
        own = _BEFORE.search(before)
        alike = word == "or" or not preposition or (own is not None and own[1].lower() == preposition)
        rest = text[: topic.end] + text[other.end :]
        return Joined("or" if word == "or" else "not", rest, topic, alike, excepted=word not in ("or", "not"))
    if (both := _BOTH.search(before)) and _AND.fullmatch(between):
        gap = both.end() - both.start()
        rest = text[: both.start()] + text[both.end() : topic.end] + text[other.end :]
        return Joined("and", rest, replace(topic, start=topic.start - gap, end=topic.end - gap))
    return None


def how_many(text: str, topic: Link, language: Language) -> Joined | None:
    """A question whether a topic has some, as one how many: "does X have any moons?"; ``None``: it asks otherwise."""
    asks, had = _DOES.fullmatch(text[: topic.start]), _HAVE.fullmatch(text[topic.end :])
    if not (asks and had):
        return None
    before = f"how many {language.plural_of(had[1])} does {asks[1] or ''}"
    start, end = len(before), len(before) + topic.end - topic.start
    counted = f"{before}{text[topic.start : topic.end]} have?"
    return Joined("or", counted, replace(topic, start=start, end=end))


def each_of_two(text: str, topics: Sequence[Link]) -> EachOf | None:
    """A question whether something is so of two of three topics, as two questions; ``None``: it asks otherwise.

    :param topics: three, in any order
    """
    first, second, third = sorted(topics, key=lambda link: link.start)
    for one, other, alone in ((first, second, third), (second, third, first)):
        found = _EITHER_OR.fullmatch(text[one.end : other.start])
        start = both.start() if (both := _WHICHEVER.search(text[: one.start])) else one.start
        if found and (found[1].lower() == "and" or either_will_do(text, start)):
            ends = ((start, one.start), (one.end, other.end)), ((start, other.start),)
            each = [_without(text, cut, left, alone) for cut, left in zip(ends, (one, other), strict=True)]
            return EachOf("or" if found[1].lower() == "or" else "and", tuple(each))
    return None


def _without(text: str, cuts: Sequence[tuple[int, int]], *links: Link) -> tuple[str, Link, Link]:
    """A text without some stretches, and where two names then stand in it, in their order."""
    for start, end in sorted(cuts, reverse=True):
        text = f"{text[:start]}{text[end:]}"
        gap = end - start
        links = tuple(
            replace(link, start=link.start - gap, end=link.end - gap) if link.start >= end else link for link in links
        )
    one, other = sorted(links, key=lambda link: link.start)
    return text, one, other


def is_compared_with(text: str, link: Link) -> bool:
    """Whether others are compared with what a link is to: "cheaper than X", "the same year as X"."""
    return _BOUND.search(text[: link.start]) is not None


def asks_which(text: str, topic: Link, other: Link) -> bool:
    """Whether a question asks which of two it is, one of which may be no topic: "is Ann male or female?".

    :param topic: that which stands first
    """
    return _EITHER.search(" ".join((text[topic.end : other.start], text[other.end :]))) is not None
