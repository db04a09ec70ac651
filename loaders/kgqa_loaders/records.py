"""What a source yields, one record at a time, and what a source is.

A new source is one file, with a class that has ``describe``, ``checksum`` and ``records``, and one entry in
``kgqa_loaders.recognise.FORMATS``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from kgqa_graphdb.types import Scalar

MAX_NAME_BYTES = 8_000
"""Longest id or name of an entity, in bytes of UTF-8: the index behind a uniqueness constraint takes 8,167."""


class Triple(NamedTuple):
    """A fact as text. Whether its tail is an entity, a literal or an alias is up to the relation.

    Most records are triples, and a named tuple is made three times as fast as a frozen dataclass.

    :ivar line: where it stands in the source, from 1
    :ivar head: entity id
    :ivar tail: entity id, or the text of a literal
    """

    line: int
    head: str
    relation: str
    tail: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A fact whose tail is a value that the source has typed."""

    line: int
    head: str
    relation: str
    value: Scalar


@dataclass(frozen=True, slots=True)
class Named:
    """An entity's name, further names and classes; without one, an entity's name is its id.

    :ivar labels: class labels of its node
    """

    entity_id: str
    name: str
    aliases: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reject:
    """A stretch of the source that is no record.

    :ivar line: where it stands in the source, from 1
    :ivar reason: what is wrong with it
    :ivar text: the line itself; what could not be decoded is escaped
    """

    line: int
    reason: str
    text: str


Record: TypeAlias = Triple | Literal | Named | Reject


class Source(Protocol):
    """Something to load. Reading it twice gives the same records in the same order."""

    @property
    def describe(self) -> str:
        """What the graph's meta node says that it was loaded from: a path, an address."""
        ...

    def checksum(self) -> str:
        """SHA-256 of the content, in hexadecimal."""
        ...

    def records(self) -> Iterator[Record]:
        """The records, in order.

        :raises LoadError: the source can't be read
        """
        ...
