"""Calibration: probabilities stay in order and between 0 and 1."""

from __future__ import annotations

import numpy as np
import pytest

from kgqa_graphdb.rank.calibration import Calibration, log_odds


def test_without_a_line_nothing_changes() -> None:
    told = np.array([0.01, 0.5, 0.98])
    np.testing.assert_allclose(Calibration().of(told), told)


def test_the_order_stays_and_nothing_is_certain() -> None:
    told = np.array([0.0, 0.2, 0.7, 1.0])
    calibrated = Calibration(0.5, 3.0).of(told)
    assert (np.diff(calibrated) > 0).all()
    assert 0 < calibrated[0] < calibrated[-1] < 1


def test_log_odds_of_a_half_are_nothing() -> None:
    assert float(log_odds(0.5)) == 0.0
    assert float(log_odds(0.9)) == pytest.approx(np.log(9))
