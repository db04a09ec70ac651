"""The loop of every training: batches, evaluations, early stopping, checkpoints, a log."""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from kgqa_graphdb.train.checkpoint import read_state, write_state
from kgqa_graphdb.train.settings import Progress
from kgqa_graphdb.train.trainer import LoopOptions, Trainer
from kgqa_graphdb.types import Floats

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Fitted:
    """What came of a training.

    :ivar weights: by name; of the last evaluation that was as good as the best
    :ivar history: step, loss and, where something is held out, its score, of each evaluation
    :ivar best_step: the batches that they were trained on
    """

    weights: dict[str, Floats]
    history: list[dict[str, float]] = field(default_factory=list)
    seconds: float = 0.0
    best_step: int = 0


@dataclass(slots=True)
class _State:
    """How far a training is.

    :ivar best: highest score
    :ivar since: evaluations since then
    """

    step: int = 0
    best: float = -math.inf
    since: int = 0
    fitted: Fitted = field(default_factory=lambda: Fitted({}))

    def is_over(self, options: LoopOptions) -> bool:
        """Whether there is nothing more to train."""
        return self.step >= options.steps or self.since >= options.patience


def train_model(trainer: Trainer, checkpoint: Path | None, progress: Progress) -> Fitted:
    """Train until nothing is gained any more.

    :param checkpoint: file that is written at each evaluation, and gone on from where it is there; ``None``: none is
    :param progress: called with (done, total) after each batch
    """
    options, state = trainer.options, _State()
    if checkpoint and checkpoint.exists():
        state = _resumed(trainer, checkpoint)
    fitted = state.fitted
    if state.is_over(options):
        progress(options.steps, options.steps)
        return fitted
    started = time.perf_counter() - fitted.seconds
    losses: list[float] = []
    for step in range(state.step, options.steps):
        trainer.optimisation.parts.train()
        losses.append(trainer.optimisation.learn(trainer.loss(step)))
        progress(step + 1, options.steps)
        if (step + 1) % options.check and step + 1 < options.steps:
            continue
        _evaluate(trainer, state, step + 1, float(np.mean(losses)))
        losses = []
        fitted.seconds = time.perf_counter() - started
        if checkpoint:
            write_state(_kept(trainer, state), checkpoint)
        if state.since >= options.patience:
            log.info("nothing gained for %d evaluations: done", state.since)
            break
    return fitted


def _evaluate(trainer: Trainer, state: _State, step: int, loss: float) -> None:
    """Note how good the weights are, and keep them if they are nearly the best."""
    weights = trainer.weights()
    found = {"step": step, "loss": loss}
    score = trainer.evaluate(weights)
    if score is not None:
        found["held_out"] = score
    state.fitted.history.append(found)
    log.info("%s", ", ".join(f"{name} {value:.4g}" for name, value in found.items()))
    gained = score is None or score > state.best
    state.step, state.since = step, 0 if gained else state.since + 1
    state.best = state.best if score is None else max(state.best, score)
    if score is None or score >= state.best - trainer.options.tolerance:
        state.fitted.weights, state.fitted.best_step = weights, step


# ── going on where it ended ──────────────────────────────────────────────────────────────────────────────────────────


def _kept(trainer: Trainer, state: _State) -> dict[str, Any]:
    fitted = state.fitted
    kept: dict[str, Any] = {
        "what": trainer.identity, "step": state.step, "best": state.best, "since": state.since,
        "seconds": fitted.seconds, "history": fitted.history, "best_step": fitted.best_step,
        "chosen": {name: torch.from_numpy(value) for name, value in fitted.weights.items()},
    }  # fmt: skip
    if state.is_over(trainer.options):  # what it would go on from is most of the file
        return kept
    return kept | {
        "weights": trainer.optimisation.parts.state_dict(), **trainer.optimisation.state(),
        "torch": torch.get_rng_state(), "cuda": _cuda_state(trainer.device),
        "numpy": json.dumps(trainer.rng.bit_generator.state),
    }  # fmt: skip


def _cuda_state(device: torch.device) -> torch.Tensor | None:
    """Where the device's random numbers are; ``None``: it has none of its own."""
    return torch.cuda.get_rng_state(device) if device.type == "cuda" else None


def _resumed(trainer: Trainer, checkpoint: Path) -> _State:
    kept: Mapping[str, Any] = read_state(checkpoint)
    if kept["what"] != trainer.identity:
        log.info("the checkpoint is of another training: beginning anew")
        return _State()
    weights = {name: value.numpy() for name, value in kept["chosen"].items()}
    fitted = Fitted(weights, kept["history"], kept["seconds"], kept["best_step"])
    state = _State(kept["step"], kept["best"], kept["since"], fitted)
    if state.is_over(trainer.options):
        return state
    # Whatever device it was written on: what is loaded goes to that of the parameters.
    trainer.optimisation.parts.load_state_dict(kept["weights"])
    trainer.optimisation.restore(kept)
    torch.set_rng_state(kept["torch"])
    if kept["cuda"] is not None and trainer.device.type == "cuda":
        torch.cuda.set_rng_state(kept["cuda"], trainer.device)
    trainer.rng.bit_generator.state = json.loads(kept["numpy"])
    log.info("going on from step %d", state.step)
    return state
