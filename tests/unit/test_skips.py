"""With --no-missing a skip for want of a package fails, in a test or a module; what a machine may lack still skips."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

FILES = {
    "test_one.py": """
        import pytest

        @pytest.fixture
        def encoder():
            pytest.skip("no text encoder")

        def test_of_a_package():
            pytest.importorskip("no_such_package")

        @pytest.mark.skipif(True, reason="torch is not installed")
        def test_with_a_marker(): ...

        def test_with_a_fixture(encoder): ...

        def test_of_data():
            pytest.skip("no metaqa: set KGQA_DATA to the folder that holds metaqa")
    """,
    "test_module.py": """
        import pytest

        pytest.importorskip("no_such_package", reason="it is not installed")
    """,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with tests that are all skipped."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(re.sub("^ {8}", "", text, flags=re.MULTILINE), encoding="utf-8")
    return tmp_path


def outcomes(folder: Path, *options: str) -> dict[str, int]:
    """How many tests of the folder had which outcome, with the hooks of all tests."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", f"--rootdir={folder}", *options, folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    counts = re.findall(r"(\d+) (failed|errors?|skipped|passed)", done.stdout.splitlines()[-1])
    return {outcome: int(count) for count, outcome in counts}


def test_missing_packages_fail_and_missing_data_skip(folder: Path) -> None:
    found = outcomes(folder, "--no-missing", "--continue-on-collection-errors")
    assert found == {"failed": 1, "errors": 3, "skipped": 1}


def test_missing_packages_skip_where_nobody_asks_for_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    assert outcomes(folder) == {"skipped": 5}
