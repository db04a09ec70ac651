"""How likely each candidate is the answer: what a ranker says of its subgraph, and how and where it was guessed.

The paper takes the ranker's score alone. Here a logistic regression weighs it against what the guesses themselves say;
its weights are learned on questions that the ranker did not learn from, so its probabilities are calibrated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.plan import Candidate
from kgqa_graphdb.rerank.subgraphs import CandidateGraph
from kgqa_graphdb.types import Entity, Floats

KNOWN = ("is_first", "nearness", "votes", "is_guess", "joined", "hops", "trust")
"""What is known of a candidate before it is ranked: whether it was guessed first; 1 / (1 + its place); the logarithm of
how often it was guessed; whether anybody guessed it; the share of the topics that it is joined with; the mean length of
those paths; and how surely one of those topics is meant."""
FEATURES = ("score", "is_best", "trusted_score", "trusted_guess", *KNOWN)
"""And after: what the ranker says; whether it says more of no other; the score, and whether it was guessed, where the
topic is meant. A subgraph says little where its topic is but a namesake of some word."""
RIDGE = 1.0
"""Of the squared weights, beside the negative log-likelihood: with 0.01 a hundred questions teach a dozen weights too
freely."""
ROUNDS = 100
"""Newton steps at most."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Weights of a logistic regression.

    :ivar weights: of each of :data:`FEATURES`
    :ivar bias: added
    """

    weights: tuple[float, ...]
    bias: float = 0.0

    def probabilities(self, features: Floats) -> Floats:
        """How likely each candidate is the answer, 0..1; shape (candidates,).

        :param features: shape (candidates, features)
        """
        logits = features @ np.array(self.weights, dtype=np.float32) + np.float32(self.bias)
        found: Floats = (1 / (1 + np.exp(-np.clip(logits, -30, 30)))).astype(np.float32)
        return found


def known_features(joined: Sequence[tuple[Candidate, CandidateGraph]], trust: Mapping[Entity, float]) -> Floats:
    """What is known of candidates before they are ranked, shape (candidates, :data:`KNOWN`).

    :param joined: candidates with their subgraphs
    :param trust: how surely each of the question's topics is meant, 0..1
    """
    rows = [
        (
            float(one.place == 0),
            0.0 if one.place is None else 1 / (1 + one.place),
            0.0 if one.place is None else math.log(one.votes),
            float(one.place is not None),
            len(graph.topics) / max(len(trust), 1),
            sum(graph.hops) / len(graph.hops),
            max(trust[topic] for topic in graph.topics),
        )
        for one, graph in joined
    ]
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(KNOWN))


def with_scores(known: Floats, scores: Floats) -> Floats:
    """All that is known of a question's candidates, shape (candidates, :data:`FEATURES`).

    :param known: see :func:`known_features`
    :param scores: by the ranker; shape (candidates,)
    """
    scores = scores.astype(np.float32)
    best = (scores >= scores.max(initial=-np.inf)).astype(np.float32)
    trust, guessed = known[:, KNOWN.index("trust")], known[:, KNOWN.index("is_guess")]
    return np.column_stack([scores, best, scores * trust, guessed * trust, known])


def fit_choice(features: Floats, right: Sequence[bool]) -> Choice:
    """The weights under which right candidates are likeliest, by Newton's method with a small ridge.

    :param features: shape (candidates, features), of all questions
    :param right: whether each is an answer
    """
    x = np.hstack([features.astype(np.float64), np.ones((len(features), 1))])  # (candidates, features + 1)
    y = np.array(right, dtype=np.float64)
    weights = np.zeros(x.shape[1])
    ridge = RIDGE * np.eye(x.shape[1])
    ridge[-1, -1] = 1e-6
    for _ in range(ROUNDS):
        likely = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (likely - y) + ridge @ weights
        curve = (x * (likely * (1 - likely))[:, None]).T @ x + ridge
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return Choice(tuple(weights[:-1].tolist()), float(weights[-1]))
