"""The predictor's classifiers, in numpy: how many hops a question has, and which step comes next on its path.

Each pools the vectors of a text's tokens by :data:`HEADS` learned queries, and has one hidden layer. The paper
fine-tunes BERT with a linear layer on it; here the encoder stays as it is unless it is trained too, and so the pooling
is learned. :mod:`kgqa_graphdb.train.rra.network` is the same in torch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kgqa_graphdb.rank.decoder import gelu
from kgqa_graphdb.types import Floats

HOPS, STEPS = "hops", "steps"
"""Names of the classifiers, with which those of their weights begin."""
HEADS = 4
"""Learned queries of a classifier."""


class Classifier:
    """A classifier's forward pass.

    :param weights: by the names of :class:`kgqa_graphdb.train.rra.network.Classifier`, with a prefix
    """

    def __init__(self, weights: Mapping[str, Floats], prefix: str) -> None:
        self._weights = {
            name.removeprefix(f"{prefix}."): value for name, value in weights.items() if name.startswith(f"{prefix}.")
        }

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return len(self._weights["out.bias"])

    def log_p(self, tokens: Sequence[Floats]) -> Floats:
        """Log-probabilities, shape (texts, classes).

        :param tokens: of each text the vectors of its tokens, shape (tokens, dim of the encoder)
        """
        pooled = np.stack([self._pooled(vectors) for vectors in tokens])
        hidden = gelu(self._linear(pooled, "hidden"))
        found: Floats = _log_softmax(self._linear(hidden, "out"))
        return found

    def _pooled(self, vectors: Floats) -> Floats:
        """One vector of a text, shape (heads * dim,)."""
        logits = vectors @ self._weights["attend.weight"].T  # (tokens, heads)
        weight = np.exp(_log_softmax(logits.T))  # (heads, tokens)
        found: Floats = (weight @ vectors).reshape(-1)
        return found

    def _linear(self, x: Floats, name: str) -> Floats:
        found: Floats = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return found


def _log_softmax(logits: Floats) -> Floats:
    """Log-probabilities, over the last axis."""
    kept = logits - logits.max(axis=-1, keepdims=True)
    found: Floats = kept - np.log(np.exp(kept).sum(axis=-1, keepdims=True))
    return found
