"""What the methods are composed of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.plan import Answer
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Link, Path, Question, Scored

C = TypeVar("C")


class Linker(Protocol):
    """Finds the entities that a question speaks of, likeliest first."""

    def link(self, question: Question, graph: Graph) -> Steps[tuple[Link, ...]]: ...


class Ranker(Protocol[C]):
    """Orders candidates by how well they fit a question, best first."""

    def rank(self, question: str, candidates: Sequence[C]) -> Steps[tuple[Scored[C], ...]]: ...


class Proposer(Protocol):
    """Finds the relation paths of a schema that may fit a question, best first.

    :param question: the question with its topics masked
    :param starts: step codes by which the topic can be left
    """

    def propose(
        self, question: str, starts: Sequence[str], mapping: GraphMapping, max_hops: int
    ) -> Steps[tuple[Scored[Path], ...]]: ...


class Method(Protocol):
    """Answers questions over a graph."""

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]: ...
