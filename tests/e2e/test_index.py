"""``kgqa index``: what it prints, what it refuses, and that a run that was killed goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb.encode import OnnxEncoder
from kgqa_graphdb.errors import EncoderError
from kgqa_graphdb.managed import Connection
from tests.e2e.command import KGQA, document, kgqa

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

ENTITIES = 3_000


@pytest.fixture(scope="module", autouse=True)
def encoder() -> None:
    try:
        OnnxEncoder().encode(["a"])
    except EncoderError as error:
        pytest.skip(f"no text encoder: {error}")


@pytest.fixture
def chain(connection: Connection, graph_name: str, tmp_path: Path) -> str:
    """A loaded graph of some thousand entities, each knowing the next."""
    lines = "".join(f"person number {n}\tknows\tperson number {n + 1}\n" for n in range(ENTITIES - 1))
    (tmp_path / "facts.tsv").write_text(lines, encoding="utf-8")
    done = kgqa("load", tmp_path / "facts.tsv", "--format", "tsv", "--graph", graph_name, "--json")
    assert done.returncode == 0, done.stderr
    return graph_name


def with_vector(driver: neo4j.Driver, graph: str) -> int:
    [row] = driver.execute_query(f"MATCH (n:`KG_{graph}`) RETURN count(n._kgqa_vector)").records
    return int(row[0])


def test_a_killed_run_goes_on_with_what_is_missing(driver: neo4j.Driver, chain: str) -> None:
    process = subprocess.Popen([KGQA, "index", "--graph", chain, "--vectors"], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while with_vector(driver, chain) == 0 and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(30)
    before = with_vector(driver, chain)
    assert 0 < before < ENTITIES
    report = document(kgqa("index", "--graph", chain, "--vectors", "--json"))
    assert (report["entities"], report["embedded"]) == (ENTITIES, ENTITIES - before)
    assert report["vectors"]["indexes"] == [f"KG_{chain}_vectors"]
    assert with_vector(driver, chain) == ENTITIES
    again = document(kgqa("index", "--graph", chain, "--vectors", "--json"))
    assert again["embedded"] == 0
    removed = document(kgqa("index", "--graph", chain, "--vectors", "--remove", "--json"))
    assert removed == {"graph": chain, "removed": ENTITIES}
    assert with_vector(driver, chain) == 0


def test_what_is_wrong_is_said_in_one_line(connection: Connection) -> None:
    nothing = kgqa("index", "--graph", "any")
    assert (nothing.returncode, nothing.stderr) == (2, "kgqa: nothing to index; add --vectors\n")
    unknown = kgqa("index", "--graph", "nowhere", "--vectors")
    assert unknown.returncode == 1
    assert unknown.stderr.startswith("kgqa: there is no graph 'nowhere'")


def test_help_shows_how() -> None:
    done = kgqa("index", "--help")
    assert done.returncode == 0
    assert "kgqa index --graph space --vectors" in done.stdout
