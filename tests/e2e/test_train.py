"""``kgqa train`` and ``--model``: a folder that answers are made with, from pairs or from none; what is refused."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from kgqa_graphdb.managed import Connection
from tests.e2e.command import document, kgqa, load_facts
from tests.unit.rank.graphs import HAS_ENCODER

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

HAS_TORCH = importlib.util.find_spec("torch") is not None
HAS_PYG = importlib.util.find_spec("torch_geometric") is not None
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
needs_torch = pytest.mark.skipif(not (HAS_TORCH and HAS_ENCODER), reason="torch or the text encoder is not installed")
RIVERS = ("Rhine", "Rhone", "Danube", "Elbe", "Loire", "Tagus")
SEAS = ("North Sea", "Mediterranean", "Black Sea", "North Sea", "Bay of Biscay", "Atlantic")
FACTS = "".join(
    f"{river}|flows into|{sea}\n{river}|mapped by|Mapper {number % 4}\nMapper {number % 4}|born in|Town {number % 3}\n"
    for number, (river, sea) in enumerate(zip(RIVERS, SEAS, strict=True))
)


@pytest.fixture(scope="module")
def rivers(connection: Connection, module_name: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return load_facts(tmp_path_factory.mktemp("rivers"), FACTS, module_name)


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
    train = ("train", "paths", "-g", rivers, "-q", questions, "-o", model)
    made = document(kgqa(*train, "--steps", "100", "--composed", "150", "--json"))
    assert (made["questions"], made["mined"]) == (24, 1.0)
    files = {path.name for path in model.iterdir()}
    assert {"model.json", "decoder.safetensors", "mined.jsonl", "train.log"} <= files
    assert ("training.svg" in files) == HAS_MATPLOTLIB
    assert not any(name.startswith("checkpoint") for name in files)
    card = json.loads((model / "model.json").read_text(encoding="utf-8"))
    assert card["details"]["calibration"][0] > 0
    assert {"held_out_f1", "ece", "ece_raw", "auroc"} == card["details"]["training"]["metrics"].keys()
    for river, sea in (("Elbe", "North Sea"), ("Tagus", "Atlantic")):
        reply = document(kgqa("ask", f"where does {river} end", "-g", rivers, "--model", model, "--json"))
        assert [answer["name"] for answer in reply["answers"]] == [sea]
        assert 0 < reply["answers"][0]["score"] <= 1
    measured = document(kgqa("evaluate", "-g", rivers, "-q", questions, "--model", model, "--json"))
    assert measured["hits_at_1"] > 0.9


@needs_torch
def test_a_predictor_of_paths_is_trained_asked_and_measured_without_a_language_model(
    rivers: str, questions: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model"
    train = ("train", "rra", "-g", rivers, "-q", questions, "-o", model, "--steps", "40", "--json")
    made = document(kgqa(*train))
    assert (made["questions"], made["mined"]) == (24, 1.0)
    files = {path.name for path in model.iterdir()}
    assert files == {"model.json", "predictor.safetensors", "mined.jsonl", "train.log"}
    answering = ("-g", rivers, "--method", "rra", "--model", model, "--set", "reader=none", "--json")
    measured = document(kgqa("evaluate", "-q", questions, *answering))
    assert measured["hop_accuracy"] == measured["path_hits_at_k"] == measured["answer_in_subgraph"] == 1
    assert measured["hits_at_1"] > 0.9
    reply = document(kgqa("ask", "where does [Elbe] end", *answering))
    assert [answer["name"] for answer in reply["answers"]] == ["North Sea"]
    assert reply["retrieved"]["paths"][0]["steps"] == [">flows into"]


@pytest.mark.skipif(not (HAS_TORCH and HAS_PYG), reason="PyTorch Geometric is not installed")
def test_both_steps_of_gnn2r_are_trained_and_the_end_says_what_each_reached(
    rivers: str, questions: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model"
    made = ("train", "gnn2r", "-g", rivers, "-q", questions, "-o", model, "--encoder", "characters")
    done = kgqa(*made, "--steps", "30", "--steps-two", "5", "--hops", "9", "--path-hops", "1")
    assert done.returncode == 0, done.stderr
    assert "the nearest entity is an answer to" in done.stdout
    assert "the patterns that step II chooses have F1" in done.stdout
    reply = document(
        kgqa("ask", "where does [Elbe] end", "-g", rivers, "--method", "gnn2r", "--model", model, "--json")
    )
    assert [answer["name"] for answer in reply["answers"]] == ["North Sea"]


@needs_torch
def test_one_ranker_learns_from_questions_of_two_graphs(
    rivers: str, questions: Path, tmp_path: Path, connection: Connection
) -> None:
    towns = [f"Town {number}" for number in range(8)]
    made = [(town, f"Bridge {number}", f"Bell {number % 3}") for number, town in enumerate(towns)]
    facts = "".join(f"{town}|has bridge|{bridge}\n{town}|has bell|{bell}\n" for town, bridge, bell in made)
    (tmp_path / "towns.txt").write_text(facts, encoding="utf-8")
    other, asked, model = f"{rivers}towns", tmp_path / "asked=towns.jsonl", tmp_path / "model"
    document(kgqa("load", tmp_path / "towns.txt", "--graph", other, "--json"))
    rows = [
        {"question": wording.format(f"[{town}]"), "answers": [bridge]}
        for town, bridge, _ in made
        for wording in ("how do i cross at {}", "where does {} let me over", "what takes me across in {}")
    ]
    asked.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    train = ("train", "paths", "-q", f"{rivers}={questions}", "-q", f"{other}={asked}", "-o", model)
    try:
        measured = document(kgqa(*train, "--steps", "120", "--composed", "200", "--json"))
        assert (measured["questions"], measured["mined"]) == (48, 1.0)
        assert {f"mined-{rivers}.jsonl", f"mined-{other}.jsonl"} <= {path.name for path in model.iterdir()}
        card = json.loads((model / "model.json").read_text(encoding="utf-8"))
        details = card["details"]
        assert (list(card["graphs"]), card["walk"], details["training"]["composed"]) == ([rivers, other], None, 200)
        assert len(set(card["graphs"].values())) == 2
        assert {"flows into", "has bridge"} <= set(details["relations"])
        for graph, file in ((rivers, questions), (other, asked)):
            right = document(kgqa("evaluate", "-g", graph, "-q", file, "--model", model, "--json"))
            assert right["hits_at_1"] > 0.9
        reply = document(kgqa("ask", "where does Elbe end", "-g", rivers, "--model", model, "--json"))
        assert reply["notes"] == []
        done = kgqa("train", "paths", "-g", rivers, "-q", f"{other}={asked}", "-o", tmp_path / "none")
        assert done.returncode == 2
        assert f"no questions of graph '{rivers}'" in done.stderr
    finally:
        document(kgqa("drop", other, "--yes", "--json"))


@needs_torch
def test_a_fine_tuned_encoder_is_kept_and_reads_questions(rivers: str, questions: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    train = ("train", "paths", "-g", rivers, "-q", questions, "-o", model, "--fine-tune", "--composed", "80")
    document(kgqa(*train, "--steps", "16", "--json"))
    card = json.loads((model / "model.json").read_text(encoding="utf-8"))
    assert (card["details"]["question_encoder"], len(card["graphs"][rivers])) == ("encoder", 16)
    assert list(card["graphs"]) == [rivers]
    assert {"model.onnx", "model.safetensors", "tokenizer.json"} <= {
        path.name for path in (model / "encoder").iterdir()
    }
    measured = document(kgqa("evaluate", "-g", rivers, "-q", questions, "--model", model, "--json"))
    assert measured["hits_at_1"] > 0.9
    done = kgqa("train", "paths", "-g", rivers, "-q", questions, "-o", model, "--fine-tune", "--encoder", "characters")
    assert done.returncode == 2
    assert "leave --fine-tune out" in done.stderr
    done = kgqa(*train, "--encoder", model / "encoder")
    assert done.returncode == 2
    assert "would be replaced" in done.stderr


RIVERS_IN_CHINESE = ("青溪江", "白石河", "长兰江", "乌木河", "金沙溪", "绿水湾河", "3号运河")
SEAS_IN_CHINESE = ("北湾", "南湾", "镜海", "北湾", "云海", "南湾", "镜海")


@pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed")
def test_characters_are_learned_for_a_language_that_no_encoder_here_knows(
    connection: Connection, new_name: str, tmp_path: Path
) -> None:
    both = list(zip(RIVERS_IN_CHINESE, SEAS_IN_CHINESE, strict=True))
    facts = "".join(f"{river}|流入|{sea}\n{river}|测绘者|测绘员{place}\n" for place, (river, sea) in enumerate(both))
    load_facts(tmp_path, facts, new_name)
    asked = {
        "流入": ("{}最后到哪里", "{}在什么地方结束", "请问{}通向哪片水域"),
        "测绘者": ("谁画了{}的地图", "{}的地图是哪个人画的"),
    }
    rows = [
        {"question": wording.format(river), "answers": [sea if relation == "流入" else f"测绘员{place}"]}
        for place, (river, sea) in enumerate(both)
        for relation, wordings in asked.items()
        for wording in wordings
    ]
    questions, model = tmp_path / "questions.jsonl", tmp_path / "model"
    questions.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    train = ("train", "paths", "-g", new_name, "-q", questions, "-o", model, "--encoder", "characters")
    made = document(kgqa(*train, "--steps", "110", "--json"))
    assert made["mined"] == 1.0
    card = json.loads((model / "model.json").read_text(encoding="utf-8"))
    assert (card["encoder"], card["details"]["training"]["composed"]) == ("characters", 0)
    measured = document(kgqa("evaluate", "-g", new_name, "-q", questions, "--model", model, "--json"))
    assert measured["hits_at_1"] > 0.9
    reply = document(kgqa("ask", "请问3号运河最后到哪里呢", "-g", new_name, "--model", model, "--json"))
    assert [answer["name"] for answer in reply["answers"]] == ["镜海"]
    assert reply["notes"] == []


@needs_torch
def test_a_graph_alone_makes_a_ranker_that_another_graph_can_use_with_a_warning(
    rivers: str, tmp_path: Path, connection: Connection
) -> None:
    model = tmp_path / "model"
    made = document(
        kgqa("train", "paths", "-g", rivers, "--synthetic", "-o", model, "--steps", "60", "--composed", "200", "--json")
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


def test_without_torch_training_says_what_to_install(rivers: str, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text('raise ModuleNotFoundError("No module named torch", name="torch")\n')
    done = kgqa("train", "paths", "-g", rivers, "--synthetic", "-o", tmp_path / "model", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert "torch" in done.stderr
    assert "kgqa-graphdb[train]" in done.stderr


def test_nothing_to_train_on_and_no_model_are_named(rivers: str, tmp_path: Path) -> None:
    done = kgqa("train", "paths", "-g", rivers, "-o", tmp_path / "model")
    assert done.returncode == 2
    assert "--synthetic" in done.stderr
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("where is [Rhine]\tEurope\n", encoding="utf-8")
    done = kgqa("train", "paths", "-q", f"{rivers}={pairs}", "-g", rivers, "--synthetic", "-o", tmp_path / "model")
    assert done.returncode == 2
    assert "--synthetic is for graphs without --questions" in done.stderr
    done = kgqa("train", "paths", "-q", f"{rivers}={pairs}", "-g", "lakes", "-o", tmp_path / "model")
    assert done.returncode == 2
    assert "there are no questions of graph 'lakes'" in done.stderr
    assert "--synthetic" in done.stderr
    done = kgqa("ask", "who?", "-g", rivers, "--model", tmp_path)
    assert done.returncode == 2
    assert "is no trained model" in done.stderr
    assert "Traceback" not in done.stderr
