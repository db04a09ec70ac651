"""Performs the requests that stages yield: statements on Neo4j, texts on the encoder.

The caps, the timeout, the transaction metadata and the error tree's edge to the driver are here, for both kinds of
driver.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
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

from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.errors import (
    ConnectionFailedError,
    CypherError,
    EncoderError,
    KgqaError,
    ReadTimeoutError,
    ResultTooLargeError,
)
from kgqa_graphdb.steps import Batch, Compute, Embed, Generate, Mark, Read, Request
from kgqa_graphdb.types import Point, RawEdge, RawNode, Rows, Statement, Vectors


class TextEncoder(Protocol):
    """Embeds texts; shape (texts, dim), float32, unit L2 norm."""

    def encode(self, texts: Sequence[str]) -> Vectors: ...


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


def _leaves(requests: Sequence[Request[Any]]) -> list[Request[Any]]:
    """The requests inside batches, at any depth, in order."""
    found: list[Request[Any]] = []
    for request in requests:
        found.extend(_leaves(request.requests) if isinstance(request, Batch) else [request])
    return found


def _rebuild(requests: Sequence[Request[Any]], answers: Iterator[Any]) -> list[Any]:
    """The leaves' answers, nested as the requests were."""
    return [
        tuple(_rebuild(request.requests, answers)) if isinstance(request, Batch) else next(answers)
        for request in requests
    ]


def _embed_all(leaves: Sequence[Request[Any]], encoder: TextEncoder | None) -> dict[int, Any]:
    """Answer every :class:`Embed` of a round in one call of the encoder, and one for texts whose vectors are kept.

    :return: index of the leaf → vectors or error
    """
    wanted = {index: leaf for index, leaf in enumerate(leaves) if isinstance(leaf, Embed)}
    if not wanted:
        return {}
    if encoder is None:
        return dict.fromkeys(wanted, EncoderError("no text encoder is installed"))
    answers: dict[int, Any] = {}
    for index, leaf in list(wanted.items()):
        if leaf.encoder and (error := _other_encoder(encoder, leaf.encoder)):
            answers[index] = error
            del wanted[index]
    for keep in (False, True):
        some = {index: leaf.texts for index, leaf in wanted.items() if leaf.keep is keep}
        texts = list(dict.fromkeys(text for leaf_texts in some.values() for text in leaf_texts))
        if not some:
            continue
        try:
            vectors = encoder.encode(texts, keep=keep) if isinstance(encoder, CachedEncoder) else encoder.encode(texts)
        except KgqaError as error:
            answers |= dict.fromkeys(some, error)
            continue
        row = {text: number for number, text in enumerate(texts)}
        answers |= {index: vectors[[row[text] for text in leaf_texts]] for index, leaf_texts in some.items()}
    return answers


def _compute_all(leaves: Sequence[Request[Any]]) -> dict[int, Any]:
    """Answer every :class:`Compute` of a round, one call for each model.

    :return: index of the leaf → answer or error
    """
    by_work: dict[Any, list[int]] = {}
    for index, leaf in enumerate(leaves):
        if isinstance(leaf, Compute):
            by_work.setdefault(leaf.work, []).append(index)
    answers: dict[int, Any] = {}
    for work, indices in by_work.items():
        items = [leaf.item for index in indices if isinstance(leaf := leaves[index], Compute)]
        try:
            answers |= zip(indices, work(items), strict=True)
        except KgqaError as error:
            answers |= dict.fromkeys(indices, error)
    return answers


def _other_encoder(encoder: TextEncoder, fingerprint: str) -> KgqaError | None:
    """What is wrong when vectors must be of one encoder, and this is another."""
    try:
        same = getattr(encoder, "fingerprint", "") == fingerprint
    except KgqaError as error:
        return error
    return None if same else EncoderError("its vectors were made by another text encoder than the one in use")


def _refuse(request: Request[Any]) -> Any:
    """The answer to a request that needs no server."""
    if isinstance(request, Mark):
        return None
    if isinstance(request, Generate):
        return KgqaError("no language model is configured")
    raise TypeError(f"unknown request {request!r}")


def _query(statement: Statement, limits: Limits) -> neo4j.Query:
    return neo4j.Query(statement.text, metadata=_AGENT, timeout=limits.timeout_s)


@dataclass(slots=True)
class Neo4jIO:
    """Performs requests with a blocking driver. Good for one question at a time; closing it leaves the driver open.

    All reads of one question share a session, hence its bookmarks. A statement runs as an auto-commit transaction in
    read mode: one round trip, and the server refuses writes.

    :ivar session_options: passed to ``Driver.session``: ``impersonated_user``, ``auth``, ``bookmarks``
    """

    driver: neo4j.Driver
    database: str | None = None
    encoder: TextEncoder | None = None
    limits: Limits = field(default_factory=Limits)
    session_options: dict[str, Any] = field(default_factory=dict)
    where: str = "the server"
    _session: neo4j.Session | None = None

    def __enter__(self) -> Neo4jIO:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the session back."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        """One answer per request; what failed is the error that says why."""
        leaves = _leaves(requests)
        answers = _embed_all(leaves, self.encoder) | _compute_all(leaves)
        for index, leaf in enumerate(leaves):
            if index not in answers:
                answers[index] = self._try_read(leaf.statement) if isinstance(leaf, Read) else _refuse(leaf)
        return _rebuild(requests, (answers[index] for index in range(len(leaves))))

    def _try_read(self, statement: Statement) -> Rows | KgqaError:
        try:
            return self._read(statement)
        except KgqaError as error:
            return error

    def _read(self, statement: Statement) -> Rows:
        with _driver_errors(self.where):
            try:
                return self._read_once(statement)
            except (driver_errors.Neo4jError, driver_errors.DriverError) as error:
                self.close()
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
        leaves = _leaves(requests)
        answers: dict[int, Any] = {}
        if any(isinstance(leaf, Embed) for leaf in leaves):
            answers |= await asyncio.to_thread(_embed_all, leaves, self.encoder)
        if any(isinstance(leaf, Compute) for leaf in leaves):
            answers |= await asyncio.to_thread(_compute_all, leaves)
        gate = asyncio.Semaphore(self.max_sessions)

        async def one(index: int, leaf: Request[Any]) -> None:
            if isinstance(leaf, Read):
                async with gate:
                    answers[index] = await self._try_read(leaf.statement)
            else:
                answers[index] = _refuse(leaf)

        await asyncio.gather(*(one(index, leaf) for index, leaf in enumerate(leaves) if index not in answers))
        return _rebuild(requests, (answers[index] for index in range(len(leaves))))

    async def _try_read(self, statement: Statement) -> Rows | KgqaError:
        try:
            return await self._read(statement)
        except KgqaError as error:
            return error

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
