"""The methods by name, and how each of them gives up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from kgqa_graphdb.graph import EndpointStats, Graph, Memo
from kgqa_graphdb.methods.finish import conclude, give_up
from kgqa_graphdb.methods.paths import Paths, PathsSettings
from kgqa_graphdb.methods.relation_paths import NOTE_BELOW, NOTE_BEST_PATH_EMPTY
from kgqa_graphdb.plan import Answer, Follow, Plan, Result
from kgqa_graphdb.rank import PathProbe, Proposal
from kgqa_graphdb.steps import Mark, Steps, ask, run
from kgqa_graphdb.types import Entity, Link, Question, Scored, Step
from tests.unit.methods.made import (
    DIRECTED,
    DOWN,
    MAPPING,
    UP,
    LinkedAs,
    MadeGraph,
    MadeModel,
    NothingToDo,
    OneLink,
    chain,
    proposed_by,
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


def test_without_a_name_in_the_question_paths_abstains() -> None:
    answer = finish(chain(NoLinks()).answer(Question("who did it"), Graph(MAPPING)))
    assert answer.abstained == "no entity of graph 'films' is named in the question"
    assert answer.text == f"I can't answer that: {answer.abstained}."
    assert (answer.answers, answer.proof, answer.cypher) == ((), (), None)


def answered(scores: dict[str, float], graph: Graph, doubted: dict[str, float] | None = None) -> Answer:
    model = MadeModel(scores, doubted or {})
    return run(chain(OneLink(), model).answer(Question("up"), graph), NothingToDo())


def test_the_score_of_an_answer_is_what_the_model_makes_of_its_paths() -> None:
    answer = answered({"likely": 0.8, "less": 0.7}, MadeGraph(relation="likely"))
    assert [one.score for one in answer.answers] == [0.4]
    assert answer.notes == ("first look",)


def test_a_model_can_see_what_paths_lead_to_before_it_ranks_them() -> None:
    model = MadeModel({"likely": 0.2, "less": 0.1}, {"other": 0.5})
    graph = MadeGraph(reached={"less": (UP, DOWN), "other": (DOWN,)})
    run(chain(OneLink(), model).answer(Question("up"), graph), NothingToDo())
    assert model.seen == [[EndpointStats(0), EndpointStats(2)], [EndpointStats(1)]]


def test_of_several_answers_those_come_first_that_other_paths_lead_to_as_well() -> None:
    off = Entity("off", "Off")
    ends = {"likely": (DOWN, UP), "less": (UP, off), "least": (DOWN,)}
    scores = {"likely": 0.9, "less": 0.5, "least": 0.4}
    graph = MadeGraph(reached=ends)
    answer = answered(scores, graph)
    assert [(one.item, one.score) for one in answer.answers] == [(UP, pytest.approx(0.7)), (DOWN, pytest.approx(0.65))]
    assert [one.score for one in answer.proof] == [0.45]
    assert graph.walked == ["likely", "less", "least"]
    some = chain(OneLink(), MadeModel(scores, {}), voter_share=0.5)
    answer = run(some.answer(Question("up"), MadeGraph(reached=ends)), NothingToDo())
    assert [(one.item, one.score) for one in answer.answers] == [(UP, pytest.approx(0.7)), (DOWN, 0.45)]


def test_of_equals_those_come_first_to_which_more_ways_lead_then_those_of_which_more_is_known() -> None:
    few, well_known = Entity("few", "A few", element_id="few"), Entity("known", "Known", element_id="known")
    ends = {"likely": (few, DOWN, UP, well_known), "less": (DOWN,)}
    graph = MadeGraph(reached=ends, led={UP: 4, few: 2, well_known: 2}, known={"known": 30, "few": 3})
    scores = {one.item: one.score for one in answered({"likely": 0.8, "less": 0.5}, graph).answers}
    assert list(scores) == [DOWN, UP, well_known, few]  # what another path leads to as well stays before all others
    assert scores[UP] == pytest.approx(0.4 * 0.9999)
    assert scores[well_known] == pytest.approx(0.4 * 0.995)
    assert scores[few] == pytest.approx(0.4 * (0.995 - 0.0001 * 0.9))


def test_scores_that_are_no_probabilities_are_not_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MadeModel, "scores_are_probabilities", False)
    graph = MadeGraph(reached={"likely": (DOWN, UP), "less": (UP,)})
    assert [one.score for one in answered({"likely": 0.6, "less": 0.5}, graph).answers] == [0.3, 0.3]
    assert graph.walked == ["likely"]


def test_where_the_best_path_leads_nowhere_another_counts_half_and_the_answer_says_so() -> None:
    answer = answered({"likely": 0.8, "less": 0.6}, MadeGraph(relation="less"))
    assert [one.score for one in answer.answers] == [0.15]
    assert answer.notes == ("first look", NOTE_BEST_PATH_EMPTY)


@pytest.mark.parametrize("unlikely", [0.39, 0.2])
def test_where_the_best_path_leads_nowhere_a_far_less_likely_one_is_no_answer(unlikely: float) -> None:
    graph = MadeGraph(relation="unlikely")
    answer = answered({"likely": 0.8, "unlikely": unlikely}, graph)
    assert answer.abstained == "the paths that fit the question lead nowhere in the graph"
    assert graph.walked == ["likely"]


@pytest.mark.parametrize("key", ["m.05kh7j4", "g.11b", "_:b0"])
def test_what_leads_to_a_node_without_a_name_is_an_answer_only_where_nothing_else_is(key: str) -> None:
    nameless = Entity(key, key)
    graph = MadeGraph(relation="unlikely", reached={"likely": (nameless,), "also": (nameless,)})
    answer = answered({"likely": 0.9, "also": 0.8, "unlikely": 0.31}, graph)
    assert ([one.item for one in answer.answers], answer.notes) == ([UP], ("first look",))
    assert [one.score for one in answer.answers] == [0.155]
    assert graph.walked == ["likely", "also", "unlikely"]
    alone = answered({"likely": 0.9, "also": 0.8}, MadeGraph(reached={"likely": (nameless,), "also": (UP,)}))
    assert [one.item for one in alone.answers] == [UP]
    only = answered({"likely": 0.9, "also": 0.8}, MadeGraph(reached={"likely": (nameless,), "also": (nameless,)}))
    assert [(one.item, one.score) for one in only.answers] == [(nameless, 0.45)]


def test_a_node_that_is_called_as_freebase_ids_are_is_named_where_its_key_is_another() -> None:
    assert Entity("7", "m.05kh7j4").is_named
    assert Entity("m.05kh7j4", "Ada").is_named
    assert Entity("M.05", "M.05").is_named
    assert not Entity("CVT1@train-7", "CVT1@train-7").is_named


def test_what_fits_too_little_is_not_looked_for() -> None:
    graph = MadeGraph(relation="unlikely")
    assert answered({"unlikely": 0.2}, graph).abstained == "nothing in the graph fits the question well enough"
    assert graph.walked == []


def test_what_was_doubted_is_answered_where_nothing_else_fits() -> None:
    doubted = {"doubted": 0.1}
    answer = answered({"unlikely": 0.2}, MadeGraph(relation="doubted"), doubted)
    assert [(one.item, one.score) for one in answer.answers] == [(UP, 0.05)]
    assert answer.notes == ("first look", "second look")
    below = NOTE_BELOW.format("the unlikely of Up", 0.2, 0.3)
    assert answered({"unlikely": 0.2}, MadeGraph()).notes == ("first look", "second look", below)
    graph = MadeGraph(relation="doubted")
    assert (
        answered({"likely": 0.8}, graph, doubted).abstained
        == "the paths that fit the question lead nowhere in the graph"
    )
    assert graph.walked == ["likely"]


class OneTopicModel(MadeModel):
    """Knows a path from a topic whose mention ends before the question does."""

    def propose(
        self,
        question: str,
        start_codes: Sequence[str],
        max_hops: int = 3,
        limit: int = 32,
        look: PathProbe | None = None,
    ) -> Steps[Proposal]:
        yield from ask(Mark("reason"))
        return proposed_by({} if question == "[X]" else self.scores, 0.3, question)


@pytest.mark.parametrize("less", [0.6, 0.3])
def test_a_name_inside_a_longer_one_is_the_topic_where_nothing_fits_the_longer(less: float) -> None:
    graph, model = MadeGraph(relation="likely"), OneTopicModel({"likely": 0.8}, {"doubted": 0.9})
    answer = run(chain(LinkedAs(less), model).answer(Question("up there"), graph), NothingToDo())
    assert [link.entity for link in answer.links] == [DOWN, UP]
    assert answer.notes == ("[X]", "[X] there")
    assert graph.walked == ["likely"]
    fits = MadeGraph(relation="likely")
    longer = MadeModel({"likely": 0.8}, {})
    answer = run(chain(LinkedAs(0.3), longer).answer(Question("up there"), fits), NothingToDo())
    assert [link.entity for link in answer.links] == [UP, DOWN]


def test_how_likely_an_answer_must_be_can_be_said() -> None:
    assert Paths.of(PathsSettings(abstain_below=0.1)).relation_paths.least_fit == 0.1
    usual = Paths.of(PathsSettings()).relation_paths
    assert (usual.least_fit, usual.least_share) == (None, None)
    assert Paths.of(PathsSettings(abstain_below=0)).relation_paths.least_share == 0
    assert [Paths.of(PathsSettings(abstain_below=low)).relation_paths.always for low in (None, 0, 0.1)] == [0, 1, 0]


@pytest.mark.parametrize(("share", "answers"), [(None, []), (0.0, [(UP, 0.1)])])
def test_what_fits_far_less_than_what_leads_nowhere_is_an_answer_where_doubt_is_no_matter(
    share: float | None, answers: list[tuple[Entity, float]]
) -> None:
    model = MadeModel({"likely": 0.9, "unlikely": 0.4}, {})
    paths = chain(OneLink(), model, least_share=share)
    answer = run(paths.answer(Question("up"), MadeGraph(relation="unlikely")), NothingToDo())
    assert [(one.item, one.score) for one in answer.answers] == answers
    assert (NOTE_BEST_PATH_EMPTY in answer.notes) == bool(answers)


def test_what_a_bound_keeps_from_answering_is_told_apart_from_nothing_at_all() -> None:
    below = answered({"unlikely": 0.2, "less": 0.1}, MadeGraph(relation="unlikely"))
    assert below.notes[-1].startswith(
        "the reading that fits best, the unlikely of Up, fits by 0.20 where 0.30 is needed"
    )
    nothing = answered({}, MadeGraph())
    assert nothing.abstained == "the graph has no facts about 'Up' that the question may ask for"
    assert nothing.notes == ("first look", "second look")


class DoubtfulModel(MadeModel):
    """Proposes nothing for doubt alone."""

    def propose(
        self,
        question: str,
        start_codes: Sequence[str],
        max_hops: int = 3,
        limit: int = 32,
        look: PathProbe | None = None,
    ) -> Steps[Proposal]:
        yield from ask(Mark("reason"))
        return Proposal((), 0, 0.0, doubted=(0.02, 0.1))


def test_a_trained_models_doubt_is_told_with_its_bound() -> None:
    answer = run(chain(OneLink(), DoubtfulModel({}, {})).answer(Question("up"), MadeGraph()), NothingToDo())
    assert answer.abstained == "nothing in the graph fits the question well enough"
    assert "likely by 0.02 where 0.1 is needed; --abstain-below 0" in answer.notes[-1]


@dataclass(frozen=True, eq=False)
class GraphWithSteps(MadeGraph):
    """One whose topics can be left by a step."""

    def first_steps(self, entities: Sequence[Entity]) -> Steps[dict[str, tuple[str, ...]]]:
        yield from ask(Mark("retrieve"))
        return {entity.element_id: (">directed_by", ">gone") for entity in entities}


@pytest.mark.parametrize("scores", [{}, {"likely": 0.8}, {"unlikely": 0.0}, {f"empty{n}": 0.5 for n in range(60)}])
def test_a_bound_of_0_answers_wherever_a_path_leads_anywhere(scores: dict[str, float]) -> None:
    graph = GraphWithSteps(relation="directed_by")
    usual = chain(OneLink(), MadeModel(scores, {}))
    assert run(usual.answer(Question("up"), graph), NothingToDo()).abstained
    always = chain(OneLink(), MadeModel(scores, {}), least_fit=0.0, least_share=0.0, always=True)
    assert [one.item for one in run(always.answer(Question("up"), graph), NothingToDo()).answers] == [UP]


def test_a_bound_of_0_takes_less_likely_topics_where_the_likely_ones_lead_nowhere() -> None:
    model = MadeModel({"likely": 0.8}, {})
    always = chain(LinkedAs(0.3), model, least_fit=0.0, least_share=0.0, always=True)

    @dataclass(frozen=True, eq=False)
    class OnlyDown(MadeGraph):
        def execute(self, plan: Plan, memo: Memo | None = None) -> Steps[Result]:
            result = yield from MadeGraph.execute(self, plan, memo)
            return result if isinstance(plan, Follow) and plan.topic == DOWN else replace(result, nodes=())

    answer = run(always.answer(Question("up there"), OnlyDown(relation="likely")), NothingToDo())
    assert [one.item for one in answer.answers] == [UP]
    assert answer.links[0].entity == DOWN


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
