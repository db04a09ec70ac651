"""Runs the scripts in ``benchmarks`` as people do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def run_script(name: str, *arguments: str, data: Path | None = None, rc: int = 0) -> str:
    """What a script prints.

    :param data: ``KGQA_DATA``
    :param rc: what it is to return
    """
    paths = os.pathsep.join(str(one) for one in (ROOT, ROOT / "loaders", os.environ.get("PYTHONPATH", "")))
    environment = os.environ | {"PYTHONPATH": paths} | ({"KGQA_DATA": str(data)} if data else {})
    command = [sys.executable, str(ROOT / "benchmarks" / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=240)
    assert done.returncode == rc, done.stdout + done.stderr
    return done.stdout + done.stderr
