"""What a method provides to be trained, and the optimiser that its modules learn with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch
from torch import nn

from kgqa_graphdb.types import Floats

if TYPE_CHECKING:
    from torch import Tensor

EARLY_STOPPING_TOLERANCE = 0.02
"""How much less than the best a later evaluation's score may be to be taken in its place. With 300 questions so much is
chance, and later weights are better for what held-out questions hardly ask: paths that no pair has."""
MAX_NORM = 1.0
"""Gradients that are longer are shortened to this."""
WEIGHT_DECAY = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopOptions:
    """How long to train.

    :ivar steps: batches at most
    :ivar check: batches between two evaluations
    :ivar patience: evaluations without a gain after which it ends
    :ivar seed: of every random draw
    :ivar tolerance: how much less than the best score a later evaluation's may be for its weights to be taken
    """

    steps: int = 2_000
    check: int = 200
    patience: int = 5
    seed: int = 0
    tolerance: float = EARLY_STOPPING_TOLERANCE


class Optimisation:
    """Modules that learn together: AdamW, its rates rising and falling once (Smith & Topin 2019).

    :param parts: the modules
    :param rates: the highest learning rate of each
    :param steps: batches in all
    :param warm_up: share of the batches in which the rates rise
    """

    def __init__(self, parts: nn.ModuleList, rates: Sequence[float], steps: int, warm_up: float) -> None:
        self.parts = parts
        groups = [{"params": list(part.parameters()), "lr": rate} for part, rate in zip(parts, rates, strict=True)]
        self._optimiser = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(
            self._optimiser, list(rates), total_steps=steps + 1, pct_start=warm_up
        )

    def learn(self, loss: Tensor) -> float:
        """Take a step down a loss; what it was. What was gone back through since the last step counts, too."""
        loss.backward()
        nn.utils.clip_grad_norm_(self.parts.parameters(), MAX_NORM)
        self._optimiser.step()
        self._schedule.step()
        self._optimiser.zero_grad()
        return float(loss.item())

    def state(self) -> dict[str, Any]:
        """What it goes on from, beside the weights."""
        return {"optimiser": self._optimiser.state_dict(), "schedule": self._schedule.state_dict()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a :meth:`state`, whatever device it was written on."""
        self._optimiser.load_state_dict(state["optimiser"])
        self._schedule.load_state_dict(state["schedule"])


class Trainer(Protocol):
    """One model in training, as :func:`kgqa_graphdb.train.loop.train_model` runs it.

    A trainer seeds torch before it makes its modules, and draws from ``rng`` alone, so that a training that goes on
    from a checkpoint ends as one that was not cut off.

    :ivar identity: says what is trained on and how; a checkpoint of another identity is not gone on from
    :ivar device: where it computes
    :ivar rng: what its draws come from
    :ivar optimisation: the modules that learn
    """

    identity: str
    device: torch.device
    rng: np.random.Generator
    optimisation: Optimisation

    @property
    def options(self) -> LoopOptions:
        """How long to train."""
        ...

    def loss(self, step: int) -> Tensor:
        """The loss of one batch.

        :param step: its number, from 0
        """
        ...

    def weights(self) -> dict[str, Floats]:
        """The weights as they are now, as they are saved."""
        ...

    def evaluate(self, weights: Mapping[str, Floats]) -> float | None:
        """How good weights are on what is held out, more is better; ``None``: nothing is held out."""
        ...
