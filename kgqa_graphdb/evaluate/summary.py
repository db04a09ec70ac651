"""Figures of many outcomes: means with intervals, in total and by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from kgqa_graphdb.evaluate.candidates import CandidateScores
from kgqa_graphdb.evaluate.metrics import ProofScores, Scores
from kgqa_graphdb.evaluate.outcome import Outcome
from kgqa_graphdb.evaluate.retrieval import RetrievalScores

METRICS = tuple(field.name for field in fields(Scores))
PROOF_METRICS = tuple(field.name for field in fields(ProofScores))
RETRIEVAL_METRICS = tuple(field.name for field in fields(RetrievalScores))
CANDIDATE_METRICS = tuple(field.name for field in fields(CandidateScores))
RESAMPLES = 1_000
"""Of the bootstrap."""
_AT_ONCE = 5_000_000
"""Numbers drawn at once, which bounds memory."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of some questions.

    :ivar questions: all of them, those that failed included
    :ivar errors: questions that failed; no mean counts them
    :ivar abstained: questions without an answer; they score as an empty set does
    :ivar means: metric → mean over the questions that did not fail, 0..1; empty where all did. Where gold answers were
        looked for, two more: ``coverage``, the share of questions of which one can be reached by a path, and
        ``best_path_f1``. Where questions have gold chains, :class:`ProofScores` over those that have;
        where paths were predicted, :class:`RetrievalScores`, and where candidates were chosen among,
        :class:`CandidateScores`, each over the questions of which it is known; where a
        language model read facts, ``ungrounded``, the share of all names that it gave that its facts don't have
    :ivar intervals: metric → 95 % interval of the mean, by percentile bootstrap over questions
    :ivar latency_ms: ``p50`` and ``p95``
    :ivar batch: the most questions that were asked side by side; above 1 latencies are shares of what those took
    """

    questions: int
    errors: int
    abstained: int
    means: dict[str, float] = field(default_factory=dict)
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    latency_ms: dict[str, float] = field(default_factory=dict)
    batch: int = 1

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        rounded = {name: round(value, 6) for name, value in self.means.items()}
        intervals = {name: [round(low, 6), round(high, 6)] for name, (low, high) in self.intervals.items()}
        counts = {"questions": self.questions, "abstained": self.abstained, "errors": self.errors}
        return {**counts, **rounded, "intervals": intervals, "latency_ms": self.latency_ms}


def summarise(outcomes: Sequence[Outcome], *, seed: int = 0) -> Summary:
    """The figures of some outcomes.

    :param seed: of the bootstrap
    """
    scored = [outcome.scores for outcome in outcomes if outcome.scores is not None]
    errors = len(outcomes) - len(scored)
    abstained = sum(bool(outcome.abstained) for outcome in outcomes)
    if not scored:
        return Summary(len(outcomes), errors, abstained)
    table = np.array([[getattr(one, name) for name in METRICS] for one in scored])  # (questions, metrics)
    means = dict(zip(METRICS, table.mean(axis=0).tolist(), strict=True))
    reached = [outcome.best_path_f1 for outcome in outcomes if outcome.best_path_f1 is not None]
    if reached:
        means |= {"coverage": float(np.mean(np.array(reached) > 0)), "best_path_f1": float(np.mean(reached))}
    proofs = [outcome.proof for outcome in outcomes if outcome.proof is not None]
    if proofs:
        means |= {name: float(np.mean([getattr(one, name) for one in proofs])) for name in PROOF_METRICS}
    part_intervals: dict[str, tuple[float, float]] = {}
    known_of: tuple[tuple[Sequence[object | None], Sequence[str]], ...] = (
        ([outcome.retrieval for outcome in outcomes], RETRIEVAL_METRICS),
        ([outcome.candidates for outcome in outcomes], CANDIDATE_METRICS),
    )
    for parts, names in known_of:
        part_means, bounds = _of_parts(parts, names, seed)
        means |= part_means
        part_intervals |= bounds
    ungrounded, ungrounded_interval = _ungrounded(outcomes, seed)
    means |= ungrounded
    low, high = np.percentile(_resampled_means(table, seed), [2.5, 97.5], axis=0)
    times = [outcome.latency_ms for outcome in outcomes if outcome.scores is not None]
    return Summary(
        len(outcomes),
        errors,
        abstained,
        means,
        dict(zip(METRICS, zip(low.tolist(), high.tolist(), strict=True), strict=True))
        | part_intervals
        | ungrounded_interval,
        {f"p{share}": round(float(np.percentile(times, share)), 2) for share in (50, 95)},
        max(outcome.batch for outcome in outcomes),
    )


def _of_parts(
    parts: Iterable[object | None], names: Sequence[str], seed: int
) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """Means of what is known of some questions only and their intervals, each over those of which it is known.

    :param parts: of each question what holds them; ``None``: nothing
    :param names: its fields
    """
    scored = [one for one in parts if one is not None]
    means, intervals = {}, {}
    for name in names:
        known = np.array([[value] for one in scored if (value := getattr(one, name)) is not None])
        if len(known):
            low, high = np.percentile(_resampled_means(known, seed)[:, 0], [2.5, 97.5])
            means[name], intervals[name] = float(known.mean()), (float(low), float(high))
    return means, intervals


def _ungrounded(outcomes: Iterable[Outcome], seed: int) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """The share of the names that a language model gave that its facts don't have, and its interval."""
    given = np.array(
        [
            (len(outcome.ungrounded), len(outcome.ungrounded) + len(outcome.predicted))
            for outcome in outcomes
            if outcome.ungrounded is not None and (outcome.ungrounded or outcome.predicted)
        ]
    )  # (questions, 2)
    if not len(given):
        return {}, {}
    outside, named = _resampled_means(given, seed).T  # (resamples,)
    low, high = np.percentile(outside / named, [2.5, 97.5])
    return {"ungrounded": float(given[:, 0].sum() / given[:, 1].sum())}, {"ungrounded": (float(low), float(high))}


def _resampled_means(table: Any, seed: int) -> Any:
    """Means of questions drawn with replacement, shape (resamples, metrics)."""
    random, count = np.random.default_rng(seed), len(table)
    means, at_once = [], max(1, _AT_ONCE // count)
    for start in range(0, RESAMPLES, at_once):
        drawn = random.integers(0, count, size=(min(at_once, RESAMPLES - start), count))
        weights = np.stack([np.bincount(row, minlength=count) for row in drawn])
        means.append(weights @ table / count)
    return np.concatenate(means)


def by_group(outcomes: Iterable[Outcome], *, seed: int = 0) -> dict[str, Summary]:
    """The figures of the questions whose answers can be reached (``covered``, where not all can), per hop (``1-hop``)
    and per question type, of what has one, in order."""
    outcomes = list(outcomes)
    found: dict[str, Summary] = {}
    covered = ["covered" if outcome.best_path_f1 else "" for outcome in outcomes]
    namers: tuple[Callable[[Outcome], str], ...] = (
        lambda outcome: "covered" if outcome.best_path_f1 and not all(covered) else "",
        lambda outcome: f"{outcome.hops}-hop" if outcome.hops else "",
        lambda outcome: outcome.type,
    )
    for name_of in namers:
        groups: dict[str, list[Outcome]] = {}
        for outcome in outcomes:
            if name := name_of(outcome):
                groups.setdefault(name, []).append(outcome)
        found |= {name: summarise(groups[name], seed=seed) for name in sorted(groups)}
    return found
