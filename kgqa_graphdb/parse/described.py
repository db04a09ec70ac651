"""What a question describes instead of naming it: "the oldest animal" in "who cares for the oldest animal?"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from kgqa_graphdb.language.english_words import AUXILIARIES, BOUNDARIES, PLAIN_PREPOSITIONS, RELATIVE
from kgqa_graphdb.parse.head import is_participle
from kgqa_graphdb.types import Link

_WORD = re.compile(r"[^\W_][\w'-]*")
_DETERMINERS = {"the", "a", "an", "any", "some", "every", "all"}
_ASKS = {"which", "what", "whose", "many", "much", "each", "per", "number"}
"""Words before what is asked for, not before what is described."""
_CLOSES = BOUNDARIES | PLAIN_PREPOSITIONS | AUXILIARIES | _ASKS | {"and", "or", "not", "who", "that"}
"""Words of which none stands in a description before its noun."""
_COMMANDS = {"list", "name", "find", "show", "give", "tell", "me", "us"}
_ASKS_ONLY = (_ASKS | AUXILIARIES | _COMMANDS | {"who", "of", "in"}) - {"do", "does", "did"}
"""Words that alone stand before what is asked for."""
MAX_MODIFIERS = 4
"""Words between an article and the noun."""
MAX_SPANS = 8


@dataclass(frozen=True, slots=True)
class Described:
    """A stretch of a question that describes entities of a kind.

    :ivar start: its first character
    :ivar end: one past its last
    """

    start: int
    end: int

    def question(self, text: str) -> str:
        """The question for what is described."""
        words = text[self.start : self.end].split(maxsplit=1)
        return f"Which are the {words[1] if words[0].lower() in _DETERMINERS else ' '.join(words)}?"

    def inside(self, text: str, links: Sequence[Link]) -> list[Link]:
        """The links in it, as its own question has them."""
        words = text[self.start : self.end].split(maxsplit=1)
        offset = self.question(text).index(words[1] if words[0].lower() in _DETERMINERS else words[0])
        start = text.index(words[1], self.start) if words[0].lower() in _DETERMINERS else self.start
        own = [link for link in links if start <= link.start and link.end <= self.end]
        return [replace(link, start=link.start - start + offset, end=link.end - start + offset) for link in own]

    def outside(self, text: str, links: Sequence[Link], name: Link) -> tuple[str, tuple[Link, ...]]:
        """The question with a name in its place, and the links of that: the name's, and those that stand apart.

        :param name: what is called so; where it stands is left out of account
        """
        called = name.entity.name
        gap = len(called) - (self.end - self.start)
        others = [link for link in links if link.end <= self.start or link.start >= self.end]
        moved = [
            replace(link, start=link.start + gap, end=link.end + gap) if link.start >= self.end else link
            for link in others
        ]
        own = replace(name, start=self.start, end=self.start + len(called))
        return f"{text[: self.start]}{called}{text[self.end :]}", (own, *moved)


def descriptions(text: str, nouns: Collection[str], links: Sequence[Link]) -> Iterator[Described]:
    """The stretches of a question that may describe entities, the longest of each noun first.

    :param nouns: for kinds
    :param links: no noun stands in what they name
    """
    words = [(one.start(), one.end(), one[0].lower()) for one in _WORD.finditer(text)]
    last = words[-1][1] if words else 0
    for place, (_, end, _) in enumerate(words):
        size = next((size for size in (3, 2, 1) if _is_noun(words[: place + 1][-size:], size, nouns)), 0)
        first = place - size + 1
        if not size or any(link.start < end and words[first][0] < link.end for link in links):
            continue
        if place + 1 < len(words) and _is_noun(words[place : place + 2], 2, nouns):
            continue  # it is part of a longer one
        for begin in _beginnings([word for _, _, word in words], first):
            start = words[begin][0]
            if last > end and _goes_on([word for _, _, word in words[place + 1 : place + 4]]):
                yield Described(start, last)
            if first - begin > (words[begin][2] in _DETERMINERS):  # "the supplier" is described by nothing
                yield Described(start, end)


def _is_noun(words: Sequence[tuple[int, int, str]], size: int, nouns: Collection[str]) -> bool:
    return len(words) == size and " ".join(word for _, _, word in words) in nouns


def _goes_on(words: Sequence[str]) -> bool:
    """Whether words after a noun say more of it: "animals older than 10", not "animals live"."""
    if len(words) < 2:  # "the groom of"
        return False
    return words[0] in PLAIN_PREPOSITIONS | RELATIVE or is_participle(words[0]) or "than" in words


def _beginnings(words: Sequence[str], first: int) -> Iterator[int]:
    """Where what describes a noun may begin, the farthest first; nowhere where the noun is what is asked for."""
    begin = first
    while begin > 0 and first - begin < MAX_MODIFIERS and words[begin - 1] not in _CLOSES | _DETERMINERS:
        begin -= 1
    starts = [*range(begin, first + 1)]
    if begin > 0 and words[begin - 1] in _DETERMINERS:
        starts = [begin - 1]
    elif begin > 0 and words[begin - 1] in _ASKS:
        return
    # "who is the oldest animal" describes what is asked for, "is the oldest animal …" does not
    asks_whether = words[0] in AUXILIARIES
    yield from (start for start in starts if (start and asks_whether) or not {*words[:start]} <= _ASKS_ONLY)
