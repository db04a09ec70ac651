"""What a statement of Wikidata becomes, whichever of its formats it was read from.

A statement of the best rank about an entity is a fact; with qualifiers it is a fact that has properties. One about a
value is a property of its head. Where such a statement has qualifiers, or its value needs explaining, it is
also a fact that leads to a node of its own, whose id is the statement's: as Wikidata's RDF has ``wdt:`` and ``p:``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from kgqa_graphdb.types import Point, Scalar
from kgqa_loaders.records import Literal, Named, ReadOptions, Record, Reject, RelationNote, Statement, Triple
from kgqa_loaders.wikidata.values import Value, unit_symbol

INSTANCE_OF = "P31"
VALUE = "Value"
"""Class label of the nodes that stand for values."""
TEXT_LANGUAGES = frozenset({"", "mul", "und", "mis", "zxx"})
"""Of texts that are in no one language; they are always kept."""
_LONGEST_NAME = 500  # characters; what is longer is read in the property ``value``
_NOTES = {
    "value": "value", "precision": "precision", "calendar": "calendar", "unit": "unit", "upper": "upper bound",
    "lower": "lower bound", "language": "language", "globe": "globe",
}  # fmt: skip


class Claim(NamedTuple):
    """A statement.

    :ivar statement_id: as JSON has it, e.g. ``Q42$F078E5B3-F9A8-480E-B7AC-D97778CBBEF9``; empty: unknown
    :ivar best: whether it counts, as no other statement of the same property is ranked higher and it is not deprecated
    :ivar qualifiers: property → values
    :ivar references: each as a person reads it
    :ivar external: its value is what another data base calls the entity
    """

    property: str
    value: Value
    statement_id: str = ""
    rank: str = "normal"
    best: bool = True
    qualifiers: Mapping[str, list[Value]] = {}
    references: tuple[str, ...] = ()
    external: bool = False


@dataclass(slots=True)
class ClaimConverter:
    """Converts claims to records; describes each relation that it makes once.

    :ivar described: relations that it has described already
    """

    options: ReadOptions
    described: set[str] = field(default_factory=set)

    def records(self, line: int, head: str, claim: Claim) -> Iterator[Record]:
        """What a statement becomes."""
        value, options = claim.value, self.options
        if not claim.best and options.ranks != "all":
            return
        if claim.external and not options.external_ids:
            return
        if value.kind == "none":
            yield Reject(line, f"{claim.property}: it says that there is none, which nothing in a graph can stand for",
                         claim.statement_id or f"{head} {claim.property}")  # fmt: skip
            return
        if value.kind == "literal" and value.language not in TEXT_LANGUAGES and value.language not in options.languages:
            return
        qualifiers = qualifiers_of(claim.qualifiers)
        yield from self._units(claim)
        if not claim.best:
            qualifiers["rank"] = claim.rank
        if claim.references and options.references:
            qualifiers["references"] = list(claim.references)
        if value.kind == "entity":
            yield from self._fact(line, head, claim, str(value.scalar), qualifiers)
        elif value.kind == "unknown":
            yield from self._node(line, head, claim, claim.property, qualifiers)
        else:
            yield from self._value(line, head, claim, qualifiers)

    def _units(self, claim: Claim) -> Iterator[Record]:
        for property_id, values in claim.qualifiers.items():
            for value in values:
                relation = relation_of(property_id, value)
                if value.unit and relation not in self.described:
                    self.described.add(relation)
                    yield RelationNote(relation, unit=unit_symbol(value.unit), like=property_id)

    def _fact(self, line: int, head: str, claim: Claim, tail: str, qualifiers: dict[str, Scalar | list[Scalar]]
              ) -> Iterator[Record]:  # fmt: skip
        relation = claim.property
        if relation == INSTANCE_OF and self.options.types in ("labels", "both") and claim.best:
            yield Named(head, labels=(tail,), line=line)
            if self.options.types == "labels":
                return
        if qualifiers:
            yield Statement(line, head, relation, tail, qualifiers, claim.statement_id)
        else:
            yield Triple(line, head, relation, tail)

    def _value(self, line: int, head: str, claim: Claim, qualifiers: dict[str, Scalar | list[Scalar]]
               ) -> Iterator[Record]:  # fmt: skip
        value = claim.value
        relation = relation_of(claim.property, value)
        if value.unit and relation not in self.described:
            self.described.add(relation)
            yield RelationNote(relation, unit=unit_symbol(value.unit), like=claim.property)
        if claim.best:
            yield Literal(line, head, relation, value.scalar)
        foreign = value.language not in TEXT_LANGUAGES and value.language != self.options.languages[0]
        if qualifiers or value.details or foreign:
            yield from self._node(line, head, claim, relation, qualifiers)

    def _node(self, line: int, head: str, claim: Claim, relation: str, qualifiers: dict[str, Scalar | list[Scalar]]
              ) -> Iterator[Record]:  # fmt: skip
        """The node that stands for a statement's value, and the fact that leads to it."""
        value = claim.value
        node = claim.statement_id or _made_id(head, relation, value, qualifiers)
        name = value.spoken
        name = name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…"
        yield Named(node, name, labels=(VALUE,), line=line)
        yield Statement(line, head, relation, node, qualifiers, node)
        if value.kind == "unknown":
            return
        parts: dict[str, Scalar] = {"value": value.scalar, **value.details}
        if value.unit:
            parts["unit"] = unit_symbol(value.unit)
        if value.language not in TEXT_LANGUAGES:
            parts["language"] = value.language
        for key, scalar in parts.items():
            if key not in self.described:
                self.described.add(key)
                yield RelationNote(key, label=_NOTES[key])
            yield Literal(line, node, key, scalar)


def relation_of(property_id: str, value: Value) -> str:
    """The relation of a property's values: each unit has one of its own, so that numbers can be compared."""
    return f"{property_id}_{value.unit}" if value.unit else property_id


def qualifiers_of(qualifiers: Mapping[str, list[Value]]) -> dict[str, Scalar | list[Scalar]]:
    """The qualifiers as properties of a relationship: entities by their ids, lists of one type."""
    found: dict[str, list[Scalar]] = {}
    for property_id, values in qualifiers.items():
        for value in values:
            found.setdefault(relation_of(property_id, value), []).append(value.scalar)
    return {key: _alike(values) if len(values) > 1 else values[0] for key, values in found.items()}


def _alike(values: list[Scalar]) -> list[Scalar]:
    if len({type(value) for value in values}) == 1:
        return values
    if all(isinstance(value, int | float) for value in values):
        return [float(value) for value in values if isinstance(value, int | float)]
    return [value.isoformat() if isinstance(value, date) else str(value) for value in values]


def reference_text(snaks: Mapping[str, list[Value]]) -> str:
    """A reference in one line: ``P248 Q5375741; P813 2013-10-28``."""
    return "; ".join(f"{key} {_plain(value)}" for key, values in snaks.items() for value in values)


def _plain(value: Value) -> str:
    if isinstance(value.scalar, Point):
        return f"{value.scalar.latitude} {value.scalar.longitude}"
    return f"{value.scalar} {value.unit}".rstrip()


def _made_id(head: str, relation: str, value: Value, qualifiers: Mapping[str, object]) -> str:
    content = f"{value.scalar!r} {sorted(value.details.items())} {value.language} {sorted(qualifiers.items())}"
    return f"{head}${relation}-{hashlib.sha256(content.encode(errors='replace')).hexdigest()[:16]}"
