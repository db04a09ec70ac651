"""Learns how a candidate is chosen: what the ranker's score says beside how and where a candidate was guessed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kgqa_graphdb.rerank.choice import FEATURES, Choice, fit_choice, with_scores
from kgqa_graphdb.rerank.shown import Ranker, RelationWords
from kgqa_graphdb.train.rerank.cases import Case
from kgqa_graphdb.types import Floats


def choose(cases: Sequence[Case], ranker: Ranker, words: RelationWords) -> tuple[Choice, dict[str, float]]:
    """How a candidate is chosen, and how good that is, each half of the cases judged by what the other teaches.

    :param cases: that the ranker did not learn from, where there are such
    :param words: of the graph's relations
    :return: the choice, and of the cases with a right candidate shares, 0..1: the choice is right, the ranker alone is,
        the first that is joined is; none where there is no such case
    """
    scores = ranker.scores([case.request(words) for case in cases])
    features = [with_scores(case.features, own) for case, own in zip(cases, scores, strict=True)]
    found: dict[str, list[float]] = {"hits_at_1": [], "ranker": [], "first": []}
    for half in (0, 1):
        shown = [place for place in range(len(cases)) if place % 2 != half]
        own = _fitted(cases, features, shown)
        for place in range(half, len(cases), 2):
            case = cases[place]
            if any(case.right):
                found["hits_at_1"].append(float(case.right[int(np.argmax(own.probabilities(features[place])))]))
                found["ranker"].append(float(case.right[int(np.argmax(scores[place]))]))
                found["first"].append(float(case.right[0]))
    metrics = {name: float(np.mean(values)) for name, values in found.items() if values}
    return _fitted(cases, features, range(len(cases))), metrics


def _fitted(cases: Sequence[Case], features: Sequence[Floats], places: Sequence[int]) -> Choice:
    if not len(places):
        return Choice((1.0, *[0.0] * (len(FEATURES) - 1)))
    rows = np.concatenate([features[place] for place in places])
    return fit_choice(rows, [right for place in places for right in cases[place].right])
