"""Training: a small network learns what composed questions ask for, and goes on where it was cut off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

from kgqa_graphdb.encode import CHARACTERS
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.rank.decoder import Decoder
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.trained import TrainedRanker, step_texts
from kgqa_graphdb.train.batches import Item, batch_of
from kgqa_graphdb.train.compose import compose
from kgqa_graphdb.train.courses import Course
from kgqa_graphdb.train.fit import Fit, Options
from kgqa_graphdb.train.judge import judged
from kgqa_graphdb.train.readers import FrozenReader, Reader, make_reader
from kgqa_graphdb.types import Floats
from tests.unit.rank.networks import WordEncoder, made_model
from tests.unit.train.test_compose import KITCHEN, RIVERS

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


def course(train: Sequence[Item] = (), composed: Sequence[Item] = (), mapping: GraphMapping = RIVERS) -> Course:
    return Course(mapping, Schema(mapping), train=train, composed=composed)


def make_fit(shown: Course, held_out: list[Item], options: Options = OPTIONS, reader: Reader | None = None) -> Fit:
    reads = reader or FrozenReader(WordEncoder(), [step_texts(shown.schema)])
    return Fit([shown], reads, lambda weights: right(weights, held_out, reads), options)


def character_reader(shown: list[Item]) -> Reader:
    schema = TrainedRanker(RIVERS, made_model()).schema
    return make_reader(CHARACTERS, [item.text for item in shown], [step_texts(schema)], OPTIONS.seed)


def test_it_learns_and_keeps_the_best_weights() -> None:
    held_out = items(100, 1)
    fit = make_fit(course(composed=items(1_500, 0)), held_out)
    before = right(fit.weights(), held_out, fit.reader)
    fitted = fit.run(2, None, lambda done, total: None)
    after = right(fitted.weights, held_out, fit.reader)
    assert after > 0.6 > 0.3 > before
    assert after == pytest.approx(max(look["held_out"] for look in fitted.history))
    assert fitted.history[-1]["loss"] < fitted.history[0]["loss"]


def test_one_network_learns_several_graphs_of_any_size_and_a_batch_is_of_one() -> None:
    courses = [course(composed=items(1_600, 0)), course(composed=items(400, 0, KITCHEN), mapping=KITCHEN)]
    reader = FrozenReader(WordEncoder(), [step_texts(one.schema) for one in courses])
    fit = Fit(courses, reader, None, replace(OPTIONS, steps=300))
    turns: list[int] = []
    step = fit._step
    fit._step = lambda graph, max_hops: (turns.append(graph), step(graph, max_hops))[1]  # type: ignore[method-assign]
    held_out = [items(100, 1), items(100, 1, KITCHEN)]
    untrained = fit.weights()
    fitted = fit.run(2, None, lambda done, total: None)
    for some, mapping in zip(held_out, (RIVERS, KITCHEN), strict=True):
        assert right(fitted.weights, some, reader, mapping) > 0.5 > right(untrained, some, reader, mapping)
    assert 0.25 < turns.count(1) / len(turns) < 0.42  # a third, by the square roots; a fifth by the numbers


def test_characters_are_learned_from_nothing() -> None:
    held_out, shown = items(60, 1), items(1_500, 0)
    options = replace(OPTIONS, steps=120, check=120, rate=3e-3)
    fit = make_fit(course(composed=shown), held_out, options, character_reader(shown))
    before = right(fit.weights(), held_out, fit.reader)
    fitted = fit.run(2, None, lambda done, total: None)
    assert right(fitted.weights, held_out, fit.reader) > before + 0.15
    assert any(name.startswith("encoder.") for name in fitted.weights)


@pytest.mark.parametrize("characters", [False, True], ids=["frozen", "characters"])
def test_a_training_that_was_cut_off_ends_as_one_that_was_not(tmp_path: Path, characters: bool) -> None:
    held_out, shown = items(30, 1), items(300, 0)

    def fit_anew() -> Fit:
        return make_fit(course(composed=shown), held_out, SHORT, character_reader(shown) if characters else None)

    whole = fit_anew().run(2, None, lambda done, total: None)

    def cut(done: int, total: int) -> None:
        if done == 50:
            raise KeyboardInterrupt

    checkpoint = tmp_path / "checkpoint.pt"
    with pytest.raises(KeyboardInterrupt):
        fit_anew().run(2, checkpoint, cut)
    heard: list[int] = []
    resumed = fit_anew().run(2, checkpoint, lambda done, total: heard.append(done))
    assert heard[0] == 41
    assert [look["held_out"] for look in resumed.history] == [look["held_out"] for look in whole.history]
    for name, value in whole.weights.items():
        np.testing.assert_allclose(resumed.weights[name], value, atol=1e-6)


def test_pairs_and_composed_questions_are_mixed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [replace(item, text=f"asked {number}") for number, item in enumerate(items(20, 2))]
    fit = make_fit(course(asked, items(50, 0)), [], replace(OPTIONS, composed=0.5, batch=64))
    seen: list[Any] = []
    read = fit.reader.read
    monkeypatch.setattr(fit.reader, "read", lambda texts: (seen.extend(texts), read(texts))[1])
    for _ in range(5):
        fit._step(0, 2)
    share = sum(text.startswith("asked") for text in seen) / len(seen)
    assert 0.35 < share < 0.65


def test_a_question_may_be_read_from_its_wrong_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = (("wrong", (0,)),)
    shown = [replace(item, text="right", wrong=wrong) for item in items(20, 2)]
    fit = make_fit(course(shown), [], replace(OPTIONS, wrong=0.25, batch=64))
    seen: list[str] = []
    read = fit.reader.read
    monkeypatch.setattr(fit.reader, "read", lambda texts: (seen.extend(texts), read(texts))[1])
    for _ in range(5):
        fit._step(0, 2)
    assert 0.15 < seen.count("wrong") / len(seen) < 0.35


def test_a_draw_of_steps_gives_nearly_the_same_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = items(200, 3)
    fit = make_fit(course(shown), [], replace(OPTIONS, token_dropout=0.0))
    fit.network.eval()
    batch = batch_of(shown, len(fit.courses[0].schema.steps), [False] * 200)
    whole = fit._loss(batch, 0, 2).item()
    monkeypatch.setattr("kgqa_graphdb.train.batches.MAX_COLUMNS", 12)
    parts = [fit._loss(batch, 0, 2).item() for _ in range(20)]
    assert np.mean(parts) == pytest.approx(whole, rel=0.05)
