"""How far a ranker's probabilities can be believed, by questions that it was not trained on."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from kgqa_graphdb.rank.calibration import Calibration, log_odds
from kgqa_graphdb.rank.trained import UNASKED_FIT
from kgqa_graphdb.train.paths.judge import Judged
from kgqa_graphdb.types import Floats

log = logging.getLogger(__name__)
MOST_FIT = 0.5
"""Whatever is likelier to have a path than not is answered: 99 of 100 held-out questions may have .97, but others are
less like those trained on. At .8 one wording of 3,000 of MetaQA's dev questions (1 hop) was not answered, 14 times."""
NEWTON_STEPS = 50
PRIOR = 1.0
"""Questions' worth of belief that the probabilities are right as they are."""
ECE_BINS = 10
UNASKED_CALIBRATION = Calibration()
"""As they come: how often people's questions are answered rightly is not known."""


@dataclass(frozen=True, slots=True)
class Trust:
    """How far probabilities can be believed.

    :ivar least_fit: where it is less likely that there is any path at all, there is no answer
    :ivar metrics: expected calibration errors and, where questions without answers are known, the AUROC
    """

    least_fit: float
    calibration: Calibration
    metrics: Mapping[str, float]


def calibrate(outcomes: Sequence[Sequence[Judged]], absent: Sequence[Sequence[Judged]], *, asked: bool) -> Trust:
    """Choose the bound and the calibration that fit held-out questions.

    :param outcomes: of each graph
    :param absent: of the same questions without the steps that answer them
    :param asked: people asked them; nothing is chosen by questions that were composed
    """
    outcome, gone = list(chain.from_iterable(outcomes)), list(chain.from_iterable(absent))
    line = calibrated(outcome) if asked else UNASKED_CALIBRATION
    return Trust(least_fit(outcome) if asked else UNASKED_FIT, line, _metrics(outcome, gone, line))


def _metrics(outcome: Sequence[Judged], absent: Sequence[Judged], line: Calibration) -> dict[str, float]:
    """From how often answers are right, and where there is no answer."""
    right, probability = np.array([one[:2] for one in outcome]).T
    found = {
        "ece_raw": calibration_error(probability, right),
        "ece": calibration_error(line.of(probability), right),
    }
    log.info("expected calibration error %(ece_raw).4f as it comes, %(ece).4f calibrated", found)
    if absent:
        found["auroc"] = auroc([one.fit for one in outcome], [one.fit for one in absent])
        log.info("AUROC of having an answer, against the same without the first steps to it: %.4f", found["auroc"])
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
        chance = 1 / (1 + np.exp(-(line @ inputs)))
        slope = inputs @ (chance - right) + PRIOR * (line - start)
        bend = (inputs * (chance * (1 - chance))) @ inputs.T + PRIOR * np.eye(2)
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
