"""The subgraphs that join candidates with the entities of a question, and the sequences that they are read as.

Source: M. Salnikov et al., Large Language Models Meet Knowledge Graphs to Answer Factoid Questions (2023), algorithms
1 and 2. As there a subgraph has the nodes of one shortest path from each entity of the question, whatever the
directions, and all facts among them. There the shortest path is any, here the first by relations and keys; there nodes
that are not joined stand in the sequence, too, here facts alone do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgqa_graphdb.graph import ConnectingPath, Graph
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
    :ivar codes: of the steps of each path
    """

    candidate: Entity
    topics: tuple[Entity, ...]
    nodes: tuple[Entity, ...]
    ways: tuple[Fact, ...]
    facts: tuple[Fact, ...]
    codes: tuple[tuple[str, ...], ...]

    @property
    def hops(self) -> tuple[int, ...]:
        """Of each path."""
        return tuple(map(len, self.codes))


def candidate_graphs(graph: Graph, paths: Sequence[ConnectingPath]) -> Steps[dict[Entity, CandidateGraph]]:
    """The subgraph of each candidate that paths lead to, the facts of all of them read together.

    :param paths: from topics to candidates, one a pair
    """
    by_candidate: defaultdict[Entity, list[ConnectingPath]] = defaultdict(list)
    for path in paths:
        by_candidate[path.target].append(path)
    passed = dict.fromkeys(node for path in paths for fact in path.facts for node in _ends(fact))
    among: defaultdict[Entity, list[tuple[Entity, Fact]]] = defaultdict(list)
    for fact in (yield from graph.facts_among(list(passed))):
        if isinstance(fact.tail, Entity):
            among[fact.head].append((fact.tail, fact))
    graphs = {}
    for candidate, own in by_candidate.items():
        ways = tuple(dict.fromkeys(fact for path in own for fact in path.facts))
        between = [node for fact in ways for node in _ends(fact)]
        nodes = tuple(dict.fromkeys((*(path.source for path in own), *between, candidate)))
        members = frozenset(nodes)
        facts = dict.fromkeys(fact for node in nodes for tail, fact in among[node] if tail in members)
        facts.update(dict.fromkeys(ways))  # between two hubs
        sources = tuple(path.source for path in own)
        codes = tuple(tuple(step.code for step in path.path) for path in own)
        graphs[candidate] = CandidateGraph(candidate, sources, nodes, ways, tuple(facts), codes)
    return graphs


def _ends(fact: Fact) -> Iterator[Entity]:
    yield fact.head
    if isinstance(fact.tail, Entity):
        yield fact.tail


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
