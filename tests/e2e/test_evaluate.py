"""``kgqa evaluate`` and ``kgqa compare``: figures, their trace, going on, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgqa_graphdb.managed import Connection
from tests.e2e.command import document, kgqa, load_facts

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

FACTS = """Long Water|flows through|Made Land
Short Water|flows through|Made Land
Made Land|capital|Middleton
Far Land|capital|Farton
"""
QUESTIONS = [
    {"question": "what is the capital of [Made Land]?", "answers": ["Middleton"], "type": "capital"},
    {"question": "what is the capital of [Far Land]?", "answers": ["Middleton"], "type": "capital"},
    {"question": "what flows through [Made Land]?", "answers": ["Long Water", "Short Water"], "hops": 1},
]
NO_QUESTION = {"question": "???", "answers": ["Middleton"]}


@pytest.fixture(scope="module")
def land(connection: Connection, module_name: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return load_facts(tmp_path_factory.mktemp("land"), FACTS, module_name)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(question) + "\n" for question in QUESTIONS), encoding="utf-8")
    return path


@pytest.mark.parametrize("batch", ["1", "2"])
def test_figures_are_those_of_the_questions(land: str, questions: Path, tmp_path: Path, batch: str) -> None:
    output = tmp_path / "run.jsonl"
    found = document(kgqa("evaluate", "-g", land, "-q", questions, "--batch", batch, "--output", output, "--json"))
    assert (found["questions"], found["errors"], found["abstained"]) == (3, 0, 0)
    assert found["hits_at_1"] == found["f1"] == found["exact_match"] == pytest.approx(2 / 3, abs=1e-6)
    assert found["by"]["capital"]["f1"] == 0.5
    assert found["by"]["1-hop"]["f1"] == 1
    lines = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [line["scores"]["f1"] for line in lines] == [1, 0, 1]
    assert [line["linked"] for line in lines] == [["Made Land"], ["Far Land"], ["Made Land"]]
    assert lines[1]["predicted"][0]["name"] == "Farton"
    assert [line["best_path_f1"] for line in lines] == [1, 0, 1]
    assert found["coverage"] == found["best_path_f1"] == pytest.approx(2 / 3, abs=1e-6)
    assert (found["by"]["covered"]["questions"], found["by"]["covered"]["f1"]) == (2, 1)


def test_how_sure_an_answer_must_be_can_be_said_and_is_told(land: str, questions: Path, tmp_path: Path) -> None:
    output, report = tmp_path / "run.jsonl", tmp_path / "report"
    done = kgqa(
        "evaluate", "-g", land, "-q", questions, "--abstain-below", "1", "-o", output, "--report", report, "--json"
    )
    assert document(done)["abstained"] == 3
    assert "paths, abstain_below=1.0" in (report / "report.md").read_text("utf-8").replace("\\", "")
    refused = kgqa("evaluate", "-g", land, "-q", questions, "-o", output)
    assert refused.returncode == 2
    assert "abstain_below=1.0" in refused.stderr
    asked = kgqa("ask", QUESTIONS[0]["question"], "-g", land, "--abstain-below", "1", "--json")
    assert document(asked)["abstained"] is True
    several = kgqa("ask", QUESTIONS[0]["question"], "-g", land, "--readings", "2")
    assert several.returncode == 2
    assert "with a trained model only (--model)" in several.stderr


def test_topics_may_be_given(land: str, tmp_path: Path) -> None:
    said = tmp_path / "said.jsonl"
    bare = [{"question": f"what is the capital of {name}?", "answers": ["Middleton"], "topics": ["Made Land"]}
            for name in ("it", "Far Land")]  # fmt: skip
    said.write_text("".join(json.dumps(question) + "\n" for question in bare), encoding="utf-8")
    output = tmp_path / "run.jsonl"
    assert document(kgqa("evaluate", "-g", land, "-q", said, "--json"))["f1"] == 0
    told = kgqa("evaluate", "-g", land, "-q", said, "--given-topics", "--batch", "2", "-o", output, "--json")
    assert document(told)["f1"] == 1
    refused = kgqa("evaluate", "-g", land, "-q", said, "-o", output)
    assert refused.returncode == 2
    assert "topics given" in refused.stderr
    asked = kgqa("ask", "what is the capital of it?", "--topic", "Made Land", "-g", land, "--json")
    assert [one["name"] for one in document(asked)["answers"]] == ["Middleton"]
    (tmp_path / "none.jsonl").write_text(json.dumps({"question": "what is it?", "answers": ["x"]}) + "\n")
    none = kgqa("evaluate", "-g", land, "-q", tmp_path / "none.jsonl", "--given-topics")
    assert none.returncode == 2
    assert "names no topics" in none.stderr
    lost = kgqa("ask", "what is the capital of it?", "--topic", "Nowhere", "-g", land)
    assert f"graph '{land}' has no entity 'Nowhere'" in lost.stdout


def test_of_questions_asked_side_by_side_each_has_its_share_of_the_time(
    land: str, questions: Path, tmp_path: Path
) -> None:
    output = tmp_path / "run.jsonl"
    shown = kgqa("evaluate", "-g", land, "-q", questions, "--batch", "3", "-o", output)
    assert "3 side by side; a question's share of that time was" in shown.stdout
    lines = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [line["batch"] for line in lines] == [3, 3, 3]
    assert len({line["latency_ms"] for line in lines}) == 1
    rate = float(shown.stdout.split(" questions/s")[0].split()[-1].replace(",", ""))
    assert 1_000 / lines[0]["latency_ms"] == pytest.approx(rate, rel=0.1)
    alone = kgqa("evaluate", "-g", land, "-q", questions)
    assert "; a question took " in alone.stdout


def test_yes_and_no_are_scored(land: str, tmp_path: Path) -> None:
    asked = tmp_path / "whether.jsonl"
    whether = (("Does the Long Water flow through Made Land?", True), ("Is Farton the capital of Far Land?", "True"),
               ("Is Middleton the capital of Made Land?", "yes"))  # fmt: skip
    asked.write_text("".join(json.dumps({"question": one, "answers": [gold]}) + "\n" for one, gold in whether))
    output = tmp_path / "run.jsonl"
    found = document(kgqa("evaluate", "-g", land, "-q", asked, "-o", output, "--json"))
    predicted = [line["predicted"] for line in map(json.loads, output.read_text("utf-8").splitlines())]
    answered = [one for one in predicted if one and one[0]["name"] == "yes"]
    assert answered, predicted
    assert found["exact_match"] == found["rog_hit"] == pytest.approx(len(answered) / 3, abs=1e-6)


CHAINS = """what is the capital of Made Land ?\tMiddleton(Middleton/)\tMade Land#capital#Middleton#<end>#Middleton
what is the capital of Far Land ?\tFarton(Farton/)\tFar Land#seat#Farton#<end>#Farton
"""


def test_proofs_are_scored_against_gold_chains(land: str, tmp_path: Path) -> None:
    (tmp_path / "chains.txt").write_text(CHAINS, encoding="utf-8")
    found = document(kgqa("evaluate", "-g", land, "-q", tmp_path / "chains.txt", "--json"))
    assert found["f1"] == 1
    assert (found["proof_precision"], found["proof_recall"], found["proof_f1"]) == (0.5, 0.5, 0.5)


def test_coverage_is_left_out_if_asked(land: str, questions: Path) -> None:
    found = document(kgqa("evaluate", "-g", land, "-q", questions, "--no-coverage", "--json"))
    assert found["f1"] == pytest.approx(2 / 3, abs=1e-6)
    assert "coverage" not in found


@pytest.mark.parametrize("batch", ["1", "4"])
def test_a_question_that_fails_is_counted_and_not_scored(land: str, questions: Path, batch: str) -> None:
    with questions.open("a", encoding="utf-8") as file:
        file.write(json.dumps(NO_QUESTION) + "\n")
    found = document(kgqa("evaluate", "-g", land, "-q", questions, "--batch", batch, "--json"))
    assert (found["questions"], found["errors"]) == (4, 1)
    assert found["f1"] == pytest.approx(2 / 3, abs=1e-6)


def test_a_run_goes_on_where_it_ended_and_is_compared(land: str, questions: Path, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    done = kgqa("evaluate", "-g", land, "-q", questions, "-o", whole)
    assert "66.7%" in done.stdout, done.stderr
    first = json.loads(whole.read_text("utf-8").splitlines()[0])
    first["predicted"], first["scores"] = [], dict.fromkeys(first["scores"], 0.0)
    cut.write_text(json.dumps(first) + "\n" + whole.read_text("utf-8").splitlines()[1][:40], encoding="utf-8")
    found = document(kgqa("evaluate", "-g", land, "-q", questions, "-o", cut, "--json"))
    assert found["f1"] == pytest.approx(1 / 3, abs=1e-6)  # what the first run wrote stays
    compared = document(kgqa("compare", cut, whole, "--json"))
    assert (compared["questions"], compared["won"], compared["lost"]) == (3, ["1"], [])
    shown = kgqa("compare", cut, whole).stdout
    assert "what is the capital of [Made Land]?" in shown
    assert "p = 1.000" in shown


def test_wrong_files_are_refused_with_a_cure(land: str, questions: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    assert kgqa("evaluate", "-g", land, "-q", questions, "--limit", "1", "-o", other).returncode == 0
    shorter = tmp_path / "shorter.jsonl"
    shorter.write_text(json.dumps(NO_QUESTION) + "\n", encoding="utf-8")
    (tmp_path / "facts.txt").write_text(FACTS, encoding="utf-8")
    for arguments, says in (
        (("evaluate", "-g", land, "-q", tmp_path / "none"), "can't read"),
        (("evaluate", "-g", "nograph", "-q", questions), "no graph"),
        (("evaluate", "-g", land, "-q", questions, "-m", "nothing"), "nothing"),
        (("evaluate", "-g", land, "-q", tmp_path / "facts.txt"), "can't tell what questions"),
        (("compare", tmp_path / "none", other), "can't read"),
        (("compare", questions, other), "not a line that kgqa evaluate writes"),
    ):
        done = kgqa(*arguments)
        assert done.returncode in (1, 2), arguments
        assert says in done.stderr, done.stderr
        assert "Traceback" not in done.stderr
    (tmp_path / "wrong.jsonl").write_text(other.read_text("utf-8"), encoding="utf-8")
    done = kgqa("evaluate", "-g", land, "-q", shorter, "-o", tmp_path / "wrong.jsonl")
    assert done.returncode == 2
    assert "other questions" in done.stderr
