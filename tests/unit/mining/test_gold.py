"""F1 of the set that a path leads to, against the gold answers."""

from __future__ import annotations

import pytest

from kgqa_graphdb.mining import GoldEnds
from kgqa_graphdb.types import Value

GOLD = GoldEnds({"n1": frozenset({0}), "n2": frozenset({0}), "n3": frozenset({1})}, {"1900": frozenset({2})}, 3)


@pytest.mark.parametrize(
    ("ends", "f1"),
    [
        (set(), 0.0),
        ({"n9"}, 0.0),
        ({"n1", "n3", Value(1900)}, 1.0),
        ({"n1", "n2", "n3", Value("1,900.0")}, 1.0),  # two nodes of one gold name are both right
        ({"n1"}, 2 * 1 * (1 / 3) / (1 + 1 / 3)),
        ({"n1", "n9"}, 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3)),
    ],
)
def test_f1_counts_ends_for_precision_and_gold_answers_for_recall(ends: set[str | Value], f1: float) -> None:
    assert GOLD.f1(ends) == pytest.approx(f1)
    assert GOLD.meets(ends) == (f1 > 0)
