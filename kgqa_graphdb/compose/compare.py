"""Comparisons with values as a graph's properties have them: numbers, days, or texts that are written like days."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import MAXYEAR, date, datetime, timedelta
from typing import TypeAlias

from kgqa_graphdb.parse.parsed import Bound, Comparison
from kgqa_graphdb.plan import AggregateOp, Plan
from kgqa_graphdb.types import Scalar

Test: TypeAlias = tuple[AggregateOp, Scalar | Plan]
"""What values are compared with, and how."""


_YEAR = re.compile(r"[12]\d{3}", re.ASCII)
"""A year that a text holds; such texts stand in the order of the years."""


def plainly(comparisons: Sequence[Comparison]) -> list[Test]:
    """Comparisons with numbers, as the question has them."""
    return [(one.op, one.value) for one in comparisons if not isinstance(one.value, Bound)]


def are_numbers(values: Sequence[Scalar]) -> bool:
    """Whether there are values, and all are numbers; yes and no are none."""
    return bool(values) and all(isinstance(one, int | float) and not isinstance(one, bool) for one in values)


def are_years(values: Sequence[Scalar]) -> bool:
    """Whether there are values, and all are texts that hold years."""
    return bool(values) and all(isinstance(one, str) and _YEAR.fullmatch(one) for one in values)


def flags_of(values: Sequence[Scalar]) -> tuple[Scalar, Scalar] | None:
    """No and yes, as a property holds them; ``None``: it says something else."""
    distinct = set(values)
    if distinct and all(isinstance(one, bool) for one in distinct):
        return False, True
    return next((pair for pair in _FLAGS if distinct and distinct <= {*pair} and not isinstance(values[0], bool)), None)


_FLAGS: tuple[tuple[Scalar, Scalar], ...] = (
    (0, 1), ("0", "1"), ("false", "true"), ("False", "True"), ("no", "yes"), ("No", "Yes"), ("N", "Y"), ("n", "y"),
)  # fmt: skip


def have_order(values: Sequence[Scalar]) -> bool:
    """Whether there are values of which one can be greater than another: all numbers, or all moments of one sort."""
    if are_numbers(values):
        return True
    return bool(values) and len({type(one) for one in values}) == 1 and all(moment_of(one) for one in values)


def moment_of(value: Scalar) -> Callable[[date], Scalar] | None:
    """What writes the beginning of a day as a property's values are written; ``None``: those are no moments."""
    if isinstance(value, datetime):
        return lambda day: datetime(day.year, day.month, day.day, tzinfo=value.tzinfo)
    if isinstance(value, date):
        return lambda day: day
    if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value):
        return date.isoformat
    if isinstance(value, str) and _YEAR.fullmatch(value):
        return lambda day: str(day.year)
    return None


def as_stored(comparisons: Sequence[Comparison], values: Sequence[Scalar]) -> list[Test] | None:
    """Comparisons with values as a property has them; ``None``: those have no order."""
    days = any(isinstance(one.value, date) for one in comparisons)
    if not have_order(values):
        return None
    if are_numbers(values):
        return None if days else plainly(comparisons)
    write = moment_of(values[0])
    if write is None:
        return None
    if are_years(values):
        years = [(op, year) for op, year in plainly(comparisons) if isinstance(year, int) and 1000 <= year <= MAXYEAR]
        return [(op, str(year)) for op, year in years] if len(years) == len(comparisons) else None
    tests: list[Test] = []
    for one in comparisons:
        if isinstance(one.value, date) and one.value.year < MAXYEAR:
            tests += [(op, write(one.value + timedelta(days=later))) for op, later in _AS_MOMENTS[one.op]]
        elif isinstance(one.value, int) and 0 < one.value < MAXYEAR:
            tests += [(op, write(date(one.value + later, 1, 1))) for op, later in _AS_MOMENTS[one.op]]
        else:
            return None
    return tests


_AS_MOMENTS: dict[AggregateOp, tuple[tuple[AggregateOp, int], ...]] = {
    ">": ((">=", 1),), ">=": ((">=", 0),), "<": (("<", 0),), "<=": (("<", 1),), "=": ((">=", 0), ("<", 1)),
}  # fmt: skip
"""Comparisons with a year or a day, as those with the beginnings of it and of the next."""
