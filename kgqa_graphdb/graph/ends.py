"""What paths lead to, as a ranker looks at it: how much, and by which steps some of it can be left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgqa_graphdb.errors import ReadTimeoutError
from kgqa_graphdb.graph.walk import Memo, Walk, Walker
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Path

if TYPE_CHECKING:
    from kgqa_graphdb.graph import Graph

SHOWN = 10
"""Of a path's ends that are looked at more closely, the first by key."""
MAX_EDGES = 2_000
"""Facts of a hop that are looked at: a few say what kind of thing there is, and how many about as well."""


@dataclass(frozen=True, slots=True)
class Ends:
    """What a path leads to.

    :ivar count: of nodes, or of values
    :ivar values: it ends in values
    :ivar leaving: codes of the steps that leave each of the first :data:`SHOWN` nodes: of people others than of places
    """

    count: int
    values: bool = False
    leaving: tuple[tuple[str, ...], ...] = ()


def ends_of(graph: Graph, topic: Entity, paths: Sequence[Path]) -> Steps[list[Ends] | None]:
    """See :meth:`kgqa_graphdb.graph.Graph.ends`."""
    try:
        return (yield from _ends(graph, topic, paths))
    except ReadTimeoutError:
        return None


def _ends(graph: Graph, topic: Entity, paths: Sequence[Path]) -> Steps[list[Ends]]:
    walker, memo, starts = Walker(graph.mapping, MAX_EDGES), Memo(), (topic.element_id,)
    walks: list[Walk] = []
    for path in paths:
        walks.append((yield from walker.walk(starts, path, memo, topics=starts)))
    shown = [() if walk.end is not None else walk.ends[:SHOWN] for walk in walks]
    leaving = yield from walker.departures(sorted({node for nodes in shown for node in nodes}))
    return [
        Ends(len({value for _, value in walk.values}), values=True)
        if walk.end is not None
        else Ends(len(walk.ends), leaving=tuple(leaving.get(node, ()) for node in nodes))
        for walk, nodes in zip(walks, shown, strict=True)
    ]
