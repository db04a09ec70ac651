"""Puts the pieces of Wikidata's RDF together again: an entity, its statements, their qualifiers and values.

In a dump the pieces of a statement stand close to each other, so a window of so many statements suffices, and memory
does not grow. A value or reference that several statements share is written once only, where it comes first; Wikibase
remembers the last that begins with the same five digits, and so does this.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from kgqa_loaders.ntriples import Quad
from kgqa_loaders.records import Named, ReadOptions, Record, Reject, RelationNote
from kgqa_loaders.wikidata.entities import INVERSE_PROPERTY
from kgqa_loaders.wikidata.statements import Claim, ClaimConverter, reference_text
from kgqa_loaders.wikidata.terms import (
    IGNORED,
    OF_ARTICLES,
    WIKIBASE,
    is_unknown,
    node_value,
    role_of,
    statement_id,
    subject_of,
    value_of,
    value_part,
)
from kgqa_loaders.wikidata.triples import EntityTriples, rejected
from kgqa_loaders.wikidata.values import NOVALUE, SOMEVALUE, Value

STATEMENTS = 20_000
"""Statements that are kept until they are whole; more than any entity of Wikidata has."""
LAG = 2_000
"""Triples after the last of an entity until it is given, once all that its statements refer to is there."""
_OLDEST = 64
_QUALIFIER = "qualifier value "
_RECENT = 100_000
_DIGITS = 5
T = TypeVar("T")


@dataclass(slots=True)
class Remembered(Generic[T]):
    """The nodes that statements may still refer to: recent ones, and the last for each five digits."""

    recent: OrderedDict[str, T] = field(default_factory=OrderedDict)
    slots: dict[str, tuple[str, T]] = field(default_factory=dict)

    def add(self, key: str, node: T) -> None:
        """Remember a node."""
        self.recent[key] = node
        self.recent.move_to_end(key)
        if len(self.recent) > _RECENT:
            old, kept = self.recent.popitem(last=False)
            self.slots[old[:_DIGITS]] = (old, kept)

    def get(self, key: str) -> T | None:
        """The node, if it is still remembered."""
        if (found := self.recent.get(key)) is not None:
            return found
        slot = self.slots.get(key[:_DIGITS])
        return slot[1] if slot and slot[0] == key else None


def _target(quad: Quad) -> Quad | None:
    """What a fact and its statement lead to, for comparison; each has a blank node of its own for what is unknown."""
    if not quad.literal and is_unknown(quad.object):
        return None
    return quad._replace(subject="", predicate="")


@dataclass(slots=True)
class _Entity:
    line: int
    direct: list[tuple[int, str, Quad]] = field(default_factory=list)
    claims: dict[str, tuple[int, str]] = field(default_factory=dict)
    label: tuple[int, str] | None = None
    title: tuple[int, str] | None = None
    last: int = 0


@dataclass(slots=True)
class _Statement:
    line: int
    parts: list[tuple[str, str, Quad]] = field(default_factory=list)
    values: dict[str, list[tuple[str, Value | None]]] = field(default_factory=dict)


class Window:
    """Takes triples in the order in which they stand, gives records."""

    def __init__(self, options: ReadOptions) -> None:
        self.options = options
        self.converter = ClaimConverter(options)
        self.triples = EntityTriples(options, self.converter)
        self.entities: OrderedDict[str, _Entity] = OrderedDict()
        self.statements: OrderedDict[str, _Statement] = OrderedDict()
        self.values: Remembered[Value] = Remembered()
        self.references: Remembered[list[tuple[str, str, Quad]]] = Remembered()
        self.articles: dict[str, list[Quad]] = {}
        self.node: tuple[str, dict[str, str]] = ("", {})
        self.taken = 0

    def add(self, line: int, quad: Quad) -> Iterator[Record]:
        """Take a triple."""
        kind, subject = subject_of(quad.subject)
        if kind == "value":
            if self.node[0] != subject:
                yield from self._value_ends(line)
                self.node = (subject, {})
            if part := value_part(quad.predicate):
                self.node[1][part] = quad.object
        elif kind == "statement":
            self._part(line, subject, quad)
        elif kind == "reference":
            if self.options.references:
                self._reference_part(subject, quad)
        elif kind == "entity":
            yield from self._entity(line, subject, quad)
        elif kind == "article":
            yield from self._article(line, quad)
        self.taken += 1
        if not self.taken % _OLDEST:
            yield from self._ready()
        if len(self.statements) > STATEMENTS or len(self.entities) > STATEMENTS:
            yield from self._shrink(STATEMENTS // 2)

    def finish(self) -> Iterator[Record]:
        """The records of what is still in memory."""
        yield from self._value_ends(0)
        yield from self._shrink(0)

    # ── taking ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _value_ends(self, line: int) -> Iterator[Record]:
        subject, parts = self.node
        if parts:
            try:
                value = node_value(parts)
            except ValueError as error:
                yield Reject(line, f"a value that is none: {error}", subject)
            else:
                if value is not None:
                    self.values.add(subject, value)
        self.node = ("", {})

    def _part(self, line: int, subject: str, quad: Quad) -> None:
        role, property_id = role_of(quad.predicate)
        if role == "type":
            role, property_id = role_of(quad.object) if quad.object.startswith("http") else (IGNORED, "")
            if role != "none":
                role = "best" if quad.object == WIKIBASE + "BestRank" else IGNORED
        statement = self.statements.get(subject)
        if statement is None:
            statement = self.statements[subject] = _Statement(line)
        if role in ("statement value", "qualifier value"):
            key = subject_of(quad.object)[1]
            # What was written long ago may be forgotten before this statement is whole, so it is looked up now.
            statement.values.setdefault(f"{role} {property_id}", []).append((key, self.values.get(key)))
        elif role != IGNORED:
            statement.parts.append((role, property_id, quad))

    def _reference_part(self, subject: str, quad: Quad) -> None:
        role, property_id = role_of(quad.predicate)
        if role in ("reference", "reference value"):
            known = self.references.recent.get(subject)
            if known is None:
                known = []
            known.append((role, property_id, quad))
            self.references.add(subject, known)

    def _entity(self, line: int, subject: str, quad: Quad) -> Iterator[Record]:
        role, property_id = role_of(quad.predicate)
        entity = self.entities.get(subject)
        if entity is None:
            entity = self.entities[subject] = _Entity(line)
        entity.last = self.taken
        if role == "direct":
            entity.direct.append((line, property_id, quad))
        elif role == "claim":
            entity.claims[subject_of(quad.object)[1]] = (line, property_id)
        else:
            rank = self.triples.ranks.get(quad.language) if role == "label" else None
            if rank is not None and (entity.label is None or (rank, quad.object) < entity.label):
                entity.label = (rank, quad.object)
            yield from self.triples.records(line, subject, role, property_id, quad)

    def _article(self, line: int, quad: Quad) -> Iterator[Record]:
        """A page about an entity: its title names an entity that has no label in a chosen language."""
        role, _ = role_of(quad.predicate)
        if role not in OF_ARTICLES:
            yield rejected(line, "Wikidata's RDF says no such thing of such a subject", quad)
        if role not in ("about", "name"):
            return
        if quad.subject not in self.articles:
            self.articles.clear()
        quads = self.articles.setdefault(quad.subject, [])
        quads.append(quad)
        about = next((item.object for item in quads if role_of(item.predicate)[0] == "about"), "")
        title = next((item for item in quads if role_of(item.predicate)[0] == "name"), None)
        if not about or title is None or title.language not in self.options.languages:
            return
        if f"//{title.language}.wikipedia.org/" in quad.subject:
            entity = self.entities.setdefault(subject_of(about)[1], _Entity(line, last=self.taken))
            found = self.options.languages.index(title.language), title.object
            entity.title = min(entity.title or found, found)

    # ── giving ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _ready(self) -> Iterator[Record]:
        """Give the oldest entities that nothing more is to be expected of."""
        for entity_id, entity in list(itertools.islice(self.entities.items(), _OLDEST)):
            if entity.last + LAG >= self.taken:
                continue
            if all(map(self._is_whole, entity.claims)):
                del self.entities[entity_id]
                yield from self._whole(entity_id, entity)
            else:
                entity.last = self.taken  # checked again after a while

    def _is_whole(self, found: str) -> bool:
        """Whether a statement is there, with its values and references; single entities have these at their end."""
        statement = self.statements.get(found)
        if statement is None:
            return False
        for nodes in statement.values.values():
            if any(known is None and self.values.get(key) is None for key, known in nodes):
                return False
        return not self.options.references or all(
            self.references.get(subject_of(quad.object)[1]) is not None
            for role, _, quad in statement.parts
            if role == "derived"
        )

    def _shrink(self, keep: int) -> Iterator[Record]:
        """Give the oldest entities, until no more than so many statements and entities are in memory."""
        while self.entities and (len(self.entities) > keep or len(self.statements) > keep):
            entity_id, entity = self.entities.popitem(last=False)
            yield from self._whole(entity_id, entity)
        while len(self.statements) > keep:
            found, statement = self.statements.popitem(last=False)
            yield from self._orphan(found, statement)

    def _whole(self, entity_id: str, entity: _Entity) -> Iterator[Record]:
        if entity.title and entity.label is None:
            yield Named(entity_id, entity.title[1], rank=len(self.options.languages) + 1, line=entity.line)
        stated: set[tuple[str, Quad | None]] = set()
        for found, (line, property_id) in entity.claims.items():
            statement = self.statements.pop(found, None)
            if statement is None:
                yield Reject(line, f"a statement of {property_id} is not in the file; is it cut off?", found)
                continue
            for role, key, quad in statement.parts:
                if role == "statement":
                    stated.add((key, _target(quad)))
            yield from self._claim_records(entity_id, entity, property_id, found, statement)
        for line, property_id, quad in entity.direct:
            if (property_id, _target(quad)) not in stated:
                yield from self.triples.direct(line, entity_id, property_id, quad)

    def _orphan(self, found: str, statement: _Statement) -> Iterator[Record]:
        """A statement that no entity led to: its id names its entity."""
        owner = statement_id(found)[1]
        property_id = next((key for role, key, _ in statement.parts if role in ("statement", "none")), "")
        if owner and property_id:
            yield from self._claim_records(owner, _Entity(statement.line), property_id, found, statement)
        else:
            yield Reject(statement.line, "the rest of this statement is missing, or too far away in the file", found)

    def _claim_records(self, head: str, entity: _Entity, property_id: str, found: str, statement: _Statement
              ) -> Iterator[Record]:  # fmt: skip
        try:
            claim = self._claim(property_id, found, statement)
        except ValueError as error:
            yield Reject(statement.line, str(error), found)
            return
        if claim is None:
            yield Reject(statement.line, f"this statement's value of {property_id} is missing", found)
            return
        yield from self.converter.records(statement.line, head, claim)
        if entity.label and claim.best:
            rank, label = entity.label
            if property_id == INVERSE_PROPERTY and claim.value.kind == "entity":
                yield RelationNote(str(claim.value.scalar), inverse=label, rank=rank)

    def _claim(self, property_id: str, found: str, statement: _Statement) -> Claim | None:
        value: Value | None = None
        rank, best, ranked, references = "normal", False, False, []
        simple: dict[str, list[Quad]] = {}
        qualifiers: dict[str, list[Value]] = {}
        for role, key, quad in statement.parts:
            if role == "statement":
                value = value_of(quad)
            elif role == "qualifier":
                simple.setdefault(key, []).append(quad)
            elif role == "none" and key == property_id:
                value = NOVALUE
            elif role == "none":
                qualifiers.setdefault(key, []).append(NOVALUE)
            elif role == "rank":
                ranked, rank = True, quad.object.rpartition("#")[2].removesuffix("Rank").lower()
            elif role == "derived":
                references.append(self._reference(subject_of(quad.object)[1]))
            best = best or role == "best"
        nodes = self._nodes(statement, f"statement value {property_id}")
        value = nodes[0] if nodes else value
        if value is None:
            return None
        with_nodes = [key.removeprefix(_QUALIFIER) for key in statement.values if key.startswith(_QUALIFIER)]
        for key in dict.fromkeys([*simple, *with_nodes]):
            nodes = self._nodes(statement, _QUALIFIER + key)
            plain = [value_of(quad) for quad in simple.get(key, ()) if not (nodes and quad.literal)]
            qualifiers[key] = qualifiers.get(key, []) + plain + nodes
        return Claim(property_id, value, statement_id(found)[0], rank, best or not ranked, qualifiers,
                     tuple(sorted(filter(None, references))))  # fmt: skip

    def _nodes(self, statement: _Statement, key: str) -> list[Value]:
        """The values of value nodes; none where one of them is missing, as the simple ones are then all there is."""
        nodes = statement.values.get(key, ())
        values = [known or self.values.get(node) for node, known in nodes]
        return [value for value in values if value] if all(values) else []

    def _reference(self, found: str) -> str:
        if not self.options.references:
            return ""
        snaks: dict[str, list[Value]] = {}
        nodes: dict[str, list[Value | None]] = {}
        parts = self.references.get(found)
        if parts is None:
            return f"reference {found}"
        for role, key, quad in parts:
            if role == "reference value":
                nodes.setdefault(key, []).append(self.values.get(subject_of(quad.object)[1]))
            elif is_unknown(quad.object) and not quad.literal:
                snaks.setdefault(key, []).append(SOMEVALUE)
            else:
                snaks.setdefault(key, []).append(value_of(quad))
        for key, found_values in nodes.items():
            if all(found_values):
                snaks[key] = [value for value in found_values if value]
        return reference_text(snaks)
