"""Fits a cross-encoder to tell right candidates from wrong ones.

Source: as in the paper the labels are balanced, and each pair is scored by itself. There the loss is the square of the
error; here it is the cross-entropy, whose scores the choice among candidates weighs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from kgqa_graphdb.train.checkpoint import arrays_of
from kgqa_graphdb.train.device import best_device
from kgqa_graphdb.train.rerank.cases import Case
from kgqa_graphdb.train.trainer import LoopOptions, Optimisation
from kgqa_graphdb.types import Floats

if TYPE_CHECKING:
    from sentence_transformers.cross_encoder import CrossEncoder
    from torch import Tensor

WARM_UP = 0.1
AT_ONCE = 64
"""Pairs that are scored at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankOptions(LoopOptions):
    """How to train. Rate and decay are the paper's, which has six epochs in batches of 32 pairs.

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


def network_of(model: CrossEncoder) -> nn.Module:
    """The network in a cross-encoder, which takes what its tokenizer gives."""
    network: Any = model.model
    found: nn.Module = network
    return found


class RankTrainer:
    """Trains a cross-encoder.

    :param model: with one output
    :param cases: that have a right and a wrong candidate
    :param judge: how good scores of each held-out case's candidates are; ``None``: nothing is held out
    :param max_tokens: of a question and a sequence
    :param what: digest of what is trained on
    """

    def __init__(
        self,
        model: CrossEncoder,
        cases: Sequence[Case],
        held_out: Sequence[Case],
        judge: Callable[[Sequence[Floats]], float] | None,
        options: RankOptions,
        max_tokens: int,
        what: str = "",
    ) -> None:
        torch.manual_seed(options.seed)
        self.rng = np.random.default_rng(options.seed)
        self.options, self.cases, self.held_out, self._judge = options, cases, held_out, judge
        self.max_tokens = max_tokens
        self.identity = json.dumps([what, asdict(options)])
        self.device = best_device()
        self.encoder, self.network = model, network_of(model).to(self.device)
        parts = nn.ModuleList([self.network])
        self.optimisation = Optimisation(parts, [options.rate], options.steps, WARM_UP)
        self._balance = torch.tensor([float(options.wrong)], device=self.device)

    def loss(self, step: int) -> Tensor:
        """The cross-entropy of a batch, right candidates counting as much as wrong ones."""
        count = min(self.options.questions, len(self.cases))
        pairs, labels = [], []
        for place in self.rng.choice(len(self.cases), count, replace=False):
            case = self.cases[place]
            right, wrong = np.flatnonzero(case.right), np.flatnonzero(~np.array(case.right))
            some = self.rng.choice(wrong, min(self.options.wrong, len(wrong)), replace=False)
            for own, label in ((self.rng.choice(right, 1), 1.0), (some, 0.0)):
                pairs += [(case.text, case.sequences[one]) for one in own]
                labels += [label] * len(own)
        target = torch.tensor(labels, device=self.device)
        return functional.binary_cross_entropy_with_logits(self._logits(pairs), target, pos_weight=self._balance)

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
        """The score of each candidate, shape (candidates,) each."""
        self.network.eval()
        pairs = [(case.text, sequence) for case in cases for sequence in case.sequences]
        order = sorted(range(len(pairs)), key=lambda place: len(pairs[place][1]))
        found = np.zeros(len(pairs), dtype=np.float32)
        with torch.no_grad():
            for start in range(0, len(order), AT_ONCE):
                some = order[start : start + AT_ONCE]
                found[some] = self._logits([pairs[place] for place in some]).cpu().numpy()
        ends = np.cumsum([len(case.sequences) for case in cases])
        return np.split(found, ends[:-1]) if len(cases) else []

    def _logits(self, pairs: Sequence[tuple[str, str]]) -> Tensor:
        """Shape (pairs,)."""
        questions, sequences = zip(*pairs, strict=True)
        inputs = self.encoder.tokenizer(
            list(questions), list(sequences), padding=True, truncation="only_second",
            max_length=self.max_tokens, return_tensors="pt",
        ).to(self.device)  # fmt: skip
        logits: Tensor = self.network(**inputs).logits[:, 0]
        return logits
