"""In how many ways a plan leads to each of its answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod

from kgqa_graphdb.graph.reader import GraphReader
from kgqa_graphdb.graph.walk import Memo, Walk
from kgqa_graphdb.plan import Combine, Follow, Plan
from kgqa_graphdb.steps import Steps, together
from kgqa_graphdb.types import Entity, Node, Scalar


def count_walks(graph: GraphReader, plan: Plan, nodes: Sequence[Node], memo: Memo) -> Steps[list[int]]:
    """See :meth:`kgqa_graphdb.graph.Graph.count_walks`."""
    match plan:
        case Follow():
            walk = yield from graph.walk(plan, memo)
            found = _counted(walk)
            return [found[node.element_id if isinstance(node, Entity) else node.value] for node in nodes]
        case Combine("and", parts):
            each = yield from together(count_walks(graph, part, nodes, memo) for part in parts)
            return [prod(counts) for counts in zip(*each, strict=True)]
        case _:
            return [1] * len(nodes)


def _counted(walk: Walk) -> Counter[str | Scalar]:
    """The ways to each end of a walk: nodes by element id, or values.

    Where some of them go straight back, though the walk rule bars that, they are among them.
    """
    reached: Counter[str | Scalar] = Counter(walk.starts)
    for edges in walk.hops:
        further: Counter[str | Scalar] = Counter()
        for edge in edges:
            further[edge.right] += reached[edge.left]
        reached = further
    if walk.end is None:
        return reached
    values: Counter[str | Scalar] = Counter()
    for node, value in walk.values:
        values[value] += reached[node]
    return values
