"""Which walk rule is chosen, from the F1 that questions have under each."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kgqa_graphdb.train.data.walks import SAMPLE, Scores, better_walk, chosen_walk
from kgqa_graphdb.types import WalkRule


def scores(**under: Sequence[float]) -> Scores:
    """F1 of questions by rule; a rule that is not named does as ``no_backtrack``."""
    return lambda numbers, rule: [under.get(rule, under["no_backtrack"])[number] for number in numbers]


@pytest.mark.parametrize("best", [0.5, 0.9])
def test_a_rule_that_is_much_better_on_a_sample_is_chosen(best: float) -> None:
    of = scores(no_backtrack=[0.4] * 1_000, free=[best] * 1_000)
    assert chosen_walk(of, 1_000, "no_backtrack") == "free"


def test_the_graphs_own_rule_is_kept_where_others_are_hardly_better() -> None:
    of = scores(no_backtrack=[0.4] * 10, free=[0.4005] * 10, exclude_topic=[0.1] * 10)
    assert chosen_walk(of, 10, "no_backtrack") == "no_backtrack"


FOUND = [1.0] * 2_970 + [0.67] * 30
"""Rules differ on one question in a hundred."""


def better(found: Sequence[float], gained: Sequence[float], same: Sequence[float]) -> WalkRule | None:
    best = scores(no_backtrack=found, exclude_topic=gained)
    return better_walk(best, scores(no_backtrack=found, exclude_topic=same), found, "no_backtrack")


def test_what_a_sample_would_miss_is_seen() -> None:
    gained = [1.0] * 2_970 + [1.0] * 8 + [0.67] * 22
    assert better(FOUND, gained, [1.0] * 2_970) == "exclude_topic"


def test_a_rule_that_loses_more_than_it_gains_is_not_better() -> None:
    gained = [1.0] * 2_970 + [1.0] * 8 + [0.67] * 22
    assert better(FOUND, gained, [0.0] * 10 + [1.0] * 2_960) is None


def test_what_may_be_chance_does_not_count() -> None:
    assert better(FOUND, [1.0] * 2_970 + [1.0] + [0.67] * 29, [1.0] * 2_970) is None


def test_nothing_is_better_than_answers_that_are_all_reached() -> None:
    assert better([1.0] * 5, [1.0] * 5, [1.0] * 5) is None


def test_only_a_sample_is_looked_at_for_better_paths() -> None:
    looked: list[int] = []

    def best(numbers: Sequence[int], rule: WalkRule) -> list[float]:
        looked.extend(numbers)
        return [0.9 if rule == "free" else 0.1 for _ in numbers]

    assert better_walk(best, best, [0.5] * 1_000, "no_backtrack") == "free"
    assert len(looked) == 2 * SAMPLE
