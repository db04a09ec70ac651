"""The server that a load writes to: transactions, repeated when that can help, and errors that name the cure."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import neo4j
from neo4j import exceptions as driver_errors

from kgqa_graphdb import queries
from kgqa_graphdb.errors import ConnectionFailedError, LoadError
from kgqa_graphdb.runtime.driver import failed_database, has_failed

_ATTEMPTS = 6
_FIRST_PAUSE_S = 0.1
_AGENT = {"app": "kgqa-graphdb"}


class Progress(Protocol):
    """Called after each batch with how many entities and facts are done of how many; a ``None`` total is not known."""

    def __call__(self, done: int, total: int | None = None) -> None: ...


class OutOfServerMemoryError(LoadError):
    """A transaction needs more memory than the server allows it."""


class Server:
    """Runs statement files, each in a transaction of its own, one after the other in one session.

    :param where: the server's address, for messages
    """

    def __init__(self, driver: neo4j.Driver, database: str | None = None, where: str = "") -> None:
        self._driver = driver
        self._database = database
        self._session: neo4j.Session | None = None
        self.where = where

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the session back; the driver stays open."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def run(self, name: str, splices: Mapping[str, str] | None = None, /, **parameters: Any) -> list[list[Any]]:
        """Run a statement file; its rows.

        A transient error (a deadlock, a leader that moved) means that the transaction was rolled back, and it is
        repeated. A lost connection is not: whether the transaction was committed is unknown then.

        :param splices: what is spliced in
        :raises OutOfServerMemoryError: the transaction is too big for the server
        """
        text = queries.load(name).cypher(**(splices or {}))
        for attempt in range(_ATTEMPTS):
            try:
                return self._once(text, parameters)
            except driver_errors.TransientError as error:
                code = error.code or ""
                if "OutOfMemory" in code or "MemoryLimit" in code:
                    raise OutOfServerMemoryError(
                        "the server's memory is too small for even one row; raise dbms.memory.transaction.total.max "
                        f"or the heap in neo4j.conf ({code})"
                    ) from error
                if attempt == _ATTEMPTS - 1:
                    raise
                time.sleep(_FIRST_PAUSE_S * 2**attempt)
        raise AssertionError("unreachable")

    def _once(self, text: str, parameters: dict[str, Any]) -> list[list[Any]]:
        if self._session is None:
            self._session = self._driver.session(database=self._database)
        with self._session.begin_transaction(metadata=_AGENT) as transaction:
            rows = [record.values() for record in transaction.run(text, parameters)]
            transaction.commit()
        return rows


def address_of(driver: neo4j.Driver) -> str:
    """Host and port of the server, for messages."""
    host, port, *_ = driver.get_server_info().address
    return f"{host}:{port}"


def in_batches(total: int, size: int, write: Callable[[int, int], None]) -> None:
    """Call ``write(start, end)`` over ``total`` items, ``size`` at a time; half as many when memory does not suffice.

    :raises OutOfServerMemoryError: even one item is too much
    """
    start = 0
    while start < total:
        end = min(start + size, total)
        try:
            write(start, end)
        except OutOfServerMemoryError:
            if size == 1:
                raise
            size = max(1, size // 2)
        else:
            start = end


@contextmanager
def clear_errors(where: Callable[[], str], cure: Callable[[], str]) -> Iterator[None]:
    """Turn the driver's errors into one sentence with its cure.

    :param cure: what to do when the server has gone away
    """
    try:
        yield
    except driver_errors.AuthError as error:
        raise ConnectionFailedError(
            f"{where()} refuses the user name or password; set NEO4J_USERNAME and NEO4J_PASSWORD ({error.code})"
        ) from error
    except (driver_errors.ServiceUnavailable, driver_errors.SessionExpired, OSError) as error:
        raise ConnectionFailedError(f"the server at {where()} went away; {cure()}") from error
    except driver_errors.ConstraintError as error:
        raise LoadError(
            f"another load writes the same graph; wait for it, then run this again ({error.code})"
        ) from error
    except driver_errors.Neo4jError as error:
        code = error.code or ""
        if has_failed(error):
            raise ConnectionFailedError(f"{failed_database(where(), error)}; free some space. {cure()}") from error
        if any(word in code for word in ("DatabaseUnavailable", "Terminated", "Shutdown", "ServiceUnavailable")):
            raise ConnectionFailedError(f"the server at {where()} is stopping; {cure()}") from error
        raise LoadError(f"the server at {where()} refused: {error.message} ({code}); {cure()}") from error
    except driver_errors.DriverError as error:
        raise ConnectionFailedError(f"the connection to {where()} broke: {error}; {cure()}") from error
