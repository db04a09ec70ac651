"""The methods by name, and how each of them gives up."""

from __future__ import annotations

from typing import Any

import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.methods import METHODS, Paths, make_method
from kgqa_graphdb.methods.finish import conclude, give_up
from kgqa_graphdb.plan import Answer, Follow, Result
from kgqa_graphdb.steps import Mark, Steps, ask
from kgqa_graphdb.types import Entity, Link, Question, Scored, Step

DIRECTED = make_relation("directed_by")
MAPPING = GraphMapping(
    graph="films",
    entities=(EntityKind("KG_films", "entity_id", ("name",)),),
    relations=(DIRECTED,),
    label="KG_films",
    owned=True,
)


def finish(steps: Steps[Answer]) -> Answer:
    """Run a stage that asks the server for nothing."""
    try:
        while True:
            assert isinstance(steps.send(None), Mark)
    except StopIteration as stop:
        answer: Answer = stop.value
        return answer


class NoLinks:
    """Links nothing."""

    def link(self, question: Question, graph: Graph) -> Steps[tuple[Link, ...]]:
        yield from ask(Mark("link"))
        return ()


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_made_by_its_name(name: str) -> None:
    assert callable(make_method(name).answer)


def test_an_unknown_method_names_the_nearest_and_all() -> None:
    with pytest.raises(UsageError, match=r"no method 'path'; nearest: 'paths'; choose from: .*paths"):
        make_method("path")
    with pytest.raises(UsageError, match=r"no method 'zzz'; choose from"):
        make_method("zzz")


def test_without_a_name_in_the_question_paths_abstains() -> None:
    answer = finish(Paths(linker=NoLinks()).answer(Question("who did it"), Graph(MAPPING)))
    assert answer.abstained == "no entity of graph 'films' is named in the question"
    assert answer.text == f"I can't answer that: {answer.abstained}."
    assert (answer.answers, answer.proof, answer.cypher) == ((), (), None)


def test_giving_up_keeps_what_was_linked_and_the_notes() -> None:
    link = Link(0, 2, Entity("up", "Up"), 1.0)
    answer = give_up("paths", Question("Up"), (link,), "of a reason", ["noted"])
    assert (answer.links, answer.notes, answer.abstained) == ((link,), ("noted",), "of a reason")


def test_answers_are_ordered_by_score_then_name_then_id() -> None:
    up, a, b, c = Entity("up", "Up"), Entity("2", "Ann"), Entity("1", "Ann"), Entity("3", "Zoe")
    plan = Follow(up, (Step(DIRECTED),))
    proof = (Scored(Result(plan, (a, b), (), False), 0.5), Scored(Result(plan, (a, c), (), True), 0.9))
    answer: Any = finish(conclude("paths", Question("q"), Graph(MAPPING), (), proof))
    assert [(one.item.id, one.score) for one in answer.answers] == [("2", 0.9), ("3", 0.9), ("1", 0.5)]
    assert any("more was found than is shown" in note for note in answer.notes)
    assert answer.cypher == Graph(MAPPING).statement(plan)
