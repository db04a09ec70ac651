"""How good a ranker is on questions that it was not trained on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from kgqa_graphdb.rank.search import RerankRequest, SearchRequest, SearchResult
from kgqa_graphdb.rank.trained import TrainedRanker
from kgqa_graphdb.train.data.items import F1_POWER, Item
from kgqa_graphdb.train.data.prober import PathProber

SEARCHED = 64
"""Items that a ranker looks at together."""


class Judged(NamedTuple):
    """What a ranker says of a held-out question.

    :ivar score: F1 that its likeliest path has of the best one's, 0..1
    :ivar probability: of that path
    :ivar fit: probability that there is a path at all
    """

    score: float
    probability: float
    fit: float


def searched(
    ranker: TrainedRanker, items: Sequence[Item], max_hops: int, limit: int, prober: PathProber | None = None
) -> Iterator[tuple[Item, SearchResult]]:
    """Each item with the likeliest paths that a ranker finds for it, at most so many.

    :param prober: tells a reranker what paths lead to
    """
    for start in range(0, len(items), SEARCHED):
        some = items[start : start + SEARCHED]
        found = ranker.search([SearchRequest(item.text, item.starts, max_hops, limit) for item in some])
        if ranker.reranker:
            each = [[path for path, _ in one.paths] for one in found]
            ends = prober.ends(some, each) if prober else [None] * len(some)
            parts = zip(some, found, ends, strict=True)
            found = ranker.rerank([RerankRequest(item.text, one, seen, limit) for item, one, seen in parts])
        yield from zip(some, found, strict=True)


def judged(
    ranker: TrainedRanker, items: Sequence[Item], max_hops: int, prober: PathProber | None = None
) -> list[Judged]:
    """What a ranker says of each item.

    :param prober: tells a reranker what paths lead to
    """
    found = []
    for item, (paths, nothing, _) in searched(ranker, items, max_hops, 1, prober):
        path, probability = paths[0] if paths else ((), 0.0)
        weight = dict(zip(item.paths, item.weights, strict=True)).get(path, 0.0)
        found.append(Judged(weight ** (1 / F1_POWER), probability, 1 - nothing))
    return found


def mean_score(outcomes: Sequence[Sequence[Judged]]) -> float:
    """Mean F1 of the graphs that have questions, 0..1; each counts alike. Without any 0."""
    means = [np.mean([one.score for one in some]) for some in outcomes if some]
    return float(np.mean(means)) if means else 0.0


def loses(before: Sequence[Judged], after: Sequence[Judged]) -> bool:
    """Whether the same questions lose more than the standard error of what they lose."""
    each = np.array([then.score - now.score for then, now in zip(before, after, strict=True)])
    return bool(each.mean() > each.std() / np.sqrt(len(each)))


def without_answers(items: Sequence[Item]) -> list[Item]:
    """The items of which something is left when the steps are gone that their paths begin with: nothing is right."""
    found = []
    for item in items:
        first = {path[0] for path in item.paths}
        starts = tuple(row for row in item.starts if row not in first)
        if starts:
            found.append(replace(item, starts=starts, paths=(), weights=()))
    return found
