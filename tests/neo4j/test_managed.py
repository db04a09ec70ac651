"""The managed server, for real: whatever happens, it comes back with its data, or one sentence says why not."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import neo4j
import psutil
import pytest

from kgqa_graphdb.errors import ConnectionFailedError, ServerError
from kgqa_graphdb.managed import Connection, ManagedServer, conf, connection_from_environment, resolve_connection
from kgqa_graphdb.managed.connection import VARIABLES
from kgqa_graphdb.managed.lock import load_lock
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import Read
from kgqa_graphdb.types import Statement

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        connection_from_environment() is not None, reason="NEO4J_URI names a server: no local one is started"
    ),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ManagedServer]:
    """The server that commands use, in a folder of this module's; the program is there, so nothing may be fetched."""
    ManagedServer(tmp_path_factory.mktemp("jars-only")).fetch()
    with pytest.MonkeyPatch.context() as patch:
        for name in VARIABLES:
            patch.delenv(name, raising=False)
        patch.setenv("KGQA_HOME", str(tmp_path_factory.mktemp("kgqa")))
        patch.setenv("KGQA_MAVEN_REPOSITORY", "http://127.0.0.1:9/unreachable")
        made = ManagedServer()
        yield made
        made.remove()


def kgqa(*arguments: str) -> subprocess.Popen[str]:
    """The command line in a process of its own, its output in pipes."""
    command = [sys.executable, "-c", "from kgqa_graphdb.cli import main; main()", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def ask(connection: Connection, statement: str) -> list[neo4j.Record]:
    with neo4j.GraphDatabase.driver(connection.uri, auth=connection.auth) as driver:
        return driver.execute_query(statement).records  # type: ignore[arg-type]


@pytest.mark.timeout(600)
def test_two_starts_at_once_end_in_one_server_and_hold_no_pipe_open(server: ManagedServer) -> None:
    starts = [kgqa("db", "start", "--json") for _ in range(2)]
    said = [start.communicate(timeout=500) for start in starts]
    assert [start.returncode for start in starts] == [0, 0], said
    first, second = (json.loads(out) for out, _ in said)
    assert first == second
    assert first["running"] is True
    assert set(first) == {"running", "uri", "username", "version", "edition", "home", "pid", "browser"}
    home = f"--home-dir={server.home.path}"
    assert [p.pid for p in psutil.process_iter() if home in _command(p)] == [first["pid"]]
    assert os.getsid(first["pid"]) not in (os.getsid(0), *(start.pid for start in starts))  # a Ctrl-C does not reach it


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def test_a_server_that_runs_is_found(server: ManagedServer) -> None:
    started = server.start()
    pid = server.status().pid
    assert resolve_connection() == started
    assert server.status().pid == pid


def test_status_and_logs_tell_how_it_is(server: ManagedServer) -> None:
    started = server.start()
    status = server.status()
    assert status.running
    assert (status.uri, status.browser, status.version) == (started.uri, started.browser, server.version)
    assert any("Started." in line for line in server.logs(20))
    rows = ask(started, "CALL dbms.components() YIELD name, versions, edition RETURN name, versions, edition")
    assert {row["name"]: (row["versions"][0], row["edition"]) for row in rows}["Neo4j Kernel"] == (
        status.version,
        status.edition,
    )


def test_browser_is_served_and_offers_the_right_bolt_port(server: ManagedServer) -> None:
    started = server.start()
    assert started.browser is not None
    with urllib.request.urlopen(started.browser, timeout=30) as page:  # noqa: S310  # loopback
        assert b"<title>Neo4j Browser</title>" in page.read()
    root = urllib.request.Request(started.browser.removesuffix("browser/"), headers={"Accept": "application/json"})  # noqa: S310
    with urllib.request.urlopen(root, timeout=30) as document:  # noqa: S310
        assert json.load(document)["bolt_direct"] == started.uri


def test_only_the_owner_reads_the_password_and_nobody_gets_in_without(server: ManagedServer) -> None:
    started = server.start()
    assert stat.S_IMODE(server.home.password_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(server.home.path.stat().st_mode) == 0o700
    with pytest.raises(neo4j.exceptions.AuthError):
        ask(Connection(started.uri, "neo4j", "neo4j"), "RETURN 1")


def test_it_listens_on_loopback_only(server: ManagedServer) -> None:
    server.start()
    pid = server.status().pid
    assert pid is not None
    listening = [c.laddr.ip for c in psutil.Process(pid).net_connections() if c.status == psutil.CONN_LISTEN]
    assert listening
    assert {ip.removeprefix("::ffff:") for ip in listening} == {"127.0.0.1"}


def test_a_password_that_was_changed_elsewhere_is_one_sentence(server: ManagedServer) -> None:
    server.start()
    right = server.home.password_file.read_text()
    server.home.ready_file.unlink()
    server.home.password_file.write_text("wrong\n")
    try:
        with pytest.raises(ConnectionFailedError, match=r"refuses the password in .*password"):
            server.start()
    finally:
        server.home.password_file.write_text(right)
    server.start()


def test_after_kill_9_a_start_brings_the_data_back(server: ManagedServer) -> None:
    started = server.start()
    ask(started, "MERGE (:ManagedTest {value: 'kept'})")
    pid = server.status().pid
    assert pid is not None
    process = psutil.Process(pid)
    process.kill()
    process.wait(30)
    assert server.home.pid_file.is_file()
    server.home.pid_file.write_text(str(os.getpid()))  # by now the number is another process's
    assert not server.status().running
    again = server.start()
    assert again == started
    assert [row["value"] for row in ask(again, "MATCH (n:ManagedTest) RETURN n.value AS value")] == ["kept"]


@pytest.mark.timeout(600)
def test_a_damaged_transaction_log_is_no_start_and_its_cure_brings_the_data_back(server: ManagedServer) -> None:
    started = server.start()
    ask(started, "MERGE (:ManagedTest {value: 'kept'})")
    pid = server.status().pid
    assert pid is not None
    process = psutil.Process(pid)
    process.kill()
    process.wait(30)
    *_, last = sorted((server.home.path / "data/transactions/neo4j").glob("neostore.transaction.db.*"))
    with last.open("ab") as file:  # what is written while the disk fills up
        file.write(b"\xff" * 64)
    for _ in range(2):  # the second finds a server that runs
        with pytest.raises(ServerError, match="'neo4j' is down: the end of its transaction log is damaged") as error:
            server.start()
        assert server.status().running
    line = re.search(r"internal\.\S+=false", str(error.value))
    assert line is not None
    with pytest.raises(ConnectionFailedError, match=r"starts, stops or has failed.*kgqa db start"):
        read(started, "RETURN 1")
    good = server.home.conf.read_text()
    server.home.conf.write_text(f"{good}{line[0]}\n")
    server.stop()
    again = server.start()
    server.home.conf.write_text(good)
    assert [row["value"] for row in ask(again, "MATCH (n:ManagedTest) RETURN n.value AS value")] == ["kept"]


def read(connection: Connection, statement: str) -> list[list[Any]]:
    """As a question reads."""
    with neo4j.GraphDatabase.driver(connection.uri, auth=connection.auth) as driver, Neo4jIO(driver) as io:
        [rows] = io.perform([Read(Statement(statement))])
    if isinstance(rows, Exception):
        raise rows
    return list(rows)


def test_only_the_jars_of_the_lock_are_on_the_class_path(server: ManagedServer) -> None:
    server.start()
    pid = server.status().pid
    assert pid is not None
    command = psutil.Process(pid).cmdline()
    folders = command[command.index("-cp") + 1].split(os.pathsep)
    assert str(server.jars) not in " ".join(folders)
    assert f"{server.home.lib}/*" in folders
    assert {path.name for path in server.home.lib.iterdir()} == {
        jar.file_name for jar in load_lock(server.version).jars
    }


def test_a_start_interrupted_and_a_port_changed_by_the_user_end_in_a_server_on_that_port(server: ManagedServer) -> None:
    before = server.start()
    assert server.stop()
    assert not server.stop()
    assert not server.status().running
    with pytest.raises(ServerError, match="kgqa db start"):
        resolve_connection(start=False)

    (mine,) = conf.free_ports(1)
    text = server.home.conf.read_text()
    for key in ("server.bolt.listen_address", "server.bolt.advertised_address"):
        text = conf.with_setting(text, key, f"127.0.0.1:{mine}")
    server.home.conf.write_text(text)
    with socket.socket() as other:
        other.bind(("127.0.0.1", mine))
        other.listen()
        with pytest.raises(ServerError, match=rf"port {mine} is taken .*server\.bolt\.listen_address.*neo4j\.conf"):
            server.start()

    server.home.launcher_log.unlink()
    interrupted = kgqa("db", "start")
    while not (server.home.launcher_log.is_file() and "Starting Neo4j" in server.home.launcher_log.read_text()):
        assert interrupted.poll() is None
        time.sleep(0.05)
    os.killpg(interrupted.pid, signal.SIGINT)
    interrupted.communicate(timeout=60)
    assert interrupted.returncode == 130

    after = server.start()
    assert after.uri == f"bolt://127.0.0.1:{mine}" != before.uri
    assert server.home.conf.read_text() == text
    assert len(ask(after, "MATCH (n:ManagedTest) RETURN n")) == 1


def test_another_series_and_a_broken_setting_are_refused_by_name(server: ManagedServer) -> None:
    server.start()
    other = "5.26.29" if server.version == "2026.09.0" else "2026.09.0"
    server.stop()
    with pytest.raises(ServerError, match=f"holds data of Neo4j {server.version}"):
        ManagedServer(server.home.path, version=other).start()
    good = server.home.conf.read_text()
    server.home.conf.write_text(good + "server.memory.heap.max_sizzze=1g\n")
    with pytest.raises(ServerError, match=r"Neo4j did not start:(.|\n)*server\.memory\.heap\.max_sizzze"):
        server.start()
    server.home.conf.write_text(good)


def test_remove_asks_first_and_then_leaves_nothing(server: ManagedServer) -> None:
    asked = kgqa("db", "remove", "--json")
    assert "add --yes" in asked.communicate(timeout=60)[1]
    assert asked.returncode == 2
    assert server.home.has_data
    removed = kgqa("db", "remove", "--yes", "--json")
    out, _ = removed.communicate(timeout=60)
    assert json.loads(out) == {"removed": [str(server.home.path)]}
    assert not server.home.path.exists()
    assert not server.status().running
