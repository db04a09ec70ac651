"""Literals of Freebase's dumps: escapes, ``$XXXX`` in keys, language tags, typed values."""

from __future__ import annotations

import re
from datetime import date

from kgqa_graphdb.types import Scalar
from kgqa_loaders.relations import Datatype, parse_value

_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_SHORT = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_KEY_ESCAPE = re.compile(r"\$([0-9A-F]{4})")
_YEAR = re.compile(r"-?[0-9]{4,}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATETIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2})?")
_SURROGATE = re.compile("[\ud800-\udfff]")

_DATATYPES: dict[str, Datatype] = {
    **dict.fromkeys(("integer", "int", "long", "short", "byte", "type.int"), "integer"),
    **dict.fromkeys(
        ("nonNegativeInteger", "positiveInteger", "negativeInteger", "unsignedInt", "unsignedLong"), "integer"
    ),
    **dict.fromkeys(("decimal", "double", "float", "type.float"), "float"),
    **dict.fromkeys(("boolean", "type.boolean"), "boolean"),
}
_TIMES = frozenset(("date", "dateTime", "gYear", "gYearMonth", "type.datetime"))


def unescaped(text: str) -> str:
    r"""The text of a literal: ``\"``, ``\n``, ``\u00e9``, ``\U0001F600``; what is no escape stays as it is."""
    if "\\" not in text:
        return text
    found = _ESCAPE.sub(_unescape, text)
    if _SURROGATE.search(found):  # two escapes for one character; half a pair stays, and is refused later on
        found = found.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return found


def _unescape(match: re.Match[str]) -> str:
    short = match[3]
    if short is not None:
        return _SHORT.get(short, short if short in "\"'\\" else match[0])
    code = int(match[1] or match[2], 16)
    return chr(code) if code < 0x110000 else match[0]


def decoded_key(text: str) -> str:
    """A key as a person reads it: ``Queen$0027s_Radio`` → ``Queen's_Radio``."""
    return _KEY_ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "$" in text else text


def typed(text: str, datatype: str) -> Scalar:
    """A value of an XML Schema datatype, or of one of Freebase's own; a text that does not fit its type stays a text.

    A year is an integer, a month of a year a text: no value of Neo4j is a date without a day.

    :param datatype: e.g. ``gYear`` or ``type.datetime``; empty or unknown: a text
    """
    if datatype in _DATATYPES:
        try:
            return parse_value(text, _DATATYPES[datatype])
        except ValueError:
            return text
    return _time(text) if datatype in _TIMES else text


def _time(text: str) -> Scalar:
    try:
        if _YEAR.fullmatch(text):
            return parse_value(text, "integer")
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
        return parse_value(text, "datetime") if _DATETIME.fullmatch(text) else text
    except ValueError:
        return text


def language_rank(tag: str, languages: tuple[str, ...]) -> int | None:
    """The place of a text's language among those wanted, least first; ``None``: it is not wanted.

    Text of a region counts for its language, after the language itself: ``pt-BR`` where ``pt`` is wanted. A text
    without a tag comes last; where no language is named, all are wanted.
    """
    if not languages:
        return 0
    if not tag:
        return 2 * len(languages)
    for place, language in enumerate(languages):
        if tag.lower() == language.lower():
            return 2 * place
        if tag.lower().startswith(f"{language.lower()}-"):
            return 2 * place + 1
    return None
