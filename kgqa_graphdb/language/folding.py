"""Text made comparable: folded case and accents, one space between words, with the way back to the original."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.language.scripts import may_part

T = TypeVar("T")
MAX_CHARACTERS = 12_000
"""Of a question, and of a name that is looked up: what is longer is no such thing, and would take minutes to read."""
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_ALNUM = re.compile("[^a-z0-9]+")
_SIGNS = "+*%=#$¢-¥±×÷\u207a-\u207c\u208a-\u208c\u20a0-\u20cf\u2190-\u22ff\u266d-\u266f\uff0b\uff03-\uff05\uff0a\uff1d"
_SIGN = re.compile(rf"[{_SIGNS}\u2212-]")
_SYMBOLS = re.compile(
    rf"(?<![\w{_SIGNS}])[{_SIGNS}]+(?=\w)|(?<=\w)(?:[{_SIGNS}]+(?![\w{_SIGNS}])|[{_SIGNS}]{{2,}})|"
    r"(?:(?<=\s)|(?<![\s\S]))[-\u2212](?=\d)|(?<=\d)\s[%$¢-¥\u20a0-\u20cf](?!\w)"
)
"""Signs before a word or after it, the minus of a number, and what may stand apart from one, as in "5 %".

A sign between two words only parts them: "A+B".
"""


def lone_surrogate(text: str) -> str:
    """The first half of a character that stands without its other half, which no server takes; empty: there is none."""
    found = _LONE_SURROGATE.search(text)
    return found[0] if found else ""


def several(what: str, given: Iterable[T], *others: type) -> tuple[T, ...]:
    """Texts that were given, as a program without types may give anything.

    :param what: what they are, in the plural
    :param others: what may stand among them
    :raises UsageError: it is one text, no list, or one of them is no text
    """
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise UsageError(f"{what} are several, in a list or a tuple, not {given!r:.100}")
    found = tuple(given)
    for one in found:
        if not isinstance(one, (str, *others)):
            raise UsageError(f"{what} are texts, and {one!r:.100} is none")
    return found


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
    """Fold a text; whatever is neither letter nor digit becomes one space, but for what nobody sees."""
    chars: list[str] = []
    offsets: list[int] = []
    for position, original in enumerate(text):
        for char in unicodedata.normalize("NFKD", original).casefold():
            if char.isalnum():
                chars.append(char)
                offsets.append(position)
            elif chars and chars[-1] != " " and not unicodedata.combining(char) and unicodedata.category(char) != "Cf":
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


@lru_cache(maxsize=65_536)
def symbols_of(text: str) -> tuple[tuple[int, str], ...]:
    """The symbols that are parts of a text's words, which folding takes away: "C++" → ``((1, "++"),)``.

    Each comes with how many letters and digits stand before it. Marks of punctuation are none, nor is "#" before a
    number or a word, which may be left out.
    """
    found = []
    for match in _SYMBOLS.finditer(text):
        signs = unicodedata.normalize("NFKC", match[0]).strip().replace("\u2212", "-")
        before = sum(map(str.isalnum, text[: match.start()]))
        if not (signs == "#" and text[match.end() : match.end() + 1].isalnum()):
            found.append((before, signs))
    return tuple(found)


def symbols_agree(name: str, text: str) -> bool:
    """Whether a text may be a name that folds like it: "C#" is none for "C++", nor is "C".

    What names a thing in several words may leave its symbols out: "batteries not included".
    """
    own, said = symbols_of(name), symbols_of(text)
    if own == said:
        return True
    if said:
        return not own and _is_emphasised(text)
    words = [word for word in folded_text(name).split() if not word.isdigit()]
    return len(words) > 1 and all(signs != "-" for _, signs in own)


def _is_emphasised(text: str) -> bool:
    """Whether a text stands between stars, as in Markdown."""
    stars = text[: len(text) - len(text.lstrip("*"))]
    return bool(stars) and text.endswith(stars) and not symbols_of(text.strip("*"))


def with_symbols(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch of a text, with the symbols that are parts of its first and its last word."""
    begin = start
    while begin and _SIGN.match(text[begin - 1]):
        begin -= 1
    before, after = _SYMBOLS.match(text, begin), _SYMBOLS.match(text, end)
    return begin if before and before.end() == start else start, after.end() if after else end
