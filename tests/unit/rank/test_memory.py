"""What a ranker remembers: worked by hand, written and read again, and beside what the network says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kgqa_graphdb.rank import memory as module
from kgqa_graphdb.rank.memory import FLOOR, TEMPERATURE, Codes, Memory, question_vector
from kgqa_graphdb.rank.trained import TrainedRanker, Wanted
from kgqa_graphdb.types import Floats
from tests.unit.rank.networks import WordEncoder, made_model
from tests.unit.rank.test_trained import LEAVING, MAPPING, RIVER

SEA, LENGTH, BORDERS = (">flows_into",), (">length_km",), (">country", ">borders")
HERE = np.array([1.0, 0.0], dtype=np.float32)


def at(*cosines: float) -> Floats:
    """Vectors of these cosines with :data:`HERE`."""
    return np.array([[cosine, np.sqrt(1 - cosine**2)] for cosine in cosines], dtype=np.float32)


def made(asked: dict[str, list[dict[Codes, float]]], vectors: Floats) -> Memory:
    """A memory of questions that count 1 each."""
    return Memory.of({text: [(1.0, good) for good in times] for text, times in asked.items()}, vectors)


def test_shares_are_those_of_the_questions_by_how_near_they_are() -> None:
    memory = made({"a": [{SEA: 1.0}, {SEA: 1.0, LENGTH: 1.0}], "b": [{BORDERS: 0.5}]}, at(0.9, 0.85))
    far = np.exp(-0.05 / TEMPERATURE)  # what "b" counts beside each time that "a" was asked
    found = memory.recall(HERE)
    assert found == pytest.approx({SEA: 1.5 / (2 + far), LENGTH: 0.5 / (2 + far), BORDERS: far / (2 + far)})
    assert sum(found.values()) == pytest.approx(1.0)


def test_a_question_counts_by_what_it_is_worth() -> None:
    memory = Memory.of({"a": [(1.0, {SEA: 1.0}), (0.25, {LENGTH: 1.0})]}, at(1.0))
    assert memory.recall(HERE) == pytest.approx({SEA: 0.8, LENGTH: 0.2})


def test_nothing_is_recalled_where_nothing_was_learned() -> None:
    assert Memory.of({}, at()).recall(HERE) == {}


def test_only_the_nearest_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NEAREST", 1)
    memory = made({"a": [{SEA: 1.0}], "b": [{LENGTH: 1.0}], "c": [{BORDERS: 1.0}]}, at(0.5, 0.9, 0.8))
    assert memory.recall(HERE) == {LENGTH: 1.0}


def test_probabilities_are_multiplied_and_keep_their_sum() -> None:
    memory = replace(made({"a": [{LENGTH: 1.0}]}, at(1.0)), weight=0.5)
    after = memory.reweigh(HERE, [(SEA, 0.6), (LENGTH, 0.2)])
    sea, length = 0.6 * FLOOR**0.5, 0.2 * (1 + FLOOR) ** 0.5
    assert after == pytest.approx([0.8 * sea / (sea + length), 0.8 * length / (sea + length)])


def test_what_is_written_is_the_same_when_read() -> None:
    memory = replace(made({"a": [{SEA: 1.0, BORDERS: 0.5}], "b": [{LENGTH: 1.0}]}, at(0.9, 0.1)), weight=0.25)
    again = Memory.from_arrays(memory.arrays(), memory.codes, memory.weight)
    assert again.weight == 0.25
    assert again.recall(HERE) == pytest.approx(memory.recall(HERE), abs=1e-3)
    assert again.vectors.dtype == np.float32


def test_a_ranker_takes_the_path_of_the_question_that_it_remembers() -> None:
    asked = "what is the far end of [X]"
    plain = TrainedRanker(MAPPING, made_model())
    starts = tuple(sorted(plain.schema.row_of[code] for code in LEAVING[RIVER]))
    ((without, still, _),) = plain.search([Wanted(asked, starts, 2, 50)])
    vector = question_vector(WordEncoder().encode_tokens([asked])[0])
    for path in (SEA, LENGTH, BORDERS):
        ranker = TrainedRanker(MAPPING, replace(made_model(), memory=made({asked: [{path: 1.0}]}, vector[None])))
        ((paths, nothing, _),) = ranker.search([Wanted(asked, starts, 2, 50)])
        assert tuple(step.code for step in ranker.schema.path(paths[0][0])) == path
        assert nothing == still
        assert sum(one for _, one in paths) == pytest.approx(sum(one for _, one in without))
