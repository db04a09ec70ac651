"""Gathers a source's rows into numbered entities, distinct facts and typed values, ready to be written.

A fact is one integer, ``(head × relations + relation) × entities + tail``, so that ten million fit in 80 MB and sets of
them compare in seconds. Statements, which have properties of their own, are kept one by one.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.normal import (
    ALIAS,
    DESCRIPTION,
    FACT,
    LABEL,
    NAME,
    NOTE,
    VALUE,
    Packed,
    Row,
    common_datatype,
    note_of,
    unpack,
)
from kgqa_loaders.records import Reject, RelationNote
from kgqa_loaders.relations import Datatype

Codes = np.ndarray[tuple[int], np.dtype[np.uint64]]
"""Facts as integers, ascending and distinct."""

StatementKey: TypeAlias = tuple[int, int, int, str]
"""A fact that has properties: numbers of head, relation and tail, and its statement id."""


def distinct(codes: Codes) -> Codes:
    """The codes, ascending, each once; sorts in place, which for integers is quicker than ``np.unique``."""
    codes.sort()
    fresh = np.ones(len(codes), dtype=bool)
    fresh[1:] = codes[1:] != codes[:-1]
    return codes[fresh]


class Numbering:
    """Numbers names in the order in which they come."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.index: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.names)

    def number(self, name: str) -> int:
        """The name's number, a new one if need be."""
        found = self.index.get(name)
        if found is None:
            found = self.index[name] = len(self.names)
            self.names.append(name)
        return found


@dataclass(slots=True)
class StagedGraph:
    """A source's content, and later also what its graph has already.

    :ivar relations: numbers of the relationship types
    :ivar heads: entity number of each plain fact's head; ``types`` and ``tails`` have the same places; not distinct yet
    :ivar statements: facts that have properties → these, as :func:`kgqa_loaders.normal.pack` writes them
    :ivar values: relation → entity number → its values
    :ivar aliases: entity number → its further names
    :ivar names: entity number → rank and name, where that is not its id
    :ivar descriptions: entity number → rank and description
    :ivar labels: entity number → its class labels
    :ivar notes: relation → what the source says of it, in any order
    """

    entities: Numbering = field(default_factory=Numbering)
    relations: Numbering = field(default_factory=Numbering)
    heads: array[int] = field(default_factory=lambda: array("Q"))
    types: array[int] = field(default_factory=lambda: array("Q"))
    tails: array[int] = field(default_factory=lambda: array("Q"))
    statements: dict[StatementKey, str] = field(default_factory=dict)
    values: dict[str, dict[int, set[Packed]]] = field(default_factory=dict)
    aliases: dict[int, set[str]] = field(default_factory=dict)
    names: dict[int, tuple[str, str]] = field(default_factory=dict)
    descriptions: dict[int, tuple[str, str]] = field(default_factory=dict)
    labels: dict[int, set[str]] = field(default_factory=dict)
    notes: dict[str, set[RelationNote]] = field(default_factory=dict)

    def name(self, number: int) -> str:
        """An entity's name."""
        return self.names[number][1] if number in self.names else self.entities.names[number]

    def add_name(self, number: int, rank: str, name: str) -> None:
        """Add a name; the one that does not win is a further name."""
        least = min(self.names.get(number, (rank, name)), (rank, name))
        for _, other in {self.names.get(number, least), (rank, name)} - {least}:
            self.aliases.setdefault(number, set()).add(other)
        self.names[number] = least

    def datatypes(self) -> dict[str, Datatype]:
        """The datatype of each relation that has values."""
        return {
            relation: common_datatype(value.datatype for values in owners.values() for value in values)
            for relation, owners in self.values.items()
        }

    def qualifiers(self) -> set[tuple[str, str]]:
        """Relations and the keys of properties that their statements have."""
        packed = {(type_, text) for (_, type_, _, _), text in self.statements.items() if text}
        return {(self.relations.names[type_], key) for type_, text in packed for key in unpack(text)}

    def codes(self) -> Codes:
        """The plain facts that were added, distinct, by head, relation and tail."""
        heads, types, tails = (np.array(column, dtype=np.uint64) for column in (self.heads, self.types, self.tails))
        return distinct(self.encode(heads, types, tails))

    def encode(self, heads: Codes, types: Codes, tails: Codes) -> Codes:
        """Facts as integers; right until an entity or relation is added.

        :raises LoadError: the graph is too big for that
        """
        if len(self.entities) ** 2 * max(1, len(self.relations)) >= 2**64:
            raise LoadError(f"{len(self.entities):,} entities with {len(self.relations):,} relations are too many")
        return (heads * np.uint64(len(self.relations)) + types) * np.uint64(len(self.entities)) + tails

    def decode(self, codes: Codes) -> tuple[Codes, Codes, Codes]:
        """The heads, relations and tails of facts, by number."""
        rest, tails = np.divmod(codes, np.uint64(len(self.entities)))
        heads, types = np.divmod(rest, np.uint64(len(self.relations)))
        return heads, types, tails


def gather(rows: Iterable[Row], reject: Callable[[Reject], None], staged: StagedGraph | None = None) -> StagedGraph:
    """Sort a source's rows into entities, facts and values.

    :param reject: called with each record that can't be loaded
    :param staged: where they go, row by row, for who watches it meanwhile; a new one when left out
    """
    staged = StagedGraph() if staged is None else staged
    entity, relation = staged.entities.number, staged.relations.number
    known, types = staged.entities.index, staged.relations.index
    add_head, add_type, add_tail = staged.heads.append, staged.types.append, staged.tails.append
    for kind, a, b, c, d, e in rows:
        if kind == FACT and not d:
            # Most facts of most graphs bring neither an entity nor a relation that is new.
            head, type_, tail = known.get(a), types.get(b), known.get(c)
            add_head(entity(a) if head is None else head)
            add_type(relation(b) if type_ is None else type_)
            add_tail(entity(c) if tail is None else tail)
        elif kind == FACT:
            key = (entity(a), relation(b), entity(c), d)
            staged.statements[key] = max(staged.statements.get(key, ""), e)
        elif kind == VALUE:
            staged.values.setdefault(b, {}).setdefault(entity(a), set()).add(Packed(c, d))  # type: ignore[arg-type]
        elif kind == ALIAS:
            staged.aliases.setdefault(entity(a), set()).add(b)
        elif kind == LABEL:
            staged.labels.setdefault(entity(a), set()).add(b)
        elif kind == NAME:
            number = entity(a)
            if c:
                staged.add_name(number, b, c)
        elif kind == DESCRIPTION:
            number = entity(a)
            staged.descriptions[number] = min(staged.descriptions.get(number, (b, c)), (b, c))
        elif kind == NOTE:
            staged.notes.setdefault(a, set()).add(note_of(b))
        else:
            reject(Reject(int(a), b, c))
    return staged
