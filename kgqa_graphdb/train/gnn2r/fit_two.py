"""Fits step II: the expression that leads to the answers comes nearer to its question than all others.

Two losses: the paper's triplets, by a margin, and ours, the contrast of all questions and expressions of a batch.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from kgqa_graphdb.train.gnn2r.cases import Case, LossKind
from kgqa_graphdb.train.paths.readers import Reader
from kgqa_graphdb.train.reading import Judge, ReadingOptions, ReadingTrainer
from kgqa_graphdb.types import Ints

if TYPE_CHECKING:
    from torch import Tensor

POOL = 2
"""Times as many of the negatives most like a question as are in a batch are drawn from."""
TEMPERATURE = 0.1
"""Of cosines in the contrast; sentence-transformers' ``MultipleNegativesRankingLoss`` has 0.05."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTwoOptions(ReadingOptions):
    """How step II is trained; see :class:`kgqa_graphdb.train.reading.ReadingOptions`.

    :ivar batch: questions in a batch; the paper's code has 12
    :ivar loss: ``triplet``, the paper's, or ``contrast``, of all that is in the batch
    :ivar margin: by which a positive expression must be more similar, in triplets; the paper has .05 to .8, by the
        data set
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
    loss: LossKind = "contrast"
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
        """The loss of some questions; each text is encoded once."""
        chosen = self.rng.choice(len(self.cases), min(self.options.batch, len(self.cases)), replace=False)
        some = [self.cases[place] for place in chosen.tolist()]
        drawn = [_texts(case, self._draw(case)) for case in some]
        expressions = list(dict.fromkeys(text for own in drawn for text in own))
        texts = list(dict.fromkeys(case.text for case in some))
        vectors = self._encode([*texts, *expressions])
        asked = vectors[[texts.index(case.text) for case in some]]
        alike = asked @ vectors[len(texts) :].T  # (questions, expressions)

        def among(own: Iterable[Collection[str]]) -> Tensor:
            return torch.tensor([[text in one for text in expressions] for one in own], device=self.device)

        right = among({*_texts(case, case.positives())} for case in some)
        near = among({*_texts(case, case.positives(shortest=self.options.shortest))} for case in some)
        if self.options.loss == "triplet":
            own, margin = among(drawn), self.options.margin
            rows = zip(alike, near & own, ~right & own, strict=True)
            return torch.stack([triplet_loss(row[good], row[bad], margin) for row, good, bad in rows]).mean()
        same = torch.tensor([[one.text == other.text for other in some] for one in some], device=self.device)
        return contrastive_loss(alike / TEMPERATURE, near, ~right, same)

    def _draw(self, case: Case) -> Ints:
        """Places of some positive and of some negative expressions, ascending."""
        good = case.positives(shortest=self.options.shortest)[: self.options.positives]
        bad = np.setdiff1d(np.arange(len(case.expressions)), case.positives(), assume_unique=True)
        count = self.options.negatives
        near = self.rng.permutation(bad[: POOL * count])[: count - count // 2]
        return np.unique(np.concatenate([good, near, self.rng.permutation(bad)[: count // 2]]))

    def _encode(self, texts: Sequence[str]) -> Tensor:
        """The mean of each text's tokens, at unit norm; shape (texts, width)."""
        tokens, there = self.reader.read(texts)
        mask = torch.from_numpy(there).to(self.device).to(tokens.dtype).unsqueeze(-1)  # (texts, tokens, 1)
        return functional.normalize((tokens * mask).sum(dim=1), dim=-1)


def triplet_loss(near: Tensor, far: Tensor, margin: float) -> Tensor:
    """How much less than by a margin the best positive expression is more similar than each negative one (12).

    With one positive it is the paper's, and sentence-transformers' ``TripletLoss`` with the cosine distance. Of several
    that vote alike only one may be what the question says, so only the most similar is drawn near: our change.

    :param near: similarities of positive expressions; shape (positives,)
    :param far: of negative ones; shape (negatives,)
    """
    return functional.relu(far - near.max() + margin).mean()


def contrastive_loss(alike: Tensor, near: Tensor, far: Tensor, same: Tensor) -> Tensor:
    """How much more likely than all else in a batch it should be that a question and its pattern are together.

    A question's positive expressions share the likelihood; they compete with all that are negative, also those of other
    questions. The other way, for the most similar of them, the question competes with those that it does not answer.
    What leads to an answer by chance loses so against what leads there each time. Source: both ways as A. Radford et
    al., CLIP (2021).

    :param alike: similarities by the temperature; shape (questions, expressions)
    :param near: expressions that are positive; the same shape
    :param far: that are negative
    :param same: questions of the same words; shape (questions, questions)
    """
    least = torch.finfo(alike.dtype).min
    likely = alike.masked_fill(~near, least)
    there = (alike.masked_fill(~(near | far), least).logsumexp(dim=1) - likely.logsumexp(dim=1)).mean()
    chosen = likely.argmax(dim=1)
    others = far[:, chosen].T & ~same
    others.fill_diagonal_(True)  # the question itself
    back = functional.cross_entropy(
        alike[:, chosen].T.masked_fill(~others, least), torch.arange(len(chosen), device=alike.device)
    )
    return there + back


def _texts(case: Case, places: Ints) -> list[str]:
    return [case.expressions[place] for place in places.tolist()]
