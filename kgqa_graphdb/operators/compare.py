"""Comparisons with values as a graph's properties hold them: numbers, days, or texts that are written like days."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import MAXYEAR, date, datetime, timedelta
from typing import TypeAlias

from kgqa_graphdb.operators.mark import Comparison
from kgqa_graphdb.plan import AggregateOp
from kgqa_graphdb.types import Scalar

Test: TypeAlias = tuple[AggregateOp, Scalar]
"""What values are compared with, and how."""


def plainly(comparisons: Sequence[Comparison]) -> list[Test]:
    """Comparisons as they were said."""
    return [(one.op, one.value) for one in comparisons]


def has_order(value: Scalar) -> bool:
    """Whether one such value can be greater than another: a number or a moment."""
    return (isinstance(value, int | float) and not isinstance(value, bool)) or moment_of(value) is not None


def moment_of(value: Scalar) -> Callable[[date], Scalar] | None:
    """What writes the beginning of a day as a property's values are written; ``None``: those are no moments."""
    if isinstance(value, datetime):
        return lambda day: datetime(day.year, day.month, day.day, tzinfo=value.tzinfo)
    if isinstance(value, date):
        return lambda day: day
    if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value):
        return date.isoformat
    return None


def as_held(comparisons: Sequence[Comparison], values: Sequence[Scalar]) -> list[Test] | None:
    """Comparisons with values as a property holds them; ``None``: with these there is nothing to compare."""
    days = any(isinstance(one.value, date) for one in comparisons)
    if values and not days and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return plainly(comparisons)
    held = moment_of(values[0]) if values else None
    if held is None:
        return None
    tests: list[Test] = []
    for one in comparisons:
        if isinstance(one.value, date) and one.value.year < MAXYEAR:
            tests += [(op, held(one.value + timedelta(days=later))) for op, later in _AS_MOMENTS[one.op]]
        elif isinstance(one.value, int) and 0 < one.value < MAXYEAR:
            tests += [(op, held(date(one.value + later, 1, 1))) for op, later in _AS_MOMENTS[one.op]]
        else:
            return None
    return tests


_AS_MOMENTS: dict[AggregateOp, tuple[tuple[AggregateOp, int], ...]] = {
    ">": ((">=", 1),), ">=": ((">=", 0),), "<": (("<", 0),), "<=": (("<", 1),), "=": ((">=", 0), ("<", 1)),
}  # fmt: skip
"""Comparisons with a year or a day, as those with the beginnings of it and of the next."""
