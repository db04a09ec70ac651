"""Where the managed server's files lie.

``KGQA_HOME`` (default: the user's data folder for ``kgqa``) holds the program in ``jars/VERSION/`` and in
``neo4j/SERIES/`` a server's home with its data. ``KGQA_JARS`` moves the jars alone.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from kgqa_graphdb.errors import ServerError
from kgqa_graphdb.managed.lock import series_of


def data_root() -> Path:
    """The folder for everything that kgqa keeps on this machine."""
    if given := os.environ.get("KGQA_HOME"):
        return Path(given).expanduser().absolute()
    from platformdirs import user_data_dir

    return Path(user_data_dir("kgqa", appauthor=False))


def jars_folder(version: str) -> Path:
    """The folder with the jars of a version, shared by all homes."""
    given = os.environ.get("KGQA_JARS")
    base = Path(given).expanduser().absolute() if given else data_root() / "jars"
    return base / version


def default_home(version: str) -> Path:
    """The home of the server that commands use: one a series, as a newer series rewrites the store for good."""
    return data_root() / "neo4j" / series_of(version)


@dataclass(frozen=True, slots=True)
class Chosen:
    """What we decided when we made a home: the ports, and the version that wrote its data last."""

    version: str
    bolt_port: int
    http_port: int


@dataclass(frozen=True, slots=True)
class Home:
    """The files of one server. Everything outside the program is in here, so removing it removes the server."""

    path: Path

    @property
    def conf(self) -> Path:
        """Neo4j's own settings, for the user to edit."""
        return self.path / "conf" / "neo4j.conf"

    @property
    def password_file(self) -> Path:
        """The password of the user ``neo4j``; only the owner may read it."""
        return self.path / "password"

    @property
    def pid_file(self) -> Path:
        """Written by Neo4j's launcher."""
        return self.path / "run" / "neo4j.pid"

    @property
    def ready_file(self) -> Path:
        """Holds the process id of a server that has answered with the credentials."""
        return self.path / "run" / "kgqa-ready"

    @property
    def lib(self) -> Path:
        """Links to the program's jars: what is on Java's class path."""
        return self.path / "lib"

    @property
    def log(self) -> Path:
        """Neo4j's own log."""
        return self.path / "logs" / "neo4j.log"

    @property
    def launcher_log(self) -> Path:
        """The last output of Neo4j's launcher."""
        return self.path / "logs" / "launcher.log"

    @property
    def lock_file(self) -> Path:
        """Locked while the server is started, stopped or removed; outside of the home, so removing keeps it."""
        return self.path.with_name(f"{self.path.name}.lock")

    @property
    def import_mark(self) -> Path:
        """There while a database is imported: one that was cut off is of no use."""
        return self.path / "importing"

    @property
    def has_data(self) -> bool:
        """Whether a server has written a database here."""
        return (self.path / "data" / "databases" / "system").is_dir()

    @property
    def has_graphs(self) -> bool:
        """Whether there is a database for graphs, empty or not; half of one does not count."""
        return (self.path / "data" / "databases" / "neo4j").is_dir() and not self.import_mark.is_file()

    @property
    def chosen_file(self) -> Path:
        """Marks the folder as ours, and keeps what we chose."""
        return self.path / "kgqa.json"

    def chosen(self) -> Chosen | None:
        """What we chose for this home; ``None``: we have not made it.

        :raises ServerError: the file is damaged
        """
        try:
            return Chosen(**json.loads(self.chosen_file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError) as error:
            raise ServerError(
                f"{self.chosen_file} is damaged; restore it as "
                '{"version": "5.26.29", "bolt_port": N, "http_port": N} with the ports of conf/neo4j.conf'
            ) from error

    def choose(self, chosen: Chosen) -> None:
        """Keep what we chose."""
        values = {"version": chosen.version, "bolt_port": chosen.bolt_port, "http_port": chosen.http_port}
        write_atomically(self.chosen_file, json.dumps(values) + "\n")

    def password(self) -> str:
        """The password of the user ``neo4j``.

        :raises ServerError: the file is not there
        """
        try:
            return self.password_file.read_text(encoding="utf-8").strip()
        except FileNotFoundError as error:
            raise ServerError(
                f"{self.password_file} is missing; write the password of the user neo4j into it, or, if it is lost and"
                " the data can go, run: kgqa db remove"
            ) from error


def write_atomically(path: Path, text: str, *, mode: int = 0o644) -> None:
    """Write a file so that a reader, and a machine that stops, sees all of it or the old one."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
