"""The values that cross stages. Every class is a frozen, slotted dataclass; this module imports nothing of ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

T = TypeVar("T")


class Point(NamedTuple):
    """A place on Earth, in degrees (WGS 84); north and east are positive."""

    longitude: float
    latitude: float

    def __str__(self) -> str:
        north, east = "NS"[self.latitude < 0], "EW"[self.longitude < 0]
        return f"{abs(self.latitude):g}° {north}, {abs(self.longitude):g}° {east}"


Scalar: TypeAlias = str | int | float | bool | date | datetime | Point
"""A literal value: what a property holds, what a count yields."""

Rows: TypeAlias = list[list[Any]]
"""What a statement returned: one list per row, in the order of its RETURN columns."""

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
Ints: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]

Vectors: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float32]]
"""Text embeddings, shape (texts, dim), float32, unit L2 norm."""

RelationKind: TypeAlias = Literal["edge", "property", "qualifier", "leg"]
WalkRule: TypeAlias = Literal["free", "no_backtrack", "exclude_topic"]
_KEYS_OF_THE_NAMELESS = re.compile(r"[mg]\.[0-9a-z_]+|CVT\d*@.+|_:.+")
"""Freebase's ids, what extracts of it put in the place of a mediator's (``CVT1@train-7``), and blank nodes."""

NAMELESS = "(no name)"
"""What a node is called that has neither a name nor a key."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the graph.

    :ivar id: value of the mapping's key; what JSON and replayed Cypher use. Of a node without one it is the element id,
        which tells it from others in this process and is shown to nobody; see :attr:`has_key`
    :ivar name: the name a person reads
    :ivar labels: the node's labels that the mapping knows
    :ivar element_id: the server's own handle, for this process only; it never leaves it
    """

    id: str
    name: str
    labels: tuple[str, ...] = ()
    element_id: str = field(default="", compare=False, repr=False)

    @property
    def has_key(self) -> bool:
        """Whether its id identifies it to others, too."""
        return self.id != self.element_id

    @property
    def is_called(self) -> bool:
        """Whether there is anything to call it by: a name, or a key in its place."""
        return self.has_key or self.name not in (NAMELESS, self.id)

    @property
    def is_named(self) -> bool:
        """Whether people have a name for it: not where the id of a mediator or of a blank node stands for one."""
        return self.is_called and (self.name != self.id or not _KEYS_OF_THE_NAMELESS.fullmatch(self.id))


@dataclass(frozen=True, slots=True)
class Value:
    """A literal: the tail of a property, a count, a yes or no, or a name that no entity grounds."""

    value: Scalar
    unit: str = ""

    def __eq__(self, other: object) -> bool:
        """Yes is not one, though Python has it so."""
        if not isinstance(other, Value) or isinstance(self.value, bool) != isinstance(other.value, bool):
            return False
        return (self.value, self.unit) == (other.value, other.unit)

    def __hash__(self) -> int:
        return hash((self.value, self.unit))

    @property
    def name(self) -> str:
        """The value as a person reads it."""
        text = {True: "yes", False: "no"}[self.value] if isinstance(self.value, bool) else str(self.value)
        return f"{text} {self.unit}" if self.unit else text


Node: TypeAlias = Entity | Value


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of the graph and the words for it.

    :ivar id: the relation's name in its source
    :ivar type: relationship type (``edge``, ``leg``), node property key (``property``), or the key of a property of the
        relationship that the step before walked (``qualifier``); means nothing where there is a ``via``
    :ivar kind: a ``leg`` is walked only inside another relation's ``via``, never proposed or answered by itself
    :ivar phrase: words for walking head → tail, e.g. "director"; read as "the director of X"
    :ivar inverse_phrase: words for walking tail → head, e.g. "films directed by"
    :ivar template: sentence of one fact, with ``{head}`` and ``{tail}``
    :ivar unit: unit of a property's values, e.g. "m"
    :ivar heads: labels that its heads carry; empty: any
    :ivar tails: labels that its tails carry; empty: any
    :ivar of: of a ``qualifier``: the id of the edge whose relationships, or for one with a ``via`` whose nodes between
        its ends, hold it; empty: any edge's may
    :ivar via: codes of the steps that one step of reasoning is made of, such as ``(">HAS_LINE", ">OF_PRODUCT")`` for
        what an order contains; the last code of a ``property`` is a property of the node that the others lead to
    :ivar symmetric: what a fact says of its head it says of its tail, too, as "married to" does: both ways are one
    """

    id: str
    type: str
    phrase: str
    inverse_phrase: str
    kind: RelationKind = "edge"
    description: str = ""
    template: str = ""
    unit: str = ""
    heads: tuple[str, ...] = ()
    tails: tuple[str, ...] = ()
    of: str = ""
    via: tuple[str, ...] = ()
    symmetric: bool = False


@dataclass(frozen=True, slots=True)
class QualifierTest:
    """What a qualifier of a relationship is compared with.

    :ivar op: a comparison of :data:`kgqa_graphdb.reductions.REDUCTIONS`
    """

    qualifier: Relation
    op: str
    value: Scalar


@dataclass(frozen=True, slots=True)
class Step:
    """One hop over a relation, from head to tail or, inverse, from tail to head.

    :ivar tests: only relationships are walked of which each holds; those of one qualifier hold of one value
    """

    relation: Relation
    inverse: bool = False
    tests: tuple[QualifierTest, ...] = ()

    @property
    def code(self) -> str:
        """The step in one word: ``>directed_by`` forwards, ``<directed_by`` backwards."""
        return ("<" if self.inverse else ">") + self.relation.id

    @property
    def key(self) -> str:
        """What tells the step from others, with its tests; is in no model and no file."""
        return f"{self.code} {self.tests}" if self.tests else self.code

    @property
    def phrase(self) -> str:
        """Words for walking this step in its direction."""
        return self.relation.inverse_phrase if self.inverse else self.relation.phrase


Path: TypeAlias = tuple[Step, ...]
"""A relation path; holds no entities."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of the graph: a triple, with the qualifiers of its statement."""

    head: Entity
    relation: Relation
    tail: Node
    qualifiers: tuple[tuple[str, Scalar], ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question in plain language.

    :ivar text: without brackets
    :ivar mentions: topics that the asker marked in [brackets], in order
    :ivar topics: ids or names of the entities that it is about, where the asker says; nothing else is linked then
    :ivar candidates: what may be the answer, likeliest first, as texts or keys, for methods that choose among such
    """

    text: str
    mentions: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A stretch of the question and an entity it may name.

    :ivar start: first character of the mention in ``Question.text``
    :ivar end: one past its last character
    :ivar score: 0..1, how well the name matches; 1 is the exact name
    :ivar other: the stretch of another name, which the entity's is only like; ``None``: it may be the entity's
    """

    start: int
    end: int
    entity: Entity
    score: float
    other: tuple[int, int] | None = None

    def is_apart(self, other: Link) -> bool:
        """Whether the stretches of two links do not overlap; of two called alike that stand nowhere one is meant."""
        if (self.start, self.end) == (other.start, other.end) and self.entity.name == other.entity.name:
            return False
        return self.end <= other.start or other.end <= self.start


@dataclass(frozen=True, slots=True)
class RawNode:
    """A node as a statement returned it; only statements that nobody compiled return whole nodes."""

    element_id: str
    labels: tuple[str, ...]
    properties: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RawEdge:
    """A relationship as a statement returned it.

    :ivar head: element id of its start node
    :ivar tail: element id of its end node
    """

    type: str
    head: str
    tail: str
    properties: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scored(Generic[T]):
    """Anything with a score; higher is better."""

    item: T
    score: float


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Facts around some entities.

    :ivar facts: those nearest the topics first, unless somebody put them in another order
    :ivar truncated: a cap cut the facts, or left nodes unexpanded
    :ivar topics: the entities that it lies around
    :ivar distances: entity → hops from the nearest topic by which it was found
    """

    facts: tuple[Fact, ...]
    truncated: bool
    topics: tuple[Entity, ...] = ()
    distances: Mapping[Entity, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Statement:
    """A Cypher statement and its parameters.

    :ivar replays: what a replay returns: rows of facts with the answers among them, or only answers
    :ivar alone: of a statement that is run for each of several items: the same for one of them, whose rows do not begin
        with its number; the server plans it sooner
    """

    text: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    replays: Literal["answers", "facts"] = "answers"
    alone: str = ""


@dataclass(frozen=True, slots=True)
class VectorIndexes:
    """Neo4j vector indexes over the entities of a graph, one a label; the similarity is the cosine.

    :ivar indexes: their names
    :ivar encoder: name of the text encoder that made the vectors
    :ivar fingerprint: of that encoder; vectors of another mean nothing in these indexes
    :ivar dimension: length of a vector
    """

    indexes: tuple[str, ...]
    encoder: str
    fingerprint: str
    dimension: int
