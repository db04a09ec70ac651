"""How good a ranker is on questions that it was not trained on, and how far its probabilities can be believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from kgqa_graphdb.rank.calibration import Calibration, log_odds
from kgqa_graphdb.rank.found import Again, Found, Wanted
from kgqa_graphdb.rank.trained import TrainedRanker
from kgqa_graphdb.train.batches import F1_POWER, Item
from kgqa_graphdb.train.look import Lookout
from kgqa_graphdb.types import Floats

MOST_FIT = 0.5
"""Whatever is likelier to have a path than not is answered: 99 of 100 held-out questions may have .97, but others are
less like those trained on. At .8 one wording of 3,000 of MetaQA's dev questions (1 hop) was not answered, 14 times."""
SEARCHED = 64
"""Items that a ranker looks at together."""
NEWTON_STEPS = 50
PRIOR = 1.0
"""Questions' worth of belief that the probabilities are right as they are."""
ECE_BINS = 10


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
    ranker: TrainedRanker, items: Sequence[Item], max_hops: int, limit: int, lookout: Lookout | None = None
) -> Iterator[tuple[Item, Found]]:
    """Each item with the likeliest paths that a ranker finds for it, at most so many.

    :param lookout: tells a reranker what paths lead to
    """
    for start in range(0, len(items), SEARCHED):
        some = items[start : start + SEARCHED]
        found = ranker.search([Wanted(item.text, item.starts, max_hops, limit) for item in some])
        if ranker.reranker:
            each = [[path for path, _ in one.paths] for one in found]
            ends = lookout.ends(some, each) if lookout else [None] * len(some)
            parts = zip(some, found, ends, strict=True)
            found = ranker.rerank([Again(item.text, one, seen, limit) for item, one, seen in parts])
        yield from zip(some, found, strict=True)


def judged(ranker: TrainedRanker, items: Sequence[Item], max_hops: int, lookout: Lookout | None = None) -> list[Judged]:
    """What a ranker says of each item.

    :param lookout: tells a reranker what paths lead to
    """
    found = []
    for item, (paths, nothing, _) in searched(ranker, items, max_hops, 1, lookout):
        path, probability = paths[0] if paths else ((), 0.0)
        weight = dict(zip(item.paths, item.weights, strict=True)).get(path, 0.0)
        found.append(Judged(weight ** (1 / F1_POWER), probability, 1 - nothing))
    return found


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


def least_fit(outcome: Sequence[Judged]) -> float:
    """How likely it is for 99 of 100 rightly answered questions that there is a path, at most :data:`MOST_FIT`."""
    right = sorted(one.fit for one in outcome if one.score > 0.5)
    return round(min(MOST_FIT, right[len(right) // 100]) if right else 0.0, 4)


def calibrated(outcome: Sequence[Judged]) -> Calibration:
    """The calibration that fits how often answers are right best.

    Platt (1999); there a pseudo-count keeps the fit finite, here a Gaussian prior around no change at all.
    """
    right, probability = np.array([one[:2] for one in outcome]).reshape(-1, 2).T
    odds = log_odds(probability)
    inputs = np.stack([odds, np.ones_like(odds)])  # (2, questions)
    start = np.array([1.0, 0.0])
    line = start
    for _ in range(NEWTON_STEPS):
        told = 1 / (1 + np.exp(-(line @ inputs)))
        slope = inputs @ (told - right) + PRIOR * (line - start)
        bend = (inputs * (told * (1 - told))) @ inputs.T + PRIOR * np.eye(2)
        line = line - np.linalg.solve(bend, slope)
    return Calibration(round(max(float(line[0]), 0.05), 4), round(float(line[1]), 4))


def auroc(yes: Sequence[float], no: Sequence[float]) -> float:
    """The chance that one of the first is more than one of the second, 0..1; equals count half."""
    above = np.array(yes)[:, None] - np.array(no)  # (yes, no)
    return float((above > 0).mean() + (above == 0).mean() / 2)


def calibration_error(probabilities: Floats, right: Floats) -> float:
    """Expected calibration error (Guo et al. 2017) in :data:`ECE_BINS` bins of equal width, 0..1.

    :param probabilities: shape (answers,)
    :param right: shape (answers,), 0..1
    """
    bins = np.minimum((probabilities * ECE_BINS).astype(int), ECE_BINS - 1)
    gaps = np.bincount(bins, probabilities - right, minlength=ECE_BINS)
    return float(np.abs(gaps).sum() / max(1, len(right)))
