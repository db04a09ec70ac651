"""Probes what paths lead to from the topics of the questions that are trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.graph import EndpointStats, Graph
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.rank.rerank import PathRows
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.steps import Steps, together
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.types import Entity

AT_ONCE = 32
"""Questions whose paths are walked side by side."""


@dataclass(frozen=True, slots=True)
class PathProber:
    """Probes a graph: what paths lead to.

    :ivar graph: that of the client, under the walk rule that is trained for
    """

    kg: KGQA
    graph: Graph
    schema: Schema
    _topics: dict[Entity, Entity | None] = field(default_factory=dict, init=False, repr=False)

    def ends(self, items: Sequence[Item], paths: Sequence[Sequence[PathRows]]) -> list[list[EndpointStats] | None]:
        """Of each item what its paths lead to; ``None``: it has no topic, or that took too long.

        :param paths: of each item
        :raises Neo4jError: the graph can't be read
        """
        self._find({item.topic for item in items if item.topic} - self._topics.keys())
        found: list[list[EndpointStats] | None] = []
        asked = [
            self._probe(self._topics[item.topic] if item.topic else None, some)
            for item, some in zip(items, paths, strict=True)
        ]
        for start in range(0, len(asked), AT_ONCE):
            found += self.kg.perform(together(asked[start : start + AT_ONCE]))
        return found

    def _probe(self, topic: Entity | None, paths: Sequence[PathRows]) -> Steps[list[EndpointStats] | None]:
        if topic is None:
            return None
        return (yield from self.graph.endpoint_stats(topic, [self.schema.path(path) for path in paths]))

    def _find(self, topics: set[Entity]) -> None:
        """The nodes that topics are: those were noted when questions were mined."""
        if topics:
            keyed = self.kg.perform(NameLinker().keyed(sorted({topic.id for topic in topics}), self.graph))
            there = {entity: entity for entity in keyed}
            self._topics.update((topic, there.get(topic)) for topic in topics)
