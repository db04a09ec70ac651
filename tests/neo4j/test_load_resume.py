"""A load that is cut off, anywhere and by anything, is completed by running it again, without duplicates."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb.catalog import graphs, loaded_mapping
from kgqa_graphdb.errors import ConnectionFailedError, LoadError
from kgqa_graphdb.managed import Connection, ManagedServer, connection_from_environment
from kgqa_graphdb.runtime import Neo4jIO, open_driver
from kgqa_graphdb.steps import run
from kgqa_loaders.drop import drop
from kgqa_loaders.recognise import open_source
from kgqa_loaders.server import Server
from kgqa_loaders.write import load

pytestmark = pytest.mark.neo4j

ENTITIES, FACTS = 1_000, 10_000


class CutOffError(Exception):
    """Stands for whatever ends a load."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of distinct facts."""
    choose = random.Random(7)
    facts: dict[str, None] = {}
    while len(facts) < FACTS:
        head, tail = choose.randrange(ENTITIES), choose.randrange(ENTITIES)
        facts[f"e{head}|r{choose.randrange(20)}|e{tail}\n"] = None
    path = tmp_path_factory.mktemp("source") / "facts.txt"
    path.write_text("".join(facts), encoding="utf-8")
    return path


def counts(driver: neo4j.Driver, graph: str) -> tuple[int, int, int, int]:
    """Entities, distinct entities, facts, distinct facts."""
    nodes = driver.execute_query(f"MATCH (n:`KG_{graph}`) RETURN count(n), count(DISTINCT n.entity_id)").records[0]  # type: ignore[arg-type]
    facts = driver.execute_query(
        f"MATCH (h:`KG_{graph}`)-[r]->(t) RETURN count(r), count(DISTINCT [h.entity_id, type(r), t.entity_id])"  # type: ignore[arg-type]
    ).records[0]
    return nodes[0], nodes[1], facts[0], facts[1]


def assert_complete(driver: neo4j.Driver, graph: str) -> None:
    assert counts(driver, graph) == (ENTITIES, ENTITIES, FACTS, FACTS)
    with Neo4jIO(driver) as io:
        info = next(info for info in run(graphs(), io) if info.graph == graph)
        mapping = run(loaded_mapping(graph), io)
    assert (info.state, info.entities, info.facts) == ("complete", ENTITIES, FACTS)
    assert len(mapping.relations) == 20
    assert len(mapping.next_steps[">r0"]) == 40


def kgqa(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from kgqa_graphdb.cli import main; main()", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("batches", [0, 1, 2, 4, 9, 12])
def test_load_cut_off_after_some_batches_is_completed(
    driver: neo4j.Driver, graph_name: str, source: Path, monkeypatch: pytest.MonkeyPatch, batches: int
) -> None:
    monkeypatch.setattr("kgqa_loaders.batches.BATCH", 800)
    left = batches

    def cut(done: int, total: int | None = None) -> None:
        nonlocal left
        if batches and total is None:  # still reading
            return
        if not left:
            raise CutOffError
        left -= 1

    with pytest.raises(CutOffError):
        load(driver, open_source(str(source)), graph=graph_name, progress=cut)
    if batches:  # then the graph is claimed
        with Neo4jIO(driver) as io, pytest.raises(LoadError, match=rf"kgqa load .*facts\.txt --graph {graph_name}"):
            run(loaded_mapping(graph_name), io)
    before = counts(driver, graph_name)
    report = load(driver, open_source(str(source)), graph=graph_name)
    assert report.added_facts == FACTS - before[2]
    assert_complete(driver, graph_name)


def test_graph_can_be_asked_while_an_addition_is_cut_off(
    driver: neo4j.Driver, graph_name: str, source: Path, tmp_path: Path
) -> None:
    load(driver, open_source(str(source)), graph=graph_name)
    more = tmp_path / "more.txt"
    more.write_text("e0|another|e1\n", encoding="utf-8")

    def cut(done: int, total: int | None = None) -> None:
        if total:
            raise CutOffError

    with pytest.raises(CutOffError):
        load(driver, open_source(str(more)), graph=graph_name, progress=cut)
    with Neo4jIO(driver) as io:
        assert ">r0" in run(loaded_mapping(graph_name), io).next_steps
    assert load(driver, open_source(str(more)), graph=graph_name).facts == FACTS + 1


def test_two_loads_of_one_graph_cannot_mix(driver: neo4j.Driver, graph_name: str, source: Path) -> None:
    """The later one takes over; the earlier one says so, and leaves no duplicate."""
    taken = False

    def overtake(done: int, total: int | None = None) -> None:
        nonlocal taken
        if total and done and not taken:
            taken = True
            load(driver, open_source(str(source)), graph=graph_name)

    with pytest.raises(LoadError, match="began meanwhile"):
        load(driver, open_source(str(source)), graph=graph_name, progress=overtake)
    assert_complete(driver, graph_name)


def test_batch_too_big_for_the_server_is_halved(
    driver: neo4j.Driver, graph_name: str, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server's own refusal is made by a rule: a transaction of more than 200 rows."""
    from kgqa_loaders.server import OutOfServerMemoryError

    once = Server.run

    def small(self: Server, name: str, splices: dict[str, str] | None = None, /, **parameters: object) -> object:
        rows = parameters.get("heads", parameters.get("ids", []))
        if len(rows) > 200:  # type: ignore[arg-type]
            raise OutOfServerMemoryError("too big")
        return once(self, name, splices, **parameters)

    monkeypatch.setattr(Server, "run", small)
    load(driver, open_source(str(source)), graph=graph_name)
    assert_complete(driver, graph_name)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system can't kill -9")
def test_killed_load_is_completed(
    connection: Connection, driver: neo4j.Driver, graph_name: str, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = random.Random()
    for _ in range(4):
        loading = kgqa("load", str(source), "--graph", graph_name, "--json")
        deadline = time.monotonic() + 30
        while loading.poll() is None and counts(driver, graph_name)[0] == 0 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(choose.uniform(0, 0.6))
        loading.kill()
        loading.communicate()
    last = kgqa("load", str(source), "--graph", graph_name, "--json")
    out, err = last.communicate(timeout=120)
    assert last.returncode == 0, err
    assert json.loads(out)["facts"] == FACTS
    assert_complete(driver, graph_name)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="this system has no SIGINT between processes")
def test_interrupted_load_says_how_to_go_on(
    connection: Connection, driver: neo4j.Driver, graph_name: str, source: Path, tmp_path: Path
) -> None:
    big = tmp_path / "big.txt"
    big.write_text("".join(f"a{n}|r{n % 9}|b{n * 7 % 60_000}\n" for n in range(60_000)), encoding="utf-8")
    loading = kgqa("load", str(big), "--graph", graph_name)
    while loading.poll() is None and counts(driver, graph_name)[0] == 0:
        time.sleep(0.05)
    loading.send_signal(signal.SIGINT)
    _, err = loading.communicate(timeout=10)
    assert loading.returncode == 130
    assert "of 180,000 entities and facts were in. The same command goes on from there." in err
    assert "Traceback" not in err
    report = load(driver, open_source(str(big)), graph=graph_name)
    assert (report.facts, counts(driver, graph_name)[3]) == (60_000, 60_000)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(connection_from_environment() is not None, reason="NEO4J_URI names a server: none is started")
def test_server_stopped_in_the_middle_of_a_load(tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgqa_loaders.batches.BATCH", 800)
    server = ManagedServer(tmp_path / "home")
    try:
        stopped = False

        def stop(done: int, total: int | None = None) -> None:
            nonlocal stopped
            if total and done > 4_000 and not stopped:
                stopped = True
                server.stop()

        with open_driver(server.start()) as driver, pytest.raises(ConnectionFailedError) as caught:
            load(driver, open_source(str(source)), graph="cut", progress=stop)
        assert "run the same command again" in str(caught.value)
        assert "entities and facts are in" in str(caught.value)
        with open_driver(server.start()) as driver:
            load(driver, open_source(str(source)), graph="cut")
            assert_complete(driver, "cut")
            assert drop(driver, "cut").facts == FACTS
    finally:
        server.remove()
