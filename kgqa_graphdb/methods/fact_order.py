"""The facts of a subgraph in the order in which a reader should see them, where it can't see all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np

from kgqa_graphdb.plan import Follow
from kgqa_graphdb.steps import Embed, Steps, ask
from kgqa_graphdb.types import Entity, Fact, Floats, Node, Path, Scored, Step, Subgraph
from kgqa_graphdb.verbalise import fact_triple

MAX_WAYS = 4
"""Ways of one length to an entity that are followed further."""
MAX_PATHS = 1_000
"""Relation paths that are ranked; facts on others come last, nearest first."""
MAX_COMPARED = 5_000
"""Facts that are compared with a question, those nearest the topics: 590 a second are embedded. Others come last."""


class RanksPaths(Protocol):
    """Ranks relation paths by how well they fit a question; see :class:`kgqa_graphdb.rank.PathRanker`."""

    def rank(self, question: str, candidates: Sequence[Follow]) -> Steps[tuple[Scored[Follow], ...]]: ...


@dataclass(frozen=True, slots=True)
class _Way:
    """A shortest way from a topic to an entity.

    :ivar topic: where it starts
    :ivar path: the relations on it
    :ivar facts: the facts on it
    """

    topic: Entity
    path: Path
    facts: tuple[Fact, ...]


def in_order(question: str, subgraph: Subgraph, ranker: RanksPaths) -> Steps[tuple[Fact, ...]]:
    """The facts of a subgraph, those on the relation paths that fit the question best first, each way whole.

    :param question: with its topics masked
    """
    by_path: dict[Path, list[_Way]] = {}
    for way in _ways(subgraph):
        by_path.setdefault(way.path, []).append(way)
    candidates = [Follow(ways[0].topic, path) for path, ways in list(by_path.items())[:MAX_PATHS]]
    ranked = yield from ranker.rank(question, candidates)
    found: dict[Fact, None] = {}
    for scored in ranked:
        for way in by_path[scored.item.path]:
            found.update(dict.fromkeys(way.facts))
    found.update(dict.fromkeys(subgraph.facts))
    return tuple(found)


def by_similarity(question: str, subgraph: Subgraph) -> Steps[tuple[Fact, ...]]:
    """The facts of a subgraph, those first whose triples a text encoder finds most like the question.

    Source: J. Baek et al., Knowledge-Augmented Language Model Prompting for Zero-Shot Knowledge Graph Question
    Answering (2023), known as KAPING.

    :raises EncoderError: there is no encoder
    """
    cosines = yield from _cosines(question, subgraph.facts[:MAX_COMPARED])
    order = np.argsort(-cosines, kind="stable")
    return (*(subgraph.facts[place] for place in order.tolist()), *subgraph.facts[len(cosines) :])


def similar_ends(question: str, subgraph: Subgraph, most: int) -> Steps[tuple[Scored[Node], ...]]:
    """The nodes to which the facts lead whose triples a text encoder finds most like the question, best first.

    A fact leads to its end that is farther from the topics; topics are none. A node scores as its best fact, 0..1.

    :param most: nodes
    :raises EncoderError: there is no encoder
    """
    compared = subgraph.facts[:MAX_COMPARED]
    cosines = yield from _cosines(question, compared)
    best: dict[Node, Scored[Node]] = {}
    for place in np.argsort(-cosines, kind="stable").tolist():
        for node in _far_ends(compared[place], subgraph):
            best.setdefault(node, Scored(node, min(1.0, max(0.0, float(cosines[place])))))
    return tuple(islice(best.values(), most))


def _cosines(question: str, facts: Sequence[Fact]) -> Steps[Floats]:
    """How like a question the triples of facts are, shape (facts,), -1..1."""
    if not facts:
        return np.zeros(0, dtype=np.float32)
    (asked,) = yield from ask(Embed((question,)))
    triples = yield from ask(Embed(tuple(map(fact_triple, facts)), keep=True))
    cosines: Floats = triples @ asked
    return cosines


def _far_ends(fact: Fact, subgraph: Subgraph) -> Iterator[Node]:
    """The end of a fact that is farther from the topics; both where they are as far, and no topic."""
    head = subgraph.distances.get(fact.head, 0)
    tail = subgraph.distances.get(fact.tail, head + 1) if isinstance(fact.tail, Entity) else head + 1
    for node, hops, other in ((fact.head, head, tail), (fact.tail, tail, head)):
        if hops and hops >= other:
            yield node


def _ways(subgraph: Subgraph) -> Iterator[_Way]:
    """The shortest ways from topics to all that the subgraph has, the shorter first, and at most some of each node."""
    around: defaultdict[Node, list[tuple[Step, Fact, Node]]] = defaultdict(list)
    for fact in subgraph.facts:
        around[fact.head].append((Step(fact.relation), fact, fact.tail))
        if isinstance(fact.tail, Entity):
            around[fact.tail].append((Step(fact.relation, inverse=True), fact, fact.head))
    distances: dict[Node, int] = dict.fromkeys(subgraph.topics, 0)
    level: Mapping[Node, list[_Way]] = {topic: [_Way(topic, (), ())] for topic in subgraph.topics}
    while level:
        longer: defaultdict[Node, list[_Way]] = defaultdict(list)
        for node, ways in level.items():
            for step, fact, other in around[node]:
                hop = distances[node] + 1
                if distances.setdefault(other, hop) < hop:
                    continue
                for way in ways:
                    further = _Way(way.topic, (*way.path, step), (*way.facts, fact))
                    yield further
                    if len(longer[other]) < MAX_WAYS and all(one.path != further.path for one in longer[other]):
                        longer[other].append(further)
        level = longer
