"""What the methods are composed of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from kgqa_graphdb.graph import Graph
from kgqa_graphdb.plan import Answer, Follow
from kgqa_graphdb.rank import PathProbe, PathRanker, Proposal
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Link, Question, Scored

C = TypeVar("C")


class Linker(Protocol):
    """Finds the entities that a question speaks of, likeliest first."""

    def link(self, question: Question, graph: Graph) -> Steps[tuple[Link, ...]]: ...


class Ranker(Protocol[C]):
    """Orders candidates by how well they fit a question, best first."""

    def rank(self, question: str, candidates: Sequence[C]) -> Steps[tuple[Scored[C], ...]]: ...


class PathModel(Ranker[Follow], Protocol):
    """Finds and ranks relation paths of one graph. Questions have their topics masked by ``rank.mask_mention``.

    :ivar untrained: says what the words of conditions mean
    :ivar in_domain: it learned from questions to this graph, or from its relations
    :ivar scores_are_probabilities: those of paths with an answer in common say together how likely it is
    """

    @property
    def untrained(self) -> PathRanker: ...

    @property
    def in_domain(self) -> bool: ...

    @property
    def scores_are_probabilities(self) -> bool: ...

    def propose(
        self,
        question: str,
        start_codes: Sequence[str],
        max_hops: int = 3,
        limit: int = 32,
        look: PathProbe | None = None,
    ) -> Steps[Proposal]:
        """The paths of the schema that fit a question best.

        :param start_codes: the steps by which the topic can be left
        :param look: tells what paths lead to, to a model that wants to know
        """
        ...

    def propose_fallback(
        self, question: str, start_codes: Sequence[str], max_hops: int = 3, look: PathProbe | None = None
    ) -> Steps[Proposal]:
        """What may fit all the same, where nothing was proposed for any topic."""
        ...

    def confidence(self, score: float) -> float:
        """How sure an answer is whose path or pair of paths has this score, 0..1; grows with the score."""
        ...

    def rank_pairs(
        self, question: str, pairs: Sequence[tuple[Follow, Follow]], start_codes: tuple[Sequence[str], Sequence[str]]
    ) -> Steps[tuple[Scored[tuple[Follow, Follow]], ...]]:
        """Rank intersections of two paths; the question has both topics masked.

        :param start_codes: the steps by which each topic can be left
        """
        ...


class Method(Protocol):
    """Answers questions over a graph."""

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]: ...
