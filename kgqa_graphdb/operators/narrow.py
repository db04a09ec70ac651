"""Where a question narrows down what it counts or sums up: "the most films that were released after 2000"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kgqa_graphdb.operators.kinds import Kind
from kgqa_graphdb.operators.mark import Marked
from kgqa_graphdb.operators.words import AUXILIARIES, BOUNDARIES, EACH, FILLERS, HIGH, LOW, PREPOSITIONS, RELATIVE
from kgqa_graphdb.rank.question import TOPIC
from kgqa_graphdb.wording import base_form

WINDOW = 6
"""Words between what says how many and the noun for what is counted."""
_AMOUNTS = frozenset(("number", "count", *EACH))
_COORDINATES = frozenset(("and", "but", ","))


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A noun for what is counted or summed up, and what is said of it.

    :ivar kind: what the noun names
    :ivar before: the words about it that stand before it
    :ivar after: those after it
    :ivar counted: a number stands before it; else it is in a measure that is ranked by
    """

    kind: Kind
    noun: str
    before: list[str]
    after: list[str]
    counted: bool


def narrowed(words: list[str], marked: Marked, nouns: Mapping[str, Kind]) -> tuple[list[str], Narrowed | None]:
    """The words without those that narrow a measure down, and those; ``None``: none do.

    :param words: what follows the noun for what is asked for
    """
    for place, word in enumerate(words):
        counted = bool(marked.comparisons(word)) and not any(one.moment for one in marked.comparisons(word))
        if not (counted or word in HIGH or word in LOW or word in _AMOUNTS):
            continue
        found = _noun(words, place + 1, marked, nouns)
        if found is None:
            continue
        start, size = found
        measure, before = _modifiers(
            words[place + 1 : start], all_of_noun=counted or word in ("most", "fewest", "least")
        )
        rest = words[start + size :]
        end = _end(rest, marked)
        tail = rest[:end] if _narrows(rest[:end], marked) else []
        if not (before or tail):
            return words, None
        left = [*words[: place + 1], *measure, *words[start : start + size], *(rest if not tail else rest[end:])]
        noun = " ".join(words[start : start + size])
        return left, Narrowed(nouns[noun], noun, before, tail, counted)
    return words, None


def _noun(words: list[str], first: int, marked: Marked, nouns: Mapping[str, Kind]) -> tuple[int, int] | None:
    """Where the next noun for a kind stands, and of how many words it is."""
    for place in range(first, min(first + WINDOW, len(words))):
        word = words[place]
        if word in BOUNDARIES or word == TOPIC or marked.comparisons(word) or marked.value(word):
            return None
        for size in (3, 2, 1):
            if " ".join(words[place : place + size]) in nouns:
                return place, size
    return None


def _modifiers(words: list[str], *, all_of_noun: bool) -> tuple[list[str], list[str]]:
    """What belongs to the measure, and what is said of the noun: "unit price of" and "discontinued"."""
    prepositions = [place for place, word in enumerate(words) if word in PREPOSITIONS]
    if not all_of_noun and not prepositions:
        return words, []
    cut = prepositions[-1] + 1 if prepositions else 0
    return words[:cut], [word for word in words[cut:] if word not in FILLERS]


def _end(words: list[str], marked: Marked) -> int:
    """Where what is said of the noun ends, and something else is said of what is asked for."""
    for place, word in enumerate(words):
        if word not in _COORDINATES:
            continue
        after = words[place + 1 : place + 2]
        later = any(other in HIGH | LOW or other in RELATIVE for other in words[place + 1 :])
        counts = any(one.counted or not one.moment for w in words[place + 1 :] for one in marked.comparisons(w))
        if not after or after[0] in AUXILIARIES or later or counts:
            return place
    return len(words)


def _narrows(words: list[str], marked: Marked) -> bool:
    """Whether words after a noun say something of it: "in Sweden", "released after 2000", "that …"."""
    said = [word for word in words if word not in FILLERS or word in RELATIVE]
    if not said:
        return False
    first, *more = said
    if any(one.moment for one in marked.comparisons(first)) or marked.value(first):
        return True
    if first == TOPIC or first in PREPOSITIONS or first in RELATIVE:
        return bool(more) or first == TOPIC
    # "the most films directed" says how they are counted, not which.
    return bool(more) and (bool(base_form(first)) or first.endswith("ing"))
