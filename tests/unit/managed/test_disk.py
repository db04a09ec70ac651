"""A disk that fills up is noticed before a load, during it, and afterwards, with the numbers and the cure."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kgqa_graphdb.cli import db as cli_db
from kgqa_graphdb.errors import LoadError, ServerError
from kgqa_graphdb.managed import disk, health
from kgqa_graphdb.managed.connection import VARIABLES
from kgqa_graphdb.managed.health import DatabaseState
from kgqa_graphdb.managed.layout import Home
from kgqa_graphdb.runtime.driver import has_failed


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    (made.path / "data" / "databases" / "neo4j").mkdir(parents=True)
    made.log.parent.mkdir()
    return made


def test_free_space_of_a_folder_that_is_not_there_yet_is_that_of_its_disk(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    assert disk.free_space(tmp_path / "a" / "b") == pytest.approx(free, rel=0.05)


def test_a_load_is_stopped_while_the_server_has_room_to_work(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    disk.require_reserve(home)
    free = disk.free_space(home.path)
    monkeypatch.setattr(disk, "RESERVE", free + (1 << 33))
    with pytest.raises(LoadError, match=r"nearly full: [\d,]+ MB are free, and Neo4j needs [\d,]+ MB") as error:
        disk.require_reserve(home)
    assert "are in" not in str(error.value)
    with pytest.raises(LoadError, match=r"20,000 of 50,000 entities and facts are in, and the same command goes on"):
        disk.require_reserve(home, 20_000, 50_000)


def test_the_reserve_grows_with_the_store(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "free_space", lambda folder: disk.RESERVE + 1_000)
    disk.require_reserve(home)
    with (home.path / "data" / "databases" / "neo4j" / "neostore.nodestore.db").open("wb") as file:
        file.truncate(20_000)
    with pytest.raises(LoadError, match="nearly full"):
        disk.require_reserve(home)


def test_progress_of_a_command_watches_the_disk_of_our_own_server_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KGQA_HOME", str(tmp_path))
    shown: list[tuple[int, int | None]] = []
    watched = cli_db.watching_disk(lambda done, total=None: shown.append((done, total)))
    watched(1, 2)
    monkeypatch.setattr(disk, "RESERVE", 1 << 62)
    with pytest.raises(LoadError, match="1 of 2"):
        watched(1, 2)
    with pytest.raises(LoadError, match="nearly full"):
        cli_db.watching_disk(watched)
    monkeypatch.setenv("NEO4J_URI", "bolt://elsewhere:7687")
    cli_db.watching_disk(lambda done, total=None: shown.append((done, total)))(2, 2)
    assert shown == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("status", "message", "well", "failed"),
    [
        ("online", "", True, False),
        ("starting", "", False, False),
        ("offline", "", False, False),
        ("online", "No space left on device", False, True),
        ("offline", "An error occurred! Unable to start `neo4j`.", False, True),
    ],
)
def test_a_database_that_is_online_may_have_failed_all_the_same(
    status: str, message: str, well: bool, failed: bool
) -> None:
    state = DatabaseState("neo4j", status, message)
    assert (state.is_well, state.has_failed) == (well, failed)


def test_a_failed_database_comes_with_the_cure_of_what_was_wrong_at_its_last_start(home: Home) -> None:
    debug_log = home.log.with_name("debug.log")
    damaged = f"Error reading transaction logs … you can specify '{health.TOLERATE_CORRUPTED_LOGS}'"
    full = "java.io.IOException: No space left on device"
    unable = DatabaseState("neo4j", "offline", "An error occurred! Unable to start `neo4j`.")
    assert "kgqa db stop, then kgqa db start" in str(health.failure(home, unable))
    debug_log.write_text(f"[ System diagnostics ]\n{damaged}\n")
    message = str(health.failure(home, unable))
    assert health.TOLERATE_CORRUPTED_LOGS in message
    assert str(home.conf) in message
    assert "\n" not in message
    debug_log.write_text(f"[ System diagnostics ]\n{damaged}\n  [ System diagnostics ]\n{full}\n")
    message = str(health.failure(home, unable))
    assert "its disk was full" in message
    assert "MB are free now" in message
    assert health.TOLERATE_CORRUPTED_LOGS not in message
    out = DatabaseState("neo4j", "online", "System is out of disk space for store file at: x. Call error: ErrorCode=28")
    debug_log.write_text("")
    assert "its disk was full" in str(health.failure(home, out))


def test_a_full_disk_is_no_reason_to_wait(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    health.refuse_full_disk(home)
    monkeypatch.setattr(health, "free_space", lambda folder: 1_000)
    with pytest.raises(ServerError, match=r"is full \(0\.0 MB free\).*kgqa db start"):
        health.refuse_full_disk(home)


@pytest.mark.parametrize(
    ("code", "message", "failed"),
    [
        ("Neo.DatabaseError.Transaction.TransactionLogError", "Could not append transaction", True),
        ("Neo.DatabaseError.Transaction.TransactionCommitFailed", "Could not apply the transaction", True),
        (
            "Neo.DatabaseError.Transaction.TransactionStartFailed",
            "The database has encountered a critical error, and needs to be restarted. Please see database logs.",
            True,
        ),
        ("Neo.DatabaseError.Transaction.TransactionStartFailed", "something else", False),
        ("Neo.TransientError.General.DatabaseUnavailable", "The database is not currently available", False),
        ("Neo.ClientError.Statement.SyntaxError", "Invalid input", False),
        (None, None, False),
    ],
)
def test_errors_of_a_database_that_has_failed_are_recognised(code: Any, message: Any, failed: bool) -> None:
    error: Any = SimpleNamespace(code=code, message=message)
    assert has_failed(error) == failed
