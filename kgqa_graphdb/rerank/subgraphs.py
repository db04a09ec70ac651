"""The subgraphs that join candidates with the entities of a question, and the sequences that they are read as.

Source: M. Salnikov et al., Large Language Models Meet Knowledge Graphs to Answer Factoid Questions (2023), algorithms
1 and 2. As there a subgraph has the nodes of one shortest path from each entity of the question, whatever the
directions, and all facts among them. There the shortest path is any, here the first by relations and keys; there nodes
that are not joined stand in the sequence, too, here facts alone do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from kgqa_graphdb.graph import Graph
from kgqa_graphdb.steps import Steps, together
from kgqa_graphdb.types import Entity, Fact

MARK = "[SEP]"
"""Stands before and after the candidate, as in the paper."""
MOST_FACTS = 24
"""Of a sequence: of more the rest would not be read."""


@dataclass(frozen=True, slots=True)
class CandidateGraph:
    """How a candidate is joined with what a question is about.

    :ivar topics: the question's entities that it is joined with
    :ivar nodes: those, what lies between, and the candidate, each once
    :ivar ways: the facts of one shortest path from each topic, in walking order
    :ivar facts: all facts among the nodes, head by head, those of the paths among them
    :ivar hops: of each path
    """

    candidate: Entity
    topics: tuple[Entity, ...]
    nodes: tuple[Entity, ...]
    ways: tuple[Fact, ...]
    facts: tuple[Fact, ...]
    hops: tuple[int, ...]


def candidate_graphs(
    graph: Graph, topics: Sequence[Entity], candidates: Sequence[Entity], max_hops: int
) -> Steps[dict[Entity, CandidateGraph]]:
    """The subgraph of each candidate, all of them read together; a candidate that no topic is joined with has none.

    In two round trips up to two hops, in three up to four: the paths, then the facts among all nodes on them.

    :param max_hops: of a path, 1..4
    """
    found = yield from graph.paths_between(topics, candidates, max_hops)
    paths = defaultdict(list)
    for path in found.paths:
        paths[path.target].append(path)
    passed = dict.fromkeys(
        node for path in found.paths for fact in path.facts for node in (fact.head, fact.tail)
        if isinstance(node, Entity)
    )  # fmt: skip
    among: defaultdict[Entity, list[tuple[Entity, Fact]]] = defaultdict(list)
    for fact in (yield from graph.facts_among(list(passed))):
        if isinstance(fact.tail, Entity):
            among[fact.head].append((fact.tail, fact))
    graphs = {}
    for candidate, own in paths.items():
        ways = tuple(dict.fromkeys(fact for path in own for fact in path.facts))
        between = [node for fact in ways for node in (fact.head, fact.tail) if isinstance(node, Entity)]
        nodes = tuple(dict.fromkeys((*(path.source for path in own), *between, candidate)))
        members = frozenset(nodes)
        facts = dict.fromkeys(fact for node in nodes for tail, fact in among[node] if tail in members)
        facts.update(dict.fromkeys(ways))  # between two hubs
        graphs[candidate] = CandidateGraph(
            candidate, tuple(path.source for path in own), nodes, ways, tuple(facts),
            tuple(len(path.path) for path in own),
        )  # fmt: skip
    return graphs


def neighbours_of(graph: Graph, topics: Sequence[Entity], most: int) -> Steps[list[Entity]]:
    """The entities one hop from topics that have a name, a topic's in turn with another's; none is a topic itself.

    :param most: of them all
    """
    found = yield from together(graph.neighbourhood([topic], 1) for topic in topics)
    each = [[node for node in one.distances if node not in topics and node.is_named] for one in found]
    turns: dict[Entity, None] = {}
    for place in range(max(map(len, each), default=0)):
        turns.update(dict.fromkeys(own[place] for own in each if place < len(own)))
    return list(turns)[:most]


def linearised(graph: CandidateGraph, *, highlight: bool = True) -> str:
    """A subgraph as a sequence of ``head, relation, tail``, row by row of its matrix, the candidate between marks."""

    def named(entity: Entity) -> str:
        name = entity.name.replace(MARK, " ")
        return f"{MARK} {name} {MARK}" if highlight and entity == graph.candidate else name

    return "; ".join(
        f"{named(fact.head)}, {fact.relation.phrase}, {named(fact.tail)}"
        for fact in graph.facts[:MOST_FACTS] if isinstance(fact.tail, Entity)
    )  # fmt: skip
