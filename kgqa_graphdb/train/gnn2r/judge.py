"""How good step I is on held-out questions, and which threshold of distance makes the best sets of answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kgqa_graphdb.gnn2r.reasoner import ReasonRequest, StepOne, answer_set
from kgqa_graphdb.questions import harmonic
from kgqa_graphdb.train.gnn2r.lessons import Lesson
from kgqa_graphdb.types import Floats

THRESHOLDS = tuple(np.round(np.concatenate([np.arange(1.0, 2.0, 0.02), np.arange(2.0, 5.01, 0.1)]), 2).tolist())
"""That are tried."""


class Judged(NamedTuple):
    """How good step I is on questions, each 0..1.

    :ivar hits_at_1: the nearest entity is an answer; of entities that are as near the share that is
    :ivar f1: of the sets of answers, macro
    """

    hits_at_1: float
    f1: float


def distances_of(step_one: StepOne, lessons: Sequence[Lesson]) -> list[Floats]:
    """Distances of the entities of each question's subgraph."""
    return step_one.distances([ReasonRequest(lesson.text, lesson.graph) for lesson in lessons])


def hits_at_1(lessons: Sequence[Lesson], distances: Sequence[Floats]) -> float:
    """Share of the questions whose nearest entity is an answer, 0..1; of ties the share that is."""
    found = []
    for lesson, own in zip(lessons, distances, strict=True):
        nearest = np.flatnonzero(own == own.min())
        found.append(np.isin(nearest, lesson.answers).mean())
    return float(np.mean(found)) if found else 0.0


def mean_f1(lessons: Sequence[Lesson], distances: Sequence[Floats], threshold: float) -> float:
    """Macro F1 of the sets of answers, 0..1."""
    found = []
    for lesson, own in zip(lessons, distances, strict=True):
        chosen = answer_set(own, threshold)
        right = int(np.isin(chosen, lesson.answers).sum())
        found.append(harmonic(right / chosen.size, min(1.0, right / lesson.golds)))
    return float(np.mean(found)) if found else 0.0


def best_threshold(lessons: Sequence[Lesson], distances: Sequence[Floats]) -> float:
    """The threshold whose sets of answers have the best F1; of equals the lowest."""
    return max(THRESHOLDS, key=lambda threshold: (mean_f1(lessons, distances, threshold), -threshold))
