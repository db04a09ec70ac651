"""Which readings of a question are answered together: those whose answers, put together, are expected to be best.

Where two paths are nearly as likely, the answers of one alone are wrong every other time, those of both half wrong.
What is expected of some answers is their F1 against those of each reading, weighted by how likely that is.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TypeVar

T = TypeVar("T")
MOST_READINGS = 3
"""Readings that are answered together at most."""
LEAST_ODDS = 0.3
"""How likely a reading must be beside the likeliest to be looked at: a less likely one hardly ever gains."""


def read_together(readings: Sequence[tuple[float, Set[T]]]) -> list[int]:
    """The readings to answer, as places: the first, and in turn whichever adds most to the expected F1.

    :param readings: how likely each is, 0..1, and its answers, not empty; the likeliest first
    """
    chosen, best = [0], _expected(readings[0][1], readings)
    while len(chosen) < min(MOST_READINGS, len(readings)):
        told = set[T]().union(*(readings[place][1] for place in chosen))
        gains = [
            (_expected(told | answers, readings), -place)
            for place, (_, answers) in enumerate(readings)
            if not answers <= told
        ]
        gain, place = max(gains, default=(0.0, 0))
        if gain <= best:
            break
        chosen, best = [*chosen, -place], gain
    return chosen


def _expected(told: Set[T], readings: Sequence[tuple[float, Set[T]]]) -> float:
    """The F1 that answers have in the mean, but for a factor: readings that nobody thought of have none."""
    return sum(odds * 2 * len(told & meant) / (len(told) + len(meant)) for odds, meant in readings)
