"""What a source yields, one record at a time, what a source is, and how it is read and loaded.

A new source is one file, with a class that has ``describe``, ``checksum`` and ``records``, and one entry in
``kgqa_loaders.recognise.FORMATS``. One whose content can be read in independent pieces has ``blocks`` and ``parse``
too: then several cores, or several machines, read it.

The order of records never matters, so that however many processes read a source, the graph is the same: records on one
entity are united, and where only one value can count (a name), the least ``rank`` wins, then the least text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

from kgqa_graphdb.types import RelationKind, Scalar

MAX_NAME_BYTES = 8_000
"""Longest id or name of an entity, in bytes of UTF-8: the index behind a uniqueness constraint takes 8,167."""


GUESS_RANK = 9_999
"""Rank of words that a reader guessed: whatever a source gives, now or at an earlier load, wins over them."""

NAMING_RANK = 1_000
"""Rank of the first file of several that only name things: what a source of facts calls its own wins over them."""


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


class Literal(NamedTuple):
    """A fact whose tail is a value that the source has typed; each value keeps its own type.

    A relation may have values for some heads and entities for others. The entities keep its name then, and the values
    go by :func:`kgqa_loaders.relations.value_relation`.
    """

    line: int
    head: str
    relation: str
    value: Scalar


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact between entities that has properties of its own: qualifiers, references, a rank.

    Statements of the same head, relation and tail both stay if their ``statement_id`` differs.

    :ivar statement_id: the source's own; empty: made from the qualifiers, so that equal statements are one
    :ivar qualifiers: property key → value; a list holds values of one type
    """

    line: int
    head: str
    relation: str
    tail: str
    qualifiers: Mapping[str, Scalar | list[Scalar]]
    statement_id: str = ""


class Named(NamedTuple):
    """Something of what people call an entity, and what it is; an entity may have many such records.

    Names that do not win become aliases. Without any, an entity's name is its id.

    :ivar name: empty: this record says nothing of the name
    :ivar labels: class labels of its node
    :ivar rank: of the name and the description, least first; e.g. the place of its language among those wanted
    :ivar line: where it stands in the source, from 1; 0 where that means nothing
    """

    entity_id: str
    name: str = ""
    aliases: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    description: str = ""
    rank: int = 0
    line: int = 0


@dataclass(frozen=True, slots=True)
class RelationNote:
    """A source's words for a relation; a person's relations file wins over it, it over a guess from the name.

    :ivar kind: ``leg``: walked only inside another relation's ``via``
    :ivar label: words for head → tail; empty: not known, as for the others
    :ivar inverse: words for tail → head
    :ivar via: codes of the steps that it is made of, e.g. ``(">film.starring", ">performance.actor")``
    :ivar like: a relation whose words, but the unit, it has where it has none, e.g. the same one without a unit
    :ivar rank: least first, where several notes give the same words
    :ivar left_out: why values of the source under that name are left out; empty: none are
    """

    relation: str
    kind: RelationKind | None = None
    label: str = ""
    inverse: str = ""
    description: str = ""
    template: str = ""
    unit: str = ""
    heads: tuple[str, ...] = ()
    tails: tuple[str, ...] = ()
    via: tuple[str, ...] = ()
    like: str = ""
    rank: int = 0
    left_out: str = ""


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


Record: TypeAlias = Triple | Literal | Statement | Named | RelationNote | Reject


class Source(Protocol):
    """Something to load. Reading it twice gives the same records."""

    @property
    def describe(self) -> str:
        """What the graph was loaded from, as its meta node names it: a path, an address."""
        ...

    def checksum(self) -> str:
        """SHA-256 of the content, in hexadecimal."""
        ...

    def records(self) -> Iterator[Record]:
        """The records.

        :raises LoadError: the source can't be read
        """
        ...


def parts_of(source: Source) -> Sequence[Source]:
    """The sources that a source is made of; itself where it is not made of others."""
    parts: Sequence[Source] = getattr(source, "sources", (source,))
    return parts


def origins_of(source: Source) -> Sequence[str]:
    """The place that a person gave for each part of a source, such as the folder of a file; empty where not known."""
    origins: Sequence[str] = getattr(source, "origins", ())
    return origins


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a source: whole lines.

    :ivar line: number of its first line, from 1
    :ivar data: the bytes of the lines, the last line's end included unless the source ends without one
    """

    line: int
    data: bytes


@runtime_checkable
class BlockSource(Source, Protocol):
    """A source whose pieces can be read independently of each other, in other processes too: it can be pickled."""

    def blocks(self) -> Iterator[Block]:
        """The pieces, in order.

        :raises LoadError: the source can't be read
        """
        ...

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of a piece; depends on nothing but the piece and what was set when the source was made."""
        ...


@dataclass(frozen=True, slots=True)
class WrappedSource:
    """The base of a source that changes the records of another one, ``inner``."""

    inner: Source

    @property
    def describe(self) -> str:
        """What the source is called."""
        return self.inner.describe


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a person wants of a source; each format heeds what applies to it.

    :ivar languages: of names, aliases and descriptions, best first; texts in others are left out
    :ivar types: whether an entity's classes become node ``labels``, ``facts``, or ``both``; empty: what suits the
        format, as :func:`kgqa_loaders.recognise.open_sources` fills in
    :ivar names: files that give entities their names: ``id<TAB>name`` lines or a JSON object
    :ivar ontology: folder or file that describes the source's classes and relations
    :ivar references: keep the references of statements too, not only their qualifiers
    :ivar ranks: of a source that ranks its statements: ``best`` ones only, or ``all``
    :ivar external_ids: keep what other data bases call an entity, where the source says that it is that
    :ivar statement_time_s: seconds that each statement of a script may run
    """

    languages: tuple[str, ...] = ("en",)
    types: str = ""
    names: tuple[str, ...] = ()
    ontology: str = ""
    references: bool = False
    ranks: str = "best"
    external_ids: bool = True
    statement_time_s: float = 300.0


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What a load keeps with the graph, and how it works; the same for the online and the bulk path.

    :ivar licence: of the source; kept with the graph
    :ivar language: code of what questions and the words for relations are in; kept with the graph; empty: as it was
    :ivar formats: names of the formats that the source was read as; kept with the graph
    :ivar rejects_path: file for records that can't be loaded; ``None``: they are only counted
    :ivar workers: processes that parse on the bulk path; ``None``: one a core
    """

    licence: str = ""
    formats: Sequence[str] = ()
    rejects_path: Path | None = None
    workers: int | None = None
    language: str = ""


@dataclass(frozen=True, slots=True)
class InMemorySource:
    """Records in memory as a source, e.g. from Python.

    :ivar items: the records
    """

    describe: str
    items: Iterable[Record]
    digest: str = field(default="")

    def checksum(self) -> str:
        """What the maker gave."""
        return self.digest

    def records(self) -> Iterator[Record]:
        """The records."""
        yield from self.items
