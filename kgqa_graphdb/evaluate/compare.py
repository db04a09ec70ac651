"""Two runs over the same questions: who won which, and whether the difference may be chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.evaluate.outcome import Outcome

PERMUTATIONS = 10_000
_CHUNK = 200
"""Permutations drawn at once."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One metric of two runs.

    :ivar first: mean of the first run, 0..1, over the questions that neither failed
    :ivar second: the same of the second
    :ivar won: questions on which the second scores higher
    :ivar lost: questions on which it scores lower
    :ivar sign_p: two-sided exact sign test over the questions that differ (for a 0/1 metric: McNemar's exact test)
    :ivar permutation_p: two-sided paired permutation test of the difference of means
    """

    metric: str
    first: float
    second: float
    won: int
    lost: int
    sign_p: float
    permutation_p: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs.

    :ivar questions: that both asked and neither failed on
    :ivar left_out: those of either run that the other did not ask, or that failed in one
    :ivar won: ids of the questions whose F1 is higher in the second run
    :ivar lost: ids of those whose F1 is lower there
    """

    questions: int
    left_out: int
    metrics: tuple[Compared, ...]
    won: tuple[str, ...]
    lost: tuple[str, ...]


def compare(
    first: Sequence[Outcome], second: Sequence[Outcome], metrics: Sequence[str] = ("hits_at_1", "f1", "exact_match"),
    *, seed: int = 0,
) -> Comparison:  # fmt: skip
    """Compare two runs question by question; a question is known by its id and its text.

    :param metrics: fields of :class:`kgqa_graphdb.evaluate.metrics.Scores`
    :param seed: of the permutations
    :raises UsageError: no question is in both
    """
    known = {(outcome.id, outcome.question): outcome for outcome in first}
    pairs = [
        (known[key], outcome)
        for outcome in second
        if (key := (outcome.id, outcome.question)) in known and known[key].scores and outcome.scores
    ]
    if not pairs:
        raise UsageError("the two files have no question in common that both answered; were they asked the same file?")
    left_out = len({*known, *((outcome.id, outcome.question) for outcome in second)}) - len(pairs)
    found = []
    for metric in metrics:
        before, after = (np.array([getattr(pair[side].scores, metric) for pair in pairs]) for side in (0, 1))
        won, lost = int((after > before).sum()), int((after < before).sum())
        chance = permutation_p(after - before, seed)
        found.append(Compared(metric, float(before.mean()), float(after.mean()), won, lost, sign_p(won, lost), chance))
    differing = [(a.id, b.scores.f1 - a.scores.f1) for a, b in pairs if a.scores and b.scores]
    return Comparison(
        len(pairs),
        left_out,
        tuple(found),
        tuple(id_ for id_, gain in differing if gain > 0),
        tuple(id_ for id_, gain in differing if gain < 0),
    )


def sign_p(won: int, lost: int) -> float:
    """Two-sided exact sign test: how likely fair coins split so unevenly or more; 1 where nothing differs."""
    count, least = won + lost, min(won, lost)
    if count == 0:
        return 1.0
    logs = [
        math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1) - count * math.log(2)
        for k in range(least + 1)
    ]
    return min(1.0, 2 * math.fsum(map(math.exp, logs)))


def permutation_p(differences: np.ndarray[tuple[int], np.dtype[np.float64]], seed: int = 0) -> float:
    """Two-sided paired permutation test of a mean difference of 0, by random signs.

    :param differences: shape (questions,)
    """
    differences = differences[differences != 0]
    if not len(differences):
        return 1.0
    random, size, extreme = np.random.default_rng(seed), abs(differences.sum()), 0
    for start in range(0, PERMUTATIONS, _CHUNK):
        count = min(_CHUNK, PERMUTATIONS - start)
        signs = random.integers(0, 2, size=(count, len(differences)), dtype=np.int8) * 2 - 1
        extreme += int((abs(signs @ differences) >= size - 1e-12).sum())
    return (extreme + 1) / (PERMUTATIONS + 1)
