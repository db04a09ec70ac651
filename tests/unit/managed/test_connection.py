"""The ``NEO4J_*`` variables always win, and then no local server is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgqa_graphdb.errors import ConnectionFailedError, ServerError
from kgqa_graphdb.managed import Connection, ManagedServer, connection_from_environment, resolve_connection
from kgqa_graphdb.managed.connection import VARIABLES
from kgqa_graphdb.runtime import open_driver


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (*VARIABLES, "KGQA_NEO4J_VERSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KGQA_HOME", str(tmp_path / "kgqa"))
    monkeypatch.setenv("KGQA_JARS", str(tmp_path / "jars"))
    monkeypatch.setenv("KGQA_MAVEN_REPOSITORY", "http://127.0.0.1:9/no-repository")
    return tmp_path


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, None),
        ({"NEO4J_URI": "", "NEO4J_HOME": "/opt/neo4j"}, None),
        ({"NEO4J_URI": "bolt://db:1"}, Connection("bolt://db:1", "neo4j", "", None)),
        ({"NEO4J_PASSWORD": "secret"}, Connection("neo4j://localhost:7687", "neo4j", "secret", None)),
        (
            {"NEO4J_URI": "neo4j+s://x", "NEO4J_USERNAME": "u", "NEO4J_PASSWORD": "p", "NEO4J_DATABASE": "d"},
            Connection("neo4j+s://x", "u", "p", "d"),
        ),
    ],
)
def test_any_variable_names_a_server_and_the_rest_has_neo4js_defaults(
    environ: dict[str, str], expected: Connection | None
) -> None:
    assert connection_from_environment(environ) == expected


def test_with_a_variable_set_nothing_local_is_made(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://db.example:7687")
    assert resolve_connection().uri == "bolt://db.example:7687"
    assert list(own_folder.iterdir()) == []


def test_without_a_server_and_not_to_start_one_the_error_says_how_to_get_one() -> None:
    with pytest.raises(ServerError, match=r"kgqa db start.*NEO4J_URI"):
        resolve_connection(start=False)


def test_who_named_a_server_that_can_not_be_reached_decides_the_cure(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NEO4J_URI", "neo4j://127.0.0.1:1")
    named = resolve_connection()
    local, caller = (Connection("bolt://127.0.0.1:1", "neo4j", "x", origin=one) for one in ("local", "caller"))
    for connection, says, never in (
        (named, "NEO4J_URI", "kgqa db"),
        (local, "kgqa db status", "NEO4J_URI"),
        (caller, "is the address right", "kgqa db"),
    ):
        with pytest.raises(ConnectionFailedError, match=says) as caught:
            open_driver(connection)
        assert never not in str(caught.value)
    assert capfd.readouterr().err == ""  # the driver prints nothing of its own


def test_a_password_is_never_shown_by_accident() -> None:
    assert "secret" not in repr(Connection("bolt://x", "neo4j", "secret"))
    in_address = Connection("bolt://ann:secret@x:1", "neo4j", "")
    assert "secret" not in repr(in_address)
    assert in_address.shown_uri == "bolt://***@x:1"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("bolt://db:7687?pw=se&ret", "bolt://db:7687?pw=***"),
        ("bolt://db:7687?policy=eu&password=secret", "bolt://db:7687?policy=eu&password=***"),
        ("neo4j://db/?Password=secret&policy=eu", "neo4j://db/?Password=***"),
        ("neo4j://db?api_token=secret;region=x", "neo4j://db?api_token=***"),
        ("bolt://db:7687?user=ann&pw=p@ss", "bolt://db:7687?user=***"),
        ("neo4j://db?policy=eu", "neo4j://db?policy=eu"),
    ],
)
def test_a_password_among_an_addresss_parameters_is_never_shown(address: str, shown: str) -> None:
    connection = Connection(address, "neo4j", "")
    assert connection.shown_uri == shown
    if address != shown:
        with pytest.raises(ConnectionFailedError, match="has a user or a password in it") as caught:
            open_driver(connection)
        assert shown in str(caught.value)


@pytest.mark.parametrize(
    ("environ", "cure"),
    [
        ({"NEO4J_PASSWORD": "x"}, "NEO4J_PASSWORD in the environment names it: set NEO4J_URI to another address"),
        ({"NEO4J_DATABASE": "x"}, "unset NEO4J_DATABASE to use the local one"),
        ({"NEO4J_URI": "bolt://db:1", "NEO4J_DATABASE": "x"}, "NEO4J_URI and NEO4J_DATABASE in the environment name"),
        ({"NEO4J_URI": "bolt://db:1"}, "NEO4J_URI in the environment names it: correct NEO4J_URI"),
    ],
)
def test_the_cure_names_the_variables_that_are_set(environ: dict[str, str], cure: str) -> None:
    connection = connection_from_environment(environ)
    assert connection is not None
    assert cure in connection.cure
    assert "correct NEO4J_URI" not in connection.cure or "NEO4J_URI" in environ


def test_no_password_means_no_authentication() -> None:
    assert Connection("bolt://x", "neo4j", "").auth is None
    assert Connection("bolt://x", "neo4j", "secret").auth == ("neo4j", "secret")


def test_making_a_server_object_and_asking_its_status_changes_nothing(own_folder: Path) -> None:
    status = ManagedServer().status()
    assert (status.running, status.uri, status.pid, status.browser) == (False, None, None, None)
    assert (status.version, status.edition, status.username) == ("5.26.29", "community", "neo4j")
    assert ManagedServer().logs() == []
    assert ManagedServer().stop() is False
    ManagedServer().remove()
    assert list(own_folder.iterdir()) == []


def test_servers_of_two_series_have_homes_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    five = ManagedServer()
    monkeypatch.setenv("KGQA_NEO4J_VERSION", "2026.09.0")
    assert ManagedServer().version == "2026.09.0"
    assert ManagedServer().home.path != five.home.path


def test_a_start_without_network_and_jars_leaves_no_half_made_server(own_folder: Path) -> None:
    server = ManagedServer()
    with pytest.raises(ServerError, match="can't be reached"):
        server.start()
    assert not server.home.path.exists()


def test_a_folder_that_kgqa_did_not_make_is_never_removed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(ServerError, match="not a folder that kgqa made"):
        ManagedServer(tmp_path / "mine").remove()
    assert (tmp_path / "mine" / "thesis.txt").is_file()
