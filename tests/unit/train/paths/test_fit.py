"""Training: a small network learns what composed questions ask for, and goes on where it was cut off."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch  # noqa: TID253 - what needs it is skipped where it is not installed

from kgqa_graphdb.encode import CHARACTERS
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.rank.decoder import Decoder
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.trained import TrainedRanker, step_texts
from kgqa_graphdb.train.data.compose import compose
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.data.sets import TrainingSet
from kgqa_graphdb.train.loop import train_model
from kgqa_graphdb.train.paths.batches import batch_of
from kgqa_graphdb.train.paths.fit import Options, PathTrainer
from kgqa_graphdb.train.paths.judge import judged
from kgqa_graphdb.train.paths.make_reader import make_reader
from kgqa_graphdb.train.paths.readers import FrozenReader, Reader
from kgqa_graphdb.types import Floats
from tests.unit.encode.models import tiny_weights, write_model
from tests.unit.rank.networks import WordEncoder, made_model
from tests.unit.train.data.test_compose import KITCHEN, RIVERS

OPTIONS = Options(steps=150, batch=32, check=50, patience=9)
SHORT = replace(OPTIONS, steps=60, check=20)


def items(count: int, seed: int, mapping: GraphMapping = RIVERS) -> list[Item]:
    schema = Schema(mapping)
    return [
        Item(read_question(text).text, starts, (path,), (1.0,), 1.0)
        for text, path, starts in islice(compose(schema, seed, 2), count)
    ]


def right(weights: Mapping[str, Floats], held_out: list[Item], reader: Reader, mapping: GraphMapping = RIVERS) -> float:
    model = replace(made_model(), encoder=reader.encoder(weights), decoder=Decoder(weights))
    return float(np.mean([one.score for one in judged(TrainedRanker(mapping, model), held_out, 2)]))


def training_set(
    train: Sequence[Item] = (), composed: Sequence[Item] = (), mapping: GraphMapping = RIVERS
) -> TrainingSet:
    return TrainingSet(mapping, Schema(mapping), train=train, composed=composed)


def make_fit(
    shown: TrainingSet, held_out: list[Item], options: Options = OPTIONS, reader: Reader | None = None
) -> PathTrainer:
    reads = reader or FrozenReader(WordEncoder(), [step_texts(shown.schema)])
    return PathTrainer([shown], reads, lambda weights: right(weights, held_out, reads), options, 2)


def character_reader(shown: list[Item]) -> Reader:
    schema = TrainedRanker(RIVERS, made_model()).schema
    return make_reader(CHARACTERS, [item.text for item in shown], [step_texts(schema)], OPTIONS.seed)


def test_it_learns_and_keeps_the_best_weights() -> None:
    held_out = items(100, 1)
    fit = make_fit(training_set(composed=items(1_500, 0)), held_out)
    before = right(fit.weights(), held_out, fit.reader)
    fitted = train_model(fit, None, lambda done, total: None)
    after = right(fitted.weights, held_out, fit.reader)
    assert after > 0.6 > 0.4 > before
    looks = {look["step"]: look["held_out"] for look in fitted.history}
    assert after == pytest.approx(looks[fitted.best_step])
    assert after >= max(looks.values()) - fit.options.tolerance
    assert fitted.history[-1]["loss"] < fitted.history[0]["loss"]


def test_the_last_weights_that_are_nearly_the_best_are_kept() -> None:
    scores = iter([0.3, 0.7, 0.695, 0.6, 0.65])
    looked: list[Mapping[str, Floats]] = []

    def judge(weights: Mapping[str, Floats]) -> float:
        looked.append(weights)
        return next(scores)

    fit = make_fit(training_set(composed=items(50, 0)), [], replace(OPTIONS, steps=5, check=1))
    fit.judge = judge
    fitted = train_model(fit, None, lambda done, total: None)
    assert fitted.best_step == 3
    np.testing.assert_array_equal(fitted.weights["start"], looked[2]["start"])


def test_one_network_learns_several_graphs_of_any_size_and_a_batch_is_of_one() -> None:
    sets = [training_set(composed=items(1_600, 0)), training_set(composed=items(400, 0, KITCHEN), mapping=KITCHEN)]
    reader = FrozenReader(WordEncoder(), [step_texts(one.schema) for one in sets])
    fit = PathTrainer(sets, reader, None, replace(OPTIONS, steps=300), 2)
    turns: list[int] = []
    batch = fit._batch
    fit._batch = lambda graph: (turns.append(graph), batch(graph))[1]  # type: ignore[method-assign]
    held_out = [items(100, 1), items(100, 1, KITCHEN)]
    untrained = fit.weights()
    fitted = train_model(fit, None, lambda done, total: None)
    for some, mapping in zip(held_out, (RIVERS, KITCHEN), strict=True):
        assert right(fitted.weights, some, reader, mapping) > 0.5 > right(untrained, some, reader, mapping)
    assert 0.25 < turns.count(1) / len(turns) < 0.42  # a third, by the square roots; a fifth by the numbers


def test_characters_are_learned_from_nothing() -> None:
    held_out, shown = items(60, 1), items(1_500, 0)
    options = replace(OPTIONS, steps=120, check=120, rate=3e-3)
    fit = make_fit(training_set(composed=shown), held_out, options, character_reader(shown))
    before = right(fit.weights(), held_out, fit.reader)
    fitted = train_model(fit, None, lambda done, total: None)
    assert right(fitted.weights, held_out, fit.reader) > before + 0.15
    assert any(name.startswith("encoder.") for name in fitted.weights)


def tuned_reader(folder: Path) -> Reader:
    schema = TrainedRanker(RIVERS, made_model()).schema
    return make_reader(str(folder), [], [step_texts(schema)], OPTIONS.seed, fine_tune=True)


@pytest.mark.parametrize("kind", ["frozen", "characters", "fine-tuned"])
def test_a_training_that_was_cut_off_ends_as_one_that_was_not(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGQA_CACHE", str(tmp_path / "cache"))
    held_out, shown = items(30, 1), items(300, 0)
    if kind == "fine-tuned":
        write_model(tmp_path / "tiny", tiny_weights())

    def fit_anew() -> PathTrainer:
        readers = {
            "frozen": lambda: None,
            "characters": lambda: character_reader(shown),
            "fine-tuned": lambda: tuned_reader(tmp_path / "tiny"),
        }
        return make_fit(training_set(composed=shown), held_out, SHORT, readers[kind]())

    whole = train_model(fit_anew(), None, lambda done, total: None)

    def cut(done: int, total: int) -> None:
        if done == 50:
            raise KeyboardInterrupt

    checkpoint = tmp_path / "checkpoint.pt"
    with pytest.raises(KeyboardInterrupt):
        train_model(fit_anew(), checkpoint, cut)
    heard: list[int] = []
    resumed = train_model(fit_anew(), checkpoint, lambda done, total: heard.append(done))
    assert heard[0] == 41
    assert [look["held_out"] for look in resumed.history] == [look["held_out"] for look in whole.history]
    for name, value in whole.weights.items():
        np.testing.assert_allclose(resumed.weights[name], value, atol=1e-6)


def test_an_encoder_that_is_fine_tuned_learns_at_a_rate_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGQA_CACHE", str(tmp_path / "cache"))
    reader = tuned_reader(write_model(tmp_path / "tiny", tiny_weights()))
    fit = make_fit(training_set(composed=items(50, 0)), [], replace(SHORT, encoder_rate=1e-5), reader)
    before = fit.weights()
    fit.optimisation.learn(fit.loss(0))
    after = fit.weights()
    moved = {name: float(np.abs(value - before[name]).max()) for name, value in after.items()}
    encoder = [value for name, value in moved.items() if name.startswith("encoder.")]
    # Adam's first step is as long as the rate, which begins at a 25th of the highest.
    assert 1e-8 < max(encoder) < 1e-6
    assert max(moved.values()) > 1e-5


def test_a_checkpoint_says_where_the_random_numbers_of_the_device_are(tmp_path: Path) -> None:
    fit = make_fit(training_set(composed=items(50, 0)), items(10, 1), replace(SHORT, steps=20, check=10))

    def cut(done: int, total: int) -> None:
        if done == total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_model(fit, tmp_path / "checkpoint.pt", cut)
    state = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    assert (state["cuda"] is None) == (fit.device.type == "cpu")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no CUDA device")
@pytest.mark.parametrize("way", [("cpu", "cuda"), ("cuda", "cpu"), ("cuda", "cuda")], ids="-".join)
def test_a_training_goes_on_on_another_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: tuple[str, str]
) -> None:
    checkpoint, heard = tmp_path / "checkpoint.pt", []
    for device in way:
        monkeypatch.setattr("kgqa_graphdb.train.paths.readers.best_device", lambda device=device: torch.device(device))
        fit = make_fit(training_set(composed=items(100, 0)), [], SHORT)
        fit.judge = None  # nothing is held out

        def hear(done: int, total: int, device: str = device) -> None:
            heard.append((device, done))
            if heard[0][0] == device and len(heard) == 30:
                raise KeyboardInterrupt

        with contextlib.suppress(KeyboardInterrupt):
            fitted = train_model(fit, checkpoint, hear)
        if len(heard) > 30:
            assert heard[30] == (device, 21)
            assert [look["step"] for look in fitted.history] == [20, 40, 60]
            assert fitted.best_step == SHORT.steps


def test_pairs_and_composed_questions_are_mixed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [replace(item, text=f"asked {number}") for number, item in enumerate(items(20, 2))]
    fit = make_fit(training_set(asked, items(50, 0)), [], replace(OPTIONS, composed=0.5, batch=64))
    seen: list[Any] = []
    read = fit.reader.read
    monkeypatch.setattr(fit.reader, "read", lambda texts: (seen.extend(texts), read(texts))[1])
    for step in range(5):
        fit.loss(step)
    share = sum(text.startswith("asked") for text in seen) / len(seen)
    assert 0.35 < share < 0.65


def test_a_question_may_be_read_from_its_wrong_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = (("wrong", (0,)),)
    shown = [replace(item, text="right", wrong=wrong) for item in items(20, 2)]
    fit = make_fit(training_set(shown), [], replace(OPTIONS, wrong=0.25, batch=64))
    seen: list[str] = []
    read = fit.reader.read
    monkeypatch.setattr(fit.reader, "read", lambda texts: (seen.extend(texts), read(texts))[1])
    for step in range(5):
        fit.loss(step)
    assert 0.15 < seen.count("wrong") / len(seen) < 0.35


def test_a_draw_of_steps_gives_nearly_the_same_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = items(200, 3)
    fit = make_fit(training_set(shown), [], replace(OPTIONS, token_dropout=0.0))
    fit.network.eval()
    batch = batch_of(shown, len(fit.sets[0].schema.steps), [False] * 200)
    whole = fit._loss(batch, 0).item()
    monkeypatch.setattr("kgqa_graphdb.train.paths.batches.MAX_COLUMNS", 12)
    parts = [fit._loss(batch, 0).item() for _ in range(20)]
    assert np.mean(parts) == pytest.approx(whole, rel=0.05)
