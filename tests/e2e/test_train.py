"""``kgqa train`` and ``--model``: a folder that answers are made with, from pairs or from none; what is refused."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from kgqa_graphdb.managed import Connection
from tests.e2e.command import document, kgqa
from tests.unit.rank.graphs import HAS_ENCODER

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not (HAS_TORCH and HAS_ENCODER), reason="torch or the text encoder is not installed")
without_torch = pytest.mark.skipif(HAS_TORCH, reason="torch is installed")
RIVERS = ("Rhine", "Rhone", "Danube", "Elbe", "Loire", "Tagus")
SEAS = ("North Sea", "Mediterranean", "Black Sea", "North Sea", "Bay of Biscay", "Atlantic")
FACTS = "".join(
    f"{river}|flows into|{sea}\n{river}|mapped by|Mapper {number % 4}\nMapper {number % 4}|born in|Town {number % 3}\n"
    for number, (river, sea) in enumerate(zip(RIVERS, SEAS, strict=True))
)


@pytest.fixture
def rivers(connection: Connection, graph_name: str, tmp_path: Path) -> str:
    (tmp_path / "facts.txt").write_text(FACTS, encoding="utf-8")
    document(kgqa("load", tmp_path / "facts.txt", "--graph", graph_name, "--json"))
    return graph_name


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    rows = [
        {"question": wording.format(f"[{river}]"), "answers": [sea]}
        for river, sea in zip(RIVERS, SEAS, strict=True)
        for wording in ("where does {} end", "what is the end of {}", "into what does {} empty", "{} ends where")
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@needs_torch
def test_pairs_teach_words_that_the_graph_does_not_have(rivers: str, questions: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    made = document(
        kgqa(
            "train",
            "paths",
            "-g",
            rivers,
            "-q",
            questions,
            "-o",
            model,
            "--steps",
            "200",
            "--composed",
            "300",
            "--json",
        )
    )
    assert (made["questions"], made["mined"]) == (24, 1.0)
    files = {path.name for path in model.iterdir()}
    assert {"config.json", "decoder.safetensors", "mined.jsonl", "train.log"} <= files
    assert not any(name.startswith("checkpoint") for name in files)
    about = json.loads((model / "config.json").read_text(encoding="utf-8"))
    assert about["calibration"][0] > 0
    assert {"held_out_f1", "ece", "ece_raw", "auroc"} == about["metrics"].keys()
    for river, sea in (("Elbe", "North Sea"), ("Tagus", "Atlantic")):
        reply = document(kgqa("ask", f"where does {river} end", "-g", rivers, "--model", model, "--json"))
        assert [answer["name"] for answer in reply["answers"]] == [sea]
        assert 0 < reply["answers"][0]["score"] <= 1
    told = document(kgqa("evaluate", "-g", rivers, "-q", questions, "--model", model, "--json"))
    assert told["hits_at_1"] > 0.9


@needs_torch
def test_a_graph_alone_makes_a_ranker_that_another_graph_can_use_with_a_warning(
    rivers: str, tmp_path: Path, connection: Connection
) -> None:
    model = tmp_path / "model"
    made = document(
        kgqa(
            "train", "paths", "-g", rivers, "--synthetic", "-o", model, "--steps", "200", "--composed", "600", "--json"
        )
    )
    assert made["questions"] == 0
    reply = document(kgqa("ask", "what does Rhine flow into", "-g", rivers, "--model", model, "--json"))
    assert reply["notes"] == []
    (tmp_path / "other.txt").write_text("Ada|knows|Bob\n", encoding="utf-8")
    other = f"{rivers}other"
    document(kgqa("load", tmp_path / "other.txt", "--graph", other, "--json"))
    try:
        reply = document(kgqa("ask", "whom does Ada know", "-g", other, "--model", model, "--json"))
    finally:
        document(kgqa("drop", other, "--yes", "--json"))
    assert any("trained on other relations" in note for note in reply["notes"])


@without_torch
def test_without_torch_training_says_what_to_install(rivers: str, tmp_path: Path) -> None:
    done = kgqa("train", "paths", "-g", rivers, "--synthetic", "-o", tmp_path / "model")
    assert done.returncode == 1
    assert "torch" in done.stderr
    assert "kgqa-graphdb[train]" in done.stderr


def test_nothing_to_train_on_and_no_model_are_named(rivers: str, tmp_path: Path) -> None:
    done = kgqa("train", "paths", "-g", rivers, "-o", tmp_path / "model")
    assert done.returncode == 2
    assert "--synthetic" in done.stderr
    done = kgqa("ask", "who?", "-g", rivers, "--model", tmp_path)
    assert done.returncode == 2
    assert "is no trained model" in done.stderr
    assert "Traceback" not in done.stderr
