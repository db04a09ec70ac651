"""What held-out questions say of a ranker: its F1, how far its probabilities can be believed, when to abstain."""

from __future__ import annotations

import numpy as np
import pytest

from kgqa_graphdb.rank.search import SearchRequest
from kgqa_graphdb.rank.trained import TrainedRanker
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.paths.calibrate import MOST_FIT, auroc, calibrated, calibration_error, least_fit
from kgqa_graphdb.train.paths.judge import Judged, judged, loses, without_answers
from tests.unit.rank.networks import made_model
from tests.unit.train.data.test_compose import RIVERS


def test_the_likeliest_path_is_judged_by_its_f1() -> None:
    ranker = TrainedRanker(RIVERS, made_model())
    starts = tuple(range(0, len(ranker.schema.steps), 2))
    ((paths, nothing, _),) = ranker.search([SearchRequest("which sea", starts, 2, 2)])
    (best, likely), (second, _) = paths
    items = [
        Item("which sea", starts, (best, second), (1.0, 0.0625), 1.0),
        Item("which sea", starts, (second,), (1,), 1),
    ]
    right, wrong = judged(ranker, items, 2)
    assert right == pytest.approx((1.0, likely, 1 - nothing))
    assert wrong == pytest.approx((0.0, likely, 1 - nothing))


def test_without_the_first_steps_of_its_paths_an_item_has_no_answer() -> None:
    items = [Item("who", (1, 2, 3), ((1, 5), (2,)), (1.0, 1.0), 1.0), Item("what", (4,), ((4,),), (1.0,), 1.0)]
    (left,) = without_answers(items)
    assert (left.text, left.starts, left.paths) == ("who", (3,), ())


def test_99_of_100_right_answers_are_given_and_what_is_likely_enough_anyway() -> None:
    fits = [Judged(1.0, 0.5, fit) for fit in (0.1, 0.3, *[0.95] * 98)]
    assert least_fit(fits) == 0.3
    assert least_fit([*fits[2:], Judged(0.0, 0.5, 0.01)]) == MOST_FIT
    assert least_fit([]) == 0.0


def test_calibrated_probabilities_are_how_often_answers_are_right() -> None:
    rng = np.random.default_rng(0)
    told = rng.uniform(0.05, 0.95, 4_000)
    true = 1 / (1 + np.exp(-(2.0 * np.log(told / (1 - told)) + 1.0)))  # slope 2, offset 1
    right = rng.random(4_000) < true
    line = calibrated([Judged(float(score), p, 1.0) for score, p in zip(right, told.tolist(), strict=True)])
    assert line == pytest.approx((2.0, 1.0), abs=0.2)
    assert calibration_error(line.of(told), right) < 0.02 < 0.1 < calibration_error(told, right)


def test_a_few_right_answers_prove_little() -> None:
    line = calibrated([Judged(1.0, 0.5, 1.0)] * 3)
    assert line.slope == pytest.approx(1.0)
    assert 0 < line.offset < 2


def test_calibration_error_is_the_gap_in_each_bin() -> None:
    assert calibration_error(np.array([0.8, 0.8, 0.3]), np.array([1.0, 0.0, 0.0])) == pytest.approx(0.9 / 3)


def test_auroc_counts_equals_half() -> None:
    assert auroc([1.0, 0.5], [0.5, 0.0]) == pytest.approx(3.5 / 4)


def test_a_loss_must_be_more_than_chance() -> None:
    def scored(*scores: float) -> list[Judged]:
        return [Judged(score, 0.5, 0.5) for score in scores]

    assert loses(scored(1, 1, 1, 1), scored(0, 0, 1, 1))
    assert not loses(scored(0, 0, 1, 1), scored(1, 1, 1, 1))
    assert not loses(scored(1, 0, 1, 1), scored(0, 1, 1, 1))
    assert not loses(scored(*[0] * 50), scored(*[0] * 50))
    assert not loses(scored(*[1, 0] * 24, 1, 1), scored(*[0, 1] * 25))
