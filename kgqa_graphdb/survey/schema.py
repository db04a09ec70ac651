"""What a live schema looks like: its labels, relationship types, their properties, and full-text indexes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Property:
    """A property key, as a sample shows it.

    :ivar types: Cypher's names of its values' types, without NOT NULL
    :ivar present: how many of the sampled have it
    :ivar different: how many different values it has among them
    :ivar mean_size: mean number of characters of its texts
    :ivar longest: most characters of a text
    :ivar unbroken: long texts without a space: encoded data
    :ivar lettered: texts with two letters in a row; those of others are codes and numbers
    :ivar spaced: texts of several words
    :ivar worded: texts that read as names: of several words, or one without digits that is not all capitals
    """

    key: str
    types: frozenset[str]
    present: int = 0
    different: int = 0
    mean_size: float = 0.0
    longest: int = 0
    unbroken: int = 0
    lettered: int = 0
    spaced: int = 0
    worded: int = 0


@dataclass(frozen=True, slots=True)
class Around:
    """The relationships of one type and direction around a label's nodes.

    :ivar outgoing: they begin at the label's nodes
    :ivar nodes: of the nodes whose neighbours were read, how many have any
    :ivar single: of those, how many have one
    :ivar double: of those, how many have two
    :ivar others: labels of the nodes at the other ends, as they stand together
    """

    type: str
    outgoing: bool
    nodes: int
    single: int
    double: int
    others: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Copy:
    """A property that repeats the property of a neighbour.

    :ivar label: of the neighbour
    :ivar copied: the neighbour's property
    """

    key: str
    label: str
    copied: str


@dataclass(frozen=True, slots=True)
class LabelSurvey:
    """What the nodes of a label look like.

    :ivar nodes: nodes that carry it
    :ivar sampled: how many of them were read
    :ivar unique: properties that a constraint makes unique
    :ivar distinct: properties whose values all differ, as counting them showed
    :ivar repeated: properties whose values do not, though they did in the sample
    :ivar explored: nodes whose neighbours were read
    :ivar some: element ids of a few of its nodes, for examples
    """

    label: str
    nodes: int
    sampled: int
    properties: tuple[Property, ...]
    unique: tuple[str, ...]
    distinct: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    explored: int = 0
    around: tuple[Around, ...] = ()
    copies: tuple[Copy, ...] = ()
    some: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeSurvey:
    """What a relationship type joins, and what its relationships hold.

    :ivar repeats: properties that repeat one of the ends'
    """

    type: str
    relationships: int
    heads: tuple[str, ...]
    tails: tuple[str, ...]
    properties: tuple[Property, ...]
    repeats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FulltextIndex:
    """A full-text index over nodes."""

    name: str
    labels: tuple[str, ...]
    properties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """A live schema, as far as it takes part.

    :ivar apart: labels of graphs that we loaded, whose nodes take no part
    """

    labels: tuple[LabelSurvey, ...]
    types: tuple[TypeSurvey, ...]
    indexes: tuple[FulltextIndex, ...]
    apart: tuple[str, ...] = ()
