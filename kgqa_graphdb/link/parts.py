"""Names of which a question says a part: "obama" for Barack Obama, "manchester united" for Manchester United F.C.

Many names may hold a word; the ones with most facts are meant, as people leave out what everybody knows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence, Set
from itertools import islice, pairwise
from typing import NamedTuple

from kgqa_graphdb.graph import Named
from kgqa_graphdb.language.folding import Folded, folded_text
from kgqa_graphdb.language.scripts import SPACED_WORD
from kgqa_graphdb.link.places import Place, symbols_fit
from kgqa_graphdb.link.words import LinkWords

PART = 0.75
"""What a part of a name is worth, of the whole."""
LESS_KNOWN = 0.88
"""What each further entity of the same part is worth of the one before, which has more facts."""
GOES_ON = 0.7
"""What a part is worth where a discriminative word stands in the place of the rest: "ada quintt" is no Ada Lovelace."""
MAX_BEARERS = 3
"""Entities that the same words may be a part of the name of."""
MUCH_BETTER_KNOWN = 8
"""Where an entity is called just so, another is meant only if it has so many times its facts."""
LEAST_SHARE = 0.3
"""Letters of the name that must be there."""
MAX_LETTERS = 60
"""Of a word that is searched for."""
MAX_PAIRS = 48
"""Pairs of words that are searched for."""


class _Word(NamedTuple):
    """A word of a folded question, and where it stands."""

    text: str
    start: int
    end: int


def discriminative_words(asked: Iterable[str], words: LinkWords) -> list[str]:
    """Those of a question's folded words that may be a name's alone."""
    found = dict.fromkeys(word for word in asked if SPACED_WORD.fullmatch(word) and 2 < len(word) <= MAX_LETTERS)
    return [word for word in words.content(found) if not words.is_for_relation(word)]


def queries_for(text: Folded, discriminative: Collection[str], words: LinkWords) -> list[str]:
    """What to search for in the full-text index: discriminative words, and each with the word next to it."""
    content = [word for word in words.content(text.text.split()) if len(word) <= MAX_LETTERS]
    pairs = (f"+{one} +{other}" for one, other in pairwise(content) if {one, other} & {*discriminative})
    return [*dict.fromkeys(discriminative), *islice(dict.fromkeys(pairs), MAX_PAIRS)]


def part_places(
    text: Folded, found: Sequence[tuple[Named, int]], discriminative: Collection[str], original: str, words: LinkWords
) -> list[Place]:
    """Where parts of names stand in a question.

    :param found: entities and how many facts each has
    :param discriminative: words of which one at least must be there
    :param original: the question as typed
    """
    asked = [_Word(match.group(), match.start(), match.end()) for match in re.finditer(r"\S+", text.text)]
    by_span: dict[tuple[int, int], dict[str, tuple[Named, int, float]]] = {}
    called: dict[str, int] = {}
    for named, facts in found:
        names = {folded_text(name) for name in (named.entity.name, *named.aliases)}
        for name in names:
            called[name] = max(called.get(name, 0), facts)
        parts = (
            part
            for name in (named.entity.name, *named.aliases)
            if (part := _part(asked, name, discriminative, words.stop))
            and symbols_fit(name, original, *text.original(*part[:2]))
        )
        for start, end, quality in parts:
            if text.text[start:end] not in names:
                by_span.setdefault((start, end), {})[named.entity.element_id] = named, facts, quality
    places = []
    for (start, end), bearers in by_span.items():
        if any(other != (start, end) and other[0] <= start and end <= other[1] for other in by_span):
            continue  # more of a name says more
        least = MUCH_BETTER_KNOWN * called.get(text.text[start:end], 0)
        best = sorted(bearers.values(), key=lambda one: (-one[1], one[0].entity.name))
        places += [
            Place(named, start, end, PART * quality * LESS_KNOWN**rank)
            for rank, (named, facts, quality) in enumerate(best[:MAX_BEARERS])
            if facts >= least
        ]
    return places


def _part(
    asked: Sequence[_Word], name: str, discriminative: Collection[str], stop: Set[str]
) -> tuple[int, int, float] | None:
    """The stretch of a folded question that is a part of a name: some of its words in order, its first or last too.

    :param asked: the words of the question
    :return: where it begins and ends, and what it is worth
    """
    whole = folded_text(re.split(r"[(,:]", name)[0]).split()
    while whole and whole[0] in stop:
        whole = whole[1:]
    if not whole:
        return None
    best: tuple[int, int, float] | None = None
    for first, word in enumerate(asked):
        if word.text not in whole or word.text in stop:
            continue
        taken = _run([other.text for other in asked[first : first + len(whole)]], whole, stop)
        end = asked[first + len(taken) - 1].end
        begins, ends = taken[0] == whole[0], taken[-1] == whole[-1]
        enough = sum(map(len, taken)) >= LEAST_SHARE * sum(map(len, whole))
        if (
            enough
            and (begins or ends)
            and {*taken} & {*discriminative}
            and (best is None or end - word.start > best[1] - best[0])
        ):
            neighbours = [*(asked[max(0, first - 1) : first] if not begins else ())]
            neighbours += asked[first + len(taken) : first + len(taken) + 1] if not ends else []
            goes_on = any(other.text in discriminative for other in neighbours)
            best = word.start, end, GOES_ON if goes_on else 1.0
    return best


def _run(words: Sequence[str], whole: Sequence[str], stop: Set[str]) -> list[str]:
    """As many of some words as follow each other in a name, without stop words at the end."""
    at, taken = -1, list[str]()
    for word in words:
        if word not in whole[at + 1 :]:
            break
        at = whole.index(word, at + 1)
        taken.append(word)
    while taken[-1] in stop:
        taken.pop()
    return taken
