"""What paths lead to, as a ranker looks at it: how much, and by which steps some of it can be left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgqa_graphdb.errors import ReadTimeoutError
from kgqa_graphdb.graph.reader import GraphReader
from kgqa_graphdb.graph.walk import Memo, Walk, Walker
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Path

SHOWN = 10
"""Of a path's ends that are looked at more closely, the first by key."""
MAX_EDGES = 2_000
"""Facts of a hop that are looked at: a few say what kind of thing there is, and how many about as well."""


@dataclass(frozen=True, slots=True)
class EndpointStats:
    """What a path leads to.

    :ivar count: of nodes, or of values
    :ivar values: it ends in values
    :ivar leaving: codes of the steps that leave each of the first :data:`SHOWN` nodes: of people others than of places
    """

    count: int
    values: bool = False
    leaving: tuple[tuple[str, ...], ...] = ()


def endpoint_stats(graph: GraphReader, topic: Entity, paths: Sequence[Path]) -> Steps[list[EndpointStats] | None]:
    """See :meth:`kgqa_graphdb.graph.Graph.endpoint_stats`."""
    try:
        return (yield from _stats(graph, topic, paths))
    except ReadTimeoutError:
        return None


def _stats(graph: GraphReader, topic: Entity, paths: Sequence[Path]) -> Steps[list[EndpointStats]]:
    walker, memo, starts = Walker(graph.mapping, MAX_EDGES), Memo(), (topic.element_id,)
    walks: list[Walk] = []
    for path in paths:
        walks.append((yield from walker.walk(starts, path, memo, topics=starts)))
    shown = [() if walk.end is not None else walk.ends[:SHOWN] for walk in walks]
    leaving = yield from walker.departures(sorted({node for nodes in shown for node in nodes}))
    return [
        EndpointStats(len({value for _, value in walk.values}), values=True)
        if walk.end is not None
        else EndpointStats(len(walk.ends), leaving=tuple(leaving.get(node, ()) for node in nodes))
        for walk, nodes in zip(walks, shown, strict=True)
    ]
