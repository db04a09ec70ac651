"""The choice among candidates: what is known of them, and what that is worth."""

from __future__ import annotations

import numpy as np
import pytest

from kgqa_graphdb.plan import Candidate
from kgqa_graphdb.rerank.choice import FEATURES, Choice, fit_choice, known_features, with_scores
from kgqa_graphdb.rerank.subgraphs import MARK, MOST_FACTS, CandidateGraph, linearised
from kgqa_graphdb.types import Entity, Fact, Relation, Value

A, B, C = (Entity(name.lower(), name) for name in "ABC")
NEAR = Relation("near", "NEAR", "near to", "what is near")


def joined(*codes: tuple[str, ...], topics: tuple[Entity, ...] = (A,)) -> CandidateGraph:
    return CandidateGraph(C, topics, (*topics, C), (), (), codes)


def test_features_are_place_votes_share_of_topics_hops_and_trust() -> None:
    known = known_features(
        [
            (Candidate("C", 0, 4, C), joined((">a",), (">a", "<b"), topics=(A, B))),
            (Candidate("C", 3, 1, C), joined((">a", "<b"))),
            (Candidate("C", None, 0, C), joined((">a",))),
        ],
        {A: 0.5, B: 0.25},
    )
    rows = np.array([[1, 1, np.log(4), 1, 1, 1.5, 0.5], [0, 0.25, 0, 1, 0.5, 2, 0.5], [0, 0, 0, 0, 0.5, 1, 0.5]])
    np.testing.assert_allclose(known, rows, atol=1e-6)
    whole = with_scores(known, np.array([0.5, -1, 0.5], dtype=np.float32))
    assert whole.shape == (3, len(FEATURES))
    np.testing.assert_allclose(whole[:, :4], [[0.5, 1, 0.25, 0.5], [-1, 0, -0.5, 0.5], [0.5, 1, 0.25, 0]])
    assert with_scores(known_features([], {}), np.zeros(0, dtype=np.float32)).shape == (0, len(FEATURES))


def test_fitted_probabilities_are_the_shares_that_are_right() -> None:
    rng = np.random.default_rng(0)
    features = np.zeros((4_000, len(FEATURES)), dtype=np.float32)
    features[:, 0] = rng.integers(0, 2, len(features))
    right = rng.random(len(features)) < np.where(features[:, 0] == 1, 0.8, 0.1)
    choice = fit_choice(features, right.tolist())
    for value in (0, 1):
        some = features[:, 0] == value
        assert choice.probabilities(features[some])[0] == pytest.approx(right[some].mean(), abs=0.005)


def test_where_all_are_right_the_weights_stay_finite() -> None:
    choice = fit_choice(np.ones((5, len(FEATURES)), dtype=np.float32), [True] * 5)
    assert np.isfinite([*choice.weights, choice.bias]).all()
    assert choice.probabilities(np.ones((1, len(FEATURES)), dtype=np.float32))[0] > 0.9


def test_probabilities_grow_with_what_has_weight() -> None:
    choice = Choice((1.0, *[0.0] * (len(FEATURES) - 1)), -1.0)
    found = choice.probabilities(np.eye(2, len(FEATURES), dtype=np.float32))
    np.testing.assert_allclose(found, [0.5, 1 / (1 + np.e)], atol=1e-6)


def test_a_sequence_is_the_facts_with_the_candidate_between_marks() -> None:
    facts = (Fact(A, NEAR, B), Fact(C, NEAR, B), Fact(B, NEAR, Value(3)))
    graph = CandidateGraph(C, (A,), (A, B, C), facts[:2], facts, ((">near", "<near"),))
    assert linearised(graph) == f"A, near to, B; {MARK} C {MARK}, near to, B"
    assert linearised(graph, highlight=False) == "A, near to, B; C, near to, B"
    sly = Entity("s", f"x {MARK} y")
    assert linearised(CandidateGraph(C, (sly,), (sly, C), (), (Fact(sly, NEAR, C),), ((">near",),))).count(MARK) == 2
    many = CandidateGraph(C, (A,), (A, C), (), (Fact(A, NEAR, B),) * 100, ((">near",),))
    assert linearised(many).count("near to") == MOST_FACTS
