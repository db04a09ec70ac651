"""How good candidates are, and the choice among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kgqa_graphdb.evaluate.metrics import Predicted, matcher, predicted_of
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language.folding import folded_text
from kgqa_graphdb.mining import find_gold
from kgqa_graphdb.plan import Answer, Candidate
from kgqa_graphdb.questions import Pair
from kgqa_graphdb.steps import Steps

WITHIN = 2
"""Hops between a topic and a gold answer of a question that is in the graph."""
MOST_GOLD = 50
"""Gold answers that are looked for near the topics."""


@dataclass(frozen=True, slots=True)
class CandidateScores:
    """The candidates of one question, each 0..1.

    :ivar linked: whether a topic is linked
    :ivar in_graph: whether a gold answer lies within :data:`WITHIN` hops of one
    :ivar first: whether the first guess is gold; ``None`` here and below: the question is not in the graph
    :ivar any: whether any candidate is
    :ivar reranked: whether the answer is
    """

    linked: float
    in_graph: float
    first: float | None
    any: float | None
    reranked: float | None


def score_candidates(answer: Answer, pair: Pair, hits_at_1: float, graph: Graph) -> Steps[CandidateScores | None]:
    """Score the candidates of a question; ``None`` where the method has none, or nothing is gold.

    :param hits_at_1: of the answer
    """
    if answer.candidates is None or not pair.answers:
        return None
    topics = list(dict.fromkeys(link.entity for link in answer.links))
    gold = yield from find_gold(pair.answers, graph)
    there = list((yield from graph.describe(sorted(gold.nodes)[:MOST_GOLD])).values())
    near = bool(topics and there) and bool((yield from graph.paths_between(topics, there, WITHIN)).paths)
    if not near:
        return CandidateScores(float(bool(topics)), 0.0, None, None, None)
    is_gold = gold_test(pair)
    right = [is_gold(one) for one in answer.candidates]
    first = next((found for one, found in zip(answer.candidates, right, strict=True) if one.place == 0), False)
    return CandidateScores(1.0, 1.0, float(first), float(any(right)), hits_at_1)


def gold_test(pair: Pair) -> Callable[[Candidate], bool]:
    """Tells which candidates are gold answers of a pair."""
    match = matcher(pair.answers)
    names = {folded_text(gold.name) for gold in pair.answers if gold.name}

    def is_gold(one: Candidate) -> bool:
        """Whether a candidate's entity is a gold answer, or its text the name of one, whatever its case."""
        if one.entity is not None and match(predicted_of(one.entity, 1.0)):
            return True
        return folded_text(one.text) in names or bool(match(Predicted("", one.text, 1.0)))

    return is_gold
