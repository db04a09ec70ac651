"""The default method: a composed plan where the question counts, compares or ranks, a relation path everywhere else."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Self

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.methods.composed import ComposedQuestions
from kgqa_graphdb.methods.described import DescribedTopics
from kgqa_graphdb.methods.linked import GraphModels, Linked, link_topics
from kgqa_graphdb.methods.relation_paths import RelationPaths
from kgqa_graphdb.methods.spec import MethodSpec, setting
from kgqa_graphdb.plan import Answer
from kgqa_graphdb.rank import PathModelFiles, make_ranker, read_model
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Question

NAME = "paths"
NO_PROBABILITIES = (
    "several readings can be answered with a trained model only (--model): without one nothing says how likely each "
    "is; kgqa train paths makes one"
)


@dataclass(frozen=True, slots=True)
class PathsSettings:
    """How the method can be set."""

    readings: int = setting(
        1,
        "With a trained model: where a question can be read in several ways that are about as likely, so many of them "
        "at most are answered, the likeliest first. At least 1.",
    )
    abstain_below: float | None = setting(
        None,
        "0..1: abstain where it is less likely than this that the graph has an answer; at 0 it never does for doubt "
        "alone: any fact about what the question names is an answer then; none: what training found.",
    )

    def __post_init__(self) -> None:
        if self.readings < 1:
            raise UsageError(f"{self.readings} readings can't be answered: at least 1")
        if self.abstain_below is not None and not 0 <= self.abstain_below <= 1:
            raise UsageError(f"a bound of {self.abstain_below:g} on how likely an answer must be is not in 0..1")


@dataclass(frozen=True, slots=True)
class Paths:
    """Composed questions first, then relation paths; topics are linked once.

    :ivar relation_paths: answers what no plan is composed of
    :ivar composed: answers the others
    """

    relation_paths: RelationPaths = field(default_factory=RelationPaths)
    composed: ComposedQuestions = field(default_factory=ComposedQuestions)

    @classmethod
    def over(cls, paths: RelationPaths) -> Self:
        """The chain of both with the linker and the rankers of one."""
        return cls(paths, ComposedQuestions(paths.linker, paths.models))

    @classmethod
    def of(cls, settings: PathsSettings, model: PathModelFiles | None = None) -> Self:
        """With a trained ranker, or the untrained one.

        :raises UsageError: several readings are asked for without a trained ranker
        """
        always = settings.abstain_below == 0
        share = 0.0 if always else None
        if model is None:
            if settings.readings > 1:
                raise UsageError(NO_PROBABILITIES)
            return cls.over(RelationPaths(least_fit=settings.abstain_below, least_share=share, always=always))
        models = GraphModels(partial(make_ranker, model=model, abstain_below=settings.abstain_below))
        return cls.over(RelationPaths(models=models, readings=settings.readings, least_share=share, always=always))

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]:
        """Answer a question; abstains when no entity is named or no path fits."""
        linked = yield from link_topics(self.relation_paths.linker, question, graph)
        answer = yield from self._answer_linked(linked, graph)
        if answer.abstained and not linked.unlinked:
            described = DescribedTopics(self.composed.models, self.composed.composer, self._answer_linked)
            answer = (yield from described.answer(linked, graph)) or answer
        return linked.noted(replace(answer, method=NAME))

    def _answer_linked(self, linked: Linked, graph: Graph) -> Steps[Answer]:
        """Answer a question about what was linked."""
        answer = yield from self.composed.answer_linked(linked, graph)
        return answer if answer is not None else (yield from self.relation_paths.answer_linked(linked, graph))


SPEC = MethodSpec(
    name="paths",
    summary="Relation paths from the linked topics, ranked; plans that count, compare, rank and leave out.",
    build=Paths.of,
    settings=PathsSettings,
    read_model=read_model,
)
