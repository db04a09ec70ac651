"""Whether a server's databases are in order, and what to do when one is not."""

from __future__ import annotations

from dataclasses import dataclass

from kgqa_graphdb.errors import ServerError
from kgqa_graphdb.managed.disk import free_space
from kgqa_graphdb.managed.layout import Home
from kgqa_graphdb.managed.process import tail

FULL = 8 << 20
"""Bytes: with less than this free, a disk is full for Neo4j, which writes in bigger pieces."""
TOLERATE_CORRUPTED_LOGS = "internal.dbms.tx_log.fail_on_corrupted_log_files=false"


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """A database as ``SHOW DATABASES`` has it.

    :ivar status: ``online``, ``starting``, ``offline``, …
    :ivar message: what went wrong in it, in Neo4j's words; one that is ``online`` may have failed for good, too
    """

    name: str
    status: str
    message: str

    @property
    def is_well(self) -> bool:
        """Whether it takes statements."""
        return self.status == "online" and not self.message

    @property
    def has_failed(self) -> bool:
        """Whether waiting does not help."""
        return bool(self.message)


def database_states(uri: str, auth: tuple[str, str] | None) -> tuple[DatabaseState, ...]:
    """The server's own database and the one for graphs. Asked once: a driver's retries would take half a minute.

    :raises DriverError: nobody answers; likewise ``Neo4jError``
    """
    from neo4j import GraphDatabase

    with (
        GraphDatabase.driver(uri, auth=auth, connection_timeout=5.0, notifications_min_severity="OFF") as driver,
        driver.session(database="system") as session,
    ):
        return tuple(
            DatabaseState(row["name"], row["currentStatus"], row["statusMessage"] or "")
            for row in session.run("SHOW DATABASES")
            if row.get("default", True) or row["name"] == "system"
        )


def refuse_full_disk(home: Home) -> None:
    """Say so when the disk of a home is full: Neo4j would wait for ever to write what it has to.

    :raises ServerError: it is
    """
    free = free_space(home.path)
    if free < FULL:
        raise ServerError(
            f"the disk of {home.path} is full ({free / 1e6:,.1f} MB free), and Neo4j can't go on; free some space, then"
            " run: kgqa db start. Nothing that was written is lost"
        )


def failure(home: Home, state: DatabaseState) -> ServerError:
    """The error about a database that has failed, with its cure."""
    debug_log = home.log.with_name("debug.log")
    # What SHOW DATABASES says may be no more than that it could not be started.
    whole = state.message + "\n".join(tail(debug_log, 5_000)).rpartition("[ System diagnostics ]")[2]
    reason, cure = " ".join(state.message.split())[:500], "run: kgqa db stop, then kgqa db start"
    if TOLERATE_CORRUPTED_LOGS.partition("=")[0] in whole:
        reason = f"the end of its transaction log is damaged, as by a full disk or a power cut ({reason})"
        cure = (
            f"keep a copy of {home.path / 'data'}, add the line {TOLERATE_CORRUPTED_LOGS} to {home.conf}, run: kgqa db"
            " stop, then kgqa db start, and take the line out again. All that was committed before the damage stays"
        )
    elif any(words in whole for words in ("No space left on device", "out of disk space")):
        reason = f"its disk was full ({reason})"
        cure = f"free some space ({free_space(home.path) / 1e6:,.0f} MB are free now), then {cure}"
    return ServerError(f"Neo4j runs, but its database {state.name!r} is down: {reason}; {cure}. More in {debug_log}")
