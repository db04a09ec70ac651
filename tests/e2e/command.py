"""Runs the ``kgqa`` command as a person and a script do."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

KGQA = Path(sysconfig.get_path("scripts")) / "kgqa"


def kgqa(
    *arguments: str | Path, cwd: Path | None = None, command: tuple[str | Path, ...] = (KGQA,), **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *arguments],
        cwd=cwd,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=280,
    )


def document(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The one JSON document on stdout."""
    assert done.returncode == 0, done.stderr
    parsed: dict[str, Any] = json.loads(done.stdout)
    return parsed


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
