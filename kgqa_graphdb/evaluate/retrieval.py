"""How good the relation paths are that a method predicts, and the sample of what they lead to.

Gold paths are those that the data set gives, where it gives any, and those that are mined from the gold answers: all
whose ends come as near to them as those of any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgqa_graphdb.evaluate.metrics import matcher, predicted_of
from kgqa_graphdb.mining import GoodPath
from kgqa_graphdb.plan import Retrieved
from kgqa_graphdb.questions import Pair
from kgqa_graphdb.types import Path


@dataclass(frozen=True, slots=True)
class RetrievalScores:
    """What was retrieved for one question, each 0..1.

    :ivar hop_accuracy: whether the likeliest number of hops is that of a gold path; ``None``: none is known, as below
    :ivar path_hits_at_1: whether the likeliest relation path is a gold one
    :ivar path_hits_at_k: whether any of those that were executed is
    :ivar answer_in_subgraph: whether a gold answer stands in the facts of the sampled reasoning paths
    :ivar answers_in_subgraph: the share of the gold answers that stand there
    """

    hop_accuracy: float | None
    path_hits_at_1: float | None
    path_hits_at_k: float | None
    answer_in_subgraph: float
    answers_in_subgraph: float


def score_retrieval(retrieved: Retrieved, pair: Pair, mined: Sequence[GoodPath]) -> RetrievalScores | None:
    """Score what was retrieved for a question; ``None`` where nothing is gold.

    :param mined: paths to the gold answers, best first
    """
    if not pair.answers:
        return None
    match = matcher(pair.answers)
    nodes = dict.fromkeys(node for fact in retrieved.facts for node in (fact.head, fact.tail))
    found = frozenset().union(*(match(predicted_of(node, 1.0)) for node in nodes))
    share = len(found) / len(pair.answers)
    best = {path.codes for path in mined if path.f1 == mined[0].f1}
    hops, at_1, at_k = None, None, None
    if best or pair.paths:
        right = [_is_gold(scored.item.path, pair, best) for scored in retrieved.paths]
        lengths = {pair.hops, *map(len, best), *map(len, pair.paths)}  # what is two hops elsewhere may be one here
        hops, at_1, at_k = float(retrieved.hops in lengths), float(any(right[:1])), float(any(right))
    return RetrievalScores(hops, at_1, at_k, float(bool(found)), share)


def _is_gold(path: Path, pair: Pair, best: set[tuple[str, ...]]) -> bool:
    """Whether a path is one that was mined, or one of the data set, which may not say in which direction it goes."""
    codes, ids = tuple(step.code for step in path), tuple(step.relation.id for step in path)
    return codes in best or codes in pair.paths or ids in pair.paths
