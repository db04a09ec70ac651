"""Ctrl-C ends any command at once, with status 130 and a line that says so."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sysconfig
import time
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb import demo
from kgqa_graphdb.catalog import graphs
from kgqa_graphdb.managed import Connection
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from tests.e2e.stalling import StallingProxy
from tests.graphs import load_demo

pytestmark = pytest.mark.neo4j

KGQA = Path(sysconfig.get_path("scripts")) / "kgqa"
ENDS_WITHIN_S = 30
"""A driver that an interrupt catches in the middle of a read would wait for ever."""


def start(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [KGQA, *arguments],
        cwd=cwd,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def interrupt(process: subprocess.Popen[str]) -> str:
    """Press Ctrl-C; gives what the command said."""
    process.send_signal(signal.SIGINT)
    try:
        out, said = process.communicate(timeout=ENDS_WITHIN_S)
    finally:
        process.kill()
    assert process.returncode == 130, said
    document = {"error": "interrupted", "status": 130} if "--json" in process.args else None
    assert (json.loads(out) if out else None) == document
    return said


@pytest.fixture(scope="module")
def space(driver: neo4j.Driver, module_name: str) -> str:
    """The demo graph under a name of this module, which interrupts its loads and drops."""
    load_demo(driver, module_name)
    return module_name


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that takes a while to load."""
    choose = random.Random(3)
    lines = {f"e{choose.randrange(5_000)}|r{choose.randrange(9)}|e{choose.randrange(5_000)}\n" for _ in range(60_000)}
    path = tmp_path_factory.mktemp("facts") / "facts.txt"
    path.write_text("".join(sorted(lines)), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("command", "after_bytes"),
    [("ask", 0), ("ask", 600), ("ask", 3_000), ("graphs", 0), ("graphs", 300), ("demo", 300), ("drop", 300),
     ("load", 0), ("load", 600)],
)  # fmt: skip
def test_a_command_caught_in_the_middle_of_a_read_ends_at_once(
    connection: Connection, space: str, tmp_path: Path, command: str, after_bytes: int
) -> None:
    arguments: dict[str, tuple[str | Path, ...]] = {
        "ask": ("ask", "Who discovered Titan?", "-g", space),
        "graphs": ("graphs",),
        "demo": ("demo", "--json"),
        "drop": ("drop", space, "--yes"),
        "load": ("load", demo.FACTS_FILE, "-g", space),
    }
    with StallingProxy(connection.uri, after_bytes) as proxy:
        process = start(*arguments[command], cwd=tmp_path, NEO4J_URI=proxy.uri)
        if not proxy.stalled.wait(20):
            process.kill()
            pytest.fail(f"{command} needed less than {after_bytes} bytes: {process.communicate()}")
        time.sleep(0.1)
        said = interrupt(process)
    assert len(said.splitlines()) == 1, said
    assert said.startswith("kgqa: interrupted")


@pytest.mark.parametrize("after_s", [0.02, 0.1, 0.2, 0.4, 0.7])
def test_a_question_can_be_interrupted_at_any_moment(space: str, tmp_path: Path, after_s: float) -> None:
    process = start("ask", "Who discovered the moons of Mars?", "-g", space, cwd=tmp_path)
    time.sleep(after_s)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=10)
    if process.returncode == 0:
        assert "Asaph Hall" in out  # it was quicker
    elif "kgqa:" not in said and after_s < 0.3:
        assert process.returncode in (-signal.SIGINT, 1)  # Python itself was still starting
    else:
        assert (process.returncode, said) == (130, "kgqa: interrupted\n")


def test_an_interrupted_load_says_how_far_it_came_and_goes_on(
    connection: Connection, driver: neo4j.Driver, graph_name: str, facts: Path
) -> None:
    process = start("load", facts, "-g", graph_name, cwd=facts.parent)
    written = f"MATCH (n:`KG_{graph_name}`) RETURN count(n)"
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        if driver.execute_query(written).records[0][0]:  # type: ignore[arg-type]
            break
    said = interrupt(process)
    assert said.startswith("kgqa: interrupted")
    assert "The same command goes on from there" in said
    assert len(said.splitlines()) == 1
    done = start("load", facts, "-g", graph_name, "--json", cwd=facts.parent)
    _, errors = done.communicate(timeout=120)
    assert done.returncode == 0, errors
    with Neo4jIO(driver) as io:
        (info,) = (info for info in run(graphs(), io) if info.graph == graph_name)
    assert info.state == "complete"
    assert info.facts == len(facts.read_text(encoding="utf-8").splitlines())
