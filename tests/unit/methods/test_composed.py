"""Composed questions alone, relation paths alone, and the chain of both."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kgqa_graphdb.compose import Composed, QuestionComposer
from kgqa_graphdb.errors import ReadTimeoutError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.methods.composed import ComposedQuestions
from kgqa_graphdb.methods.linked import GraphModels
from kgqa_graphdb.methods.paths import Paths
from kgqa_graphdb.methods.protocols import PathModel
from kgqa_graphdb.methods.relation_paths import RelationPaths
from kgqa_graphdb.plan import Answer, Follow
from kgqa_graphdb.steps import Steps, run
from kgqa_graphdb.types import Link, Question, Step
from tests.unit.methods.made import DIRECTED, UP, MadeGraph, MadeModel, NothingToDo, OneLink

PLAN = Follow(UP, (Step(DIRECTED),))


class Composing(QuestionComposer):
    """Composes what it was made with.

    :ivar found: a plan, nothing, or an error
    """

    def __init__(self, found: Composed | ReadTimeoutError | None) -> None:
        super().__init__()
        object.__setattr__(self, "found", found)

    def compose(
        self, question: Question, links: Sequence[Link], graph: Graph, model: PathModel
    ) -> Steps[Composed | None]:
        yield from ()
        if isinstance(self.found, ReadTimeoutError):
            raise self.found
        return self.found


class Counting(OneLink):
    """Counts how often it links."""

    def __init__(self) -> None:
        self.asked = 0

    def link(self, question: Question, graph: Graph) -> Steps[tuple[Link, ...]]:
        self.asked += 1
        return (yield from super().link(question, graph))


def models() -> GraphModels:
    return GraphModels(lambda mapping: MadeModel({"directed_by": 0.8}, {}))


def answered(found: Composed | ReadTimeoutError | None, graph: MadeGraph) -> tuple[Answer, Answer]:
    """The answers of composed questions alone, and of the chain, which links once."""
    linker, shared = Counting(), models()
    composed = ComposedQuestions(linker, shared, Composing(found))
    alone = run(composed.answer(Question("up"), graph), NothingToDo())
    chain = Paths(RelationPaths(linker, shared), composed)
    answer = run(chain.answer(Question("up"), graph), NothingToDo())
    assert linker.asked == 2
    return alone, answer


def test_a_composed_plan_is_answered_before_any_path() -> None:
    alone, chained = answered(Composed(PLAN, 0.6), MadeGraph(relation="directed_by"))
    assert (alone.method, chained.method) == ("composed", "paths")
    assert [(one.item, one.score) for one in alone.answers] == [(one.item, one.score) for one in chained.answers]
    assert [one.score for one in alone.answers] == [0.6]


def test_a_composed_plan_that_leads_nowhere_is_no_reason_to_follow_paths() -> None:
    alone, chained = answered(Composed(PLAN, 0.6), MadeGraph(relation="another"))
    assert alone.abstained == chained.abstained == "nothing in the graph is the director of Up"
    assert chained.method == "paths"


@pytest.mark.parametrize("found", [None, ReadTimeoutError("too long")])
def test_where_nothing_is_composed_paths_are_followed(found: ReadTimeoutError | None) -> None:
    alone, chained = answered(found, MadeGraph(relation="directed_by"))
    assert alone.abstained == (
        "the question counts, compares, ranks, groups and leaves out nothing that was understood"
    )
    assert (alone.method, alone.links[0].entity) == ("composed", UP)
    assert (chained.method, chained.abstained) == ("paths", "")
    followed = run(
        RelationPaths(OneLink(), models()).answer(Question("up"), MadeGraph(relation="directed_by")), NothingToDo()
    )
    assert (followed.method, followed.answers) == ("relation_paths", chained.answers)
