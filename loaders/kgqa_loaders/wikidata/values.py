"""Wikidata's values: times with precision and calendar, quantities with units, coordinates, texts.

Each becomes one plain value for a property, and a note of what that plain value leaves out.
Source of the meanings: https://www.wikidata.org/wiki/Special:MyLanguage/Help:Dates and
https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from kgqa_graphdb.types import Point, Scalar

Kind: TypeAlias = Literal["entity", "literal", "unknown", "none"]

UNKNOWN = "unknown value"
"""What Wikidata calls a ``somevalue``: there is one, but nobody knows which."""
NONE = "no value"

_NOTHING: Mapping[str, Scalar] = MappingProxyType({})


class Value(NamedTuple):
    """A value of a statement or qualifier.

    :ivar kind: ``entity``: the scalar is an entity's id; ``unknown`` and ``none``: the source says so
    :ivar unit: id of the unit, empty without
    :ivar language: of a text in one language, empty for others
    :ivar details: what the scalar leaves out: precision, calendar, upper and lower bound, globe
    :ivar text: as a person reads it, where that is not the scalar with its unit
    """

    kind: Kind
    scalar: Scalar
    unit: str = ""
    language: str = ""
    details: Mapping[str, Scalar] = _NOTHING
    text: str = ""

    @property
    def spoken(self) -> str:
        """The value as a person reads it."""
        if self.text:
            return self.text
        if isinstance(self.scalar, date):
            return f"{self.scalar.day} {_MONTHS[self.scalar.month - 1]} {self.scalar.year}"
        text = f"{self.scalar:,}" if isinstance(self.scalar, int) else str(self.scalar)
        return f"{text} {unit_symbol(self.unit)}" if self.unit else text


SOMEVALUE = Value("unknown", UNKNOWN)
NOVALUE = Value("none", NONE)


def entity(entity_id: str) -> Value:
    """An entity as a value."""
    return Value("entity", entity_id)


def literal(scalar: Scalar) -> Value:
    """A text or number that needs no explanation."""
    return Value("literal", scalar)


# ── times ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_TIME = re.compile(r"([+-]?)([0-9]{1,16})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?Z?)?")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_COARSE = {
    0: "billion years", 1: "hundred million years", 2: "ten million years", 3: "million years",
    4: "hundred thousand years", 5: "ten thousand years",
}  # fmt: skip
YEAR, MONTH, DAY, SECOND = 9, 10, 11, 14
JULIAN = "Q1985786"
_OF_JULIAN: Mapping[str, Scalar] = MappingProxyType({"calendar": "Julian"})
_RENUMBERED = -100_000


@lru_cache(maxsize=50_000)
def time_value(text: str, precision: int = DAY, *, calendar: str = "", stored_julian: bool = False,
               astronomical: bool = False) -> Value:  # fmt: skip
    """A time: a ``date`` where the day is known, an integer year, or a text: ``1952-03``, ``1950s``, ``16th century``.

    Years before our era are negative integers, 44 BCE is -44.

    :param text: ``+1952-03-11T00:00:00Z``; month and day may be 00
    :param precision: 0..14, as Wikibase counts: 6 millennium, 7 century, 8 decade, 9 year, 10 month, 11 day
    :param calendar: the calendar's entity id
    :param stored_julian: a day is given in the Julian calendar where that is the calendar (JSON does, RDF does not)
    :param astronomical: the year before the first is 0 (RDF), not -1 (JSON)
    :raises ValueError: the text is no time
    """
    found = _TIME.fullmatch(text)
    if not found or not 0 <= precision <= SECOND:
        raise ValueError(f"{text!r} with precision {precision} is no time")
    sign, digits, *rest = found.groups()
    year, month, day = int(digits) * (-1 if sign == "-" else 1), int(rest[0]), int(rest[1])
    # Wikibase renumbers no coarser times, and a simple value in its RDF does not say how coarse it is.
    if astronomical and precision >= YEAR and _RENUMBERED < year <= 0:
        year -= 1
    if precision >= DAY and not 1 <= day <= 31:
        precision = MONTH
    if precision >= MONTH and not 1 <= month <= 12:
        precision = YEAR
    julian = calendar == JULIAN
    details: Mapping[str, Scalar] = _OF_JULIAN if julian and precision >= MONTH else _NOTHING
    if precision >= DAY:
        if julian and stored_julian:
            year, month, day = gregorian(year, month, day)
        if not 1 <= year <= 9999:
            return Value(
                "literal",
                year,
                details={**details, "precision": "day"},
                text=f"{day} {_MONTHS[month - 1]} {_era(year)}",
            )
        if precision == DAY or rest[2] is None:
            return Value("literal", _date(text, year, month, day), details=details)
        hour, minute, second = map(int, rest[2:])
        at = datetime(year, month, day, min(hour, 23), min(minute, 59), min(second, 59), tzinfo=UTC)
        return Value("literal", at, details=details)
    return _before_days(year, month, precision, details)


def _before_days(year: int, month: int, precision: int, details: Mapping[str, Scalar]) -> Value:
    """A time that is known to the month or less."""
    if precision == MONTH:
        spoken = f"{_MONTHS[month - 1]} {_era(year)}"
        if year > 0:
            return Value("literal", f"{year:04}-{month:02}", details=details, text=spoken)
        return Value("literal", year, details={**details, "precision": "month"}, text=spoken)
    if precision == YEAR:
        return Value("literal", year, text=_era(year))
    suffix = " BCE" if year < 0 else ""
    if precision == 8:
        return literal(f"{abs(year) // 10 * 10}s{suffix}")
    if precision in (6, 7):
        size, noun = (100, "century") if precision == 7 else (1000, "millennium")
        return literal(f"{_ordinal(math.ceil(abs(year) / size))} {noun}{suffix}")
    return Value("literal", year, details={"precision": _COARSE[precision]}, text=f"about {_era(year)}")


def _date(text: str, year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError as error:
        raise ValueError(f"{text!r} is no day of any year") from error


def _era(year: int) -> str:
    return f"{-year} BCE" if year < 0 else str(year)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def gregorian(year: int, month: int, day: int) -> tuple[int, int, int]:
    """A day of the Julian calendar in the Gregorian one, through its Julian day number.

    :param year: years before our era are negative; there is no year 0
    """
    years = year if year > 0 else year + 1
    shift = (14 - month) // 12
    y, m = years + 4800 - shift, month + 12 * shift - 3
    number = day + (153 * m + 2) // 5 + 365 * y + y // 4 - 32083
    a = number + 32044
    b = (4 * a + 3) // 146097
    c = a - 146097 * b // 4
    d = (4 * c + 3) // 1461
    e = c - 1461 * d // 4
    m = (5 * e + 2) // 153
    years = 100 * b + d - 4800 + m // 10
    return (years if years > 0 else years - 1), m + 3 - 12 * (m // 10), e - (153 * m + 2) // 5 + 1


# ── quantities ───────────────────────────────────────────────────────────────────────────────────────────────────────

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
_UNITS = {
    "Q11573": "m", "Q828224": "km", "Q174728": "cm", "Q174789": "mm", "Q3710": "ft", "Q218593": "in", "Q253276": "mi",
    "Q11570": "kg", "Q41803": "g", "Q11574": "s", "Q7727": "min", "Q25235": "h", "Q573": "d", "Q577": "years",
    "Q5151": "months", "Q25343": "m²", "Q712226": "km²", "Q35852": "ha", "Q11582": "l", "Q25517": "m³",
    "Q11579": "K", "Q25267": "°C", "Q42289": "°F", "Q4917": "US dollars", "Q4916": "euros", "Q39369": "Hz",
    "Q25236": "W", "Q25250": "V", "Q25269": "J", "Q44395": "Pa", "Q11229": "%", "Q28390": "°", "Q182429": "m/s",
    "Q180154": "km/h", "Q483261": "Da", "Q531": "light-years", "Q1811": "au",
    "Q24564698": "years old", "Q550207": "international dollars",
}  # fmt: skip
"""What the commonest units are written as; a person's relations file gives the others."""


def unit_symbol(unit: str) -> str:
    """What a unit is written as; its id where it has no symbol."""
    return _UNITS.get(unit, unit)


def number(text: str) -> int | float:
    """A decimal number: an integer where it is one and fits into 64 bits.

    :raises ValueError: the text is no number
    """
    if len(text) > 4000 or not _NUMBER.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no number")
    value: int | float = int(text) if text.lstrip("+-").isdigit() else float(text)
    if not math.isfinite(float(text)):
        raise ValueError(f"{text[:40]!r} is too big a number")
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value if isinstance(value, float) or -(2**63) <= value < 2**63 else float(value)


def quantity_value(amount: str, unit: str = "", upper: str = "", lower: str = "") -> Value:
    """A quantity; bounds that equal the amount say that it is exact, which is nothing to note.

    :param unit: id of the unit, or ``1``
    :raises ValueError: a number is none
    """
    value = number(amount)
    details: dict[str, Scalar] = {}
    if upper and (bound := number(upper)) != value:
        details["upper"] = bound
    if lower and (bound := number(lower)) != value:
        details["lower"] = bound
    return Value("literal", value, unit=last_part(unit) if unit not in ("", "1") else "", details=details)


# ── places and texts ─────────────────────────────────────────────────────────────────────────────────────────────────

EARTH = "Q2"


def place_value(latitude: float, longitude: float, globe: str = "") -> Value:
    """A place on Earth as a point; one on another globe as a text, since points are on Earth.

    :raises ValueError: there is no such place
    """
    if not (abs(latitude) <= 90 and abs(longitude) <= 360):
        raise ValueError(f"latitude {latitude}, longitude {longitude} is no place")
    point = Point((longitude + 180) % 360 - 180 if abs(longitude) > 180 else float(longitude), float(latitude))
    on = last_part(globe)
    return literal(point) if on in ("", EARTH) else Value("literal", f"{point} on {on}", details={"globe": on})


def last_part(iri: str) -> str:
    """The id at the end of an IRI."""
    return iri[iri.rfind("/") + 1 :]


# ── as JSON has them ─────────────────────────────────────────────────────────────────────────────────────────────────

_LETTERS = {"item": "Q", "property": "P", "lexeme": "L", "mediainfo": "M"}


def checked_text(value: Any) -> str:
    """A value that should be a text.

    :raises ValueError: it is none
    """
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def entity_id_of(value: Any) -> str:
    """The id in a JSON value of the type ``wikibase-entityid``; old dumps give its number only.

    :raises ValueError: there is none
    """
    found = value.get("id") or f"{_LETTERS.get(value.get('entity-type'), '')}{value.get('numeric-id', '')}"
    if not isinstance(found, str) or not found[:1].isalpha() or len(found) < 2:
        raise ValueError(f"{value} names no entity")
    return found


def from_json(datavalue: Any) -> Value:
    """The value of a snak's ``datavalue``.

    :raises ValueError, KeyError, TypeError: it is not built as Wikibase builds it
    """
    kind, value = datavalue["type"], datavalue["value"]
    if kind == "wikibase-entityid":
        return entity(entity_id_of(value))
    if kind == "string":
        return literal(checked_text(value))
    if kind == "time":
        calendar = last_part(value.get("calendarmodel") or "")
        return time_value(value["time"], value["precision"], calendar=calendar, stored_julian=True)
    if kind == "quantity":
        bounds = value.get("upperBound") or "", value.get("lowerBound") or ""
        return quantity_value(value["amount"], value.get("unit") or "", *bounds)
    if kind == "globecoordinate":
        return place_value(value["latitude"], value["longitude"], value.get("globe") or "")
    if kind == "monolingualtext":
        return Value("literal", checked_text(value["text"]), language=value["language"])
    raise ValueError(f"a value of type {kind!r} is not known")
