"""A reranker of the paths that a trained ranker proposes: one vector for the question and one for the whole path.

The network of :mod:`kgqa_graphdb.rank.decoder` decides step by step, between a step and all that could stand in its
place, and has learned from composed questions as well. The reranker compares the proposed paths with one another, and
has learned from questions that people asked alone, with an encoder of its own. What both hold for likely is right more
often than what either does. A path is known by the words of its first and its last step, and beside them by what was
learned of just these steps and of just this path; the words alone and both together each say what they think, and the
mean counts. It is also known by what it leads to from the topic: how much that is, and the words of the steps that
leave it, which tell people from places where nobody has said what is which. :mod:`kgqa_graphdb.train.paths.biencoder`
is the same in torch. Beside that counts what was asked by the questions of pairs that are most like the one to answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from kgqa_graphdb.encode import TokenEncoder
from kgqa_graphdb.graph import EndpointStats
from kgqa_graphdb.rank.memory import Memory
from kgqa_graphdb.rank.recent import RecentTokens
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.types import Floats, Ints

RERANK_WEIGHT = 0.8
"""What the reranker's log-probabilities count beside the network's. With a third of WebQSP's train questions held out,
twice, .5 to 1 are alike."""
MEMORY_WEIGHT = 0.8
"""What the logarithms of the shares in its memory count; .5 to 1 are alike."""
ENDS = ("first", "last")
LEARNED = (*ENDS, "whole")
Scores = np.ndarray[Any, np.dtype[np.float64]]
PathRows = tuple[int, ...]
"""A path as rows of steps."""
UNSEEN = 0
"""The size of what was not looked at, and of nothing: that a path leads nowhere does not say that it is not meant."""
MOST_DOUBLINGS = 6
"""Sizes are distinguished up to so many powers of two."""
SIZES = 2 * (MOST_DOUBLINGS + 1) + 1


class Seen(NamedTuple):
    """What paths lead to.

    :ivar kinds: shape (paths, dim): the words of the steps that leave some of it, in the mean, unit L2 norm; or 0
    :ivar sizes: shape (paths,), 0..:data:`SIZES` - 1: how much it is; see :func:`see`
    """

    kinds: Floats
    sizes: Ints


def see(ends: Sequence[EndpointStats] | None, paths: int, schema: Schema, steps: Floats) -> Seen:
    """What paths lead to, as numbers: sizes are :data:`UNSEEN`, then powers of two of nodes, then those of values.

    :param ends: of each path; ``None``: nobody has looked
    :param steps: vectors of the words of the schema's steps, shape (steps, dim), unit L2 norm
    """
    kinds, sizes = np.zeros((paths, steps.shape[1]), dtype=np.float32), np.full(paths, UNSEEN)
    means: dict[tuple[str, ...], Floats] = {}
    for place, one in enumerate(ends or ()):
        for codes in one.leaving:
            if codes not in means:
                rows = [schema.row_of[code] for code in codes if code in schema.row_of]
                means[codes] = steps[rows].mean(axis=0) if rows else np.zeros_like(kinds[place])
            kinds[place] += means[codes]
        kinds[place] /= max(float(np.linalg.norm(kinds[place])), 1e-9)
        doublings = min(one.count.bit_length() - 1, MOST_DOUBLINGS)
        sizes[place] = 1 + doublings + (MOST_DOUBLINGS + 1) * one.values if one.count else UNSEEN
    return Seen(kinds, sizes)


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned of some steps and paths beside their words.

    :ivar codes: of the steps
    :ivar paths: codes of the steps of paths
    :ivar first: shape (steps + 1, dim): of the first step of a path; the last row is that of any other
    :ivar last: of the same shape
    :ivar whole: shape (paths + 1, dim)
    """

    codes: Sequence[str]
    paths: Sequence[Sequence[str]]
    first: Floats
    last: Floats
    whole: Floats
    _rows: dict[str, int] = field(default_factory=dict, init=False, repr=False)
    _places: dict[tuple[str, ...], int] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self._rows.update((code, row) for row, code in enumerate(self.codes))
        self._places.update((tuple(path), row) for row, path in enumerate(self.paths))

    def of(self, paths: Sequence[tuple[str, ...]]) -> Floats:
        """What was learned of paths, shape (paths, dim).

        :param paths: codes of their steps
        """
        first, last = ([self._rows.get(path[end], -1) for path in paths] for end in (0, -1))
        whole = [self._places.get(path, -1) for path in paths]
        found: Floats = self.first[first] + self.last[last] + self.whole[whole]
        return found


class PathReranker:
    """The reranker's forward pass.

    :param encoder: reads questions
    :param weights: by the names of :class:`kgqa_graphdb.train.paths.biencoder.BiEncoder`
    :param memory: of the questions that it learned from, as they are read
    """

    def __init__(self, encoder: TokenEncoder, weights: Mapping[str, Floats], learned: Learned, memory: Memory) -> None:
        self._tokens = RecentTokens(encoder)
        self.weights = weights
        self.learned = learned
        self.memory = memory

    def read(self, texts: Sequence[str]) -> Floats:
        """Vectors of questions, shape (questions, dim), unit L2 norm.

        :raises EncoderError: the encoder can't be run
        """
        return means_of(self._tokens.read(texts))

    def scores(
        self,
        question: Floats,
        paths: Sequence[PathRows],
        schema: Schema,
        steps: Floats,
        ends: Sequence[EndpointStats] | None = None,
    ) -> Scores:
        """What is to be added to the network's log-probabilities of paths, shape (paths,); see :meth:`log_p`."""
        remembered = self.memory.log_shares(question, [schema.codes(path) for path in paths])
        return RERANK_WEIGHT * self.log_p(question, paths, schema, steps, ends) + MEMORY_WEIGHT * remembered

    def log_p(
        self,
        question: Floats,
        paths: Sequence[PathRows],
        schema: Schema,
        steps: Floats,
        ends: Sequence[EndpointStats] | None = None,
    ) -> Scores:
        """Log-probabilities of paths among one another, shape (paths,).

        :param question: what :meth:`read` gave, shape (dim,)
        :param paths: of at least one step each
        :param steps: vectors of the words of the schema's steps, shape (steps, dim), unit L2 norm
        :param ends: what each path leads to; ``None``: nobody has looked
        """
        if not paths:
            return np.zeros(0)
        weights = self.weights
        asked = weights["question.weight"] @ question + weights["question.bias"]
        rows: tuple[Ints, Ints] = (np.array([path[0] for path in paths]), np.array([path[-1] for path in paths]))
        first, last = (steps[some] @ (asked @ weights[f"{end}.weight"]) for some, end in zip(rows, ENDS, strict=True))
        lengths = np.array([len(path) for path in paths])
        words = (last + np.where(lengths > 1, first, last)) / 2
        known = self.learned.of([schema.codes(path) for path in paths]) @ asked
        length = weights["length.weight"] @ question + weights["length.bias"]
        rest = length[np.minimum(lengths, len(length)) - 1]
        seen = see(ends, len(paths), schema, steps)
        rest = rest + (weights["size.weight"] @ question + weights["size.bias"])[seen.sizes]
        words = words + seen.kinds @ (asked @ weights["kind.weight"])
        scale = np.exp(weights["scale"])
        by_words, by_both = (_log_softmax(scale * fit + rest) for fit in (words, words + known))
        return (by_words + by_both) / 2


def means_of(questions: Sequence[Floats]) -> Floats:
    """The mean vectors of questions' tokens, shape (questions, dim), unit L2 norm.

    :param questions: shape (tokens, dim) each
    """
    vectors = np.stack([tokens.mean(axis=0) for tokens in questions])
    found: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return found


def reranked(likely: Sequence[tuple[PathRows, float]], scores: Scores) -> list[tuple[PathRows, float]]:
    """Paths by what the network and the reranker hold of them, best first; in sum as likely as before.

    :param likely: paths with the network's probabilities
    :param scores: what is added to their logarithms, shape (paths,)
    """
    if not likely:
        return []
    before = np.array([score for _, score in likely])
    mixed = np.log(np.maximum(before, np.finfo(np.float64).tiny)) + scores
    after = np.exp(mixed - mixed.max())
    after *= before.sum() / after.sum()
    found = zip((path for path, _ in likely), after.tolist(), strict=True)
    return sorted(found, key=lambda one: (-one[1], len(one[0]), one[0]))


def _log_softmax(logits: Scores) -> Scores:
    kept = logits - logits.max()
    found: Scores = kept - np.log(np.exp(kept).sum())
    return found
