"""Which of several answers comes first: a path leads to a set, whose members are answers alike.

What more readings of a question share comes first. Of equals that one does to which more ways of the plan lead, and of
these that one of which the graph knows more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.plan import Plan
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Node, Scored

BY_WAYS = 0.01
"""The share of its score that an answer may lose against one to which more ways lead."""
BY_DEGREE = 0.0001
"""The same against one with more relationships."""
MOST_KNOWN = 1_000
"""Answers whose relationships are counted."""


def voted(fits: dict[Node, float], others: Iterable[Scored[Plan]], most: int, graph: Graph, memo: Memo) -> Steps[None]:
    """Add to each answer's fit those of other plans that lead to it.

    :param others: best first
    :param most: plans that are executed
    """
    for other in islice(others, most):
        reached = yield from graph.execute(other.item, memo)
        for node in fits.keys() & set(reached.nodes):
            fits[node] += other.score


def tie_breaks(plan: Plan, nodes: Sequence[Node], graph: Graph, memo: Memo) -> Steps[dict[Node, float]]:
    """What each of a plan's answers keeps of its score, 0.9899..1.

    :param nodes: the answers, at least one
    """
    counts = yield from graph.count_walks(plan, nodes, memo)
    known = [node for node in nodes if isinstance(node, Entity)][:MOST_KNOWN]
    degrees = yield from graph.degrees([node.element_id for node in known])
    sizes = [degrees.get(node.element_id, 0) if isinstance(node, Entity) else 0 for node in nodes]
    return {
        node: 1 - BY_WAYS * (1 - fewer) - BY_DEGREE * (1 - less)
        for node, fewer, less in zip(nodes, _of_most(counts), _of_most(sizes), strict=True)
    }


def _of_most(counts: Sequence[int]) -> list[float]:
    """Each as a share of the most, 0..1."""
    most = max(counts)
    return [count / most if most else 1.0 for count in counts]
