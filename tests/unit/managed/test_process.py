"""A process counts as the server only when it is one, with our home."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgqa_graphdb.managed.layout import Home
from kgqa_graphdb.managed.process import running_pid, tail


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "run").mkdir()
    return Home(tmp_path)


@pytest.fixture
def stand_in(home: Home) -> Iterator[subprocess.Popen[bytes]]:
    """A process whose command line names our home, as Neo4j's does."""
    command = [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)", f"--home-dir={home.path}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def test_no_file_and_half_a_file_mean_that_nothing_runs(home: Home) -> None:
    assert running_pid(home) is None
    home.pid_file.write_text("")
    assert running_pid(home) is None


def test_a_process_id_of_a_process_that_is_gone_is_stale(home: Home) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    home.pid_file.write_text(str(gone.pid))
    assert running_pid(home) is None


def test_a_process_id_that_another_program_has_by_now_is_stale(home: Home) -> None:
    home.pid_file.write_text(str(os.getpid()))
    assert running_pid(home) is None


def test_a_server_of_another_home_is_not_ours(stand_in: subprocess.Popen[bytes], tmp_path: Path) -> None:
    other = Home(tmp_path / "other")
    (other.path / "run").mkdir(parents=True)
    other.pid_file.write_text(str(stand_in.pid))
    assert running_pid(other, search=True) is None


def test_the_server_is_found_by_its_file_and_without_it(home: Home, stand_in: subprocess.Popen[bytes]) -> None:
    assert running_pid(home) is None
    assert running_pid(home, search=True) == stand_in.pid
    home.pid_file.write_text(f"{stand_in.pid}\n")
    assert running_pid(home) == stand_in.pid


def test_tail_gives_the_last_lines_and_nothing_for_no_file(tmp_path: Path) -> None:
    file = tmp_path / "log"
    assert tail(file, 3) == []
    file.write_text("".join(f"line {i} ä\n" for i in range(100_000)))
    assert tail(file, 2) == ["line 99998 ä", "line 99999 ä"]
    assert tail(file, 0) == []
