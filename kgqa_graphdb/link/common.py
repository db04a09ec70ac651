"""Words of a question that are something's name only by chance: "the most movies" speaks of no film called Most."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.language.english_words import (
    AMOUNTS,
    ARTICLES,
    AUXILIARIES,
    COMPARATIVES,
    DIMENSIONS,
    HIGH,
    INTERROGATIVES,
    LOW,
    RANKED,
)
from kgqa_graphdb.language.folding import Folded, occurrences
from kgqa_graphdb.link.keys import is_cased
from kgqa_graphdb.link.places import Place, has_capital, is_quoted
from kgqa_graphdb.link.words import LinkWords

OPERATORS = (
    HIGH | LOW | RANKED | AMOUNTS | {*DIMENSIONS, *COMPARATIVES, "last", "more", "less", "fewer", "only", "same"}
)
"""English words that count, compare and rank, where they stand before what they do that to."""
ASKING = AUXILIARIES | {"how", "why", "whose", *INTERROGATIVES}
"""English words that begin questions, where they do: "Who directed X?" names nothing called Who."""
_PARTICLES = frozenset(("many", "much", "than", "of", "at", "the"))
"""What stands in phrases that count and compare: "how many", "older than", "at least"."""
BEFORE_YEARS = frozenset("in from since before after during until till between through year years around".split())
"""What stands before a year more often than before a name."""


@dataclass(frozen=True, slots=True)
class CommonWords:
    """Tells where a word is used as such, and where it may be a name.

    :ivar original: the question as typed
    :ivar text: the same, folded
    :ivar words: of the graph
    :ivar asked: the labels of those that the question has
    :ivar operators: words that count, compare and rank
    :ivar asking: words that questions begin with
    :ivar compounds: where nouns of several words for kinds stand
    :ivar capitals_tell: whether it has words without a capital, so that one with a capital may be a name
    """

    original: str
    text: Folded
    words: LinkWords
    asked: frozenset[str]
    operators: frozenset[str]
    asking: frozenset[str]
    compounds: tuple[tuple[int, int], ...]
    capitals_tell: bool

    @classmethod
    def of(cls, original: str, text: Folded, words: LinkWords) -> Self:
        """Those of a question."""
        asked = frozenset(words.kinds[word] for word in text.text.split() if word in words.kinds)
        small = any(word[0].islower() for word in re.findall(r"[^\W\d_]+", original))
        operators = frozenset(OPERATORS if words.language.code == ENGLISH.code else ())
        nouns = (noun for noun in words.kinds if " " in noun)
        compounds = tuple(place for noun in nouns for place in occurrences(noun, text.text))
        asking = frozenset(ASKING if words.language.code == ENGLISH.code else ())
        return cls(original, text, words, asked, operators, asking, compounds, small)

    def has(self, place: Place) -> bool:
        """Whether what stands at a place is a word, or a year, whatever else is called so.

        Not where it is quoted, nor where it has a capital that means something.
        """
        word = self.text.text[slice(*place.span)]
        if self._in_kind(place):
            return True
        if place.is_unspaced(self.text):
            return False
        if " " in word:
            return self._is_phrase(word.split(), place)
        if not place.start and word in self.asking and self.text.text != word:
            return not is_quoted(self.original, *self.text.original(*place.span))
        before = self.text.text[: place.start].rsplit(maxsplit=1)[-1:]
        after = self.text.text[place.end :].split(maxsplit=1)[:1]
        if word.isdigit():
            common = self._is_year(place, before, after)
        else:
            common = (
                word in self.words.kinds
                or (word in self.operators and self._operates(word, before, after))
                or (after == ["of"] and self.words.is_for_relation(word))  # "the director of X"
                or (before == ["many"] and (not after or after[0] in AUXILIARIES))  # "how many members does X have"
                or (word in BEFORE_YEARS and after[:1] != [] and after[0].isdigit())  # "between 1990 and 2000"
            )
        return common and not self._is_marked(place)

    def _is_phrase(self, own: list[str], place: Place) -> bool:
        """Whether several words count or compare what follows them, as in "How many albums …"."""
        start, end = self.text.original(*place.span)
        quoted = is_quoted(self.original, start, end)
        titled = self.capitals_tell and all(word[0].isupper() for word in self.original[start:end].split()[1:])
        follows = place.end < len(self.text.text) and {*own} <= self.operators | self.asking | _PARTICLES
        return follows and not (quoted or titled)

    def _in_kind(self, place: Place) -> bool:
        """Whether a place is a part of a noun for a kind: no department is named by "sales orders"."""
        within = any(start <= place.start and place.end <= end for start, end in self.compounds)
        return within and not is_quoted(self.original, *self.text.original(*place.span))

    def _operates(self, word: str, before: list[str], after: list[str]) -> bool:
        """Whether a word that ranks or counts stands before what it ranks, or ends the question: "the last order"."""
        follows = bool(after) and (not before or before[0] in ARTICLES)
        done = {*self.text.text.split()[-3:-2]} <= AUXILIARIES  # "which album was released first"
        ends = not after and word in ("first", "last") and bool(before) and (done or is_cased(self.original))
        compares = word in COMPARATIVES and (after[:1] == ["than"] or {*before} <= {"is", "are", "was", "were"})
        return ends or follows or compares or (bool(after) and after[0] in self.words.kinds)

    def _is_year(self, place: Place, before: list[str], after: list[str]) -> bool:
        """Whether what has a time is asked for by a year, and no entity is named: "films of 2010"."""
        own = {*place.named.entity.labels}
        if before and self.words.kinds.get(before[0]) in own:  # "the film 2010"
            return False
        before_kind = bool(after) and self.words.kinds.get(after[0]) in own
        if before_kind or not {*before} & BEFORE_YEARS:
            return before_kind
        tied = any(before[0] in self.words.beside.get(label, ()) for label in own)  # "in" of "plays in"
        return not own.isdisjoint(self.asked) or (not tied and not self.words.dated.isdisjoint(self.asked))

    def _is_marked(self, place: Place) -> bool:
        start, end = self.text.original(*place.span)
        return is_quoted(self.original, start, end) or (self.capitals_tell and has_capital(self.original, start, end))
