"""Retrieve-Rewrite-Answer does what every method must do, with a predictor that was taught a few questions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.evaluate.run import evaluate
from kgqa_graphdb.evaluate.summary import summarise
from kgqa_graphdb.lm import ScriptedModel
from kgqa_graphdb.questions import Gold, Pair
from kgqa_graphdb.train.lora.corpus import CorpusMaker
from kgqa_graphdb.train.lora.examples import reader_examples
from tests.neo4j import shop
from tests.neo4j.method_case import MethodTestCase
from tests.unit.rra.taught import teach

pytest.importorskip("torch", reason="torch is not installed")

ASKED = {
    "Who discovered X?": [">discovered_by"],
    "Which moons did X discover?": ["<discovered_by"],
    "Which moons has the planet that X circles?": [">moon_of", "<moon_of"],
    "How wide is X?": [">diameter"],
}
SHOP_ASKED = {
    "Who is the supplier of X?": ["<SHOP_SUPPLIES"],
    "What does the X cost?": [">price"],
    "Which products did X order?": [">SHOP_PLACED", ">Order.Product"],
}
MOONS = "Which moons did William Herschel discover?"


class TestRra(MethodTestCase):
    method = "rra"
    settings: ClassVar[Mapping[str, Any]] = {"reasoning_paths": 6}
    script = {
        "Who discovered Titan?": "Christiaan Huygens",
        MOONS: "1. Mimas\n2. Enceladus\n3. The Death Star",
        "Who discovered Rhea?": "unknown",
        "Who is the supplier of Green Tea?": "Leaf and Sons",
        "What does the Blue Mug cost?": "9.0",
        "Which products did Ada Lovell order?": "Blue Mug\nGreen Tea",
    }
    answers = {"Who discovered Titan?": {"Christiaan Huygens"}, MOONS: {"Mimas", "Enceladus"}}
    shop_answers = {
        "Who is the supplier of Green Tea?": {"Leaf and Sons"},
        "What does the Blue Mug cost?": {"9.0"},
        "Which products did Ada Lovell order?": {"Blue Mug", "Green Tea"},
    }
    unanswerable = ("What is the meaning of life?", "Who discovered Rhea?")

    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def taught(cls, driver: neo4j.Driver, space: str, tmp_path_factory: pytest.TempPathFactory) -> None:
        mapping = KGQA(driver, graph=space).graph.mapping
        cls.model = teach(tmp_path_factory.mktemp("rra"), [(mapping, ASKED), (shop.MAPPING, SHOP_ASKED)])

    def ask(self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, question: str, **changed: Any) -> Any:
        """The reply as JSON has it, and the prompts."""
        options = self.options(encoder)
        options["settings"] = {**options["settings"], **changed}
        reply = KGQA(driver, graph=space, **options).ask(question)
        return reply.to_dict(), options["language_model"].prompts

    def test_the_sample_is_cited_and_what_it_lacks_is_no_answer(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        found, (prompt,) = self.ask(driver, space, encoder, MOONS)
        assert [one["name"] for one in found["answers"]] == ["Mimas", "Enceladus"]
        assert found["ungrounded"] == ["The Death Star"]
        best = found["retrieved"]["paths"][0]
        assert (found["retrieved"]["hops"], best["steps"]) == (1, ["<discovered_by"])
        sample = [fact["head"] for (fact,) in best["reasoning_paths"]]
        assert sample == ["Enceladus", "Mimas", "Oberon", "Titania", "Uranus"]
        assert "Mimas was discovered by William Herschel." in prompt

    def test_without_a_reader_the_best_path_is_the_answer(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        options = {**self.options(encoder), "language_model": None, "settings": {"reader": "none"}}
        with KGQA(driver, graph=space, **options) as kg:
            assert kg.ask("Who discovered Titan?").names == ("Christiaan Huygens",)
            moons = kg.ask("Which moons has the planet that Titan circles?")
            assert {"Rhea", "Mimas"} <= set(moons.names)
            assert moons.answer.retrieved is not None
            assert moons.answer.retrieved.hops == 2
            pair = Pair("1", MOONS, tuple(Gold(name=name) for name in ("Mimas", "Enceladus", "Titania", "Oberon")))
            run = evaluate(kg, [pair])
            means = summarise(run.outcomes).to_dict()
        assert means["hop_accuracy"] == means["path_hits_at_k"] == means["answer_in_subgraph"] == 1
        assert 0.5 <= means["answers_in_subgraph"] <= 1
        with pytest.raises(UsageError, match="needs a language model"):
            KGQA(driver, graph=space, **{**options, "settings": {}}).ask("Who discovered Titan?")

    def test_knowledge_has_the_form_that_is_asked_for(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, tmp_path: Path
    ) -> None:
        question = "Who discovered Titan?"
        triple = "(Titan, discoverer, Christiaan Huygens)"
        _, (prompt,) = self.ask(driver, space, encoder, question, knowledge="triples")
        assert triple in prompt
        _, (prompt,) = self.ask(driver, space, encoder, question, knowledge="triples", prompt="paper")
        assert triple in prompt
        assert prompt.startswith("Below are the facts that might be relevant to answer the question:")
        found, (prompt,) = self.ask(driver, space, encoder, question, knowledge="none")
        assert "<<<" not in prompt
        assert [one["name"] for one in found["answers"]] == ["Christiaan Huygens"]  # the graph knows it, too
        options = self.options(encoder)
        script = {triple: "Huygens found it.", "Question:": "Christiaan Huygens"}
        options |= {"language_model": ScriptedModel(script, ""), "settings": {"knowledge": "text", "paths": 1}}
        assert KGQA(driver, graph=space, **options).ask(question).names == ("Christiaan Huygens",)
        rewrite, prompt = options["language_model"].prompts
        assert triple in rewrite
        assert "Huygens found it." in prompt
        texts = tmp_path / "texts.jsonl"
        texts.write_text(json.dumps({"question": "who discovered [Titan]", "text": "It is old news."}), "utf-8")
        found, (prompt,) = self.ask(driver, space, encoder, question, knowledge="file", texts=str(texts))
        assert "It is old news." in prompt
        assert not found["notes"]
        polite = "Please tell me who discovered Titan?"
        texts.write_text(json.dumps({"question": polite, "text": "It is old news."}), "utf-8")
        _, (prompt,) = self.ask(driver, space, encoder, polite, knowledge="file", texts=str(texts))
        assert "It is old news." in prompt
        found, _ = self.ask(driver, space, encoder, MOONS, knowledge="file", texts=str(texts))
        assert "none for this question" in found["notes"][0]

    def test_a_given_number_of_hops_is_kept_to(self, driver: neo4j.Driver, space: str, encoder: CachedEncoder) -> None:
        found, _ = self.ask(driver, space, encoder, "Who discovered Titan?", hops=2)
        assert {len(one["steps"]) for one in found["retrieved"]["paths"]} == {2}

    def test_what_leads_nowhere_is_said(self, driver: neo4j.Driver, space: str, encoder: CachedEncoder) -> None:
        found, _ = self.ask(driver, space, encoder, "Who discovered Neil Armstrong?", hops=2)
        assert found["abstained"]
        assert "'Neil Armstrong'" in found["text"]

    def test_facts_that_do_not_fit_are_counted(self, driver: neo4j.Driver, space: str, encoder: CachedEncoder) -> None:
        found, (prompt,) = self.ask(driver, space, encoder, MOONS, budget=80)
        assert 0 < found["cut"]["kept"] < found["cut"]["facts"]
        assert len(prompt.split()) <= 80

    def test_examples_and_a_corpus_are_made_of_what_is_retrieved(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, tmp_path: Path
    ) -> None:
        settings = {"reader": "none", "reasoning_paths": 20}
        options = {**self.options(encoder), "language_model": None, "settings": settings}
        pairs = [
            Pair("1", "Who discovered [Titan]?", (Gold(name="Christiaan Huygens"),)),
            Pair("2", "Who discovered [Rhea]?", (Gold(name="Giovanni Domenico Cassini"),)),
            Pair("3", "What is love?", (Gold(name="Love"),)),
        ]
        with KGQA(driver, graph=space, **options) as kg:
            assert len(reader_examples(kg, pairs, around=0.33)) == 2
            examples = reader_examples(kg, pairs[:1] * 20, around=0.33)
            assert all("Question: Who discovered Titan?" in one.prompt for one in examples)
            forms = "\n".join(one.prompt for one in examples)
            assert "\n(Titan, discoverer, Christiaan Huygens)\n" in forms
            assert "\nTitan was discovered by Christiaan Huygens.\n" in forms
            assert "\nHuygens landed on Titan.\n" in forms  # it is around the topic, on no path to the answer
            alone = reader_examples(kg, pairs[:1] * 20, around=0)
            assert ["landed" in one.prompt for one in alone] == [False] * 20
            shown = ["Christiaan Huygens" in one.prompt for one in examples]
            assert [one.completion for one in examples] == ["Christiaan Huygens" if it else "unknown" for it in shown]
            assert sum(shown) > 15
            teacher = ScriptedModel({"Titan": "Huygens saw Titan first.", "Rhea": "Nobody knows."}, "")
            reader = ScriptedModel({"saw Titan first": "christiaan huygens"}, "unknown")
            maker, file = CorpusMaker(kg, teacher, reader), tmp_path / "new" / "corpus.jsonl"
            made = maker.make(pairs, file)
            assert (made.questions, made.kept, made.written, made.texts) == (3, 1, 2, 1)
            (line,) = map(json.loads, file.read_text("utf-8").splitlines())
            assert line["triples"] == "(Titan, discoverer, Christiaan Huygens)"
            assert line["text"] == "Huygens saw Titan first."
            asked = len(teacher.prompts)
            assert maker.make(pairs, file) == made  # nothing is written twice
            assert len(teacher.prompts) == asked
            with pytest.raises(UsageError, match="other questions or models"):
                maker.make(pairs[:1], file)
            corrected = [replace(pairs[0], answers=(Gold(name="Someone"),)), *pairs[1:]]
            with pytest.raises(UsageError, match="other questions or models"):
                maker.make(corrected, file)
            separated = [replace(pairs[0], question="Who discovered [Titan]\u2028?")]
            kept = maker.make(separated, tmp_path / "separated.jsonl")
            assert (kept.texts, maker.make(separated, tmp_path / "separated.jsonl")) == (1, kept)
