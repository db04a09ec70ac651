"""What a round of requests reads: which statements answer it, those for several items put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kgqa_graphdb.steps import Read, ReadEach, Request
from kgqa_graphdb.types import Rows, Statement

READS = (Read, ReadEach)
"""The types of requests that the server answers."""
MAX_ITEMS = 32
"""Items of one statement: more would leave the other cores idle, and save little."""


@dataclass(frozen=True, slots=True)
class BatchedRead:
    """A statement to run, and the requests that it answers.

    :ivar places: of those requests in their round
    :ivar items: what each of them asks for; empty: there is one, and it asks for the whole statement
    """

    statement: Statement
    places: tuple[int, ...]
    items: tuple[Any, ...] = ()

    @property
    def to_run(self) -> Statement:
        """The statement with its items."""
        if not self.items:
            return self.statement
        text = self.statement.alone if self._is_alone else self.statement.text
        return replace(self.statement, text=text, parameters={**self.statement.parameters, "items": list(self.items)})

    @property
    def _is_alone(self) -> bool:
        return len(self.items) == 1 and bool(self.statement.alone)

    def answers(self, rows: Rows) -> dict[int, Rows]:
        """The rows of each request; place → rows."""
        if not self.items or self._is_alone:
            return {self.places[0]: rows}
        found: dict[int, Rows] = {place: [] for place in self.places}
        for number, *row in rows:
            found[self.places[number]].append(row)
        return found

    def split(self) -> list[BatchedRead]:
        """The same, a statement for each request."""
        parts = zip(self.places, self.items, strict=True)
        return [BatchedRead(self.statement, (place,), (item,)) for place, item in parts]


def batched_reads(requests: Sequence[Request[Any]]) -> Iterator[BatchedRead]:
    """The statements that answer the reading requests of a round; requests of other types are left out."""
    each: dict[tuple[str, str], list[int]] = {}
    for place, request in enumerate(requests):
        if isinstance(request, Read):
            yield BatchedRead(request.statement, (place,))
        elif isinstance(request, ReadEach):
            each.setdefault((request.statement.text, str(request.statement.parameters)), []).append(place)
    for places in each.values():
        for start in range(0, len(places), MAX_ITEMS):
            some = [
                (place, one)
                for place in places[start : start + MAX_ITEMS]
                if isinstance(one := requests[place], ReadEach)
            ]
            statement = some[0][1].statement
            yield BatchedRead(statement, tuple(place for place, _ in some), tuple(one.item for _, one in some))
