"""How well two paths from two topics, whose answers are intersected, fit a question together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from kgqa_graphdb.language import Language
from kgqa_graphdb.rank.question import Asked
from kgqa_graphdb.rank.score import (
    ALIGNED_WEIGHT,
    EXPLAINED_WEIGHT,
    HOP_PENALTY,
    KIND_WEIGHT,
    MIN_EXPLAINABLE,
    RETURN_PENALTY,
    Evidence,
    align,
)
from kgqa_graphdb.rank.text import path_text
from kgqa_graphdb.types import Floats, Path

DISTANCE_DISCOUNT = 0.03
"""What a word loses per word between it and a topic: in "films A directed and B starred in" each verb has its own."""
FARTHEST = 10


def pair_text(one: Path, other: Path, language: Language) -> str:
    """Two paths said in words, from the topics X and Y."""
    texts = path_text(one, language=language), path_text(other, "Y", language)
    return language.patterns.both.format(one=texts[0], other=texts[1])


def score_pairs(
    evidence: Evidence, from_other: Asked, pairs: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]
) -> Floats:
    """The share of the pairs' scores that needs no embedding of a path.

    :param evidence: of the question read from the first paths' topic
    :param from_other: the question read from the second paths' topic
    :param pairs: paths as step numbers
    :return: shape (pairs,); on the scale of :func:`kgqa_graphdb.rank.score.score_words`
    """
    scores = np.zeros(len(pairs), dtype=np.float32)
    explainable = max(float(evidence.match.max(axis=1).sum()), MIN_EXPLAINABLE) if len(evidence.match) else 0.0
    for index, (one, other) in enumerate(pairs):
        hops = len(one) + len(other)
        returns = sum(step == before ^ 1 for path in (one, other) for before, step in pairwise(path))
        score = KIND_WEIGHT * (evidence.kind[one[-1]] + evidence.kind[other[-1]]) / 2
        score -= HOP_PENALTY * (hops - 2) + RETURN_PENALTY * returns
        if explainable:
            aligned = _aligned(evidence.match, evidence.asked, one) + _aligned(evidence.match, from_other, other)
            found = float(evidence.match[:, [*one, *other]].max(axis=1).sum())
            score += ALIGNED_WEIGHT * aligned / hops
            score += EXPLAINED_WEIGHT * (found + min(aligned, explainable)) / (2 * explainable)
        scores[index] = score
    return scores


def _aligned(match: Floats, asked: Asked, path: tuple[int, ...]) -> float:
    """The best sum of matches of a path's steps with words near its topic."""
    away = np.minimum(np.array(asked.distances), FARTHEST) - 1
    near = match * (1 - DISTANCE_DISCOUNT * away)[:, None]
    rows = np.array([path], dtype=np.int64)
    return max(float(align(near[list(order)], rows, sharing=False)[0]) for order in asked.orders)
