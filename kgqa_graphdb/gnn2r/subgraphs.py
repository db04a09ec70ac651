"""The subgraph that a question is answered on: cut out of an exported graph, or read out of Neo4j."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgqa_graphdb.errors import SubgraphError
from kgqa_graphdb.export import (
    ExportedGraph,
    IndexedSubgraph,
    SubgraphSettings,
    cut_subgraph,
    cut_to_size,
    read_subgraph,
)
from kgqa_graphdb.graph import NEIGHBOURHOOD_LIMITS, Graph
from kgqa_graphdb.graph.lookup import keyed_entities
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Ints


@dataclass(frozen=True, slots=True, eq=False)
class QuestionSubgraph:
    """A question's subgraph.

    :ivar index: its entities and facts by numbers
    :ivar source: the exported graph that it was cut out of; ``None``: it was read out of Neo4j
    :ivar entities: what the numbers in ``index.nodes`` stand for, of one that was read out of Neo4j
    :ivar truncated: a limit cut what lies around the topics before it was cut to its size
    """

    index: IndexedSubgraph
    source: ExportedGraph | None = None
    entities: tuple[Entity, ...] = ()
    truncated: bool = False

    def named(self, places: Ints, graph: Graph) -> Steps[list[Entity | None]]:
        """The entities at some places of the subgraph; ``None``: the graph does not have it any more."""
        numbers = self.index.nodes[places].tolist()
        if self.source is None:
            return [self.entities[number] for number in numbers]
        return (yield from entities_of(self.source, numbers, graph))


def entities_of(source: ExportedGraph, numbers: Sequence[int], graph: Graph) -> Steps[list[Entity | None]]:
    """The entities that some numbers of an exported graph stand for; ``None``: the graph does not have it any more.

    A key identifies an entity among those of its label: order 2 is not customer 2. Where the graph has no such key any
    more, one of the same name is taken.
    """
    keys, names = source.keys.take(numbers), source.names.take(numbers)
    keyed = {
        (named.entity.id, frozenset(named.entity.labels)): named.entity
        for named in (yield from keyed_entities(graph, keys))
    }
    found = [keyed.get((key, source.labels(number))) for key, number in zip(keys, numbers, strict=True)]
    missing = [name for name, entity in zip(names, found, strict=True) if entity is None]
    called = (yield from graph.find(missing)) if missing else {}
    return [entity or next(iter(called.get(name, ())), None) for name, entity in zip(names, found, strict=True)]


def question_subgraph(
    graph: Graph, topics: Sequence[Entity], settings: SubgraphSettings, source: ExportedGraph | None = None
) -> Steps[QuestionSubgraph]:
    """The subgraph around topics.

    :param source: the graph, exported; ``None``: it is read out of Neo4j
    :raises SubgraphError: no fact joins a topic with anything, or too much lies around the topics
    """
    if source is not None:
        numbers = [number for topic in topics for number in numbers_of(source, topic)]
        if not numbers:
            names = ", ".join(repr(topic.name) for topic in topics[:3])
            raise SubgraphError(f"{source.folder} does not have {names}; export the graph again")
        return QuestionSubgraph(cut_subgraph(source, numbers, settings), source)
    found = yield from read_subgraph(graph, topics, settings.hops, NEIGHBOURHOOD_LIMITS, allow_cut=True)
    return QuestionSubgraph(cut_to_size(found.index, settings), None, found.entities, found.truncated)


def numbers_of(source: ExportedGraph, entity: Entity) -> list[int]:
    """The numbers that an entity has in an exported graph: one, or where it has no key those of its namesakes."""
    if not entity.has_key:
        return source.names.find(entity.name)
    return [number for number in source.keys.find(entity.id) if source.labels(number) == frozenset(entity.labels)]
