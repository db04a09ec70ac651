"""The reranker's network in torch; :mod:`kgqa_graphdb.rank.rerank` runs what it learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import nn

from kgqa_graphdb.rank.rerank import LEARNED, SIZES

if TYPE_CHECKING:
    from torch import Tensor

DROPOUT = 0.2
"""Of a question's vector."""
SPREAD = 0.005
"""Standard deviation of the vectors of steps and paths before the training: next to nothing."""


class BiEncoder(nn.Module):
    """One vector for a question and one for a path; see :mod:`kgqa_graphdb.rank.rerank`.

    :param width: dim of the encoder
    :param steps: that have vectors of their own
    :param paths: that have
    :param max_hops: of the longest path
    """

    def __init__(self, width: int, steps: int, paths: int, max_hops: int) -> None:
        super().__init__()
        self.question = nn.Linear(width, width)
        self.first, self.last = (nn.Linear(width, width, bias=False) for _ in range(2))
        sizes = dict(zip(LEARNED, (steps, steps, paths), strict=True))
        tables = {name: nn.Embedding(size + 1, width) for name, size in sizes.items()}
        self.learned = nn.ModuleDict(tables)
        self.kind = nn.Linear(width, width, bias=False)
        self.size = nn.Linear(width, SIZES)
        self.length = nn.Linear(width, max_hops)
        self.scale = nn.Parameter(torch.tensor(3.0))
        self.drop = nn.Dropout(DROPOUT)
        for layer in (self.question, self.first, self.last):
            nn.init.eye_(layer.weight)
        for table in tables.values():
            nn.init.normal_(table.weight, std=SPREAD)
        for unknown in (*self.kind.parameters(), *self.size.parameters()):
            nn.init.zeros_(unknown)

    def forward(self, questions: Tensor, paths: Paths, by_words: Tensor) -> Tensor:
        """Logits of paths, shape (paths,).

        :param questions: shape (questions, width), unit L2 norm
        :param by_words: shape (questions,): whether what was learned of steps and paths is left out
        """
        questions = self.drop(questions)
        asked = self.question(questions)[paths.owners]
        last = self.last(paths.last)
        longer = (paths.lengths > 1)[:, None]
        words = torch.where(longer, (self.first(paths.first) + last) / 2, last)
        known = sum(table(rows) for table, rows in zip(self.learned.values(), paths.rows, strict=True))
        vectors = words + self.kind(paths.kinds) + torch.where(by_words[paths.owners][:, None], 0.0, known)
        fits = (vectors * asked).sum(dim=-1) * self.scale.exp()
        lengths = self.length(questions)[paths.owners, paths.lengths - 1]
        found: Tensor = fits + lengths + self.size(questions)[paths.owners, paths.sizes]
        return found


@dataclass(frozen=True, slots=True)
class Paths:
    """The paths of a batch.

    :ivar owners: shape (paths,): the question of each
    :ivar lengths: shape (paths,): hops
    :ivar first: shape (paths, width): vectors of the words of the first steps
    :ivar last: of the same shape
    :ivar rows: shape (paths,) each: in the tables of what is learned
    :ivar kinds: shape (paths, width): see :class:`kgqa_graphdb.rank.rerank.Seen`
    :ivar sizes: shape (paths,)
    """

    owners: Tensor
    lengths: Tensor
    first: Tensor
    last: Tensor
    rows: tuple[Tensor, Tensor, Tensor]
    kinds: Tensor
    sizes: Tensor
