"""What a quick reader gives: the plain facts of a block in columns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, TypeAlias

from kgqa_loaders.normal import Row
from kgqa_loaders.records import MAX_NAME_BYTES, Block, Record


class Plain(NamedTuple):
    """A block in columns.

    :ivar heads: entity ids; ``relations`` and ``tails`` have the same places
    :ivar rest: the lines that are read the usual way
    :ivar rows: what else was read
    :ivar records: what else was read, not yet normalised
    :ivar numbered: rejects among the records have the numbers of their lines
    """

    heads: list[str]
    relations: list[str]
    tails: list[str]
    rest: bytes = b""
    rows: Sequence[Row] = ()
    records: Sequence[Record] = ()
    numbered: bool = False


PlainReader: TypeAlias = Callable[[Block], Plain | None]


def usual_text(block: Block) -> str | None:
    """The text of a block that has none of what needs a second look."""
    data = block.data
    if block.line == 1 or b"\r" in data or b"\x00" in data:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def too_long(*columns: Collection[str]) -> bool:
    return any(max(map(len, column), default=0) > MAX_NAME_BYTES // 4 for column in columns)
