"""Where a question narrows down what it counts or sums up: "the most films that were released after 2000"."""

from __future__ import annotations

from dataclasses import dataclass

from kgqa_graphdb.language.english import base_form
from kgqa_graphdb.language.english_words import (
    AMOUNTS,
    AUXILIARIES,
    BOUNDARIES,
    CORRELATED,
    FILLERS,
    HIGH,
    LOW,
    PLAIN_PREPOSITIONS,
    RELATIVE,
)
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.parse.mark import Marked

WINDOW = 6
"""Words between what says how many and the noun for what is counted."""
_EACH_ONE = frozenset(("per", "each", "every"))
_COORDINATES = frozenset(("and", "but", ","))


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A noun for what is counted or summed up, and the words about it.

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


def narrowed(words: list[str], marked: Marked, asked: Kind | None) -> tuple[list[str], Narrowed | None]:
    """The words without those that narrow a measure down, and those; ``None``: none do.

    :param words: what follows the noun for what is asked for
    :param asked: what that names
    """
    inside = _in_phrases(words, marked)
    for place, word in enumerate(words):
        counted = bool(marked.comparisons(word)) and not any(one.moment for one in marked.comparisons(word))
        if place in inside or not (counted or word in HIGH or word in LOW or word in AMOUNTS):
            continue
        whole = counted or word in ("most", "fewest", "least")
        found = _noun(words, place + 1, marked, inside, whole=whole)
        if found is None:
            continue
        start, size = found
        noun = " ".join(words[start : start + size])
        kind = marked.nouns[noun]
        if asked and kind.label == asked.label:
            continue  # "the highest price of all products"
        measure, before = _modifiers(words, place + 1, start, inside, whole=whole)
        rest = words[start + size :]
        end = _end(rest, marked)
        tail = rest[:end] if _narrows(rest[:end], marked) else []
        if not (before or tail):
            return words, None
        left = [*words[: place + 1], *measure, *words[start : start + size], *(rest[end:] if tail else rest)]
        return left, Narrowed(kind, noun, before, tail, counted)
    return words, None


def _in_phrases(words: list[str], marked: Marked) -> set[int]:
    """The places of words that together are the name of a property: "units on order"."""
    return {
        at + offset
        for phrase in marked.phrases
        for at in range(len(words) - len(phrase) + 1)
        if words[at : at + len(phrase)] == phrase
        for offset in range(len(phrase))
    }


def _noun(words: list[str], first: int, marked: Marked, inside: set[int], *, whole: bool) -> tuple[int, int] | None:
    """Where the next noun for a kind stands, and of how many words it is.

    :param inside: places of words that belong to a property
    :param whole: it must follow what says how many, or "of"
    """
    for place in range(first, min(first + WINDOW, len(words))):
        word = words[place]
        if word in BOUNDARIES or word in _EACH_ONE or word == TOPIC or marked.comparisons(word) or marked.value(word):
            return None
        if whole and word in PLAIN_PREPOSITIONS - {"of"}:
            return None
        for size in (3, 2, 1):
            known = " ".join(words[place : place + size]) in marked.nouns
            if known and not inside & {*range(place, place + size)}:
                return place, size
    return None


def _modifiers(
    words: list[str], first: int, last: int, inside: set[int], *, whole: bool
) -> tuple[list[str], list[str]]:
    """What belongs to the measure, and the words about the noun: "unit price of" and "discontinued"."""
    ofs = [place for place in range(first, last) if words[place] == "of" and place not in inside]
    if not whole and not ofs:
        return words[first:last], []
    cut = ofs[-1] + 1 if ofs else first
    modifiers = [word for word in words[cut:last] if word not in FILLERS]
    if any(word in PLAIN_PREPOSITIONS for word in modifiers):
        return words[first:last], []
    return words[first:cut], modifiers


def _end(words: list[str], marked: Marked) -> int:
    """Where the words about the noun end, and those about what is asked for go on."""
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
    """Whether words after a noun say which are meant: "in Sweden", "released after 2000", "that are …"."""
    content = [word for word in words if word not in FILLERS or word in RELATIVE]
    if not content or CORRELATED & {*content}:
        return False
    first = content[0]
    moment = any(one.moment for one in marked.comparisons(first))
    if first in RELATIVE:
        return len(content) > 1
    # "the category X" names X, "the most films directed" says how they are counted.
    begins = first in PLAIN_PREPOSITIONS or moment or bool(base_form(first)) or first.endswith("ing")
    names_something = any(word == TOPIC or marked.comparisons(word) or marked.value(word) for word in content)
    return begins and names_something
