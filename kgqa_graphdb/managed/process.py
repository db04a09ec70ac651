"""The server's process: which one it is, and what Neo4j's own launcher does with it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgqa_graphdb.errors import MissingExtraError, ServerError
from kgqa_graphdb.managed.java import Java
from kgqa_graphdb.managed.layout import Home

if TYPE_CHECKING:
    import psutil

LAUNCHER = "org.neo4j.server.startup.Neo4jCommand"
ADMIN = "org.neo4j.cli.AdminTool"
_SMALL = ("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


def running_pid(home: Home, *, search: bool = False) -> int | None:
    """The process id of the server with this home, if it runs.

    The launcher's file may be stale, after ``kill -9`` or a reboot, and its number may be another process's by now; so
    the process must be a Java with our home on its command line.

    :param search: where the file does not help, look at all processes (tens of ms): a launcher that was interrupted may
        have left a server without a file
    """
    try:
        import psutil
    except ImportError as error:
        raise MissingExtraError("psutil", "local") from error

    try:
        pid = int(home.pid_file.read_text(encoding="ascii"))
        if _is_ours(psutil.Process(pid), home):
            return pid
    except (OSError, ValueError, psutil.Error):
        pass  # no file, half a number, no such process: it does not run by this file
    if search:
        for process in psutil.process_iter():
            if _is_ours(process, home):
                return process.pid
    return None


def _is_ours(process: psutil.Process, home: Home) -> bool:
    import psutil

    try:
        arguments = process.cmdline()
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
    except psutil.Error:
        return False
    given = {a.removeprefix("--home-dir=") for a in arguments if a.startswith("--home-dir=")}
    return bool(given & {str(home.path), str(home.path.resolve())})


OPENED = tuple(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in ("java.nio", "java.io", "sun.nio.ch"))
"""What newer versions of Neo4j want opened, as ``server.jvm.additional`` does for the server."""


@dataclass(frozen=True, slots=True)
class Launcher:
    """Neo4j's own programs, run with the right Java and folders."""

    home: Home
    java: Java

    def start(self, timeout_s: float) -> bool:
        """Start the server in the background, in a session of its own: a Ctrl-C in our terminal does not reach it.

        :param timeout_s: the launcher waits until the server has begun to listen
        :return: whether it started; :meth:`output` gives the reason
        :raises ServerError: the launcher waits longer than that
        """
        return self._run(LAUNCHER, "start", timeout_s=timeout_s) == 0

    def set_initial_password(self) -> None:
        """Set the first password of a server that has no data yet, from our file: a command line is for all to see.

        :raises ServerError: the tool says no
        """
        if self._run(ADMIN, "dbms", "set-initial-password", f"@{self.home.password_file}", timeout_s=60) != 0:
            raise ServerError(f"the first password could not be set:\n{self.output()}")

    def import_csv(self, arguments: Sequence[str], *, heap: int) -> bool:
        """Let ``neo4j-admin database import full`` make the database ``neo4j`` anew; the server must not run.

        :param arguments: of the tool, but for the database
        :param heap: of the tool, in MiB; most of what it needs it takes outside of it
        :return: whether it did; :meth:`output` gives the reason
        """
        java = (f"-Xmx{heap}m", "-XX:+UseParallelGC", *OPENED)
        command = ("database", "import", "full", "neo4j", "--overwrite-destination=true", *arguments)
        return self._run(ADMIN, *command, timeout_s=None, java=java) == 0

    def output(self) -> str:
        """What a program wrote last, without what it always writes."""
        usual = ("WARNING: Max", "Run with '--verbose'")
        lines = tail(self.home.launcher_log, 40)
        if "Starting Neo4j." in lines:  # before it: the folders in use
            lines = lines[lines.index("Starting Neo4j.") + 1 :]
        return "\n".join(line for line in lines if line.strip() and not line.startswith(usual)) or "it said nothing"

    def _run(self, program: str, *arguments: str, timeout_s: float | None, java: Sequence[str] = _SMALL) -> int:
        # Neither Neo4j nor its launcher gets our pipes: `kgqa db start --json | cat` must end when we do.
        environment = {k: v for k, v in os.environ.items() if k not in ("NEO4J_DEBUG", "CLASSPATH", "_JAVA_OPTIONS")}
        environment |= {
            "NEO4J_HOME": str(self.home.path),
            "NEO4J_CONF": str(self.home.conf.parent),
            "JAVA_HOME": str(self.java.home),
        }
        command = [str(self.java.executable), *java, "-cp", f"{self.home.lib}{os.sep}*", program, *arguments]
        with self.home.launcher_log.open("wb") as output:
            try:
                return subprocess.run(
                    command,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    timeout=timeout_s,
                    check=False,
                    cwd=self.home.path,
                ).returncode
            except subprocess.TimeoutExpired as error:
                raise ServerError(f"Neo4j's launcher did not finish {arguments[0]} in {timeout_s:.0f} s") from error
            except OSError as error:
                raise ServerError(f"Java at {self.java.executable} does not run: {error.strerror}") from error


def tail(file: Path, lines: int) -> list[str]:
    """The last lines of a text file; none when it is not there.

    :param lines: at most so many; reads no more than the last 256 KiB
    """
    try:
        with file.open("rb") as stream:
            stream.seek(max(0, file.stat().st_size - (256 << 10)))
            text = stream.read().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return []
    return text.splitlines()[-lines:] if lines > 0 else []
