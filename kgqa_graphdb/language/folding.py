"""Text made comparable: folded case and accents, one space between words, with the way back to the original."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from kgqa_graphdb.language.scripts import may_part

_NOT_ALNUM = re.compile("[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text folded for comparison.

    :ivar text: lower case, no accents, words separated by one space
    :ivar offsets: for each character of ``text`` its place in the original
    """

    text: str
    offsets: tuple[int, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original that a stretch of ``text`` came from."""
        return self.offsets[start], self.offsets[end - 1] + 1


def fold(text: str) -> Folded:
    """Fold a text; whatever is neither letter nor digit becomes one space."""
    chars: list[str] = []
    offsets: list[int] = []
    for position, original in enumerate(text):
        for char in unicodedata.normalize("NFKD", original).casefold():
            if char.isalnum():
                chars.append(char)
                offsets.append(position)
            elif not unicodedata.combining(char) and chars and chars[-1] != " ":
                chars.append(" ")
                offsets.append(position)
    if chars and chars[-1] == " ":
        chars.pop()
        offsets.pop()
    return Folded("".join(chars), tuple(offsets))


@lru_cache(maxsize=65_536)
def folded_text(text: str) -> str:
    """A name folded for comparison; one that is all punctuation stays as it is."""
    if text.isascii():  # most names, ten times as fast
        return _NOT_ALNUM.sub(" ", text.lower()).strip() or text.strip()
    return fold(text).text or text.strip()


def occurrences(name: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a folded name stands in a folded text as whole words.

    In scripts without spaces a word may end anywhere, and one of another script, or a number, ends where they begin.
    """
    start = text.find(name) if name else -1
    while start >= 0:
        end = start + len(name)
        if may_part(text[start - 1 : start], text[start]) and may_part(text[end - 1], text[end : end + 1]):
            yield start, end
        start = text.find(name, start + 1)
