"""What is remembered of the questions that were trained on, and whether it is worth it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kgqa_graphdb.rank.memory import Memory, question_vector
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train import remember as module
from kgqa_graphdb.train.batches import Item
from kgqa_graphdb.train.remember import GAIN, WEIGHTS, fitting, remember
from tests.unit.rank.networks import WordEncoder
from tests.unit.rank.test_trained import MAPPING

SCHEMA = Schema(MAPPING)
SEA, LENGTH = (SCHEMA.row_of[">flows_into"],), (SCHEMA.row_of[">length_km"],)
ENCODER = WordEncoder()


def item(text: str, *paths: tuple[int, ...]) -> Item:
    return Item(text, (), paths, tuple(1.0 for _ in paths), 1.0)


def test_questions_of_one_wording_are_one() -> None:
    items = [item("where does [X] end", SEA), item("how long is [X]", LENGTH), item("where does [X] end", SEA, LENGTH)]
    memory = remember([(SCHEMA, items)], ENCODER, seed=0)
    assert memory
    assert memory.counts.tolist() == [1, 2]
    (vector,) = map(question_vector, ENCODER.encode_tokens(["where does [X] end"]))
    np.testing.assert_allclose(memory.vectors[1], vector, rtol=1e-6)
    assert dict(zip(memory.owners.tolist(), memory.shares.tolist(), strict=False)).keys() == {0, 1}
    assert memory.shares.sum() == pytest.approx(3)


def test_of_too_many_some_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_QUESTIONS", 2)
    items = [item(f"question {number}", SEA) for number in range(5)]
    memory = remember([(SCHEMA, items)], ENCODER, seed=0)
    assert memory
    assert len(memory.vectors) == 2


def test_questions_of_two_topics_are_left_out_and_others_count_by_their_worth() -> None:
    one, other = replace(item("how long is [X]", LENGTH), worth=0.5), item("what do both share", SEA)
    memory = remember([(SCHEMA, [one, replace(other, sides=(other,))])], ENCODER, seed=0)
    assert memory
    assert (memory.counts.tolist(), memory.shares.tolist()) == ([0.5], [0.5])
    assert remember([(SCHEMA, [])], ENCODER, seed=0) is None
    assert fitting(None, lambda one: 1.0) is None


@pytest.mark.parametrize(
    ("scores", "weight"),
    [((0.5, 0.6, 0.7, 0.6), 0.75), ((0.5, 0.5, 0.5, 0.5 + 2 * GAIN), 1.0), ((0.5 + GAIN / 2, 0.4, 0.4, 0.4), None)],
)
def test_it_counts_as_much_as_is_best_or_not_at_all(scores: tuple[float, ...], weight: float | None) -> None:
    known = dict(zip(WEIGHTS, scores, strict=True))
    memory = Memory.of({"a": [(1.0, {(">flows_into",): 1.0})]}, np.ones((1, 1), dtype=np.float32))
    chosen = fitting(memory, lambda one: known[one.weight] if one else 0.5)
    assert (chosen and chosen.weight) == weight
