"""The loop of every training, on a line that is fitted to points."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch  # noqa: TID253 - what needs it is skipped where it is not installed

from kgqa_graphdb.train.checkpoint import arrays_of, read_state
from kgqa_graphdb.train.loop import train_model
from kgqa_graphdb.train.trainer import LoopOptions, Optimisation, Trainer
from kgqa_graphdb.types import Floats

SHORT = LoopOptions(steps=40, check=10, patience=2, seed=3)


class LineTrainer:
    """Fits a line to points.

    :param scores: of the evaluations in their order; none: nothing is held out
    """

    def __init__(self, options: LoopOptions = SHORT, scores: tuple[float, ...] = ()) -> None:
        torch.manual_seed(options.seed)
        self.options, self.identity = options, f"line {options}"
        self.rng, self.device = np.random.default_rng(options.seed), torch.device("cpu")
        self._line, self._scores = torch.nn.Linear(1, 1), list(scores)
        self.optimisation = Optimisation(torch.nn.ModuleList([self._line]), [0.1], options.steps, 0.1)

    def loss(self, step: int) -> torch.Tensor:
        x = torch.from_numpy(self.rng.normal(size=(8, 1)).astype(np.float32))
        loss: torch.Tensor = ((self._line(x) - 2 * x - 1) ** 2).mean()
        return loss

    def weights(self) -> dict[str, Floats]:
        return arrays_of(self._line.state_dict())

    def evaluate(self, weights: Mapping[str, Floats]) -> float | None:
        return self._scores.pop(0) if self._scores else None


def silent(done: int, total: int) -> None:
    """Shows no progress."""


def test_it_learns_and_keeps_the_last_weights_where_nothing_is_held_out() -> None:
    trainer: Trainer = LineTrainer()
    fitted = train_model(trainer, None, silent)
    assert fitted.history[-1]["loss"] < fitted.history[0]["loss"] / 5
    assert (fitted.best_step, [one["step"] for one in fitted.history]) == (40, [10, 20, 30, 40])
    assert all("held_out" not in one for one in fitted.history)
    np.testing.assert_array_equal(fitted.weights["weight"], trainer.weights()["weight"])


def test_it_ends_when_nothing_is_gained_and_keeps_the_last_that_was_nearly_the_best() -> None:
    fitted = train_model(LineTrainer(scores=(0.7, 0.695, 0.6, 0.9)), None, silent)
    assert ([one["held_out"] for one in fitted.history], fitted.best_step) == ([0.7, 0.695, 0.6], 20)


def test_a_training_that_was_cut_off_ends_as_one_that_was_not(tmp_path: Path) -> None:
    def cut(done: int, total: int) -> None:
        if done == 25:
            raise KeyboardInterrupt

    whole, file = train_model(LineTrainer(), None, silent), tmp_path / "checkpoint.pt"
    with pytest.raises(KeyboardInterrupt):
        train_model(LineTrainer(), file, cut)
    done: list[int] = []
    resumed = train_model(LineTrainer(), file, lambda step, total: done.append(step))
    assert (done[0], resumed.history) == (21, whole.history)
    np.testing.assert_array_equal(resumed.weights["weight"], whole.weights["weight"])


def test_what_is_done_is_not_done_again_and_its_checkpoint_holds_no_optimiser(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.pt"
    fitted = train_model(LineTrainer(), file, silent)
    assert "optimiser" not in read_state(file)
    done: list[tuple[int, int]] = []
    again = train_model(LineTrainer(), file, lambda step, total: done.append((step, total)))
    assert (done, again.history, again.best_step) == ([(40, 40)], fitted.history, 40)
    np.testing.assert_array_equal(again.weights["weight"], fitted.weights["weight"])


def test_a_checkpoint_of_another_training_is_not_gone_on_from(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.pt"
    train_model(LineTrainer(), file, silent)
    other = LoopOptions(steps=20, check=10, seed=4)
    assert train_model(LineTrainer(other), file, silent).best_step == 20
