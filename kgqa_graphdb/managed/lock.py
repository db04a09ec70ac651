"""Lock files: which jars make a Neo4j version, and what each must hash to.

A line is ``group:artifact:version[:classifier] sha256 bytes``; ``#`` starts a comment. They are written
by ``tools/lock_neo4j.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from kgqa_graphdb.errors import ServerError, nearest

DEFAULT_VERSION = "5.26.29"

_FOLDER = Path(__file__).parent
_LINE = re.compile(r"(?P<coordinate>[\w.-]+(:[\w.-]+){2,3}) (?P<sha256>[0-9a-f]{64}) (?P<size>[1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class LockedJar:
    """One jar: its Maven coordinate, the sha256 of its bytes (hex) and its size in bytes."""

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str
    size: int

    @property
    def coordinate(self) -> str:
        """``group:artifact:version[:classifier]``."""
        return ":".join(part for part in (self.group, self.artifact, self.version, self.classifier) if part)

    @property
    def file_name(self) -> str:
        """The file's name in a Maven repository, and in ours."""
        return "-".join(part for part in (self.artifact, self.version, self.classifier) if part) + ".jar"

    @property
    def line(self) -> str:
        """The jar as a line of a lock file."""
        return f"{self.coordinate} {self.sha256} {self.size}"


@dataclass(frozen=True, slots=True)
class Lock:
    """All jars of one Neo4j version."""

    version: str
    jars: tuple[LockedJar, ...]

    @property
    def size(self) -> int:
        """Bytes of all jars together."""
        return sum(jar.size for jar in self.jars)


def series_of(version: str) -> str:
    """Versions of one series read each other's data: ``5.26`` of 5.26.29, ``2026`` of 2026.09.0."""
    first, second, *_ = version.split(".")
    return first if len(first) == 4 else f"{first}.{second}"


def java_majors(version: str) -> tuple[int, ...]:
    """The Java versions that Neo4j supports it on: 17 and 21 for 5.26, 21 and 25 for the calendar versions."""
    return (17, 21) if version.startswith("5.") else (21, 25)


def parse_lock(version: str, text: str) -> Lock:
    """Read a lock file's text.

    :raises ServerError: a line is malformed, or two jars would share a file name
    """
    jars: dict[str, LockedJar] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise ServerError(f"the lock file of Neo4j {version} is damaged in line {number}: {line[:80]!r}; reinstall")
        group, artifact, jar_version, *classifier = match["coordinate"].split(":")
        jar = LockedJar(group, artifact, jar_version, "".join(classifier), match["sha256"], int(match["size"]))
        if jar.file_name in jars:
            raise ServerError(
                f"the lock file of Neo4j {version} names {jar.file_name} twice (line {number}); reinstall"
            )
        jars[jar.file_name] = jar
    return Lock(version, tuple(jars.values()))


def locked_versions() -> tuple[str, ...]:
    """The Neo4j versions that this package has a lock file for."""
    return tuple(sorted(path.stem.removeprefix("neo4j-") for path in _FOLDER.glob("neo4j-*.lock")))


def known_version(version: str) -> str:
    """The version, if this package has a lock file for it.

    :raises ServerError: it has not
    """
    known = locked_versions()
    if version not in known:
        choice = " or ".join(known)
        raise ServerError(
            f"no lock file for Neo4j {version!r}{nearest(version, known)}; set KGQA_NEO4J_VERSION to {choice}"
        )
    return version


def load_lock(version: str) -> Lock:
    """The lock of a Neo4j version.

    :raises ServerError: the package has no lock file for it
    """
    path = _FOLDER / f"neo4j-{known_version(version)}.lock"
    return parse_lock(version, path.read_text(encoding="utf-8"))
