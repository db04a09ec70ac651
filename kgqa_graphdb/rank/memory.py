"""The questions that a reranker was trained on, and what they asked for.

What those asked for that are most like a new one is likely to be meant again, as in nearest-neighbour language models
(Khandelwal et al. 2020): of a path that three of a few thousand questions took, their vectors say more than weights do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kgqa_graphdb.types import Floats

SHARPNESS = 15.0
"""Of the softmax over questions: what is nearer by a cosine of .1 counts 4.5 times as much."""
MEMORY_SMOOTHING = 0.003
"""What a path has beside its share: that nobody has asked for it does not make it impossible."""


class Asked(NamedTuple):
    """That a question asked for a path.

    :ivar question: its row
    :ivar path: that of the path
    :ivar share: of what the question asked for, 0..1; those of a question add up to one
    """

    question: int
    path: int
    share: float


class Memory:
    """Questions and what they asked for.

    :param vectors: of the questions, shape (questions, dim), unit L2 norm
    :param paths: codes of the steps of each path
    """

    def __init__(self, vectors: Floats, paths: Sequence[Sequence[str]], asked: Sequence[Asked]) -> None:
        self.vectors, self.paths, self.asked = vectors, paths, asked
        self._row_of = {tuple(path): row for row, path in enumerate(paths)}
        self._owners = np.array([one.question for one in asked], dtype=np.int64)
        self._paths = np.array([one.path for one in asked], dtype=np.int64)
        self._shares = np.array([one.share for one in asked], dtype=np.float32)

    def log_shares(self, question: Floats, paths: Sequence[tuple[str, ...]]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Logarithm of how much each path was asked for by what is like a question, shape (paths,).

        :param question: shape (dim,), unit L2 norm
        :param paths: codes of their steps
        """
        near = np.exp(SHARPNESS * (self.vectors @ question - 1))
        near /= near.sum() or 1
        totals = np.bincount(self._paths, near[self._owners] * self._shares, minlength=len(self.paths) + 1)
        found: np.ndarray[Any, np.dtype[np.float64]] = np.log(
            MEMORY_SMOOTHING + totals[[self._row_of.get(path, -1) for path in paths]]
        )
        return found
