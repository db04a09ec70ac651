"""A subgraph with the ids and names of what is in it: cut out of an exported graph, or read out of Neo4j."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.errors import SubgraphError, UnknownEntityError, UsageError
from kgqa_graphdb.export.exported import ExportedGraph, kind_of
from kgqa_graphdb.export.manifest import RelationInfo
from kgqa_graphdb.export.read import edge_relations
from kgqa_graphdb.export.subgraph import IndexedSubgraph
from kgqa_graphdb.graph import Expansion, Graph, NeighbourhoodLimits
from kgqa_graphdb.language.folding import several
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Subgraph

NAMES, RELATIONS = "names", "relations"
"""Features: vectors of the entities' names, and of the relations' words."""
EDGES_ONLY = Expansion(properties=False)


@dataclass(frozen=True, slots=True, eq=False)
class NamedSubgraph:
    """A subgraph, and what its numbers stand for.

    :ivar index: the numbers
    :ivar keys: key of each entity; empty where it has none; shape (nodes,)
    :ivar names: name of each entity
    :ivar kinds: kind of each entity
    :ivar relations: all relations of the graph; their numbers are the places
    :ivar entities: the entities themselves, of a subgraph that was read out of Neo4j; else none
    :ivar truncated: a limit cut what lies around the topics
    """

    index: IndexedSubgraph
    keys: tuple[str, ...]
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    relations: tuple[RelationInfo, ...]
    entities: tuple[Entity, ...] = ()
    truncated: bool = False

    @property
    def relation_ids(self) -> tuple[str, ...]:
        """The ids of the graph's relations."""
        return tuple(relation.id for relation in self.relations)

    def triples(self) -> list[tuple[str, str, str]]:
        """The facts by names."""
        index, ids = self.index, self.relation_ids
        columns = zip(index.head.tolist(), index.relation.tolist(), index.tail.tolist(), strict=True)
        return [(self.names[head], ids[relation], self.names[tail]) for head, relation, tail in columns]


def named(graph: ExportedGraph, index: IndexedSubgraph) -> NamedSubgraph:
    """A subgraph of an exported graph with its names."""
    nodes = index.nodes.tolist()
    kinds = graph.kind_of_set[graph.label_set[index.nodes]].tolist()
    return NamedSubgraph(
        index,
        tuple(graph.keys.take(nodes)),
        tuple(graph.names.take(nodes)),
        tuple(graph.kinds[kind] for kind in kinds),
        graph.manifest.relations,
    )


def read_subgraph(
    graph: Graph, topics: Sequence[str | Entity], hops: int, caps: NeighbourhoodLimits, *, allow_cut: bool = False
) -> Steps[NamedSubgraph]:
    """The subgraph around topics, read out of Neo4j.

    :param topics: entities, or keys or names of some; of several called alike all
    :param allow_cut: take what the caps leave, rather than raise
    :raises UnknownEntityError: nothing in the graph has a topic's key or name
    :raises UsageError: no topic, one that is neither text nor entity, or no hops
    :raises SubgraphError: a topic without facts, or more lies around the topics than the caps allow
    """
    topics = several("topics", topics, Entity)
    if not topics:
        raise UsageError("a subgraph lies around topics; name one or more")
    found = yield from graph.find([topic for topic in topics if isinstance(topic, str)])
    for text, some in found.items():
        if not some:
            raise UnknownEntityError(f"no entity of graph {graph.name!r} has the key or name {text!r}")
    entities = [one for topic in topics for one in (found[topic] if isinstance(topic, str) else (topic,))]
    around = yield from graph.neighbourhood(entities, hops, caps, EDGES_ONLY)
    if around.truncated and not allow_cut:
        raise SubgraphError(
            f"more lies within {hops} hops of the topics than the caps allow ({len(around.facts):,} facts were read);"
            " ask for fewer hops, give higher caps, or take a part with allow_cut=True"
        )
    if not around.facts:
        names = ", ".join(repr(entity.name) for entity in entities[:3])
        raise SubgraphError(f"no fact of graph {graph.name!r} joins {names} with anything; name another topic")
    return _indexed(graph.mapping, around, entities)


def relation_words(relations: Sequence[RelationInfo]) -> tuple[str, ...]:
    """The words of relations from head to tail, then those of all from tail to head."""
    return (*(one.phrase for one in relations), *(one.inverse_phrase for one in relations))


def _indexed(mapping: GraphMapping, around: Subgraph, topics: Sequence[Entity]) -> NamedSubgraph:
    first = list(dict.fromkeys(topic.element_id for topic in topics))
    distances = {entity.element_id: distance for entity, distance in around.distances.items()}
    entities = {entity.element_id: entity for entity in around.distances}
    order = [*first, *sorted(distances.keys() - set(first), key=lambda one: (distances[one], entities[one].id, one))]
    place = {element_id: number for number, element_id in enumerate(order)}
    relations = edge_relations(mapping)
    number = {relation.id: at for at, relation in enumerate(relations)}
    facts = [
        (place[fact.head.element_id], number[fact.relation.id], place[fact.tail.element_id])
        for fact in around.facts
        if isinstance(fact.tail, Entity)
    ]
    columns = np.array(facts, dtype=np.int64).reshape(-1, 3)
    columns = columns[np.lexsort((columns[:, 2], columns[:, 1], columns[:, 0]))]
    index = IndexedSubgraph(
        nodes=np.arange(len(order)),
        distances=np.array([distances[one] for one in order], dtype=np.int64),
        head=columns[:, 0],
        relation=columns[:, 1],
        tail=columns[:, 2],
        facts=np.arange(len(columns)),
        topics=len(first),
        cut=0,
    )
    called = [entities[one] for one in order]
    return NamedSubgraph(
        index,
        tuple(entity.id if entity.has_key else "" for entity in called),
        tuple(entity.name for entity in called),
        tuple(kind_of(entity.labels, owned=mapping.owned) for entity in called),
        relation_infos(mapping),
        tuple(called),
        around.truncated,
    )


def relation_infos(mapping: GraphMapping) -> tuple[RelationInfo, ...]:
    """What an exported graph says of the relations between entities, but for how many facts they have."""
    return tuple(
        RelationInfo(
            id=relation.id,
            phrase=relation.phrase,
            inverse_phrase=relation.inverse_phrase,
            symmetric=relation.symmetric,
        )
        for relation in edge_relations(mapping)
    )
