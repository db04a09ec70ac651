"""The managed local Neo4j: fetched, configured, started and stopped by us, run by Neo4j's own launcher."""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgqa_graphdb.errors import ConnectionFailedError, MissingExtraError, ServerError
from kgqa_graphdb.managed import conf
from kgqa_graphdb.managed.connection import DEFAULT_USERNAME, Connection
from kgqa_graphdb.managed.disk import disk_errors, free_space, require_space
from kgqa_graphdb.managed.fetch import Progress, fetch, silent
from kgqa_graphdb.managed.health import FULL, DatabaseState, database_states, failure, refuse_full_disk
from kgqa_graphdb.managed.jars import link_jars, record_of
from kgqa_graphdb.managed.java import find_java
from kgqa_graphdb.managed.layout import Chosen, Home, default_home, jars_folder, write_atomically
from kgqa_graphdb.managed.lock import DEFAULT_VERSION, known_version, load_lock, series_of
from kgqa_graphdb.managed.process import Launcher, running_pid, tail

if TYPE_CHECKING:
    import psutil

log = logging.getLogger(__name__)

EDITION = "community"
START_TIMEOUT_S = 300.0  # a few seconds where nothing else runs, a minute on a busy machine
STOP_TIMEOUT_S = 120.0
FULL_DISK_PATIENCE_S = 10.0  # on a full disk Neo4j does not stop until there is room again
LOCK_TIMEOUT_S = 900.0  # another process may be fetching the program over a slow line
START_SPACE = 64 << 20  # bytes, plentiful for what a server without data writes at its first start (2 MB)


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """The managed server now. Addresses are ``None`` before the first start, ``pid`` while it does not run."""

    running: bool
    uri: str | None
    username: str
    version: str
    edition: str
    home: Path
    pid: int | None
    browser: str | None


class ManagedServer:
    """One Neo4j Community server on this machine, in a folder of its own.

    Its ports are chosen once and kept. When another program has taken one, a start is refused with what to change, not
    moved: the address may stand in a user's scripts, bookmarks and settings. Settings that the user changed stay.

    :param home: its folder; default: the one that commands use (see :mod:`kgqa_graphdb.managed.layout`)
    :param version: a version with a lock file; default: ``KGQA_NEO4J_VERSION``, else 5.26.29
    :param jars: the folder of the program's jars; default: the one shared by all homes
    :raises ServerError: no lock file for that version
    """

    def __init__(self, home: Path | None = None, version: str | None = None, *, jars: Path | None = None) -> None:
        self.version = known_version(version or os.environ.get("KGQA_NEO4J_VERSION") or DEFAULT_VERSION)
        self.home = Home((home or default_home(self.version)).absolute())
        self.jars = jars or jars_folder(self.version)

    def connection(self) -> Connection | None:
        """How to reach the server, if it runs and has answered once; ``None`` otherwise. Takes a few ms."""
        pid = running_pid(self.home)
        if pid is None or self._ready_pid() != pid:
            return None
        at = self._addresses()
        try:
            socket.create_connection((at.host, at.bolt_port), timeout=2).close()
        except OSError:
            return None
        return self._connection(at)

    def fetch(self, progress: Progress = silent) -> None:
        """Bring the program here, from ``KGQA_MAVEN_REPOSITORY`` or Maven Central; nothing to do when it is.

        :raises ServerError: it can't be fetched; the message says why and what to do
        """
        repository = os.environ.get("KGQA_MAVEN_REPOSITORY")
        fetch(load_lock(self.version), self.jars, repository=repository, progress=progress)

    def start(self, progress: Progress = silent, *, timeout_s: float = START_TIMEOUT_S) -> Connection:
        """Bring the server up, whatever is missing: program, folder, settings, password, process.

        Two of these at once end in one server. The server outlives this process and its terminal.

        :param progress: called with each stage, and with the bytes while the program is fetched
        :param timeout_s: for the server to come up, and for it to answer on Bolt then
        :raises ServerError: it can't be fetched or started; the message says why and what to do
        :raises ConnectionFailedError: it runs, but refuses the password that we keep
        :raises MissingExtraError: the extra ``local`` is not installed
        """
        if (running := self.connection()) is not None and self._failed(running) is None:
            return running
        if os.name == "nt":
            raise ServerError(
                "the managed Neo4j needs Linux or macOS (on Windows, run this in WSL); or set NEO4J_URI to a server"
                " you have"
            )
        with disk_errors(self.home.path), self._locked(progress):
            if (running := self.connection()) is not None:
                failed = self._failed(running)
                if failed is None:  # another process started it while we waited
                    return running
                refuse_full_disk(self.home)
                progress(f"Neo4j's database {failed.name!r} is down ({failed.message}), so Neo4j is started anew")
                self._stop()
            pid = running_pid(self.home, search=True)
            if pid is None:
                self._launch(progress, timeout_s)
            else:
                write_atomically(self.home.pid_file, str(pid))
            at = self._addresses()
            progress(f"Waiting for Neo4j at {at.uri}")
            self._wait_until_ready(at, timeout_s)
            return self._connection(at)

    def stop(self) -> bool:
        """Stop the server and wait until it is down; nothing that was committed is lost.

        :return: whether it ran
        :raises ServerError: it is still up after two minutes
        """
        if not self.home.path.is_dir():
            return False
        with self._locked(silent):
            return self._stop()

    def status(self) -> ServerStatus:
        """What the server is and whether it runs; changes nothing."""
        pid = running_pid(self.home, search=True)
        known = self.home.conf.is_file()
        at = self._addresses() if known else None
        chosen = self.home.chosen()
        return ServerStatus(
            running=pid is not None,
            uri=at.uri if at else None,
            username=DEFAULT_USERNAME,
            version=chosen.version if chosen else self.version,
            edition=EDITION,
            home=self.home.path,
            pid=pid,
            browser=at.browser if at else None,
        )

    def logs(self, lines: int = 100) -> list[str]:
        """The last lines of Neo4j's log; none before the first start."""
        return tail(self.home.log, lines)

    def remove(self, *, program: bool = False) -> None:
        """Stop the server and delete its folder: all graphs in it, its settings and its password.

        :param program: delete the program's jars too; other homes fetch them again when they next start
        :raises ServerError: the folder is not one that we made, or the server does not stop
        """
        if self.home.path.is_dir():
            with disk_errors(self.home.path), self._locked(silent):
                if self.home.chosen() is None:
                    raise ServerError(
                        f"{self.home.path} is not a folder that kgqa made, so it stays; delete it by hand"
                    )
                self._stop()
                for folder in self.home.path.iterdir():  # the mark that it is ours goes last: this may be cut off
                    if folder.is_dir() and not folder.is_symlink():
                        shutil.rmtree(folder)
                shutil.rmtree(self.home.path)
        if program and self.jars.is_dir():
            with disk_errors(self.jars):
                shutil.rmtree(self.jars)
                record_of(self.jars).unlink(missing_ok=True)

    def import_csv(self, arguments: Sequence[str], progress: Progress = silent) -> None:
        """Make the database anew from CSV files with ``neo4j-admin database import full``; stops the server.

        What was in the database is gone, also when this fails or is interrupted.

        :param arguments: ``--nodes=…``, ``--relationships=…`` and what else the tool takes, with absolute paths
        :raises ServerError: the tool says no, or the program can't be fetched
        """
        with disk_errors(self.home.path), self._locked(progress):
            self._refuse_other_series()
            self.fetch(progress)
            launcher = Launcher(self.home, find_java(self.version))
            self._stop()
            self._prepare_home()
            progress("Importing")
            done = False
            self.home.import_mark.touch()
            try:
                heap = conf.fitting_memory(conf.machine_memory()).heap
                done = launcher.import_csv(arguments, heap=heap)
            finally:
                if not done:
                    self._discard_import()
            self.home.import_mark.unlink(missing_ok=True)
            if not done:
                raise ServerError(f"neo4j-admin could not import:\n{launcher.output()}")

    # How the server is brought up; called while the lock is ours.

    def _discard_import(self) -> None:
        """Delete a database that an import has not finished."""
        for kind in ("databases", "transactions"):
            shutil.rmtree(self.home.path / "data" / kind / "neo4j", ignore_errors=True)
        self.home.import_mark.unlink(missing_ok=True)

    def _launch(self, progress: Progress, timeout_s: float) -> None:
        self._refuse_other_series()
        self.fetch(progress)
        java = find_java(self.version)
        launcher = Launcher(self.home, java)
        self._prepare_home()
        if self.home.import_mark.is_file():
            self._discard_import()
        self._refuse_taken_ports()
        require_space(self.home.path, 0 if self.home.has_data else START_SPACE, "starting Neo4j")
        if not self.home.has_data:
            launcher.set_initial_password()
        progress(f"Starting Neo4j {self.version} (Java {java.major})")
        for stale in (self.home.pid_file, self.home.ready_file):
            stale.unlink(missing_ok=True)
        before = time.time()
        if not launcher.start(timeout_s):
            raise ServerError(f"Neo4j did not start:\n{launcher.output()}{self._end_of_log(before)}")

    def _refuse_other_series(self) -> None:
        chosen = self.home.chosen()
        if chosen is not None and series_of(chosen.version) != series_of(self.version) and self.home.has_data:
            raise ServerError(
                f"{self.home.path} holds data of Neo4j {chosen.version}, which {self.version} would change for"
                f" good; set KGQA_NEO4J_VERSION={chosen.version}, or take another folder"
            )

    def _prepare_home(self) -> None:
        """Make the folder, or bring ours up to date: the user's settings and the password stay as they are."""
        home, chosen = self.home, self.home.chosen()
        if chosen is None and home.path.is_dir() and any(path.suffix != ".part" for path in home.path.iterdir()):
            raise ServerError(f"{home.path} is not empty and not a folder that kgqa made; take another (KGQA_HOME)")
        home.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        if chosen is None:
            bolt, http = conf.free_ports(2)
            chosen = Chosen(self.version, bolt, http)
        home.choose(Chosen(self.version, chosen.bolt_port, chosen.http_port))
        for folder in ("conf", "data", "import", "logs", "plugins", "run"):
            (home.path / folder).mkdir(exist_ok=True)
        if not home.conf.is_file():
            memory = conf.fitting_memory(conf.machine_memory())
            write_atomically(home.conf, conf.initial_conf(chosen.bolt_port, chosen.http_port, home.lib, memory))
        text = home.conf.read_text(encoding="utf-8")
        if conf.read_conf(text).get(conf.LIB) != conf.escaped(home.lib):  # made by an older kgqa, or a home that moved
            text = conf.with_setting(text, conf.LIB, conf.escaped(home.lib))
            write_atomically(home.conf, text)
        if conf.NO_NETWORK not in conf.read_conf(text):  # of a server that was made before this was set
            write_atomically(home.conf, conf.with_setting(text, conf.NO_NETWORK, conf.EVERYWHERE))
        link_jars(load_lock(self.version), self.jars, home.lib)
        if not home.password_file.is_file() and not home.has_data:
            # Hexadecimal: the tool that sets it takes what begins with "-" for an option.
            write_atomically(home.password_file, secrets.token_hex(16) + "\n", mode=0o600)
        home.password()

    def _refuse_taken_ports(self) -> None:
        at = self._addresses()
        for key, port in ((conf.BOLT, at.bolt_port), (conf.HTTP, at.http_port)):
            if port is not None and not conf.port_is_free(port, at.host):
                raise ServerError(
                    f"port {port} is taken by another program; stop that, or change {key} (and the advertised address"
                    f" below it) in {self.home.conf}, then start again"
                )

    def _failed(self, running: Connection) -> DatabaseState | None:
        """The database of a running server that has failed; ``None``: all are well, or it does not say."""
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            states = database_states(running.uri, running.auth)
        except (DriverError, Neo4jError) as error:  # it stops just now, or the user locked us out
            log.debug("the databases are not known: %s", error)
            return None
        return next((state for state in states if state.has_failed), None)

    def _wait_until_ready(self, at: conf.Addresses, timeout_s: float) -> None:
        from neo4j.exceptions import AuthError, DriverError, Neo4jError

        deadline = time.monotonic() + timeout_s
        while True:
            pid = running_pid(self.home)
            if pid is None:
                raise ServerError(f"Neo4j stopped while it started{self._end_of_log()}")
            refuse_full_disk(self.home)
            answer = f"did not answer at {at.uri}"
            try:
                states = database_states(at.uri, (DEFAULT_USERNAME, self.home.password()))
                if states and all(state.is_well for state in states):
                    write_atomically(self.home.ready_file, str(pid))
                    return
                for state in states:
                    if state.has_failed:
                        raise failure(self.home, state)
                answer = "was not ready: " + ", ".join(f"{state.name} is {state.status}" for state in states)
            except AuthError as error:
                raise ConnectionFailedError(
                    f"Neo4j at {at.uri} refuses the password in {self.home.password_file}; if you changed it, write the"
                    " new one into that file"
                ) from error
            except (DriverError, Neo4jError) as error:  # not up yet
                log.debug("not ready: %s", error)
            if time.monotonic() > deadline:
                raise ServerError(f"Neo4j {answer} within {timeout_s:.0f} s{self._end_of_log()}")
            time.sleep(0.1)

    def _end_of_log(self, since: float = 0.0) -> str:
        """The last lines of Neo4j's log, introduced; nothing when it was not written since then (seconds, Unix)."""
        log_file = self.home.log
        if not log_file.is_file() or log_file.stat().st_mtime < since:
            return ""
        return f"\nThe end of {log_file}:\n" + "\n".join(self.logs(12))

    def _stop(self) -> bool:
        pid = running_pid(self.home, search=True)
        if pid is None:
            return False
        import psutil

        self.home.ready_file.unlink(missing_ok=True)
        try:
            process = psutil.Process(pid)
            process.terminate()
            self._wait_until_stopped(process)
        except psutil.NoSuchProcess:
            pass
        self.home.pid_file.unlink(missing_ok=True)
        return True

    def _wait_until_stopped(self, process: psutil.Process) -> None:
        """Wait for a process that was asked to end.

        On a full disk it never does: it tries for ever to write its pages. Then it is killed, as by a power cut: what
        was committed is in the transaction logs, and the next start writes it to its place.
        """
        import psutil

        deadline = time.monotonic() + STOP_TIMEOUT_S
        full_since: float | None = None
        while (now := time.monotonic()) < deadline:
            try:
                process.wait(0.5)
                return
            except psutil.TimeoutExpired:
                pass
            if free_space(self.home.path) >= FULL:
                full_since = None
            elif full_since is None:
                full_since = now
            elif now - full_since > FULL_DISK_PATIENCE_S:
                log.warning("the disk of %s is full: Neo4j can't stop in order and is killed", self.home.path)
                process.kill()
                process.wait(STOP_TIMEOUT_S)
                return
        raise ServerError(
            f"Neo4j (process {process.pid}) has not stopped after {STOP_TIMEOUT_S:.0f} s; see {self.home.log}"
        )

    @contextmanager
    def _locked(self, progress: Progress) -> Iterator[None]:
        try:
            from filelock import FileLock, Timeout
        except ImportError as error:
            raise MissingExtraError("filelock", "local") from error
        self.home.lock_file.parent.mkdir(parents=True, exist_ok=True)
        guard = FileLock(self.home.lock_file)
        try:
            guard.acquire(timeout=0)
        except Timeout:
            progress("Waiting for another kgqa that starts or stops the server")
            try:
                guard.acquire(timeout=LOCK_TIMEOUT_S)
            except Timeout as error:
                raise ServerError(
                    f"another kgqa has held {self.home.lock_file} for {LOCK_TIMEOUT_S / 60:.0f} minutes"
                ) from error
        try:
            yield
        finally:
            guard.release()

    def _ready_pid(self) -> int | None:
        try:
            return int(self.home.ready_file.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None

    def _addresses(self) -> conf.Addresses:
        return conf.addresses(conf.read_conf(self.home.conf.read_text(encoding="utf-8")))

    def _connection(self, at: conf.Addresses) -> Connection:
        return Connection(at.uri, DEFAULT_USERNAME, self.home.password(), None, at.browser, "local")
