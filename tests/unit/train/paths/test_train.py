"""A training from sets to the folder that ``--model`` takes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from kgqa_graphdb.rank.model import read_details, read_model
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data.compose import compose
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.data.sets import TrainingSet
from kgqa_graphdb.train.settings import Training
from tests.unit.rank.graphs import HAS_ENCODER
from tests.unit.rank.test_trained import MAPPING

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("safetensors", reason="safetensors is not installed")

from kgqa_graphdb.train import settings
from kgqa_graphdb.train.paths.train import train_on_sets

pytestmark = pytest.mark.skipif(not HAS_ENCODER, reason="the default text encoder's package is not installed")
SCHEMA = Schema(MAPPING)


def stage(name: str, total: int) -> Callable[[int, int], None]:
    return lambda done, of: None


def training_set() -> TrainingSet:
    items = [
        Item(read_question(text).text, starts, (path,), (1.0,), 1.0)
        for text, path, starts in islice(compose(SCHEMA, 0, 2), 60)
    ]
    return TrainingSet(MAPPING, SCHEMA, asked=items, train=items[:50], held_out=items[50:], pairs=60)


@pytest.mark.parametrize("again", [True, False])
def test_a_training_says_what_it_learned_from(again: bool, tmp_path: Path) -> None:
    one = training_set()
    train_on_sets([one], tmp_path, training=Training(steps=2, rerank=False), stage=stage, again=again)
    model = read_model(tmp_path)
    assert model.asked == model.relations == frozenset(MAPPING.by_id)
    _, details = read_details(tmp_path)
    assert (details.training.questions, details.training.held_out) == (len(one.asked), len(one.held_out))


def test_several_graphs_are_trained_on_for_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "STEPS", 2)
    monkeypatch.setattr(settings, "MORE_STEPS", 3)
    told = []

    def hear(name: str, total: int) -> Callable[[int, int], None]:
        told.append((name, total))
        return stage(name, total)

    for count in (1, 2):
        train_on_sets([training_set()] * count, tmp_path, training=Training(rerank=False), stage=hear)
    assert told == [("Training", 2), ("Training", 5)]
