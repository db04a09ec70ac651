"""Names in a question that are others than those of the entities most like them: "Peter Young" is no May Young.

Only a name of which something else is said is another one: a part of a name ("Young"), one without what stands between
its ends, misspelled, turned round, or with a title or an initial is the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from rapidfuzz import fuzz

from kgqa_graphdb.language.english_words import AUXILIARIES
from kgqa_graphdb.language.folding import Folded, folded_text
from kgqa_graphdb.link.keys import is_cased
from kgqa_graphdb.link.places import LIKE_PART_OF_WORDS, Place
from kgqa_graphdb.link.words import LinkWords
from kgqa_graphdb.types import Link

LIKE_NAME_WORD = 65
"""0..100: how like each other words of two names must be to be the same, one of them misspelled."""
MAX_RUN = 8
"""Words of a name in a question that are looked at."""
_WITHIN_NAMES = re.compile(r"\s+|\s*[-‐‑]\s*|['’]|\s*#\s*|\.\s*[-‐‑]?\s*")
"""What may part the words of a name; anything else ends it."""
_INSIDE_NAMES = {"in", "of", "the", "and", "for", "at", "on", "to", "with", "a"}
"""Words in lower case that stand in titles."""
_ROMAN = re.compile(r"[ivx]{2,}")


class _Word(NamedTuple):
    """A word of a question: folded, and where it stands in the folded text and in the original."""

    text: str
    start: int
    end: int
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class OtherNames:
    """Tells where a question has another name than that of an entity that it may speak of.

    :ivar original: the question as typed
    :ivar text: the same, folded
    :ivar asked: its words
    :ivar taken: stretches of the folded question where whole names stand
    :ivar cased: capitals tell names from other words
    """

    original: str
    text: Folded
    words: LinkWords
    asked: tuple[_Word, ...]
    taken: frozenset[tuple[int, int]]
    cased: bool

    @classmethod
    def of(cls, original: str, text: Folded, taken: Iterable[tuple[int, int]], words: LinkWords) -> Self:
        """Those of a question."""
        asked = []
        for match in re.finditer(r"\S+", text.text):
            left, right = text.original(*match.span())
            asked.append(_Word(match.group(), *match.span(), left, right))
        # "When Was Peter Young Born?" has capitals everywhere.
        titled = any(original[one.left].isupper() and one.text in AUXILIARIES for one in asked[1:])
        return cls(original, text, words, tuple(asked), frozenset(taken), is_cased(original) and not titled)

    def at(self, place: Place) -> tuple[int, int] | None:
        """Where in the original the other name stands of which a place is a part, or like which; ``None``: nowhere."""
        inside = [number for number, one in enumerate(self.asked) if place.start <= one.start and one.end <= place.end]
        if not inside or place.is_unspaced(self.text):
            return None
        run = self._run(place, inside[0], inside[-1])
        said = [one.text for one in run if one.text not in self.words.language.titles]
        if any(self._may_be(said, name) for name in (place.named.entity.name, *place.named.aliases)):
            return None
        return run[0].left, run[-1].right

    def _run(self, place: Place, first: int, last: int) -> tuple[_Word, ...]:
        """The words of the name that a question has where a place is.

        Names that stand beside a whole one are others', of those beside a part the question has one name.

        :param first: the number of the place's first word
        :param last: of its last
        """
        own = self.original[self.asked[first].left : self.asked[last].right]
        may_go_on = self.cased and any(char.isupper() or char.isdigit() for char in own)
        is_part = self._is_name_word if may_go_on else self._is_number
        apart = self.taken if place.span in self.taken else ()

        def goes_on(number: int, before: int) -> bool:
            one = self.asked[number]
            is_free = not any(start <= one.start and one.end <= end for start, end in apart)
            return last - first < MAX_RUN and is_free and is_part(one) and self._joined(before)

        free = may_go_on and place.span not in self.taken
        while first:
            if goes_on(first - 1, first - 1):
                first -= 1
            elif free and first > 1 and self.asked[first - 1].text == "of" and self._leads_on(first, -1):
                first -= 2  # "the Art of Proteins"
            else:
                break
        while last + 1 < len(self.asked):
            if goes_on(last + 1, last):
                last += 1
            elif free and self._leads_on(last):
                last += 2
            else:
                break
        return self.asked[first : last + 1]

    def _leads_on(self, number: int, way: int = 1) -> bool:
        """Whether beside a part of a name "in" and the like lead to more of it, no other name: "Proteins in Love".

        :param way: 1 after it, -1 before it
        """
        between, beyond = number + way, number + 2 * way
        if not 0 <= beyond < len(self.asked) or self.asked[between].text not in _INSIDE_NAMES:
            return False
        other = self.asked[beyond]
        named = any(start <= other.start and other.end <= end for start, end in self.taken)
        joined = self._joined(min(number, beyond)) and self._joined(between)
        return joined and not named and not other.text.isdigit() and self._is_name_word(other)

    def _joined(self, number: int) -> bool:
        """Whether nothing ends a name between a word and the next."""
        one, after = self.asked[number : number + 2]
        between = self.original[one.right : after.left]
        if between.startswith(".") and len(one.text) > 2 and one.text not in self.words.language.titles:
            return False
        return after.text != "s" and one.text != "s" and _WITHIN_NAMES.fullmatch(between) is not None

    def _is_number(self, one: _Word) -> bool:
        return one.text.isdigit()

    def _is_name_word(self, one: _Word) -> bool:
        """Whether a word may be a part of a name: one with a capital that is for no kind or relation, or a number."""
        words = self.words
        if one.text.isdigit():
            return True
        known = one.text in words.stop or one.text in words.kinds or words.is_for_relation(one.text)
        if known or not self.original[one.left].isupper():
            return False
        return one.left > 0 or not (one.text in words.language.question_words or words.language.base_form(one.text))

    def _may_be(self, said: Sequence[str], name: str) -> bool:
        """Whether words of a question may be a name."""
        whole = folded_text(name).split()
        more = _unlike(self.words.content(said), whole)
        if not more:
            return True
        head = folded_text(re.split(r"[(,:]", name)[0]).split()
        numbers = all(map(_is_numeral, more))
        missing = _unlike([word for word in self.words.content(head) if word not in self.words.language.titles], said)
        if missing:  # something else stands in its place
            return numbers and not any(map(_is_numeral, missing))
        return numbers or len(whole) > 1


def unresolved(text: str, links: Sequence[Link]) -> tuple[str, tuple[Link, ...]]:
    """The first name in a question that is no entity's, and the links to what is called most like it; empty: none is.

    :param links: likeliest first
    """
    sure = [link for link in links if not link.other]
    for start, end in sorted({link.other for link in links if link.other}):
        if not any(one.start < end and start < one.end for one in sure):
            return text[start:end], tuple(one for one in links if one.other == (start, end))
    return "", ()


def _unlike(words: Collection[str], others: Collection[str]) -> list[str]:
    """Those of some words of a name that are like none of another's: neither misspelled, nor shortened, nor joined."""
    joined = "".join(others)
    return [word for word in words if not (any(_alike(word, one) for one in others) or _is_within(word, joined))]


def _is_numeral(word: str) -> bool:
    """Whether a folded word is a number, in digits or in several Roman ones."""
    return word.isdigit() or _ROMAN.fullmatch(word) is not None


def _alike(word: str, other: str) -> bool:
    """Whether two words of names may be the same: one misspelled, or the beginning of the other."""
    if _is_numeral(word) or _is_numeral(other):
        return word == other
    shorter, longer = sorted((word, other), key=len)
    begins = longer.startswith(shorter) and (len(shorter) == 1 or len(shorter) > 2)
    return begins or fuzz.ratio(word, other) >= LIKE_NAME_WORD


def _is_within(word: str, joined: str) -> bool:
    return len(word) > 2 and not _is_numeral(word) and fuzz.partial_ratio(word, joined) >= LIKE_PART_OF_WORDS
