"""The neighbourhood method does what every method must do, with a model that answers from a table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.errors import UnknownRelationError, UsageError
from kgqa_graphdb.graph import Expansion, Graph, NeighbourhoodLimits
from kgqa_graphdb.graph.neighbourhood import neighbourhood
from kgqa_graphdb.lm import ScriptedModel
from kgqa_graphdb.methods.neighbourhood import ENDS
from kgqa_graphdb.methods.reader import NOTE_NO_LIST
from kgqa_graphdb.types import Question
from tests.neo4j.method_case import MethodTestCase, check_answer


class TestNeighbourhood(MethodTestCase):
    method = "neighbourhood"
    script = {
        "Who discovered Titan?": "Christiaan Huygens",
        "Which moons of Saturn were discovered by William Herschel?": "1. Mimas\n2. Enceladus\n3. The Death Star",
        "Who discovered Rhea?": "I do not know.",
        "Who is the supplier of Green Tea?": '["Leaf and Sons"]',
        "What does the Blue Mug cost?": "9.0",
    }
    answers = {
        "Who discovered Titan?": {"Christiaan Huygens"},
        "Which moons of Saturn were discovered by William Herschel?": {"Enceladus", "Mimas"},
    }
    shop_answers = {"Who is the supplier of Green Tea?": {"Leaf and Sons"}, "What does the Blue Mug cost?": {"9.0"}}
    unanswerable = ("What is the meaning of life?", "Who discovered Rhea?")

    def test_answers_keep_the_models_order_and_what_the_graph_lacks_is_none(self, client: KGQA) -> None:
        reply = client.ask("Which moons of Saturn were discovered by William Herschel?")
        assert reply.names == ("Mimas", "Enceladus")
        assert reply.to_dict()["ungrounded"] == ["The Death Star"]
        assert {(fact.head.name, fact.relation.id) for fact in reply.facts} >= {("Mimas", "discovered_by")}

    def test_the_prompt_has_facts_nearest_the_topic_first_and_only_as_many_as_fit(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        options = {**self.options(encoder), "settings": {"hops": "2", "budget": "120"}}
        with KGQA(driver, graph=space, **options) as kg:
            document = kg.ask("Who discovered Titan?").to_dict()
            assert 0 < document["cut"]["kept"] < document["cut"]["facts"]
            assert len(options["language_model"].prompts[-1].split()) <= 120
            assert any("facts: more did not fit" in note for note in document["notes"])

    def test_kaping_reads_the_triples_most_like_the_question(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        options = {**self.options(encoder), "settings": {"order": "similarity", "form": "triples", "facts": 3}}
        with KGQA(driver, graph=space, **options) as kg:
            reply = kg.ask("Who discovered Titan?")
        assert reply.names == ("Christiaan Huygens",)
        (prompt,) = options["language_model"].prompts
        shown = [line for line in prompt.splitlines() if line.startswith("(")]
        assert len(shown) == 3
        assert shown[:2] == ["(Titan, year of discovery, 1655)", "(Titan, discoverer, Christiaan Huygens)"]
        cut = reply.to_dict()["cut"]
        assert cut["kept"] == 3 < cut["facts"]
        assert any("no more were wanted" in note for note in reply.notes)

    @pytest.mark.parametrize(("name", "text"), [("list", '["Christiaan Huygens"]'), ("plain", "Christiaan Huygens.")])
    def test_each_prompt_is_answered_alike(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, name: str, text: str
    ) -> None:
        options = {**self.options(encoder), "language_model": ScriptedModel({}, text), "settings": {"prompt": name}}
        with KGQA(driver, graph=space, **options) as kg:
            assert kg.ask("Who discovered Titan?").names == ("Christiaan Huygens",)
        (prompt,) = options["language_model"].prompts
        assert "Titan was discovered by Christiaan Huygens." in prompt.splitlines()
        assert ("JSON list" in prompt) == (name == "list")

    def test_without_a_reader_what_the_facts_most_like_the_question_lead_to_is_the_answer(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        settings = {"reader": "none", "hops": 1, "facts": 3}
        options = {**self.options(encoder), "language_model": None, "settings": settings}
        with KGQA(driver, graph=space, **options) as kg:
            reply = kg.ask("Who discovered Titan?")
            assert len(reply.names) == 3
            assert "Christiaan Huygens" in reply.names
            assert "Titan" not in reply.names
            scores = [one.score for one in reply.answers]
            assert scores == sorted(scores, reverse=True)
            check_answer(driver, reply, set(reply.names), self.method)
            assert (reply.answer.tokens, reply.answer.ungrounded) == (None, None)
            assert kg.ask("What is the meaning of life?").abstained
        with KGQA(driver, graph=space, **{**options, "settings": {"reader": "none"}}) as kg:
            assert len(kg.ask("Who discovered Titan?").names) == ENDS

    def test_topics_by_similarity_need_vectors(self, driver: neo4j.Driver, space: str, encoder: CachedEncoder) -> None:
        options = {**self.options(encoder), "settings": {"topics": "similarity", "nearest": 3}}
        with KGQA(driver, graph=space, **options) as kg, pytest.raises(UsageError, match="--vectors"):
            kg.ask("Who discovered Titan?")
        with KGQA(driver, graph=space, **options) as kg:  # topics that are given need none
            assert kg.ask(Question("Who discovered Titan?", topics=("Titan",))).names == ("Christiaan Huygens",)

    def test_a_topic_alone_and_unknown_are_no_answers(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        for text, why in (("unknown", "finds no answer"), ("Unknown.", "finds no answer"), ("Titan", "only what")):
            options = {**self.options(encoder), "language_model": ScriptedModel({}, default=text)}
            reply = KGQA(driver, graph=space, **options).ask("Who discovered Titan?")
            assert why in reply.abstained
            assert reply.answer.ungrounded == ()
        for text in ("Saturn", "Saturn\nTitan"):
            options = {**self.options(encoder), "language_model": ScriptedModel({}, default=text)}
            reply = KGQA(driver, graph=space, **options).ask("Does Titan circle Saturn?")
            assert "only what" in reply.abstained

    def test_where_what_was_written_stands_and_what_helps_is_said(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        for text, said in (("It was seen by The Death Star", True), ("unknown", False), ("", False)):
            options = {**self.options(encoder), "language_model": ScriptedModel({}, default=text)}
            reply = KGQA(driver, graph=space, **options).ask("Who discovered Titan?")
            assert reply.abstained
            assert (NOTE_NO_LIST in reply.notes) is said

    def test_the_sentence_is_the_fact_or_the_names_in_the_models_order(self, client: KGQA) -> None:
        assert client.ask("Who discovered Titan?").text == "Titan was discovered by Christiaan Huygens."
        several = client.ask("Which moons of Saturn were discovered by William Herschel?")
        assert several.text == "Mimas and Enceladus."

    def test_what_a_cap_left_out_is_said(self, client: KGQA, monkeypatch: pytest.MonkeyPatch) -> None:
        def capped(graph: Graph, topics: Any, hops: int, **options: Any) -> Any:
            return neighbourhood(graph, topics, hops, limits, Expansion())

        monkeypatch.setattr(Graph, "neighbourhood", capped)
        limits = NeighbourhoodLimits(max_degree=8)
        reply = client.ask("Who discovered Titan?")
        assert any("not all that the graph knows around Titan was read" in note for note in reply.notes)
        limits = NeighbourhoodLimits(max_degree=1)
        assert "too many facts about Titan" in client.ask("Who discovered Titan?").abstained

    def test_wrong_settings_are_named(self, driver: neo4j.Driver, space: str, encoder: CachedEncoder) -> None:
        with pytest.raises(UsageError, match="5 hops"):
            KGQA(driver, graph=space, **{**self.options(encoder), "settings": {"hops": 5}}).ask("Who found Titan?")
        with pytest.raises(UsageError, match="in 0 tokens"):
            KGQA(driver, graph=space, **{**self.options(encoder), "settings": {"max_tokens": 0}}).ask("Titan?")
        with pytest.raises(UsageError, match="reads no 0 facts"):
            KGQA(driver, graph=space, **{**self.options(encoder), "settings": {"facts": 0}}).ask("Titan?")
        with pytest.raises(UsageError, match="no room in -3 tokens"):
            KGQA(driver, graph=space, **{**self.options(encoder), "settings": {"budget": -3}}).ask("Titan?")
        with pytest.raises(UnknownRelationError, match="nearest: 'moon_of'"):
            KGQA(driver, graph=space, **{**self.options(encoder), "settings": {"listed": "moonof"}}).ask("Titan?")

    @pytest.mark.data
    def test_it_runs_with_a_real_checkpoint(self, driver: neo4j.Driver, space: str, encoder: CachedEncoder) -> None:
        folder = Path(os.environ.get("KGQA_DATA", "data")) / "models" / "stories260K-llama"
        if not folder.is_dir():
            pytest.skip(f"no {folder}: set KGQA_DATA to the folder that holds models/stories260K-llama")
        options = {**self.options(encoder), "language_model": str(folder), "settings": {"hops": 2, "max_tokens": 16}}
        reply = KGQA(driver, graph=space, **options).ask("Who discovered Titan?")
        assert reply.answers or reply.abstained  # a model of 0.26 M parameters tells stories
        assert 0 < reply.to_dict()["cut"]["kept"] < reply.to_dict()["cut"]["facts"]  # it reads 512 tokens
