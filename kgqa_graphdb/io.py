"""Performs the requests that stages yield: statements on Neo4j, texts on the encoder.

The caps, the timeout, the transaction metadata and the error tree's edge to the driver are here, for both kinds of
driver.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Protocol

import neo4j
from neo4j import exceptions as driver_errors
from neo4j.graph import Node as DriverNode
from neo4j.graph import Path as DriverPath
from neo4j.graph import Relationship as DriverRelationship
from neo4j.spatial import WGS84Point
from neo4j.time import Date as DriverDate
from neo4j.time import DateTime as DriverDateTime

from kgqa_graphdb.errors import (
    ConnectionFailedError,
    CypherError,
    KgqaError,
    ReadTimeoutError,
    ResultTooLargeError,
)
from kgqa_graphdb.local import TextEncoder, compute_all, embed_all, leaves_of, nested, refuse
from kgqa_graphdb.reading import Reading, readings_of
from kgqa_graphdb.steps import Compute, Embed, Request
from kgqa_graphdb.types import Point, RawEdge, RawNode, Rows, Statement


class Credentials(Protocol):
    """Where a server is and who asks."""

    @property
    def uri(self) -> str: ...
    @property
    def auth(self) -> tuple[str, str] | None: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What one statement may cost.

    :ivar timeout_s: seconds a statement may run on the server
    :ivar max_rows: rows it may return
    :ivar max_values: values it may return, counted through lists; some 50 bytes each
    """

    timeout_s: float = 20.0
    max_rows: int = 200_000
    max_values: int = 2_000_000


MANY_READS = 8
"""So many reads of a round, and more, are worth several sessions."""
_AGENT = {"app": "kgqa-graphdb"}
_CURE = "is it running? Try: kgqa db status"
# The driver reports what the server thinks of a statement as log warnings; a label that no graph has yet is no news.
_DRIVER_OPTIONS: dict[str, Any] = {"notifications_min_severity": "OFF", "connection_timeout": 10.0}
_SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


def _check_address(uri: str) -> None:
    """Newer drivers take HTTP addresses for something else, and ask for further packages.

    :raises ConnectionFailedError: the address is none of Neo4j's
    """
    scheme = uri.partition("://")[0].lower()
    if scheme not in _SCHEMES:
        raise ConnectionFailedError(
            f"{uri!r} is not a usable Neo4j address; it begins with neo4j://, bolt:// or, encrypted, neo4j+s://"
        )


def open_driver(connection: Credentials) -> neo4j.Driver:
    """Open a driver and see that it answers.

    :raises ConnectionFailedError: the server can't be reached or refuses the credentials
    """
    _check_address(connection.uri)
    with _driver_errors(connection.uri):
        driver = neo4j.GraphDatabase.driver(connection.uri, auth=connection.auth, **_DRIVER_OPTIONS)
        try:
            driver.verify_connectivity()
        except BaseException:
            driver.close()
            raise
    return driver


async def open_async_driver(connection: Credentials) -> neo4j.AsyncDriver:
    """As :func:`open_driver`, for asyncio."""
    _check_address(connection.uri)
    with _driver_errors(connection.uri):
        driver = neo4j.AsyncGraphDatabase.driver(connection.uri, auth=connection.auth, **_DRIVER_OPTIONS)
        try:
            await driver.verify_connectivity()
        except BaseException:
            await driver.close()
            raise
    return driver


@contextmanager
def _driver_errors(where: str) -> Iterator[None]:
    """Turn the driver's errors into ours."""
    try:
        yield
    except driver_errors.AuthError as error:
        raise ConnectionFailedError(
            f"{where} refuses the user name or password; set NEO4J_USERNAME and NEO4J_PASSWORD ({error.code})"
        ) from error
    except driver_errors.ConfigurationError as error:
        raise ConnectionFailedError(f"{where} is not a usable Neo4j address: {error}") from error
    except (driver_errors.ServiceUnavailable, driver_errors.SessionExpired) as error:
        raise ConnectionFailedError(f"can't reach Neo4j at {where}; {_CURE}") from error
    except driver_errors.Neo4jError as error:
        code = error.code or ""
        if "TransactionTimedOut" in code:
            raise ReadTimeoutError(f"a statement ran out of time ({error.message})") from error
        if "DatabaseNotFound" in code:
            raise ConnectionFailedError(f"{where}: {error.message}; set NEO4J_DATABASE") from error
        raise CypherError(f"Neo4j refused a statement: {error.message} ({code})") from error
    except driver_errors.DriverError as error:
        raise ConnectionFailedError(f"the connection to {where} broke: {error}; {_CURE}") from error
    except (OSError, ValueError) as error:  # an address that no resolver knows, a malformed URI
        raise ConnectionFailedError(f"can't reach Neo4j at {where}: {error}; {_CURE}") from error


_PLAIN = frozenset({str, int, float, bool, type(None)})


def plain(value: Any) -> Any:
    """A returned value without the driver's own classes; the values of lists alike."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list):
        return value if _PLAIN.issuperset(map(type, value)) else [plain(v) for v in value]
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, DriverNode):
        return RawNode(value.element_id, tuple(sorted(value.labels)), {k: plain(v) for k, v in value.items()})
    if isinstance(value, DriverRelationship):
        start, end = value.nodes
        if start is None or end is None:  # the driver knows both ends of whatever a server sends
            raise CypherError(f"relationship {value.element_id} came without its nodes")
        properties = {k: plain(v) for k, v in value.items()}
        return RawEdge(value.type, start.element_id, end.element_id, properties)
    if isinstance(value, DriverPath):
        return [*(plain(node) for node in value.nodes), *(plain(edge) for edge in value.relationships)]
    if isinstance(value, DriverDate | DriverDateTime):
        return value.to_native()
    if isinstance(value, WGS84Point):
        return Point(value.longitude, value.latitude)
    return value if isinstance(value, date | bytes) else str(value)


def _sent(parameters: Mapping[str, object]) -> dict[str, Any]:
    """Parameters as the driver takes them."""
    return {name: _driver_value(value) for name, value in parameters.items()}


def _driver_value(value: object) -> Any:
    if isinstance(value, Point):
        return WGS84Point((value.longitude, value.latitude))
    if isinstance(value, list) and any(isinstance(item, Point | list) for item in value):
        return [_driver_value(item) for item in value]
    return value


def _count(value: Any) -> int:
    """How many values a returned value holds; inner lists count as long as the first."""
    if not isinstance(value, list) or not value:
        return 1
    return len(value) * max(1, len(value[0])) if isinstance(value[0], list) else len(value)


def _check_size(rows: Rows, limits: Limits) -> Rows:
    size = sum(_count(value) for row in rows for value in row)
    if size > limits.max_values:
        raise ResultTooLargeError(f"a statement returned {size:,} values; the cap is {limits.max_values:,}")
    return rows


def _too_many_rows(limits: Limits) -> ResultTooLargeError:
    return ResultTooLargeError(f"a statement returned more than {limits.max_rows:,} rows; add a LIMIT")


def _query(statement: Statement, limits: Limits) -> neo4j.Query:
    return neo4j.Query(statement.text, metadata=_AGENT, timeout=limits.timeout_s)


@dataclass(slots=True)
class Neo4jIO:
    """Performs requests with a blocking driver. Good for one question at a time; closing it leaves the driver open.

    All reads of one question share a session, hence its bookmarks; those of many questions are read by several threads,
    each with a session of its own. A statement runs as an auto-commit transaction in read mode: one round trip, and the
    server refuses writes.

    :ivar max_sessions: reads at a time
    :ivar session_options: passed to ``Driver.session``: ``impersonated_user``, ``auth``, ``bookmarks``
    """

    driver: neo4j.Driver
    database: str | None = None
    encoder: TextEncoder | None = None
    limits: Limits = field(default_factory=Limits)
    session_options: dict[str, Any] = field(default_factory=dict)
    where: str = "the server"
    max_sessions: int = 4
    _session: neo4j.Session | None = None
    _helpers: list[Neo4jIO] = field(default_factory=list)
    _pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Neo4jIO:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the sessions back."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
        for helper in self._helpers:
            helper.close()
        self._helpers.clear()
        self._end_session()

    def _end_session(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        """One answer per request; what failed is the error that says why."""
        leaves = leaves_of(requests)
        answers = embed_all(leaves, self.encoder) | compute_all(leaves)
        answers |= self._read_all(list(readings_of(leaves)))
        answers |= {index: refuse(leaf) for index, leaf in enumerate(leaves) if index not in answers}
        return nested(requests, (answers[index] for index in range(len(leaves))))

    def _read_all(self, readings: Sequence[Reading]) -> dict[int, Rows | KgqaError]:
        """Read side by side where there is much to read; place of the request → rows or error."""
        if len(readings) < MANY_READS or self.max_sessions < 2:
            return {place: rows for reading in readings for place, rows in self._try_read(reading).items()}
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.max_sessions, thread_name_prefix="kgqa-read")
            self._helpers += [
                replace(self, max_sessions=1, _session=None, _helpers=[], _pool=None) for _ in range(self.max_sessions)
            ]
        shares = [readings[number :: self.max_sessions] for number in range(self.max_sessions)]
        read = self._pool.map(Neo4jIO._read_all, self._helpers, shares)
        return {place: rows for share in read for place, rows in share.items()}

    def _try_read(self, reading: Reading) -> Mapping[int, Rows | KgqaError]:
        try:
            return reading.answers(self._read(reading.to_run))
        except ConnectionFailedError as error:
            return dict.fromkeys(reading.places, error)
        except KgqaError as error:
            if len(reading.places) == 1:
                return {reading.places[0]: error}
            return self._read_all(reading.apart())  # which of them is it?

    def _read(self, statement: Statement) -> Rows:
        with _driver_errors(self.where):
            try:
                return self._read_once(statement)
            except (driver_errors.Neo4jError, driver_errors.DriverError) as error:
                self._end_session()
                if not error.is_retryable():
                    raise
                return self._read_once(statement)  # a pooled connection that the server dropped, a leader that moved

    def _read_once(self, statement: Statement) -> Rows:
        if self._session is None:
            self._session = self.driver.session(
                database=self.database, default_access_mode=neo4j.READ_ACCESS, **self.session_options
            )
        result = self._session.run(_query(statement, self.limits), _sent(statement.parameters))
        rows: Rows = []
        for record in result:
            rows.append([plain(value) for value in record.values()])
            if len(rows) > self.limits.max_rows:
                result.consume()
                raise _too_many_rows(self.limits)
        return _check_size(rows, self.limits)


@dataclass(slots=True)
class AsyncNeo4jIO:
    """Performs requests with an ``AsyncDriver``, the reads of a round side by side. Otherwise as :class:`Neo4jIO`.

    :ivar max_sessions: reads at a time
    """

    driver: neo4j.AsyncDriver
    database: str | None = None
    encoder: TextEncoder | None = None
    limits: Limits = field(default_factory=Limits)
    session_options: dict[str, Any] = field(default_factory=dict)
    where: str = "the server"
    max_sessions: int = 8
    _bookmarks: Any = None

    async def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        """One answer per request; what failed is the error that says why."""
        leaves = leaves_of(requests)
        answers: dict[int, Any] = {}
        if any(isinstance(leaf, Embed) for leaf in leaves):
            answers |= await asyncio.to_thread(embed_all, leaves, self.encoder)
        if any(isinstance(leaf, Compute) for leaf in leaves):
            answers |= await asyncio.to_thread(compute_all, leaves)
        gate = asyncio.Semaphore(self.max_sessions)

        async def one(reading: Reading) -> None:
            async with gate:
                answers.update(await self._try_read(reading))

        await asyncio.gather(*map(one, readings_of(leaves)))
        answers |= {index: refuse(leaf) for index, leaf in enumerate(leaves) if index not in answers}
        return nested(requests, (answers[index] for index in range(len(leaves))))

    async def _try_read(self, reading: Reading) -> Mapping[int, Rows | KgqaError]:
        try:
            return reading.answers(await self._read(reading.to_run))
        except ConnectionFailedError as error:
            return dict.fromkeys(reading.places, error)
        except KgqaError as error:
            if len(reading.places) == 1:
                return {reading.places[0]: error}
            apart = await asyncio.gather(*map(self._try_read, reading.apart()))  # which of them is it?
            return {place: rows for one in apart for place, rows in one.items()}

    async def _read(self, statement: Statement) -> Rows:
        with _driver_errors(self.where):
            try:
                return await self._read_once(statement)
            except (driver_errors.Neo4jError, driver_errors.DriverError) as error:
                if not error.is_retryable():
                    raise
                return await self._read_once(statement)

    async def _read_once(self, statement: Statement) -> Rows:
        options = {"bookmarks": self._bookmarks, **self.session_options} if self._bookmarks else self.session_options
        async with self.driver.session(
            database=self.database, default_access_mode=neo4j.READ_ACCESS, **options
        ) as session:
            result = await session.run(_query(statement, self.limits), _sent(statement.parameters))
            rows: Rows = []
            async for record in result:
                rows.append([plain(value) for value in record.values()])
                if len(rows) > self.limits.max_rows:
                    await result.consume()
                    raise _too_many_rows(self.limits)
            self._bookmarks = await session.last_bookmarks()
        return _check_size(rows, self.limits)
