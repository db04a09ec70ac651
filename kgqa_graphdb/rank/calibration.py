"""From the probability that a ranker gives a path to that of its answer being right (Platt 1999)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kgqa_graphdb.types import Floats

CLOSEST = 1e-6
"""To 0 and to 1: nothing is surer than that."""


class Calibration(NamedTuple):
    """A line through the log odds.

    :ivar slope: more than 0, so that nothing changes its place
    """

    slope: float = 1.0
    offset: float = 0.0

    def of(self, probability: Floats | float) -> Floats:
        """The calibrated probability, 0..1, of the same shape."""
        found: Floats = 1 / (1 + np.exp(-(self.slope * log_odds(probability) + self.offset)))
        return found


def log_odds(probability: Floats | float) -> Floats:
    """Log odds of probabilities, of the same shape."""
    kept = np.clip(np.asarray(probability, dtype=np.float64), CLOSEST, 1 - CLOSEST)
    found: Floats = np.log(kept / (1 - kept))
    return found
