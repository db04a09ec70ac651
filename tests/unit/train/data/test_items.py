"""Steps of topics alike, shown beside a question's own."""

from __future__ import annotations

import numpy as np
import pytest

from kgqa_graphdb.train.data import items
from kgqa_graphdb.train.data.items import DistractorSampler, Item


def item(*starts: int) -> Item:
    return Item("what is [X]", starts, (starts[:1],), (1.0,), 1.0)


def shown(sampler: DistractorSampler, one: Item, times: int = 200) -> set[tuple[int, ...]]:
    rng = np.random.default_rng(0)
    return {sampler.distracted(one, rng).starts for _ in range(times)}


def test_steps_are_those_of_topics_that_share_one() -> None:
    one, like, other = item(1, 2), item(2, 3), item(7, 8)
    found = shown(DistractorSampler([one, like, other]), one)
    assert found == {(1, 2), (1, 2, 3)}


def test_there_are_no_more_than_another_topic_has_nor_than_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    one, many = item(0), item(*range(50))
    assert {len(starts) for starts in shown(DistractorSampler([one, many]), one, 1_000)} <= {1, 2, 50}
    monkeypatch.setattr(items, "MAX_DISTRACTORS", 5)
    assert max(len(starts) for starts in shown(DistractorSampler([one, many]), one)) <= 6


def test_the_rest_of_a_question_stays_and_one_without_steps_is_left_alone() -> None:
    one, sampler = item(1), DistractorSampler([item(1, 2, 3)])
    found = sampler.distracted(one, np.random.default_rng(0))
    assert (found.text, found.paths, found.starts[0]) == (one.text, one.paths, 1)
    nothing = Item("what", (), (), (), 1.0)
    assert sampler.distracted(nothing, np.random.default_rng(0)) is nothing
    assert sampler.distracted(item(9), np.random.default_rng(0)).starts == (9,)
