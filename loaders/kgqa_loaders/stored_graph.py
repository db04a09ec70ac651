"""A graph as it is stored, read back to be compared with what a source brings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import neo4j
import numpy as np

from kgqa_graphdb.types import Point
from kgqa_loaders.gather import Codes, StagedGraph, StatementKey, distinct
from kgqa_loaders.normal import Packed, pack, packed, united
from kgqa_loaders.server import Server, in_batches

PAGE = 20_000
_OWN = ("name", "aliases", "description")


@dataclass(frozen=True, slots=True)
class Detail:
    """What to change of an entity.

    :ivar properties: key → new value, ``None`` takes it away
    :ivar labels: class labels to set
    :ivar unset: class labels to take away
    """

    number: int
    properties: dict[str, Any]
    labels: list[str]
    unset: list[str] = field(default_factory=list)


@dataclass(slots=True)
class StoredGraph:
    """What is stored of a graph, by entity number.

    :ivar keys: relation → property key of its values; those of the source and those that the graph had before
    :ivar classes: class labels that earlier loads brought
    :ivar elements: element id of each entity, "" while it is not in the graph
    :ivar properties: those that the source could change, and those that are relations, as they are stored
    :ivar labels: all labels, read only where the source or the graph has classes
    """

    data: StagedGraph
    server: Server
    label: dict[str, str]
    keys: Mapping[str, str]
    classes: frozenset[str]
    elements: list[str]
    properties: dict[int, dict[str, Any]] = field(default_factory=dict)
    labels: dict[int, list[str]] = field(default_factory=dict)

    def read_entities(self, *, everything: bool = False) -> None:
        """Read back which entities the graph has; those that the source lacks get numbers too.

        :param everything: what could be taken away too, not only what the source could change
        """
        data = self.data
        keys = (
            [*_OWN, *self.keys.values()]
            if everything or data.names or data.aliases or data.descriptions or self.keys
            else []
        )
        with_labels = bool(data.labels or self.classes)
        after = ""
        while True:
            ids, elements, properties, labels = self.server.run(
                "load/read_entities", self.label, after=after, limit=PAGE, keys=keys, labels=with_labels
            )[0]
            if not ids:
                break
            after = ids[-1]
            numbers = [data.entities.number(entity_id) for entity_id in ids]
            self.elements += [""] * (len(data.entities) - len(self.elements))
            for number, element in zip(numbers, elements, strict=True):
                self.elements[number] = element
            if with_labels:
                self.labels |= zip(numbers, labels, strict=True)
            for number, values in zip(numbers if keys else (), properties, strict=True):
                known = zip(keys, values, strict=True)
                if own := {key: native_value(value) for key, value in known if value is not None}:
                    self.properties[number] = own

    def read_facts(self) -> Codes:
        """Read back which plain facts the graph has."""
        data = self.data
        elements, numbers, number_of = self._present()
        found: list[Codes] = [np.empty(0, dtype=np.uint64)]

        def batch(start: int, end: int) -> None:
            for type_, heads, tails in self.server.run("load/read_facts", self.label, elements=elements[start:end]):
                relation = data.relations.index.get(type_)
                if relation is not None:  # a type that a person added by hand is theirs
                    types = np.full(len(heads), relation, dtype=np.uint64)
                    if not number_of.keys() >= set(tails):  # a node that a person gave the graph's label, but no id
                        pairs = [pair for pair in zip(heads, tails, strict=True) if pair[1] in number_of]
                        heads, tails = [head for head, _ in pairs], [tail for _, tail in pairs]
                        types = types[: len(tails)]
                    ends = np.fromiter(map(number_of.__getitem__, tails), dtype=np.uint64, count=len(tails))
                    found.append(data.encode(numbers[start:end][np.array(heads, dtype=np.int64)], types, ends))

        in_batches(len(elements), PAGE // 2, batch)
        return distinct(np.concatenate(found))

    def read_statements(self) -> dict[StatementKey, str]:
        """Read back which facts with properties the graph has."""
        data = self.data
        elements, numbers, number_of = self._present()
        found: dict[StatementKey, str] = {}

        def batch(start: int, end: int) -> None:
            rows = self.server.run("load/read_statements", self.label, elements=elements[start:end])
            for type_, heads, tails, properties in rows:
                relation = data.relations.index.get(type_)
                for head, tail, values in zip(heads, tails, properties, strict=True):
                    if relation is None or tail not in number_of:
                        continue
                    identity = values.pop("statement_id")
                    text = pack({key: _packed(value) for key, value in values.items()})
                    found[(int(numbers[start + head]), relation, number_of[tail], identity)] = text

        in_batches(len(elements), PAGE // 2, batch)
        return found

    def _present(self) -> tuple[list[str], Codes, dict[str, int]]:
        """Element ids of the entities that the graph has, their numbers, and the numbers by element id."""
        number_of = {element: number for number, element in enumerate(self.elements) if element}
        return list(number_of), np.fromiter(number_of.values(), dtype=np.uint64, count=len(number_of)), number_of

    def details(self, *, sync: bool = False) -> tuple[list[Detail], int]:
        """What to change of entities; and how many values are new.

        :param sync: take away what the source does not have
        """
        data = self.data
        wanted: dict[int, dict[str, Any]] = {}
        added = 0
        for number, (_, name) in data.names.items():
            wanted.setdefault(number, {})["name"] = name
        for number, (_, description) in data.descriptions.items():
            wanted.setdefault(number, {})["description"] = description
        for number, aliases in data.aliases.items():
            aliases.discard(data.name(number))
            kept = set() if sync else set(self.properties.get(number, {}).get("aliases", ()))
            if aliases:
                wanted.setdefault(number, {})["aliases"] = sorted(aliases | kept)
        for relation, owners in data.values.items():
            key = self.keys[relation]
            for number, values in owners.items():
                old = _packed(self.properties.get(number, {}).get(key))
                new = united(values if sync else values | old)
                added += len(_packed(new) - old) if sync else max(0, _count(new) - len(old))
                wanted.setdefault(number, {})[key] = new
        if sync:
            for number, own in self.properties.items():
                want = wanted.setdefault(number, {})
                want.setdefault("name", data.entities.names[number])
                for key in own.keys() - want.keys():
                    want[key] = None
        details = []
        for number in sorted(wanted.keys() | data.labels.keys() | (self.labels.keys() if sync else set())):
            now = self.properties.get(number, {"name": data.name(number)} if not self._is_there(number) else {})
            changed = {key: value for key, value in wanted.get(number, {}).items() if not _same(now.get(key), value)}
            has = set(self.labels.get(number, ()))
            classes = data.labels.get(number, set())
            stale = sorted((has & self.classes) - classes) if sync else []
            if changed or stale or classes - has:
                details.append(Detail(number, changed, sorted(classes - has), stale))
        return details, added

    def _is_there(self, number: int) -> bool:
        return number < len(self.elements) and bool(self.elements[number])

    def count_values(self, details: Iterable[Detail]) -> int:
        """Number of property values that the graph holds when the details are written."""
        keys = set(self.keys.values())
        now = {number: dict(own) for number, own in self.properties.items()}
        for detail in details:
            now.setdefault(detail.number, {}).update(detail.properties)
        return sum(_count(value) for own in now.values() for key, value in own.items() if key in keys)

    def owners(self, details: Iterable[Detail]) -> dict[str, set[int]]:
        """Property key → the entities that have it when the details are written."""
        found: dict[str, set[int]] = {}
        for number, own in self.properties.items():
            for key in own:
                found.setdefault(key, set()).add(number)
        for detail in details:
            for key, value in detail.properties.items():
                found.setdefault(key, set()).discard(detail.number)
                if value is not None:
                    found[key].add(detail.number)
        return found


def native_value(value: Any) -> Any:
    """A property's value without the driver's own classes."""
    if isinstance(value, list):
        return [native_value(item) for item in value]
    if isinstance(value, neo4j.spatial.WGS84Point):
        return Point(value.longitude, value.latitude)
    return value.to_native() if isinstance(value, neo4j.time.Date | neo4j.time.DateTime) else value


def driver_value(value: Any) -> Any:
    """A value as the driver takes it; a list as a list."""
    if isinstance(value, Point):
        return neo4j.spatial.WGS84Point((value.longitude, value.latitude))
    return [driver_value(item) for item in value] if isinstance(value, list) else value


def _packed(stored: Any) -> set[Packed]:
    """The values of a property as it is stored: none, one or a list."""
    return set() if stored is None else packed(native_value(stored))


def _same(stored: Any, value: Any) -> bool:
    """Whether a property is stored as it should be; ``True`` is not 1, nor 1 a list of it."""
    return isinstance(stored, list) == isinstance(value, list) and _packed(stored) == _packed(value)


def _count(value: Any) -> int:
    return 0 if value is None else len(value) if isinstance(value, list) else 1
