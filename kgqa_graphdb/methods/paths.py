"""The default method: a composed plan where the question counts, compares or ranks, a relation path everywhere else."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Self

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.methods.composed import ComposedQuestions
from kgqa_graphdb.methods.linked import GraphModels, link_topics
from kgqa_graphdb.methods.relation_paths import RelationPaths
from kgqa_graphdb.plan import Answer
from kgqa_graphdb.rank import make_ranker, read_model
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Question

NAME = "paths"
NO_PROBABILITIES = (
    "several readings can be answered with a trained model only (--model): without one nothing says how likely each "
    "is; kgqa train paths makes one"
)


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
    def of(cls, model: Path | str | None = None, readings: int = 1, abstain_below: float | None = None) -> Self:
        """With the ranker in a folder, or the untrained one.

        :param abstain_below: 0..1, how likely a path at all must be by a trained ranker, or how well one must fit; 0:
            whatever leads anywhere is an answer
        :raises UsageError: the folder holds none, readings are asked for without one, or a number is out of range
        """
        if readings < 1:
            raise UsageError(f"{readings} readings can't be answered: at least 1")
        if abstain_below is not None and not 0 <= abstain_below <= 1:
            raise UsageError(f"a bound of {abstain_below:g} on how likely an answer must be is not in 0..1")
        if model is None and readings > 1:
            raise UsageError(NO_PROBABILITIES)
        share = 0.0 if abstain_below == 0 else None
        if model is None:
            return cls.over(RelationPaths(least_fit=abstain_below, least_share=share))
        models = GraphModels(partial(make_ranker, model=read_model(model), abstain_below=abstain_below))
        return cls.over(RelationPaths(models=models, readings=readings, least_share=share))

    def answer(self, question: Question, graph: Graph) -> Steps[Answer]:
        """Answer a question; abstains when no entity is named or no path fits."""
        linked = yield from link_topics(self.relation_paths.linker, question, graph)
        answer = yield from self.composed.answer_linked(linked, graph)
        if answer is None:
            answer = yield from self.relation_paths.answer_linked(linked, graph)
        return linked.noted(replace(answer, method=NAME))
