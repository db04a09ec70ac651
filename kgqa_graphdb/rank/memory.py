"""What a ranker remembers: the questions that it was trained on, and their paths.

The network compares words. That "where is X from" stands for a place of birth is said by no word of the relation, but
by the questions that were asked so. The paths of those most alike are weighed together as in nearest-neighbour language
models (Khandelwal et al. 2020), and multiplied with what the network says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kgqa_graphdb.types import Floats, Ints

Codes = tuple[str, ...]
"""A path as the codes of its steps."""
NEAREST = 60
"""Questions that are asked for their paths."""
TEMPERATURE = 0.05
"""Of cosines: one that is a tenth nearer counts seven times as much."""
FLOOR = 1e-3
"""What a path counts that none of them has."""
MAX_QUESTIONS = 20_000
"""At 384 dimensions 15 MB."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Questions and the paths that answered them.

    :ivar vectors: shape (questions, dim), unit L2 norm
    :ivar counts: shape (questions,): how many were asked in these words, each by what it counts
    :ivar owners: shape (paths,): the question of each path
    :ivar shares: shape (paths,): what a path counts for its question; the sum of a question's is its count
    :ivar paths: shape (paths, hops): places in ``codes``; -1 after the last
    :ivar codes: of steps
    :ivar weight: how much it counts beside what the network says, 0..1
    """

    vectors: Floats
    counts: Floats
    owners: Ints
    shares: Floats
    paths: Ints
    codes: tuple[str, ...]
    weight: float = 1.0

    @classmethod
    def of(cls, asked: Mapping[str, Sequence[tuple[float, Mapping[Codes, float]]]], vectors: Floats) -> Memory:
        """Remember questions.

        :param asked: by their words, each time they were asked: what it counts, and what each good path counts in it
        :param vectors: of those words, shape (questions, dim), unit L2 norm
        """
        codes: dict[str, int] = {}
        owners, shares, paths = [], [], []
        for owner, times in enumerate(asked.values()):
            counted: defaultdict[Codes, float] = defaultdict(float)
            for worth, good in times:
                for path, weight in good.items():
                    counted[path] += worth * weight / sum(good.values())
            for path, share in counted.items():
                owners.append(owner)
                shares.append(share)
                paths.append([codes.setdefault(code, len(codes)) for code in path])
        longest = max(map(len, paths), default=0)
        return cls(
            vectors=vectors,
            counts=np.array([sum(worth for worth, _ in times) for times in asked.values()], dtype=np.float32),
            owners=np.array(owners, dtype=np.int64),
            shares=np.array(shares, dtype=np.float32),
            paths=np.array([path + [-1] * (longest - len(path)) for path in paths], dtype=np.int64),
            codes=tuple(codes),
        )

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray[Any, Any]], codes: Iterable[str], weight: float) -> Memory:
        """What :meth:`arrays` gave."""
        return cls(
            arrays["vectors"].astype(np.float32), arrays["counts"], arrays["owners"], arrays["shares"],
            arrays["paths"].astype(np.int64), tuple(codes), weight,
        )  # fmt: skip

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """What there is to be written beside the codes; vectors in half the size."""
        return {
            "vectors": self.vectors.astype(np.float16), "counts": self.counts, "owners": self.owners,
            "shares": self.shares, "paths": self.paths.astype(np.int32),
        }  # fmt: skip

    def reweigh(self, vector: Floats, paths: Sequence[tuple[Codes, float]]) -> list[float]:
        """What paths' probabilities are after what is remembered; their sum stays.

        :param vector: of a question, shape (dim,), unit L2 norm
        """
        recalled = self.recall(vector)
        before = np.array([probability for _, probability in paths])
        after = before * (np.array([recalled.get(path, 0.0) for path, _ in paths]) + FLOOR) ** self.weight
        total = after.sum()
        kept: list[float] = (after * (before.sum() / total) if total > 0 else before).tolist()
        return kept

    def recall(self, vector: Floats) -> dict[Codes, float]:
        """The paths of the questions most alike and what share of those took them, 0..1.

        :param vector: of a question, shape (dim,), unit L2 norm
        """
        if not len(self.vectors):
            return {}
        near = self.vectors @ vector
        best = np.argpartition(-near, NEAREST)[:NEAREST] if len(near) > NEAREST else np.arange(len(near))
        weights = np.zeros(len(near), dtype=np.float32)
        weights[best] = np.exp((near[best] - near[best].max()) / TEMPERATURE)
        weights /= weights @ self.counts
        counted = self.shares * weights[self.owners]  # (paths,)
        found: defaultdict[Codes, float] = defaultdict(float)
        for row in np.flatnonzero(counted).tolist():
            found[tuple(self.codes[place] for place in self.paths[row].tolist() if place >= 0)] += float(counted[row])
        return dict(found)


def question_vector(tokens: Floats) -> Floats:
    """What questions are compared by, shape (dim,), unit L2 norm.

    :param tokens: vectors of its tokens, shape (tokens, dim)
    """
    mean = tokens.mean(axis=0)
    found: Floats = mean / max(float(np.linalg.norm(mean)), 1e-12)
    return found
