"""Rerank does what every method must do, with a model that guesses from a table; it links, joins and ranks guesses."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder, locate_weights
from kgqa_graphdb.errors import LanguageModelError, UsageError
from kgqa_graphdb.evaluate.run import evaluate
from kgqa_graphdb.evaluate.summary import summarise
from kgqa_graphdb.lm import ScriptedModel, prompt
from kgqa_graphdb.methods.rerank import RerankSettings
from kgqa_graphdb.plan import Cite
from kgqa_graphdb.questions import Gold, Pair, read_asked
from kgqa_graphdb.rerank.choice import KNOWN
from kgqa_graphdb.rerank.files import read_model
from kgqa_graphdb.train.lora.examples import guesser_examples
from kgqa_graphdb.train.rerank.cases import Case
from kgqa_graphdb.train.rerank.choice_alone import train_choice
from kgqa_graphdb.train.rerank.train import RankSettings, joined_cases, train_rerank
from kgqa_graphdb.train.settings import Source, Training
from kgqa_graphdb.types import Question
from tests.neo4j.method_case import MethodTestCase, check_answer

HERSCHEL = "What did William Herschel discover?"
FOUND = {"Mimas", "Enceladus", "Titania", "Oberon", "Uranus"}


def asked(text: str, *candidates: str, topics: tuple[str, ...] = ()) -> Question:
    return Question(text, topics=topics, candidates=candidates)


class TestRerank(MethodTestCase):
    method = "rerank"
    settings = {"ranker": "first", "answers": "alike", "neighbours": 50}
    script = {
        "Who discovered Titan?": "Christiaan Huygens",
        HERSCHEL: "Mimas, of course.\nOr another moon.",
        "Who is the supplier of Green Tea?": "Leaf and Sons",
        "What does Kiln Works supply?": "Answer: Blue Mug",
    }
    answers = {"Who discovered Titan?": {"Christiaan Huygens"}, HERSCHEL: FOUND}
    shop_answers = {"Who is the supplier of Green Tea?": {"Leaf and Sons"},
                    "What does Kiln Works supply?": {"Blue Mug", "Glass Jar"}}  # fmt: skip

    def client_of(self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, **settings: Any) -> KGQA:
        options = {**self.options(encoder), "language_model": None}
        return KGQA(driver, graph=space, **{**options, "settings": settings})

    def test_the_best_candidate_is_cited_with_all_facts_among_what_joins_it(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        client = self.client_of(driver, space, encoder, ranker="first")
        reply = client.ask(asked("Which moon of Saturn did Huygens discover?", "Mimas", "Titan"))
        check_answer(driver, reply, {"Mimas"}, self.method)
        assert isinstance(reply.answer.proof[0].item.plan, Cite)
        facts = {(fact.head.name, fact.relation.id, fact.tail.name) for fact in reply.facts}
        assert ("Mimas", "moon_of", "Saturn") in facts
        titan = self.client_of(driver, space, encoder).ask(
            asked("Who discovered Titan?", "Saturn", "Christiaan Huygens")
        )
        assert titan.names == ("Christiaan Huygens",)
        assert 0 < titan.answers[0].score <= 1

    def test_a_guesser_learns_the_names_of_gold_answers_some_of_each_question(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        some = [Gold("Titan"), Gold("no such moon"), Gold("x", "Dione"), Gold("Mimas"), Gold("Oberon")]
        pairs = [Pair("1", "what circles?", tuple(some)), Pair("2", "who?", (Gold("nobody"),))]
        examples = guesser_examples(self.client_of(driver, space, encoder), pairs)
        assert [one.completion for one in examples] == ["Titan", "Dione", "Mimas"]
        assert {one.prompt for one in examples} == {prompt("rerank", question="what circles?")}

    def test_candidates_are_told_with_what_they_are_and_how_likely(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        client = self.client_of(driver, space, encoder, neighbours=50)
        reply = client.ask(asked("Who discovered Titan?", "Huygens!", "Nobody", "Saturn", "saturn", "Neil Armstrong"))
        entries = {one["text"]: one for one in reply.to_dict()["candidates"]}
        assert entries["Saturn"]["votes"] == 2
        assert (entries["Nobody"]["id"], entries["Nobody"]["score"]) == (None, None)
        assert entries["Neil Armstrong"]["id"] == "Neil Armstrong"
        assert entries["Neil Armstrong"]["score"] is None  # no path of two hops
        huygens = next(one for one in entries.values() if one["name"] == "Christiaan Huygens")
        assert huygens["score"] == max(one["score"] or 0 for one in entries.values())
        neighbours = [one for one in entries.values() if one["place"] is None]
        assert neighbours
        assert all(one["votes"] == 0 and one["name"] == one["text"] for one in neighbours)
        assert "candidates" not in KGQA(driver, graph=space, encoder=encoder).ask("Who discovered Titan?").to_dict()

    def test_a_gold_answer_that_nobody_guessed_is_no_candidate(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        reply = self.client_of(driver, space, encoder).ask(asked("Who discovered Titan?", "Neil Armstrong", "Nobody"))
        assert "is joined with 'Titan' by a path of at most 2 hops" in reply.abstained
        assert [one.text for one in reply.answer.candidates or ()] == ["Neil Armstrong", "Nobody"]
        silent = KGQA(driver, graph=space, method="rerank", encoder=encoder, language_model=ScriptedModel({}, ""))
        assert "nothing was guessed" in silent.ask("Who discovered Titan?").abstained

    def test_hops_candidates_and_a_bound_are_settings(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        far = asked("Which planet was discovered by the discoverer of Mimas?", "Uranus", topics=("Mimas",))
        assert self.client_of(driver, space, encoder, hops=1).ask(far).abstained
        assert self.client_of(driver, space, encoder, hops=2).ask(far).names == ("Uranus",)
        several = asked("Who discovered Titan?", "Neil Armstrong", "Christiaan Huygens")
        assert self.client_of(driver, space, encoder, candidates=1).ask(several).abstained
        unlikely = self.client_of(driver, space, encoder, abstain_below=1).ask(several)
        assert "the likeliest candidate is 'Christiaan Huygens'" in unlikely.abstained
        for wrong in ({"hops": 5}, {"candidates": 0}, {"beams": 10, "groups": 3}, {"abstain_below": 2}):
            with pytest.raises(UsageError):
                self.client_of(driver, space, encoder, **wrong).ask(several)

    def test_chance_and_the_first_guess_are_rows_to_compare_with(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        question = asked("Who discovered Titan?", "Saturn", "Christiaan Huygens")
        assert self.client_of(driver, space, encoder, ranker="first").ask(question).names == ("Saturn",)
        by_chance = self.client_of(driver, space, encoder, ranker="random")
        assert by_chance.ask(question).names == by_chance.ask(question).names
        with pytest.raises(UsageError, match="needs a trained model"):
            self.client_of(driver, space, encoder, ranker="model").ask(question)

    def test_the_method_paths_guesses_where_nobody_else_does(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        alike = self.client_of(driver, space, encoder, answers="alike")
        reply = alike.ask("Which moons did William Herschel discover?")
        assert set(reply.names) >= {"Mimas", "Enceladus", "Titania", "Oberon"}
        counted = alike.ask("How many moons has Mars?")
        assert ([value.value for value in counted.values], counted.answer.method) == ([2], self.method)
        assert {fact.head.name for fact in counted.facts} == {"Phobos", "Deimos"}
        with pytest.raises(UsageError, match="comes with no candidates"):
            self.client_of(driver, space, encoder, source="given").ask("Who discovered Titan?")
        near = self.client_of(driver, space, encoder, source="given", neighbours=50)
        reply = near.ask("Who discovered Titan?")
        assert {one.place for one in reply.answer.candidates or ()} == {None}
        assert "Christiaan Huygens" in {one.text for one in reply.answer.candidates or ()}
        assert near.ask("How many moons has Mars?").abstained
        with pytest.raises(LanguageModelError):
            self.client_of(driver, space, encoder, source="language_model").ask("Who discovered Titan?")

    def test_yes_no_and_how_many_keep_what_was_guessed_first(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        client = self.client_of(driver, space, encoder)
        yes = client.ask(asked("Is Titan a moon of Saturn?", "Yes, it is.", "No"))
        assert [value.value for value in yes.values] == [True]
        assert (yes.facts, yes.cypher) == ((), None)
        assert "no fact proves it" in yes.notes[0]
        assert [value.value for value in client.ask(asked("How many moons has Mars?", "2", "3")).values] == [2]
        assert client.ask(asked("How many moons has Mars?", "two or so")).names == ("two or so",)

    def test_a_day_or_a_number_is_kept_where_it_names_nothing_that_is_joined(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder
    ) -> None:
        client = self.client_of(driver, space, encoder, ranker="first")
        reply = client.ask(asked("When did Huygens discover Titan?", "March 25, 1655", "Saturn"))
        assert reply.names == ("March 25, 1655",)
        assert reply.facts == ()
        assert "of when or how much" in reply.notes[0]
        assert [one.text for one in reply.answer.candidates or ()] == ["March 25, 1655", "Saturn"]
        assert client.ask(asked("Which planet has Titan?", "Saturn", "1655")).names == ("Saturn",)
        proved = self.client_of(driver, space, encoder, source="paths").ask("When was Neil Armstrong born?")
        assert proved.values
        assert proved.facts

    def test_a_ranker_is_trained_judged_and_gone_on_with(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, tmp_path: Path
    ) -> None:
        pairs = taught_pairs(tmp_path)
        model = tmp_path / "model"
        training, settings = Training(encoder=small_base(tmp_path / "base"), steps=150), RankSettings(rate=3e-3)

        def stage(name: str, total: int) -> Any:
            return lambda done, total: None

        with KGQA(driver, graph=space, encoder=encoder) as kg:
            made = train_rerank(Source(kg, pairs, pairs), model, training=training, settings=settings, stage=stage)
            assert made.held_out >= 0.9
            again = train_rerank(Source(kg, pairs, pairs), model, training=training, settings=settings, stage=stage)
            assert (again.steps, again.held_out) == (made.steps, made.held_out)
            other = tmp_path / "other"
            how: Any = {"training": Training(), "settings": RankSettings(hops=1), "stage": stage}
            chosen = train_choice(Source(kg, pairs), other, model, **how)
            assert chosen.held_out >= 0.9
            kept, new = read_model(model).details, read_model(other).details
            assert (other / "ranker.onnx").read_bytes() == (model / "ranker.onnx").read_bytes()
            assert new.hops == kept.hops == 2  # as the ranker learned it
            assert (new.training.options, new.training.questions) == ({"ranker_of": str(model)}, len(pairs))
            with pytest.raises(UsageError, match="is the model whose ranker is taken"):
                train_choice(Source(kg, pairs), model, model, **how)
            with pytest.raises(UsageError, match="are needed"):
                train_rerank(Source(kg, pairs[:25], []), tmp_path / "few", training=Training(steps=1),
                             settings=RankSettings(hops=1, candidates=1), stage=stage)  # fmt: skip
        with KGQA(driver, graph=space, encoder=encoder, method="rerank", model=str(model)) as kg:
            run = evaluate(kg, pairs, coverage=False)
        means = summarise(run.outcomes).means
        assert means["in_graph"] == means["linked"] == 1
        assert means["first"] == 0
        assert means["any"] == 1
        assert means["reranked"] >= 0.9

    def test_a_language_model_guesses_for_questions_that_come_without_candidates(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, tmp_path: Path
    ) -> None:
        pairs = [replace(pair, candidates=()) for pair in taught_pairs(tmp_path)]
        model = ScriptedModel({}, default="Saturn")
        settings = RankSettings(guesser=model.name)

        def cases_of(kg: KGQA, settings: RankSettings) -> list[Case]:
            return joined_cases(kg, pairs, tmp_path, settings, lambda name, total: lambda done, total: None)

        with KGQA(driver, graph=space, encoder=encoder, language_model=model) as kg:
            alone = cases_of(kg, settings)
            with pytest.raises(UsageError, match="other questions or settings"):
                cases_of(kg, replace(settings, guessing=RerankSettings(beams=20)))
            (tmp_path / "cases.jsonl").unlink()
            beside = cases_of(kg, replace(settings, neighbours=20))
        assert {len(case.right) for case in alone if "Mimas" in case.text} == {1}
        assert min(len(case.right) for case in beside if "Mimas" in case.text) > 1
        is_guess = KNOWN.index("is_guess")
        for one, more in zip(alone, beside, strict=True):
            assert sum(row[is_guess] for row in more.known) == len(one.known)

    def test_a_graph_network_that_reads_the_question_is_trained_on_the_same_cases(
        self, driver: neo4j.Driver, space: str, encoder: CachedEncoder, tmp_path: Path
    ) -> None:
        pairs = taught_pairs(tmp_path)
        model = tmp_path / "model"

        joined: list[int] = []

        def stage(name: str, total: int) -> Any:
            return lambda done, total: joined.append(done) if name.startswith("Joining") else None

        with KGQA(driver, graph=space, encoder=encoder) as kg:
            for ranker, steps in (("graphormer", 4), ("graphormer-question", 120)):
                settings = RankSettings(neighbours=20, ranker=ranker)
                made = train_rerank(
                    Source(kg, pairs, pairs), model, training=Training(steps=steps), settings=settings, stage=stage
                )
            assert made.held_out >= 0.9
        assert joined[0] == 0
        assert joined[-1] == 2 * len(pairs)  # the second reads no case again
        assert joined.count(joined[-1]) == 2
        assert not (model / "ranker.onnx").exists()
        files = read_model(model)
        assert files.details.ranker == "graphormer-question"
        assert files.card.encoder_fingerprint == encoder.fingerprint
        with KGQA(driver, graph=space, encoder=encoder, method="rerank", model=str(model)) as kg:
            reply = kg.ask(asked("Who discovered Titan?", "Saturn", "Christiaan Huygens"))
            check_answer(driver, reply, {"Christiaan Huygens"}, self.method)
            run = evaluate(kg, pairs[:8], coverage=False)
        assert summarise(run.outcomes).means["reranked"] >= 0.85


def small_base(folder: Path) -> str:
    """A BERT that knows nothing and learns fast, with the usual tokenizer."""
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig(hidden_size=48, num_hidden_layers=2, num_attention_heads=2, intermediate_size=96, num_labels=1)
    BertForSequenceClassification(config).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
        shutil.copy(locate_weights("") / name, folder)
    return str(folder)


def taught_pairs(folder: Path) -> list[Pair]:
    """What is taught, from a file."""
    file = folder / "guesses.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in taught()), encoding="utf-8")
    return read_asked(None, file)


def taught() -> list[dict[str, Any]]:
    """Questions whose first guess is always wrong, and lies as near as the right one."""
    moons = {
        "Titan": ("Saturn", "Christiaan Huygens"), "Mimas": ("Saturn", "William Herschel"),
        "Enceladus": ("Saturn", "William Herschel"), "Titania": ("Uranus", "William Herschel"),
        "Oberon": ("Uranus", "William Herschel"), "Europa": ("Jupiter", "Galileo Galilei"),
        "Io": ("Jupiter", "Galileo Galilei"), "Ganymede": ("Jupiter", "Galileo Galilei"),
        "Callisto": ("Jupiter", "Galileo Galilei"), "Phobos": ("Mars", "Asaph Hall"), "Deimos": ("Mars", "Asaph Hall"),
    }  # fmt: skip
    return [
        {"question": text.format(moon), "answers": [gold], "candidates": [other, gold, "Nobody at all"]}
        for moon, (planet, person) in moons.items()
        for text, gold, other in (
            ("Who discovered {}?", person, planet), ("{} was discovered by whom?", person, planet),
            ("Which planet does {} circle?", planet, person), ("Around what does {} go?", planet, person),
        )
    ]  # fmt: skip
