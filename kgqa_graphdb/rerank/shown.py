"""What rankers are shown of candidates, and what every ranker does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from kgqa_graphdb.rerank.subgraphs import CandidateGraph
from kgqa_graphdb.types import Entity, Floats

RankerKind: TypeAlias = Literal["sequence", "graphormer", "graphormer-question"]
"""A cross-encoder of linearised subgraphs, the paper's graph network, and one that reads the question, too."""
GRAPHORMERS: tuple[RankerKind, ...] = ("graphormer", "graphormer-question")
RANKERS: tuple[RankerKind, ...] = ("sequence", *GRAPHORMERS)
TOPIC, BETWEEN, CANDIDATE, BOTH = range(4)
"""Roles of nodes; both: a candidate that the question is about, too."""
ROLES = 4
RelationWords: TypeAlias = Mapping[str, tuple[str, str]]
"""Of each relation's id the words for walking from head to tail, and those for walking back."""


@dataclass(frozen=True, slots=True)
class RoleGraph:
    """A subgraph without names.

    :ivar roles: of each node
    :ivar edges: head's place, tail's place and the relation's id of each fact
    """

    roles: tuple[int, ...]
    edges: tuple[tuple[int, int, str], ...]

    @classmethod
    def of(cls, graph: CandidateGraph) -> RoleGraph:
        """The nodes of a subgraph by their places, and its facts in their order."""
        place = {node: number for number, node in enumerate(graph.nodes)}
        topics = frozenset(graph.topics)

        def role(node: Entity) -> int:
            if node == graph.candidate:
                return BOTH if node in topics else CANDIDATE
            return TOPIC if node in topics else BETWEEN

        return cls(
            tuple(map(role, graph.nodes)),
            tuple(
                (place[fact.head], place[fact.tail], fact.relation.id)
                for fact in graph.facts if isinstance(fact.tail, Entity)
            ),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class RankRequest:
    """The candidates of a question; a ranker reads of each what it needs.

    :ivar sequences: of each candidate
    :ivar graphs: of each candidate
    :ivar words: of the graph's relations
    """

    question: str
    sequences: tuple[str, ...]
    graphs: tuple[RoleGraph, ...]
    words: RelationWords


class Ranker(Protocol):
    """Says how well candidates answer questions."""

    def scores(self, items: Sequence[RankRequest]) -> list[Floats]:
        """The score of each candidate, unbounded, higher is better; shape (candidates,) for each question.

        :raises EncoderError: a model that it reads with can't be read or run
        """
        ...
