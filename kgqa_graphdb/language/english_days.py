"""Days and months as English writes them: "15 August 2017", "August 15th, 2017", "in August 2017"."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import MAXYEAR, MINYEAR, date
from functools import partial

_MONTHS = "january february march april may june july august september october november december".split()
_NUMBERS = {form: at for at, month in enumerate(_MONTHS, 1) for form in (month, month[:3])} | {"sept": 9}
_MONTH = rf"({'|'.join(sorted(_NUMBERS, key=len, reverse=True))})\.?"
_YEAR = r",? (?:of )?(\d{4})(?![\w-])"
_ORDINAL = r"(\d{1,2})(?:st|nd|rd|th)?"
_DAYS = (
    (re.compile(rf"(?<![\w.-])(?:the )?{_ORDINAL}(?: of)? {_MONTH}{_YEAR}", re.IGNORECASE), (3, 2, 1)),
    (re.compile(rf"\b{_MONTH} (?:the )?{_ORDINAL}{_YEAR}", re.IGNORECASE), (3, 1, 2)),
    (re.compile(r"(?<![\w./-])(\d{4})/(\d{1,2})/(\d{1,2})(?![\w/-])"), (1, 2, 3)),
    (re.compile(r"(?<![\w./-])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\w/-])"), (3, 2, 1)),
)
"""Patterns of days, and which of their groups are year, month and day."""
_MONTHS_BETWEEN = re.compile(rf"\b(between|from) {_MONTH}{_YEAR} (and|to|until|through) {_MONTH}{_YEAR}", re.IGNORECASE)
_OF_MONTH = re.compile(
    rf"(?<!\d )\b(?:(on or after|on or before|in|during|of|within|before|after|since|until|through|by|from)\s)?"
    rf"(?:the month of )?(?<!\d )\b{_MONTH}{_YEAR}",
    re.IGNORECASE,
)
_FROM_FIRST = frozenset(("since", "from", "on or after"))
_TO_LAST = frozenset(("until", "through", "by", "on or before"))


def with_days(text: str) -> str:
    """A text with its days as ISO writes them, and its months as the days from and to which they last."""
    for pattern, order in _DAYS:
        text = pattern.sub(partial(_day, order=order), text)
    text = _MONTHS_BETWEEN.sub(_between, text)
    return _OF_MONTH.sub(_month, text)


def _day(found: re.Match[str], order: tuple[int, int, int]) -> str:
    year, month, day = (found[place] for place in order)
    number = int(month) if month.isdigit() else _NUMBERS[month.lower()]
    try:
        return date(int(year), number, int(day)).isoformat()
    except ValueError:
        return found[0]


def _ends(month: str, year: str) -> tuple[str, str]:
    """The first and the last day of a month."""
    number, month_of = int(year), _NUMBERS[month.lower()]
    if not MINYEAR <= number <= MAXYEAR:
        return "", ""
    last = monthrange(number, month_of)[1]
    return date(number, month_of, 1).isoformat(), date(number, month_of, last).isoformat()


def _between(found: re.Match[str]) -> str:
    (first, _), (_, last) = _ends(found[2], found[3]), _ends(found[5], found[6])
    return f"between {first} and {last}" if first and last else found[0]


def _month(found: re.Match[str]) -> str:
    word = (found[1] or "").lower()
    first, last = _ends(found[2], found[3])
    if not first:
        return found[0]
    if word in _FROM_FIRST:
        return f"since {first}"
    if word in _TO_LAST:
        return f"on or before {last}"
    if word in ("before", "after"):
        return f"{word} {first if word == 'before' else last}"
    return f"between {first} and {last}"
