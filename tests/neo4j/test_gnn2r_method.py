"""GNN2R does what every method must do, step I alone and both steps, with a model that was taught a few questions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.errors import ExportError, UsageError
from kgqa_graphdb.plan import Cite, Combine, Follow
from kgqa_graphdb.questions import Pair
from kgqa_graphdb.types import Question
from tests.neo4j import shop
from tests.neo4j.method_case import MethodTestCase, check_answer
from tests.unit.gnn2r.taught import pairs_of, teach, teach_both, widened

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("torch_geometric", reason="PyTorch Geometric is not installed")

HERSCHEL = "What did William Herschel discover?"
FOUND = {"Mimas", "Enceladus", "Titania", "Oberon", "Uranus"}
ASKED = {
    "Who discovered Titan?": {"Christiaan Huygens"},
    "Who discovered Mimas?": {"William Herschel"},
    "Who discovered Europa?": {"Galileo Galilei"},
    HERSCHEL: FOUND,
    "What did Christiaan Huygens discover?": {"Titan"},
    "What does Titan circle?": {"Saturn"},
    "What does Europa circle?": {"Jupiter"},
    "Which moons did William Herschel discover around Saturn?": {"Mimas", "Enceladus"},
}
SHOP_ASKED = {
    "Who is the supplier of Green Tea?": {"Leaf and Sons"},
    "Who is the supplier of Blue Mug?": {"Kiln Works"},
    "What does Kiln Works supply?": {"Blue Mug", "Glass Jar"},
    "Which products did Ada Lovell order?": {"Blue Mug", "Green Tea"},
}

Sources = list[tuple[KGQA, list[Pair]]]


@pytest.fixture(scope="module")
def sources(driver: neo4j.Driver, space: str) -> Iterator[Sources]:
    """Both graphs, and the questions that are taught."""
    shop.write_shop(driver)
    clients = (KGQA(driver, graph=space), KGQA(driver, graph="shop", mapping=shop.MAPPING))
    yield list(zip(clients, (pairs_of(ASKED), pairs_of(SHOP_ASKED)), strict=True))
    shop.remove_shop(driver)


@pytest.fixture(scope="module")
def step_one(sources: Sources, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Folder of a model that was taught step I."""
    return teach(tmp_path_factory.mktemp("gnn2r"), sources)


class TestGnn2r(MethodTestCase):
    method = "gnn2r"
    answers = {"Who discovered Titan?": {"Christiaan Huygens"}, HERSCHEL: FOUND}
    shop_answers = {question: SHOP_ASKED[question] for question in list(SHOP_ASKED)[:1] + list(SHOP_ASKED)[2:]}

    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def taught(cls, step_one: str) -> None:
        cls.model = step_one

    def client_of(self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, **settings: Any) -> KGQA:
        options = self.options(encoder)
        return KGQA(driver, graph=space, **{**options, "settings": settings})

    def test_what_a_pattern_leads_to_alone_is_followed_and_other_sets_are_cited(
        self, driver: neo4j.Driver, client: KGQA, space: str, encoder: CachedEncoder
    ) -> None:
        whole = client.ask(HERSCHEL)
        plan = whole.answer.proof[0].item.plan
        assert isinstance(plan, Follow)
        assert [step.code for step in plan.path] == ["<discovered_by"]
        scores = [one.score for one in whole.answers]
        assert scores == sorted(scores, reverse=True)
        assert 0 < scores[-1] <= scores[0] <= 1
        cut = self.client_of(driver, space, encoder, answers=2).ask(HERSCHEL)
        assert isinstance(cut.answer.proof[0].item.plan, Cite)
        assert set(cut.names) < FOUND
        assert len(cut.facts) == 2
        assert "2 of 5 answers are shown" in cut.notes[0]
        check_answer(driver, cut, set(cut.names), "gnn2r")

    def test_several_topics_meet_in_the_answers(self, driver: neo4j.Driver, client: KGQA) -> None:
        reply = client.ask("Which moons did William Herschel discover around Saturn?")
        plan = reply.answer.proof[0].item.plan
        assert isinstance(plan, Combine)
        assert plan.op == "and"
        assert {part.topic.name for part in plan.parts if isinstance(part, Follow)} == {"William Herschel", "Saturn"}
        check_answer(driver, reply, {"Mimas", "Enceladus"}, "gnn2r")

    def test_an_exported_graph_gives_the_same_answers(
        self, driver: neo4j.Driver, client: KGQA, space: str, encoder: CachedEncoder
    ) -> None:
        exported = self.client_of(driver, space, encoder, export=f"{self.model}/export-0")
        for question in ASKED:
            one, other = client.ask(question), exported.ask(question)
            assert {a.item.id for a in one.answers} == {a.item.id for a in other.answers}  # type: ignore[union-attr]
            assert [a.score for a in one.answers] == pytest.approx([a.score for a in other.answers], abs=1e-3)
        with pytest.raises(ExportError, match="is of graph 'shop'"):
            self.client_of(driver, space, encoder, export=f"{self.model}/export-1").ask(HERSCHEL)

    def test_subgraphs_may_be_wider_than_patterns(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, tmp_path: Path
    ) -> None:
        model = widened(self.model, tmp_path, hops=9)
        reply = KGQA(driver, graph=space, **{**self.options(encoder), "model": model}).ask("Who discovered Titan?")
        assert "Christiaan Huygens" in reply.names
        assert reply.facts
        model = widened(self.model, tmp_path, hops=9, path_hops=1)
        reply = KGQA(driver, graph=space, **{**self.options(encoder), "model": model}).ask("Who discovered Titan?")
        assert reply.facts
        assert all(fact.head.name == "Titan" or fact.tail.name == "Titan" for fact in reply.facts)

    def test_a_smaller_subgraph_has_fewer_answers(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        small = self.client_of(driver, space, encoder, nodes=3).ask(HERSCHEL)
        assert 0 < len(small.answers) <= 3

    def test_a_topic_without_facts_is_abstained_from(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, client: KGQA
    ) -> None:
        driver.execute_query(f"CREATE (:Entity:`KG_{space}` {{entity_id: 'Vulcan', name: 'Vulcan'}})")
        driver.execute_query("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
        try:
            reply = client.ask(Question("Who discovered Vulcan?", topics=("Vulcan",)))
        finally:
            driver.execute_query(f"MATCH (n:`KG_{space}` {{entity_id: 'Vulcan'}}) DELETE n")
        assert "joins 'Vulcan' with anything" in reply.abstained

    def test_a_model_of_another_graph_is_refused(
        self, driver: neo4j.Driver, encoder: CachedEncoder, shop_client: KGQA
    ) -> None:
        elsewhere = KGQA(driver, graph="other", mapping=_renamed("other"), **self.options(encoder))
        with pytest.raises(UsageError, match=r"learned on graph .*'shop', not on 'other'"):
            elsewhere.ask("Who is the supplier of Green Tea?")

    @pytest.mark.parametrize("changed", [{"threshold": 0.5}, {"answers": 0}, {"nodes": -1}])
    def test_settings_that_can_not_be_are_refused(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, changed: dict[str, Any]
    ) -> None:
        with pytest.raises(UsageError):
            self.client_of(driver, space, encoder, **changed).ask(HERSCHEL)


class TestBothSteps(MethodTestCase):
    method = "gnn2r"
    answers = TestGnn2r.answers
    shop_answers = TestGnn2r.shop_answers

    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def taught(
        cls, driver: neo4j.Driver, step_one: str, sources: Sources, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        shop.write_shop(driver)  # tests of step I removed it
        cls.model = teach_both(Path(step_one), tmp_path_factory.mktemp("gnn2r-both"), sources)

    def client_of(self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, **settings: Any) -> KGQA:
        return KGQA(driver, graph=space, **{**self.options(encoder), "settings": settings})

    def test_the_whole_pattern_is_executed_whatever_the_candidates(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        reply = self.client_of(driver, space, encoder, candidates=1).ask(HERSCHEL)
        plan = reply.answer.proof[0].item.plan
        assert isinstance(plan, Follow)
        assert [step.code for step in plan.path] == ["<discovered_by"]
        assert set(reply.names) == FOUND
        alone = self.client_of(driver, space, encoder, step_two=False, threshold=1.0).ask(HERSCHEL)
        assert set(alone.names) < FOUND

    def test_few_answers_of_step_one_leave_step_two_its_candidates(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        asked = "Which moons did William Herschel discover around Saturn?"
        one, all_ = self.client_of(driver, space, encoder, answers=1).ask(asked), self.client_of(driver, space, encoder)
        assert one.names == all_.ask(asked).names

    def test_the_nearest_entity_comes_first(self, driver: neo4j.Driver, client: KGQA, space: str, encoder: Any) -> None:
        both, alone = client.ask(HERSCHEL), self.client_of(driver, space, encoder, step_two=False).ask(HERSCHEL)
        assert both.answers[0] == alone.answers[0]

    def test_several_topics_are_intersected(self, driver: neo4j.Driver, client: KGQA) -> None:
        reply = client.ask("Which moons did William Herschel discover around Saturn?")
        plan = reply.answer.proof[0].item.plan
        assert isinstance(plan, Combine)
        assert plan.op == "and"
        check_answer(driver, reply, {"Mimas", "Enceladus"}, "gnn2r")

    @pytest.mark.parametrize("joining", ["simple", "shortest"])
    def test_the_papers_paths_answer_too(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, joining: str
    ) -> None:
        check_answer(driver, self.client_of(driver, space, encoder, joining=joining).ask(HERSCHEL), FOUND, "gnn2r")

    @pytest.mark.parametrize("changed", [{"candidates": 0}, {"joining": "wlaks"}])
    def test_settings_that_can_not_be_are_refused(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, changed: dict[str, Any]
    ) -> None:
        with pytest.raises(UsageError):
            self.client_of(driver, space, encoder, **changed).ask(HERSCHEL)


def _renamed(name: str) -> Any:
    from dataclasses import replace

    return replace(shop.MAPPING, graph=name)
