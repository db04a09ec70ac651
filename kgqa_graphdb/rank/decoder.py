"""The trained ranker's network, in numpy: reads a question's tokens and says how likely each next step of a path is.

One recurrent state per path attends to the question's token vectors and is compared with the vectors of all steps that
may come next, and with that of stopping; so a path's probability is the product of its steps' and of its end's, and
paths of any length compare. Steps are known by the vectors of their words alone, so a graph that was never trained on
has them too. :mod:`kgqa_graphdb.train.paths.network` is the same in torch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.types import Bools, Floats, Ints

HEADS = 4
FAR_BELOW = np.float32(-1e9)
"""The logit of what may not come next."""


@dataclass(frozen=True, slots=True)
class EncodedQuestion:
    """What a network keeps of questions.

    :ivar keys: shape (questions, heads, tokens, dim of a head)
    :ivar values: of the same shape
    :ivar mask: shape (questions, tokens): whether there is a token
    """

    keys: Floats
    values: Floats
    mask: Bools


class Decoder:
    """The network's forward pass.

    :param weights: by the names of :class:`kgqa_graphdb.train.paths.network.Network`
    """

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = weights
        self.dim = len(weights["start"])

    def _linear(self, x: Floats, name: str) -> Floats:
        flat: Floats = x.reshape(-1, x.shape[-1])  # one product of two matrices: many small ones are far slower
        found: Floats = flat @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return found.reshape(*x.shape[:-1], -1)

    def read(self, tokens: Sequence[Floats]) -> EncodedQuestion:
        """Read questions.

        :param tokens: of each question the vectors of its tokens, shape (tokens, dim of the encoder)
        """
        vectors, mask = padded(tokens)
        shape = (*mask.shape, HEADS, self.dim // HEADS)
        keys, values = (self._linear(vectors, name).reshape(shape).transpose(0, 2, 1, 3) for name in ("key", "value"))
        return EncodedQuestion(keys, values, mask)

    def steps(self, vectors: Floats) -> Floats:
        """Steps as the network sees them, and after them stopping, and that there is no path at all.

        :param vectors: of the steps' words, shape (steps, dim of the encoder)
        :return: shape (steps + 2, dim)
        """
        return self._linear(np.concatenate([vectors, self._weights["ends"]]), "step")

    def begin(self, count: int) -> Floats:
        """The states of so many paths without a step, shape (count, dim)."""
        return np.repeat(self._weights["start"][None], count, axis=0)

    def score(self, states: Floats, reading: EncodedQuestion, questions: Ints, steps: Floats) -> Floats:
        """Logits of what comes next, before anything is ruled out, shape (paths, steps + 2).

        :param states: shape (paths, dim)
        :param questions: of each path, as places in the reading
        :param steps: what :meth:`steps` gave
        """
        size = self.dim // HEADS
        query = self._linear(states, "query").reshape(len(states), HEADS, size, 1)
        weight = (reading.keys[questions] @ query)[..., 0] / np.float32(np.sqrt(size))  # (paths, heads, tokens)
        weight = np.where(reading.mask[questions][:, None], weight, FAR_BELOW)
        weight = np.exp(weight - weight.max(axis=-1, keepdims=True))
        weight /= weight.sum(axis=-1, keepdims=True)
        seen = (weight[:, :, None] @ reading.values[questions]).reshape(len(states), self.dim)
        wanted = self._linear(gelu(self._linear(np.concatenate([states, seen], axis=1), "out.0")), "out.2") + seen
        found: Floats = _unit(wanted) @ _unit(steps).T * np.exp(self._weights["scale"])
        return found

    def advance(self, states: Floats, steps: Floats) -> Floats:
        """The states after one more step each, shape (paths, dim).

        :param steps: those steps, shape (paths, dim)
        """
        given = steps @ self._weights["gru.weight_ih"].T + self._weights["gru.bias_ih"]
        carried = states @ self._weights["gru.weight_hh"].T + self._weights["gru.bias_hh"]
        size = self.dim
        reset = _sigmoid(given[:, :size] + carried[:, :size])
        keep = _sigmoid(given[:, size : 2 * size] + carried[:, size : 2 * size])
        new = np.tanh(given[:, 2 * size :] + reset * carried[:, 2 * size :])
        after: Floats = (1 - keep) * new + keep * states
        return after


def padded(tokens: Sequence[Floats]) -> tuple[Floats, Bools]:
    """Token vectors of questions as one array, shape (questions, tokens, dim), and where there is a token.

    :param tokens: of each question, shape (tokens, dim)
    """
    width = max(map(len, tokens))
    vectors = np.zeros((len(tokens), width, tokens[0].shape[1]), dtype=np.float32)
    mask = np.zeros((len(tokens), width), dtype=bool)
    for row, own in enumerate(tokens):
        vectors[row, : len(own)] = own
        mask[row, : len(own)] = True
    return vectors, mask


def log_softmax(logits: Floats, allowed: Bools) -> Floats:
    """Log probabilities among what is allowed, over the last axis; the rest is at :data:`FAR_BELOW`."""
    kept = np.where(allowed, logits, FAR_BELOW)
    kept = kept - kept.max(axis=-1, keepdims=True)
    log_p = kept - np.log(np.exp(kept).sum(axis=-1, keepdims=True))
    found: Floats = np.where(allowed, log_p, FAR_BELOW).astype(np.float32)
    return found


def _unit(x: Floats) -> Floats:
    found: Floats = x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), np.float32(1e-12))
    return found


def gelu(x: Floats) -> Floats:
    """The activation, by the tangens hyperbolicus (Hendrycks & Gimpel 2016)."""
    return np.asarray(x / 2 * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x))), dtype=np.float32)


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-x)), dtype=np.float32)
