"""Performs requests on Neo4j, with a blocking driver or an ``AsyncDriver``: caps, timeout and transaction metadata.

What needs no server is performed by :data:`kgqa_graphdb.runtime.performers.PERFORMERS`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import neo4j
from neo4j import exceptions as driver_errors

from kgqa_graphdb.errors import ConnectionFailedError, KgqaError, ResultTooLargeError
from kgqa_graphdb.runtime.computing import LocalModels
from kgqa_graphdb.runtime.driver import driver_parameters, plain_row, translated_errors
from kgqa_graphdb.runtime.performers import leaves_of, nested, perform_locally, takes_time
from kgqa_graphdb.runtime.shared_reads import BatchedRead, batched_reads
from kgqa_graphdb.steps import Request
from kgqa_graphdb.types import Rows, Statement


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


EXPORT_LIMITS = Limits(timeout_s=600.0, max_rows=10_000_000, max_values=1_000_000_000)
"""Of the reads of a whole graph, which are cut into pages by who asks."""
MANY_READS = 8
"""So many reads of a round, and more, are worth several sessions."""
_AGENT = {"app": "kgqa-graphdb"}


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

    :ivar models: perform what needs no server
    :ivar max_sessions: reads at a time
    :ivar session_options: passed to ``Driver.session``: ``impersonated_user``, ``auth``, ``bookmarks``
    """

    driver: neo4j.Driver
    database: str | None = None
    models: LocalModels = field(default_factory=LocalModels)
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
        answers = perform_locally(leaves, self.models) | self._read_all(list(batched_reads(leaves)))
        return nested(requests, (answers[index] for index in range(len(leaves))))

    def _read_all(self, reads: Sequence[BatchedRead]) -> dict[int, Rows | KgqaError]:
        """Read side by side where there is much to read; place of the request → rows or error."""
        if len(reads) < MANY_READS or self.max_sessions < 2:
            return {place: rows for read in reads for place, rows in self._try_read(read).items()}
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.max_sessions, thread_name_prefix="kgqa-read")
            self._helpers += [
                replace(self, max_sessions=1, _session=None, _helpers=[], _pool=None) for _ in range(self.max_sessions)
            ]
        shares = [reads[number :: self.max_sessions] for number in range(self.max_sessions)]
        read = self._pool.map(Neo4jIO._read_all, self._helpers, shares)
        return {place: rows for share in read for place, rows in share.items()}

    def _try_read(self, read: BatchedRead) -> Mapping[int, Rows | KgqaError]:
        try:
            return read.answers(self._read(read.to_run))
        except ConnectionFailedError as error:
            return dict.fromkeys(read.places, error)
        except KgqaError as error:
            if len(read.places) == 1:
                return {read.places[0]: error}
            return self._read_all(read.split())  # which of them is it?

    def _read(self, statement: Statement) -> Rows:
        with translated_errors(self.where):
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
        result = self._session.run(_query(statement, self.limits), driver_parameters(statement.parameters))
        rows: Rows = []
        for record in result:
            rows.append(plain_row(record))
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
    models: LocalModels = field(default_factory=LocalModels)
    limits: Limits = field(default_factory=Limits)
    session_options: dict[str, Any] = field(default_factory=dict)
    where: str = "the server"
    max_sessions: int = 8
    _bookmarks: Any = None

    async def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        """One answer per request; what failed is the error that says why."""
        leaves = leaves_of(requests)
        if takes_time(leaves):
            answers = await asyncio.to_thread(perform_locally, leaves, self.models)
        else:
            answers = perform_locally(leaves, self.models)
        gate = asyncio.Semaphore(self.max_sessions)

        async def one(read: BatchedRead) -> None:
            async with gate:
                answers.update(await self._try_read(read))

        await asyncio.gather(*map(one, batched_reads(leaves)))
        return nested(requests, (answers[index] for index in range(len(leaves))))

    async def _try_read(self, read: BatchedRead) -> Mapping[int, Rows | KgqaError]:
        try:
            return read.answers(await self._read(read.to_run))
        except ConnectionFailedError as error:
            return dict.fromkeys(read.places, error)
        except KgqaError as error:
            if len(read.places) == 1:
                return {read.places[0]: error}
            apart = await asyncio.gather(*map(self._try_read, read.split()))  # which of them is it?
            return {place: rows for one in apart for place, rows in one.items()}

    async def _read(self, statement: Statement) -> Rows:
        with translated_errors(self.where):
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
            result = await session.run(_query(statement, self.limits), driver_parameters(statement.parameters))
            rows: Rows = []
            async for record in result:
                rows.append(plain_row(record))
                if len(rows) > self.limits.max_rows:
                    await result.consume()
                    raise _too_many_rows(self.limits)
            self._bookmarks = await session.last_bookmarks()
        return _check_size(rows, self.limits)
