"""Methods, their settings and language models, as a person and a script ask for them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from kgqa_graphdb.lm import ScriptedModel
from kgqa_graphdb.managed import Connection
from kgqa_graphdb.methods import METHODS
from tests.e2e.command import assert_one_line, document, kgqa

FACTS = """Long Water|flows through|Made Land
Short Water|flows through|Made Land
Made Land|capital|Middleton
"""
QUESTION = "what flows through [Made Land]?"
SCRIPT = {"what flows through Made Land": "Short Water\nLong Water\nThe Danube", "": "unknown"}


@pytest.fixture
def land(connection: Connection, graph_name: str, tmp_path: Path) -> str:
    (tmp_path / "facts.txt").write_text(FACTS, encoding="utf-8")
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT), encoding="utf-8")
    assert document(kgqa("load", tmp_path / "facts.txt", "--graph", graph_name, "--json"))["facts"] == 3
    return graph_name


def test_methods_are_listed_for_a_person_and_for_a_script() -> None:
    listed = document(kgqa("methods", "--json"))["methods"]
    assert [method["name"] for method in listed] == list(METHODS)
    text = kgqa("methods").stdout
    assert all(f"\n{name}: " in f"\n{text}" for name in METHODS)
    assert "--set readings=1" in text
    assert "needs  a language model (--language-model NAME)" in text


@pytest.mark.neo4j
@pytest.mark.slow
def test_a_language_model_writes_the_sentence_or_a_note_says_why_not(land: str, tmp_path: Path) -> None:
    ask = ("ask", "what is the capital of [Made Land]?", "-g", land, "--verbalise")
    template = document(kgqa("ask", "what is the capital of [Made Land]?", "-g", land, "--json"))["text"]
    for text, by in (("The capital of Made Land is Middleton [1].", "scripted:says.json"), ("Paris.", "templates")):
        (tmp_path / "says.json").write_text(json.dumps({"": text}), encoding="utf-8")
        found = document(kgqa(*ask, "--language-model", f"scripted:{tmp_path / 'says.json'}", "--json"))
        assert found["verbalised_by"].startswith(by)
        assert found["text"] == (template if by == "templates" else text)
        assert [answer["name"] for answer in found["answers"]] == ["Middleton"]
        assert any("not what the facts say" in note for note in found["notes"]) is (by == "templates")
    for model in ((), ("--language-model", "scripted:/no/such/file.json")):
        found = document(kgqa(*ask, *model, "--json"))
        assert (found["text"], found["verbalised_by"]) == (template, "templates")
        assert "no language model wrote one" in found["notes"][-1]


@pytest.mark.neo4j
@pytest.mark.slow
def test_a_language_model_of_a_table_answers_and_is_grounded(land: str, tmp_path: Path) -> None:
    model = ("--method", "neighbourhood", "--language-model", f"scripted:{tmp_path / 'script.json'}", "--set", "hops=1")
    found = document(kgqa("ask", QUESTION, "-g", land, *model, "--json"))
    assert [answer["name"] for answer in found["answers"]] == ["Short Water", "Long Water"]
    assert (found["method"], found["ungrounded"]) == ("neighbourhood", ["The Danube"])
    assert found["cypher"]["replays"] == "facts"
    assert len(found["paths"][0]["facts"]) == 2
    (tmp_path / "questions.jsonl").write_text(
        json.dumps({"question": QUESTION, "answers": ["Long Water", "Short Water"]}) + "\n"
        + json.dumps({"question": "what is the capital of [Made Land]?", "answers": ["Middleton"]}) + "\n",
        encoding="utf-8",
    )  # fmt: skip
    for batch in ("1", "2"):
        run = tmp_path / f"run{batch}.jsonl"
        figures = document(
            kgqa(
                "evaluate",
                "-g",
                land,
                "-q",
                tmp_path / "questions.jsonl",
                *model,
                "--batch",
                batch,
                "-o",
                run,
                "--json",
            )
        )
        assert (figures["questions"], figures["abstained"], figures["hits_at_1"]) == (2, 1, 0.5)
        assert figures["ungrounded"] == round(1 / 3, 6)  # The Danube, of three names
        by = json.loads(run.read_text("utf-8").splitlines()[0])["by"]
        digest = hashlib.sha256((tmp_path / "script.json").read_bytes()).hexdigest()[:8]
        read = ScriptedModel.read(tmp_path / "script.json").fingerprint[:8]
        assert by == f"neighbourhood, language model scripted:script.json ({digest}) ({read}), hops=1"


@pytest.mark.neo4j
def test_what_is_wrong_with_a_method_is_one_line_with_its_cure(connection: Connection, tmp_path: Path) -> None:
    asked = ("ask", "Who discovered Titan?", "-g", "space")
    assert_one_line(kgqa(*asked, "--method", "path"), 2, "no method 'path'", "nearest: 'paths'")
    assert_one_line(kgqa(*asked, "--set", "reading=2"), 2, "no setting 'reading'", "nearest: 'readings'")
    assert_one_line(kgqa(*asked, "--set", "readings"), 2, "is not KEY=VALUE")
    assert_one_line(kgqa(*asked, "--method", "neighbourhood"), 2, "needs a language model: --language-model NAME")
    (tmp_path / "script.json").write_text("[]", encoding="utf-8")
    wrong = ("--method", "neighbourhood", "--language-model", f"scripted:{tmp_path / 'script.json'}")
    assert_one_line(kgqa(*asked, *wrong), 1, "script.json", "must be one JSON object of texts")
