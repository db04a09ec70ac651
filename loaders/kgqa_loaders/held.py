"""What a graph holds already, read back to be compared with what a source brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import neo4j
import numpy as np

from kgqa_graphdb.types import Scalar
from kgqa_loaders.gather import Codes, Gathered, distinct
from kgqa_loaders.relations import RelationSpec
from kgqa_loaders.server import Server, in_batches

PAGE = 20_000


@dataclass(frozen=True, slots=True)
class Detail:
    """What to set on an entity."""

    number: int
    properties: dict[str, Any]
    labels: list[str]


@dataclass(slots=True)
class Held:
    """What a graph holds, by entity number.

    :ivar elements: element id of each entity, "" while it is not in the graph
    :ivar properties: those that the source could change, and those that are relations
    :ivar labels: class labels, read only where the source brings some
    """

    data: Gathered
    server: Server
    label: dict[str, str]
    elements: list[str]
    properties: dict[int, dict[str, Any]] = field(default_factory=dict)
    labels: dict[int, list[str]] = field(default_factory=dict)

    def read_entities(self, count: int) -> None:
        """Read back which entities the graph has; those that the source lacks get numbers too."""
        data = self.data
        keys = ["name", "aliases"] if data.names or any(s.kind == "alias" for s in data.specs.values()) else []
        keys += [spec.relation.type for spec in data.specs.values() if spec.kind == "property"]
        after = ""
        while count:
            ids, elements, properties, labels = self.server.run(
                "load/read_entities", self.label, after=after, limit=PAGE, keys=keys, labels=bool(data.labels)
            )[0]
            if not ids:
                break
            after = ids[-1]
            numbers = [data.entities.number(entity_id) for entity_id in ids]
            self.elements += [""] * (len(data.entities) - len(self.elements))
            for number, element in zip(numbers, elements, strict=True):
                self.elements[number] = element
            if data.labels:
                self.labels |= zip(numbers, labels, strict=True)
            for number, values in zip(numbers if keys else (), properties, strict=True):
                if held := {key: _plain(value) for key, value in zip(keys, values, strict=True) if value is not None}:
                    self.properties[number] = held

    def read_facts(self) -> Codes:
        """Read back which facts the graph has."""
        data = self.data
        number_of = {element: number for number, element in enumerate(self.elements) if element}
        elements = list(number_of)
        numbers = np.fromiter(number_of.values(), dtype=np.uint64, count=len(elements))
        found: list[Codes] = [np.empty(0, dtype=np.uint64)]

        def batch(start: int, end: int) -> None:
            for type_, heads, tails in self.server.run("load/read_facts", self.label, elements=elements[start:end]):
                relation = data.relations.index.get(type_)
                if relation is not None:  # a type that a person added by hand is theirs
                    types = np.full(len(heads), relation, dtype=np.uint64)
                    ends = np.fromiter(map(number_of.__getitem__, tails), dtype=np.uint64, count=len(tails))
                    found.append(data.encode(numbers[start:end][heads], types, ends))

        in_batches(len(elements), PAGE // 2, batch)
        return distinct(np.concatenate(found))

    def details(self) -> tuple[list[Detail], int]:
        """What to set on entities: number, properties and class labels of each; and how many values are new."""
        data = self.data
        wanted: dict[int, dict[str, Any]] = {}
        added = 0
        for number, name in data.names.items():
            wanted.setdefault(number, {})["name"] = name
        for number, aliases in data.aliases.items():
            aliases.discard(data.name(number))
            held = set(self.properties.get(number, {}).get("aliases", ()))
            if aliases:
                wanted.setdefault(number, {})["aliases"] = sorted(aliases | held)
        for relation, per_entity in data.values.items():
            key = data.specs[relation].relation.type
            for number, values in per_entity.items():
                old = _values(self.properties.get(number, {}).get(key))
                union = sorted(values | old)  # one datatype per relation
                added += len(union) - len(old)
                wanted.setdefault(number, {})[key] = union if len(union) > 1 else union[0]
        details = []
        for number in sorted(wanted.keys() | data.labels.keys()):
            held_now = self.properties.get(number, {"name": data.name(number)})
            changed = {key: value for key, value in wanted.get(number, {}).items() if held_now.get(key) != value}
            labels = sorted(set(data.labels.get(number, ())) - set(self.labels.get(number, ())))
            if changed or labels:
                details.append(Detail(number, changed, labels))
        return details, added

    def count_literals(self, keep: Mapping[str, RelationSpec]) -> int:
        """Number of property values that the graph holds, from what was read and written."""
        total = 0
        for name, spec in keep.items():
            if spec.kind != "property":
                continue
            new = self.data.values.get(name, {})
            for number in new.keys() | self.properties.keys():
                total += len(new.get(number, set()) | _values(self.properties.get(number, {}).get(spec.relation.type)))
        return total


def _plain(value: Any) -> Any:
    """A property's value without the driver's own date classes."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.to_native() if isinstance(value, neo4j.time.Date | neo4j.time.DateTime) else value


def _values(held: Any) -> set[Scalar]:
    """The values of a property: none, one or a list."""
    return set() if held is None else set(held) if isinstance(held, list) else {held}
