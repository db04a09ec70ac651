"""Training: a small network learns what composed questions ask for, and goes on where it was cut off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

from kgqa_graphdb.rank.decoder import Decoder
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.text import path_text
from kgqa_graphdb.rank.trained import TrainedRanker
from kgqa_graphdb.train.batches import Item, batch_of
from kgqa_graphdb.train.compose import compose
from kgqa_graphdb.train.fit import Fit, Options
from kgqa_graphdb.train.judge import judged
from kgqa_graphdb.types import Floats
from tests.unit.rank.networks import WordEncoder, made_model
from tests.unit.train.test_compose import RIVERS

OPTIONS = Options(steps=150, batch=32, check=50, patience=9)


def items(count: int, seed: int) -> list[Item]:
    schema = TrainedRanker(RIVERS, made_model()).schema
    return [
        Item(read_question(text).text, starts, (path,), (1.0,), 1.0)
        for text, path, starts in islice(compose(schema, seed, 2), count)
    ]


def right(weights: Mapping[str, Floats], held_out: list[Item]) -> float:
    model = replace(made_model(), decoder=Decoder(weights))
    return float(np.mean([one.score for one in judged(TrainedRanker(RIVERS, model), held_out, 2)]))


def make_fit(held_out: list[Item], options: Options = OPTIONS) -> Fit:
    encoder = WordEncoder()
    schema = TrainedRanker(RIVERS, made_model()).schema
    vectors = encoder.encode([path_text((step,)) for step in schema.steps])
    return Fit(schema, vectors, encoder.encode_tokens, lambda weights: right(weights, held_out), options)


def test_it_learns_and_keeps_the_best_weights() -> None:
    held_out = items(100, 1)
    before = right(make_fit(held_out).weights(), held_out)
    fitted = make_fit(held_out).run([], items(1_500, 0), 2, None, lambda done, total: None)
    after = right(fitted.weights, held_out)
    assert after > 0.6 > 0.3 > before
    assert after == pytest.approx(max(look["held_out"] for look in fitted.history))
    assert fitted.history[-1]["loss"] < fitted.history[0]["loss"]


def test_a_training_that_was_cut_off_ends_as_one_that_was_not(tmp_path: Path) -> None:
    held_out, shown = items(30, 1), items(300, 0)
    whole = make_fit(held_out).run([], shown, 2, None, lambda done, total: None)

    def cut(done: int, total: int) -> None:
        if done == 120:
            raise KeyboardInterrupt

    checkpoint = tmp_path / "checkpoint.pt"
    with pytest.raises(KeyboardInterrupt):
        make_fit(held_out).run([], shown, 2, checkpoint, cut)
    heard: list[int] = []
    resumed = make_fit(held_out).run([], shown, 2, checkpoint, lambda done, total: heard.append(done))
    assert heard[0] == 101
    assert [look["held_out"] for look in resumed.history] == [look["held_out"] for look in whole.history]
    for name, value in whole.weights.items():
        np.testing.assert_allclose(resumed.weights[name], value, atol=1e-6)


def test_pairs_and_composed_questions_are_mixed() -> None:
    fit = make_fit([], replace(OPTIONS, composed=0.5, batch=64))
    seen: list[Any] = []
    tokens = fit.tokens
    fit.tokens = lambda texts: (seen.extend(texts), tokens(texts))[1]
    asked = [replace(item, text=f"asked {number}") for number, item in enumerate(items(20, 2))]
    for _ in range(5):
        fit._step(asked, items(50, 0), 2)
    share = sum(text.startswith("asked") for text in seen) / len(seen)
    assert 0.35 < share < 0.65


def test_a_question_may_be_read_from_its_wrong_topic() -> None:
    wrong = (("wrong", (0,)),)
    shown = [replace(item, text="right", wrong=wrong) for item in items(20, 2)]
    fit = make_fit([], replace(OPTIONS, wrong=0.25, batch=64))
    seen: list[str] = []
    tokens = fit.tokens
    fit.tokens = lambda texts: (seen.extend(texts), tokens(texts))[1]
    for _ in range(5):
        fit._step(shown, [], 2)
    assert 0.15 < seen.count("wrong") / len(seen) < 0.35


def test_a_draw_of_steps_gives_nearly_the_same_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    fit = make_fit([], replace(OPTIONS, token_dropout=0.0))
    fit.network.eval()
    batch = batch_of(items(200, 3), len(fit.vectors), [False] * 200)
    whole = fit._loss(batch, 2).item()
    monkeypatch.setattr("kgqa_graphdb.train.batches.MAX_COLUMNS", 12)
    parts = [fit._loss(batch, 2).item() for _ in range(20)]
    assert np.mean(parts) == pytest.approx(whole, rel=0.05)
