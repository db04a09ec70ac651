"""How names, numbers and moments of facts may be spelled in a text, and a text with marks in their places."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from kgqa_graphdb.language import Language
from kgqa_graphdb.types import Node, Value
from kgqa_graphdb.verbalise.descriptions import value_name

_FIRST_MARK = 0xE000
_MARKS = 6_400
"""Characters of the private use area: one stands for a name in a marked text."""
_LETTER = r"[^\W\u2e80-\u9fff\uac00-\ud7af]"
_ISO_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_SCALES = (("billion", 10**9), ("million", 10**6), ("thousand", 10**3))


def plain(text: str) -> str:
    """A text on one line, with straight quotation marks and without what nobody sees."""
    text = unicodedata.normalize("NFC", text).translate({0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"'})
    seen = "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Co"))
    return " ".join(seen.split())


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text with a mark in the place of every known name and value.

    :ivar text: the marks are characters of the private use area
    :ivar marks: of the nodes, by their plain names
    """

    text: str
    marks: dict[str, str]

    def mark_of(self, node: Node) -> str:
        """The character that stands for a node; nodes of one name have one."""
        return self.marks[plain(node.name)]


def is_mark(char: str) -> bool:
    """Whether a character stands for a name."""
    return _FIRST_MARK <= ord(char[0]) < _FIRST_MARK + _MARKS


def marked(text: str, nodes: Iterable[Node], language: Language) -> MarkedText:
    """Put marks in the places of names and values; where several fit, the longest."""
    marks: dict[str, str] = {}
    spelled: dict[str, str] = {}
    for node in nodes:
        name = plain(node.name)
        if name not in marks and len(marks) < _MARKS:
            marks[name] = chr(_FIRST_MARK + len(marks))
        for spelling in (*spellings(node, language), name):
            if spelling:
                spelled.setdefault(spelling, marks[name])
    if not spelled:
        return MarkedText(plain(text), marks)
    longest = sorted(spelled, key=lambda one: (-len(one), one))
    pattern = re.compile("|".join(map(_bounded, longest)))
    return MarkedText(pattern.sub(lambda found: spelled[found[0]], plain(text)), marks)


def _bounded(spelling: str) -> str:
    """A pattern for a whole word or number."""
    before = after = ""
    if re.match(_LETTER, spelling[0]):
        before = rf"(?<!{_LETTER})"
    if spelling[0].isdigit():
        before = rf"(?<!{_LETTER})(?<![\d.,]\.)(?<!\d[.,:/])(?<![-\u2212])"
    if re.match(_LETTER, spelling[-1]):
        after = rf"(?!{_LETTER})"
    if spelling[-1].isdigit():
        after += r"(?![.,:/-]\d)"
    return f"{before}{re.escape(spelling)}{after}"


def spellings(node: Node, language: Language) -> Iterator[str]:
    """Further ways to write a node's name that say the same: of numbers and moments; of a name its capital letter."""
    name = plain(node.name)
    if name:
        yield f"{name[0].upper()}{name[1:]}"
    value = node.value if isinstance(node, Value) else name
    if isinstance(value, bool):
        yield from (("yes", "Yes", "true") if value else ("no", "No", "false"))
    elif isinstance(value, int | float):
        unit = node.unit if isinstance(node, Value) else ""
        for number in _number_spellings(value):
            yield f"{number} {unit}" if unit else number
            if unit:
                yield f"{number}{unit}"
        yield value_name(Value(value, unit))
    elif isinstance(value, date) and not isinstance(value, datetime):
        yield from _moments(value, language)
    elif isinstance(value, str) and (found := _ISO_DAY.fullmatch(value)):
        try:
            yield from _moments(date(*map(int, found.groups())), language)
        except ValueError:
            return


def _number_spellings(value: float) -> Iterator[str]:
    if isinstance(value, float) and not value.is_integer():
        yield f"{value:,}"
        return
    whole = int(value)
    yield str(whole)
    yield f"{whole:,}"
    for word, scale in _SCALES:
        if abs(whole) >= scale and (whole * 100) % scale == 0:
            yield f"{whole / scale:.2f}".rstrip("0").rstrip(".") + f" {word}"
            break


def _moments(day: date, language: Language) -> Iterator[str]:
    words = language.wording.words
    name = words.months[day.month - 1] if words.months else ""
    values = {"year": day.year, "month": day.month, "day": day.day, "name": name, "short": name[:3]}
    for pattern in words.moments:
        spelling = pattern.format(**values)
        ordinal = re.sub(r"\b(\d{1,2})th\b", _ordinal, spelling)
        yield ordinal


def _ordinal(found: re.Match[str]) -> str:
    number = int(found[1])
    ending = "th" if 10 < number < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
