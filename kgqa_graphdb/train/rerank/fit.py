"""Fits a ranker to tell right candidates from wrong ones, whatever it reads of them.

Source: as in the paper the labels are balanced, and each pair is scored by itself. There the loss is the square of the
error; here it is the cross-entropy, whose scores the choice among candidates weighs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from kgqa_graphdb.rerank.shown import Ranker
from kgqa_graphdb.train.checkpoint import arrays_of
from kgqa_graphdb.train.device import best_device
from kgqa_graphdb.train.rerank.cases import Case
from kgqa_graphdb.train.trainer import LoopOptions, Optimisation
from kgqa_graphdb.types import Floats

if TYPE_CHECKING:
    from torch import Tensor

WARM_UP = 0.1
AT_ONCE = 64
"""Pairs that are scored at once."""
Shown: TypeAlias = tuple[Case, int]
"""A question's candidate, by its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankOptions(LoopOptions):
    """How to train. Rate and decay are the paper's for cross-encoders, which has six epochs in batches of 32 pairs.

    :ivar questions: in a batch
    :ivar wrong: wrong candidates of each, beside a right one
    """

    steps: int = 800
    check: int = 100
    patience: int = 4
    tolerance: float = 0.0
    questions: int = 8
    wrong: int = 3
    rate: float = 5e-5


class Scorer(Protocol):
    """A model that scores candidates, in training; what learns is its network."""

    @property
    def network(self) -> nn.Module: ...

    def key(self, shown: Shown) -> Hashable:
        """The same for candidates that look the same."""
        ...

    def size(self, shown: Shown) -> int:
        """How much there is to read; those of like size are read together."""
        ...

    def logits(self, shown: Sequence[Shown]) -> Tensor:
        """The score of each; shape (shown,)."""
        ...

    def save(self, folder: Path) -> Ranker:
        """Write what answering needs to a folder; gives the ranker that reads it."""
        ...


class RankTrainer:
    """Trains a model that scores candidates.

    :param make: makes the model; torch is seeded before
    :param cases: that have a right and a wrong candidate
    :param judge: how good scores of each held-out case's candidates are; ``None``: nothing is held out
    :param what: digest of what is trained on
    """

    def __init__(
        self,
        make: Callable[[], Scorer],
        cases: Sequence[Case],
        held_out: Sequence[Case],
        judge: Callable[[Sequence[Floats]], float] | None,
        options: RankOptions,
        what: str = "",
    ) -> None:
        torch.manual_seed(options.seed)
        self.rng = np.random.default_rng(options.seed)
        self.options, self.cases, self.held_out, self._judge = options, cases, held_out, judge
        self.identity = json.dumps([what, asdict(options)])
        self.device = best_device()
        self.scorer = make()
        self.network = self.scorer.network.to(self.device)
        parts = nn.ModuleList([self.network])
        self.optimisation = Optimisation(parts, [options.rate], options.steps, WARM_UP)
        self._balance = torch.tensor([float(options.wrong)], device=self.device)

    def loss(self, step: int) -> Tensor:
        """The cross-entropy of a batch, right candidates counting as much as wrong ones."""
        count = min(self.options.questions, len(self.cases))
        shown: list[Shown] = []
        labels: list[float] = []
        for place in self.rng.choice(len(self.cases), count, replace=False):
            case = self.cases[place]
            right, wrong = np.flatnonzero(case.right), np.flatnonzero(~np.array(case.right))
            some = self.rng.choice(wrong, min(self.options.wrong, len(wrong)), replace=False)
            for own, label in ((self.rng.choice(right, 1), 1.0), (some, 0.0)):
                shown += [(case, one) for one in own.tolist()]
                labels += [label] * len(own)
        target = torch.tensor(labels, device=self.device)
        return functional.binary_cross_entropy_with_logits(self.scorer.logits(shown), target, pos_weight=self._balance)

    def weights(self) -> dict[str, Floats]:
        """The weights as they are now."""
        return arrays_of(self.network.state_dict())

    def evaluate(self, weights: Mapping[str, Floats]) -> float | None:
        """How good the weights are, as they are now, on what is held out."""
        if self._judge is None:
            return None
        return self._judge(self.scores(self.held_out))

    def put(self, weights: Mapping[str, Floats]) -> None:
        """Give the network other weights."""
        self.network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})

    def scores(self, cases: Sequence[Case]) -> list[Floats]:
        """The score of each candidate, shape (candidates,) each; what looks the same is read once."""
        self.network.eval()
        distinct: dict[Hashable, int] = {}
        shown: list[Shown] = []
        places = []
        for case in cases:
            for one in range(len(case.right)):
                place = distinct.setdefault(self.scorer.key((case, one)), len(shown))
                if place == len(shown):
                    shown.append((case, one))
                places.append(place)
        order = sorted(range(len(shown)), key=lambda place: self.scorer.size(shown[place]))
        found = np.zeros(len(shown), dtype=np.float32)
        with torch.no_grad():
            for start in range(0, len(order), AT_ONCE):
                some = order[start : start + AT_ONCE]
                found[some] = self.scorer.logits([shown[place] for place in some]).cpu().numpy()
        ends = np.cumsum([len(case.right) for case in cases])
        return np.split(found[places], ends[:-1]) if len(cases) else []
