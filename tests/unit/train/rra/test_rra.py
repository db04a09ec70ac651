"""A predictor's training: what is learned, torch and numpy agree, and the folder is whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kgqa_graphdb.encode import CHARACTERS
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rra.files import read_details, read_model
from kgqa_graphdb.rra.network import HOPS, STEPS, Classifier
from kgqa_graphdb.rra.predictor import PathPredictor, Predicted, PredictRequest, with_steps
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.data.sets import TrainingSet
from kgqa_graphdb.train.settings import Training
from kgqa_graphdb.types import Floats
from tests.unit.rank.test_trained import MAPPING

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("safetensors", reason="safetensors is not installed")

from kgqa_graphdb.train.rra.fit import codes_of, lessons_of
from kgqa_graphdb.train.rra.network import Predictor
from kgqa_graphdb.train.rra.train import judge, train_on_set

SCHEMA = Schema(MAPPING)
INTO, COUNTRY, BORDERS = ((SCHEMA.row_of[code],) for code in (">flows_into", ">country", ">borders"))
WORDINGS = {"where does X end": INTO, "land of X": COUNTRY, "sea beside the land of X": (*COUNTRY, *BORDERS)}
STARTS = (*INTO, *COUNTRY)
TRAINING = Training(encoder=CHARACTERS, steps=40)


def stage(name: str, total: int) -> Callable[[int, int], None]:
    return lambda done, of: None


def training_set() -> TrainingSet:
    items = [Item(text, STARTS, (path,), (1.0,), 1.0) for text, path in WORDINGS.items() for _ in range(7)]
    return TrainingSet(MAPPING, SCHEMA, asked=items, train=items, held_out=items[::7], pairs=30)


def test_a_lesson_has_a_text_for_each_beginning_of_its_paths() -> None:
    item = Item("q X", STARTS, ((*COUNTRY, *BORDERS), INTO), (1.0, 0.5), 1.0)
    codes = codes_of([item], SCHEMA)
    assert codes == (">borders", ">country", ">flows_into")
    (lesson,) = lessons_of([item], SCHEMA, codes)
    assert lesson.texts == ("q X", with_steps("q X", [SCHEMA.steps[COUNTRY[0]].phrase]))
    assert lesson.turns == (((0, 1), (1, 0)), ((0, 2),))


def test_torch_and_numpy_read_alike() -> None:
    import torch

    torch.manual_seed(0)
    network = Predictor(8, 3, 5).eval()
    weights = {name: value.numpy() for name, value in network.state_dict().items()}
    rng = np.random.default_rng(0)
    tokens: list[Floats] = [rng.normal(size=(size, 8)).astype(np.float32) for size in (2, 5)]
    padded, mask = torch.zeros(2, 5, 8), torch.zeros(2, 5, dtype=torch.bool)
    for row, vectors in enumerate(tokens):
        padded[row, : len(vectors)] = torch.from_numpy(vectors)
        mask[row, : len(vectors)] = True
    for which, classes in ((HOPS, 3), (STEPS, 5)):
        found = Classifier(weights, which).log_p(tokens)
        assert found.shape == (2, classes)
        np.testing.assert_allclose(found, network.classify(which, padded, mask).detach().numpy(), atol=1e-5)


def test_a_training_learns_hops_and_steps_and_writes_a_whole_folder(tmp_path: Path) -> None:
    made = train_on_set(training_set(), tmp_path, training=TRAINING, stage=stage, again=True)
    assert (made.questions, made.held_out, made.mined) == (30, 1.0, 0.7)
    card, details = read_details(tmp_path)
    assert card.encoder == CHARACTERS
    assert card.graph == "made"
    assert set(details.training.metrics) == {"hop_accuracy", "path_hits_at_1", "path_hits_at_k"}
    assert {path.name for path in tmp_path.iterdir()} == {"model.json", "predictor.safetensors"}
    predictor = PathPredictor(MAPPING, read_model(tmp_path))
    found = predictor.predict([PredictRequest(text, STARTS, None, 2) for text in WORDINGS])
    assert [one.paths[0][0] for one in found] == list(WORDINGS.values())
    assert [one.hops for one in found] == [1, 1, 2]


def test_a_question_that_nothing_is_predicted_for_is_a_miss() -> None:
    found = Predicted(1, [(INTO, 0.9)]), Predicted(2, [])
    predictor: Any = SimpleNamespace(predict=lambda requests: found)
    judged = judge(predictor, training_set().held_out[:2])
    assert judged.path_hits_at_1 == 0.5


def test_a_training_that_was_cut_off_ends_as_one_that_was_not(tmp_path: Path) -> None:
    training, folders = replace(TRAINING, steps=10), (tmp_path / "whole", tmp_path / "cut")
    for folder in folders:
        folder.mkdir()
    train_on_set(training_set(), folders[0], training=training, stage=stage)

    def interrupted(name: str, total: int) -> Callable[[int, int], None]:
        def progress(done: int, of: int) -> None:
            if done == 5:
                raise KeyboardInterrupt

        return progress

    with pytest.raises(KeyboardInterrupt):
        train_on_set(training_set(), folders[1], training=training, stage=interrupted)
    assert (folders[1] / "checkpoint.pt").exists()
    train_on_set(training_set(), folders[1], training=training, stage=stage)
    whole, cut = ((folder / "predictor.safetensors").read_bytes() for folder in folders)
    assert whole == cut
