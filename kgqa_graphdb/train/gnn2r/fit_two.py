"""Fits step II: the expression that leads to the answers comes nearer to its question than all others, by a margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

from kgqa_graphdb.train.gnn2r.cases import Case
from kgqa_graphdb.train.paths.readers import Reader
from kgqa_graphdb.train.reading import Judge, ReadingOptions, ReadingTrainer
from kgqa_graphdb.types import Ints

if TYPE_CHECKING:
    from torch import Tensor

POOL = 2
"""Times as many of the negatives most like a question as are in a batch are drawn from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTwoOptions(ReadingOptions):
    """How step II is trained; see :class:`kgqa_graphdb.train.reading.ReadingOptions`.

    :ivar batch: questions in a batch; the paper's code has 12
    :ivar margin: by which a positive expression must be more similar; the paper has .05 to .8, by the data set
    :ivar positives: of a question in a batch at most, those that were most like it before the training; that code has
        32, at random
    :ivar negatives: of a question in a batch at most, half of them from those that were most like it, the others from
        all; that code has 32, at random
    :ivar shortest: of expressions with the most votes only those with the fewest hops are positive, as in the paper;
        else all are, and the one that is most similar is drawn near
    """

    check: int = 50
    batch: int = 12
    patience: int = 2
    tolerance: float = 0.0
    margin: float = 0.2
    positives: int = 6
    negatives: int = 10
    shortest: bool = False


class StepTwoTrainer(ReadingTrainer[StepTwoOptions, nn.Module]):
    """Trains the sentence encoder of step II.

    :param cases: each has a positive expression, and others; those most like the question first
    :param reader: the encoder, whose weights learn
    :param judge: scores weights on held-out questions
    :param what: digest of what is trained on
    """

    def __init__(
        self, cases: Sequence[Case], reader: Reader, judge: Judge | None, options: StepTwoOptions, what: str = ""
    ) -> None:
        super().__init__(reader, lambda width: nn.Module(), judge, options, what)
        self.cases = cases

    def loss(self, step: int) -> Tensor:
        """The triplet loss of some questions; each text is encoded once."""
        chosen = self.rng.choice(len(self.cases), min(self.options.batch, len(self.cases)), replace=False)
        some = [self.cases[place] for place in chosen.tolist()]
        drawn = [self._draw(case) for case in some]
        texts = list(dict.fromkeys(
            text for case, (good, bad) in zip(some, drawn, strict=True)
            for text in (case.text, *(case.expressions[place] for place in (*good.tolist(), *bad.tolist())))
        ))  # fmt: skip
        place = {text: number for number, text in enumerate(texts)}
        vectors = self._encode(texts)
        losses = []
        for case, (good, bad) in zip(some, drawn, strict=True):
            own = vectors[[place[text] for text in case.expressions if text in place]] @ vectors[place[case.text]]
            at = {text: number for number, text in enumerate(text for text in case.expressions if text in place)}
            near, far = (own[[at[case.expressions[one]] for one in places.tolist()]] for places in (good, bad))
            losses.append(triplet_loss(near, far, self.options.margin))
        return torch.stack(losses).mean()

    def _draw(self, case: Case) -> tuple[Ints, Ints]:
        """Places of some positive and of some negative expressions."""
        good = case.positives(shortest=self.options.shortest)[: self.options.positives]
        bad = np.setdiff1d(np.arange(len(case.expressions)), case.positives(), assume_unique=True)
        count = self.options.negatives
        near = self.rng.permutation(bad[: POOL * count])[: count - count // 2]
        return good, np.union1d(near, self.rng.permutation(bad)[: count // 2])

    def _encode(self, texts: Sequence[str]) -> Tensor:
        """The mean of each text's tokens, at unit norm; shape (texts, width)."""
        tokens, there = self.reader.read(texts)
        mask = torch.from_numpy(there).to(self.device).to(tokens.dtype).unsqueeze(-1)  # (texts, tokens, 1)
        return nn.functional.normalize((tokens * mask).sum(dim=1), dim=-1)


def triplet_loss(near: Tensor, far: Tensor, margin: float) -> Tensor:
    """How much less than by a margin the best positive expression is more similar than each negative one (12).

    With one positive it is the paper's, and sentence-transformers' ``TripletLoss`` with the cosine distance. Of several
    that vote alike only one may be what the question says, so only the most similar is drawn near: our change.

    :param near: similarities of positive expressions; shape (positives,)
    :param far: of negative ones; shape (negatives,)
    """
    return nn.functional.relu(far - near.max() + margin).mean()
