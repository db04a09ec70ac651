"""Runs the ``kgqa`` command as a person and a script do."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

KGQA = Path(sysconfig.get_path("scripts")) / "kgqa"
TIMEOUT_S = 280
READ_AT_IMPORT = ("PYTHON", "HF_")
"""How environment variables begin that are read before a command is."""

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["tests.e2e.imported"])


def kgqa(
    *arguments: str | Path, cwd: Path | None = None, command: tuple[str | Path, ...] = (KGQA,), **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, forked from one that has imported the packages already.

    Imports are most of what a short command takes; a second or two, hundreds of times. Another command, and variables
    that must be there before the imports, get a process that begins with nothing.
    """
    if command == (KGQA,) and not any(name.startswith(READ_AT_IMPORT) for name in environment):
        return _forked([str(part) for part in (KGQA, *arguments)], cwd or Path.cwd(), os.environ | environment)
    return subprocess.run(
        [*command, *arguments],
        cwd=cwd,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )


def _forked(arguments: list[str], cwd: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    with TemporaryDirectory() as folder:
        written = [Path(folder) / name for name in ("stdout", "stderr")]
        process = _forks.Process(target=_run, args=(arguments, cwd, dict(environment), written))
        process.start()
        process.join(TIMEOUT_S)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(arguments, TIMEOUT_S)
        stdout, stderr = (path.read_text(encoding="utf-8") for path in written)
        return subprocess.CompletedProcess(arguments, process.exitcode, stdout, stderr)


def _run(arguments: Sequence[str], cwd: Path, environment: Mapping[str, str], written: Sequence[Path]) -> None:
    import sys

    from kgqa_graphdb.cli import main

    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for descriptor, path in ((0, Path(os.devnull)), (1, written[0]), (2, written[1])):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), descriptor)
    sys.argv[:] = arguments
    main()


def document(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The one JSON document on stdout."""
    assert done.returncode == 0, done.stderr
    parsed: dict[str, Any] = json.loads(done.stdout)
    return parsed


def load_facts(folder: Path, facts: str, graph: str) -> str:
    """Load lines of a text, which are kept in a folder; gives the graph's name."""
    path = folder / "facts.txt"
    path.write_text(facts, encoding="utf-8")
    document(kgqa("load", path, "--graph", graph, "--json"))
    return graph


def assert_one_line(done: subprocess.CompletedProcess[str], status: int, *parts: str) -> None:
    """The command failed with that status and one line that holds some words; with ``--json`` a document has it too."""
    lines = done.stderr.splitlines()
    assert done.returncode == status, done.stderr
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("kgqa: ")
    assert not [part for part in parts if part not in lines[0]], lines[0]
    if "--json" in done.args:
        assert json.loads(done.stdout) == {"error": lines[0].removeprefix("kgqa: "), "status": status}
    else:
        assert not done.stdout
