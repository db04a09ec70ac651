"""Reads of one round are put together by statement, and every request gets its own rows or its own error."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from kgqa_graphdb.errors import ConnectionFailedError, CypherError, KgqaError
from kgqa_graphdb.runtime import AsyncNeo4jIO, Neo4jIO
from kgqa_graphdb.runtime.shared_reads import MAX_ITEMS, batched_reads
from kgqa_graphdb.steps import Mark, Read, ReadEach
from kgqa_graphdb.types import Rows, Statement

SQUARES = Statement("SQUARES", {"limit": 5})


def squares(statement: Statement) -> Rows:
    """Instead of a server: squares of items, two rows for one above 9, an error for a text."""
    items: Sequence[Any] = statement.parameters.get("items", ())  # type: ignore[assignment]
    if any(isinstance(item, str) for item in items):
        raise CypherError("can't square a text")
    if not items:
        return [["whole"]]
    return [[number, item**2] for number, item in enumerate(items) for _ in range(2 if item > 9 else 1)]


class Squares(Neo4jIO):
    """Reads squares, and keeps how many items each statement had."""

    def __init__(self, error: KgqaError | None = None) -> None:
        super().__init__(driver=None)  # type: ignore[arg-type]
        self.error = error
        self.ran: list[int] = []

    def _read(self, statement: Statement) -> Rows:
        self.ran.append(len(statement.parameters.get("items", ())))  # type: ignore[arg-type]
        if self.error:
            raise self.error
        return squares(statement)


class AsyncSquares(AsyncNeo4jIO):
    """The same without blocking."""

    async def _read(self, statement: Statement) -> Rows:
        return squares(statement)


def asked(*items: object) -> list[ReadEach]:
    return [ReadEach(SQUARES, item) for item in items]


def test_items_of_one_statement_are_read_at_once_and_dealt_out() -> None:
    io = Squares()
    requests = [*asked(2, 10), Mark("link"), Read(Statement("WHOLE")), *asked(3)]
    assert io.perform(requests) == [[[4]], [[100], [100]], None, [["whole"]], [[9]]]
    assert sorted(io.ran) == [0, 3]


def test_an_item_without_rows_gets_none() -> None:
    (read,) = batched_reads(asked(1, 2))
    assert read.answers([[1, "x"]]) == {0: [], 1: [["x"]]}


def test_an_item_alone_is_read_by_the_statement_for_one_whose_rows_have_no_number() -> None:
    statement = Statement("SQUARES", {"limit": 5}, alone="SQUARE")
    (one,) = batched_reads([ReadEach(statement, 3)])
    assert (one.to_run.text, one.to_run.parameters) == ("SQUARE", {"limit": 5, "items": [3]})
    assert one.answers([[9], [10]]) == {0: [[9], [10]]}
    (both,) = batched_reads([ReadEach(statement, 3), ReadEach(statement, 4)])
    assert both.to_run.text == "SQUARES"
    assert [read.to_run.text for read in both.split()] == ["SQUARE", "SQUARE"]


def test_statements_that_differ_in_a_parameter_are_read_apart() -> None:
    other = ReadEach(Statement("SQUARES", {"limit": 6}), 1)
    assert [read.places for read in batched_reads([*asked(1), other, *asked(2)])] == [(0, 2), (1,)]


def test_many_items_are_several_statements() -> None:
    reads = batched_reads(asked(*range(2 * MAX_ITEMS + 1)))
    assert [len(read.items) for read in reads] == [MAX_ITEMS, MAX_ITEMS, 1]


def test_an_error_reaches_only_the_item_that_it_comes_from() -> None:
    io = Squares()
    first, error, last = io.perform(asked(2, "two", 3))
    assert (first, last) == ([[4]], [[9]])
    assert isinstance(error, CypherError)
    assert io.ran == [3, 1, 1, 1]


def test_a_broken_connection_is_not_tried_for_every_item() -> None:
    io = Squares(ConnectionFailedError("gone"))
    assert all(isinstance(answer, ConnectionFailedError) for answer in io.perform(asked(1, 2, 3)))
    assert io.ran == [3]


def test_reads_that_do_not_block_are_dealt_out_alike() -> None:
    io = AsyncSquares(driver=None)  # type: ignore[arg-type]
    first, error, mark, last = asyncio.run(io.perform([*asked(2, "two"), Mark("link"), *asked(3)]))
    assert (first, mark, last) == ([[4]], None, [[9]])
    assert isinstance(error, CypherError)
