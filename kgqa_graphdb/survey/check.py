"""How a live schema has drifted from a mapping: what the mapping relies on that is gone, and what is new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kgqa_graphdb.errors import CypherError
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.survey.counts import rows_of
from kgqa_graphdb.survey.propose import names_to_index
from kgqa_graphdb.survey.readable import why_not_of_label, why_not_of_type
from kgqa_graphdb.survey.sample import MAX_COUNTED
from kgqa_graphdb.survey.schema import LabelSurvey, Survey, TypeSurvey
from kgqa_graphdb.types import Relation

DriftKind: TypeAlias = Literal[
    "label gone", "type gone", "property gone", "key repeats", "key missing", "name missing", "ends changed",
    "index gone", "index too small", "new label", "new type", "new property", "new end",
]  # fmt: skip
NOTES: frozenset[DriftKind] = frozenset(("new label", "new type", "new property", "new end"))
"""Drift that takes nothing away from what the mapping reads."""


@dataclass(frozen=True, slots=True)
class Drift:
    """One way in which the live schema differs from a mapping.

    :ivar thing: label, relationship type, property (``Label.key``) or index
    :ivar detail: what is so, and the cure
    """

    kind: DriftKind
    thing: str
    detail: str

    @property
    def breaks(self) -> bool:
        """Whether the mapping relies on what changed; otherwise it is a note."""
        return self.kind not in NOTES

    def __str__(self) -> str:
        return f"{self.kind}: {self.thing}: {self.detail}"


def check_mapping(mapping: GraphMapping, found: Survey) -> Steps[tuple[Drift, ...]]:
    """Compare a mapping with a live schema: what breaks it first, then notes.

    Properties are searched for in samples: one that the sample does not show is counted before it is called gone.
    """
    labels = {label.label: label for label in found.labels}
    types = {edge.type: edge for edge in found.types}
    drift: list[Drift] = []
    for kind in mapping.entities:
        drift += yield from _check_kind(kind, labels.get(kind.label), found.apart)
    for relation in mapping.relations:
        drift += yield from _check_relation(relation, mapping, labels, types, found.apart)
    drift += _check_index(mapping, found)
    drift += _news(mapping, labels, types)
    return tuple(sorted(dict.fromkeys(drift), key=lambda one: (not one.breaks, one.kind, one.thing)))


def _check_kind(kind: EntityKind, label: LabelSurvey | None, apart: Sequence[str]) -> Steps[list[Drift]]:
    if label is None:
        return [Drift("label gone", kind.label, "no node carries it; delete or rename its [[entities]]")]
    drift: list[Drift] = []
    present = {one.key: one.present for one in label.properties}
    if kind.key:
        [[nodes, with_key, different]] = yield from _keys(label, kind.key, apart)
        what = f"{label.label}.{kind.key}"
        if with_key < nodes:
            drift.append(Drift("key missing", what, f"{nodes - with_key:,} of {nodes:,} nodes have none"))
        if different < with_key:
            again = with_key - different
            drift.append(Drift("key repeats", what, f"{again:,} of {with_key:,} nodes share it; choose another key"))
    for key in (*kind.names, *kind.aliases):
        if not present.get(key) and not (yield from _holds(label, key, apart)):
            drift.append(Drift("name missing", f"{label.label}.{key}", "no node has it; correct 'names' or 'aliases'"))
    return drift


def _keys(label: LabelSurvey, key: str, apart: Sequence[str]) -> Steps[list[list[int]]]:
    """Nodes, those with the key, and its values: by constraint, by counting, or in a big label in the sample."""
    prop = next((one for one in label.properties if one.key == key), None)
    if prop is not None and key in label.unique and prop.present == label.sampled:
        return [[label.sampled] * 3]
    if label.nodes > MAX_COUNTED:
        return [[label.sampled, prop.present if prop else 0, prop.different if prop else 0]]
    return (yield from rows_of("distinct", {"apart": list(apart)}, label=label.label, key=key))


def _holds(label: LabelSurvey, key: str, apart: Sequence[str]) -> Steps[bool]:
    """Whether any node of a label has a property."""
    if label.sampled == label.nodes:
        return False
    try:
        [[_, count, _]] = yield from rows_of("distinct", {"apart": list(apart)}, label=label.label, key=key)
    except CypherError:  # too many to count in time: say nothing that is not known
        return True
    return bool(count)


def _check_relation(
    relation: Relation,
    mapping: GraphMapping,
    labels: Mapping[str, LabelSurvey],
    types: Mapping[str, TypeSurvey],
    apart: Sequence[str],
) -> Steps[list[Drift]]:
    if relation.via:
        return []  # its legs are checked
    if relation.kind == "property":
        return (yield from _check_property(relation, labels, apart))
    if relation.kind == "qualifier":
        return list(_check_qualifier(relation, mapping, labels, types))
    edge = types.get(relation.type)
    if edge is None:
        return [Drift("type gone", relation.type, f"no relationship has it; delete [relations.{relation.id!r}]")]
    drift = []
    for side, wanted, there in (("heads", relation.heads, edge.heads), ("tails", relation.tails, edge.tails)):
        gone = [label for label in wanted if label not in there]
        if gone:
            drift.append(Drift("ends changed", relation.type, f"its {side} are no longer {', '.join(gone)}"))
    return drift


def _check_property(relation: Relation, labels: Mapping[str, LabelSurvey], apart: Sequence[str]) -> Steps[list[Drift]]:
    drift = []
    for name in relation.heads or tuple(labels):
        label = labels.get(name)
        if label is None:
            drift.append(Drift("label gone", name, f"no node carries it; [relations.{relation.id!r}] reads it"))
            continue
        if any(prop.key == relation.type for prop in label.properties):
            if not relation.heads:
                return []
            continue
        if relation.heads and not (yield from _holds(label, relation.type, apart)):
            drift.append(Drift("property gone", f"{name}.{relation.type}", "no node has it"))
    if not relation.heads:
        drift.append(Drift("property gone", relation.type, "no node has it"))
    return drift


def _check_qualifier(
    relation: Relation, mapping: GraphMapping, labels: Mapping[str, LabelSurvey], types: Mapping[str, TypeSurvey]
) -> Iterator[Drift]:
    owner = mapping.by_id.get(relation.of)
    if owner is None:
        return
    legs = [mapping.by_id[code[1:]] for code in owner.via] or [owner]
    kept = [prop.key for leg in legs if leg.type in types for prop in types[leg.type].properties]
    between = {label for code in owner.via[:-1] for label in _end(mapping, code)}
    kept += [prop.key for label in between if label in labels for prop in labels[label].properties]
    if any(leg.type in types for leg in legs) and relation.type not in kept:
        yield Drift("property gone", f"{relation.of}.{relation.type}", "no relationship that was looked at has it")


def _end(mapping: GraphMapping, code: str) -> tuple[str, ...]:
    relation = mapping.relation(code[1:])
    return relation.heads if code.startswith("<") else relation.tails


def _check_index(mapping: GraphMapping, found: Survey) -> Iterator[Drift]:
    if not mapping.fulltext:
        return
    again = f"make it again: kgqa map --graph {mapping.graph} --index, after 'fulltext' was emptied in the file"
    index = next((one for one in found.indexes if one.name == mapping.fulltext), None)
    if index is None:
        yield Drift("index gone", mapping.fulltext, f"there is no such full-text index; {again}")
        return
    labels, properties = names_to_index(mapping.entities)
    lacking = sorted((labels - set(index.labels)) | (properties - set(index.properties)))
    if lacking:
        yield Drift("index too small", mapping.fulltext, f"it does not cover {', '.join(lacking)}; {again}")


def _news(mapping: GraphMapping, labels: Mapping[str, LabelSurvey], types: Mapping[str, TypeSurvey]) -> Iterator[Drift]:
    """What is not in the mapping. What a proposal would leave out is no news."""
    walked = [relation for relation in mapping.relations if relation.kind in ("edge", "leg") and not relation.via]
    kinds = {kind.label: kind for kind in mapping.entities}
    used = {*kinds, *(label for relation in mapping.relations for label in (*relation.heads, *relation.tails))}
    for name in sorted(set(labels) - used):
        yield Drift("new label", name, f"{labels[name].nodes:,} nodes; the mapping does not speak of it")
    for name in sorted(set(types) - {relation.type for relation in walked}):
        edge = types[name]
        ends = f"{', '.join(edge.heads)} → {', '.join(edge.tails)}"
        yield Drift("new type", name, f"{edge.relationships:,} relationships, {ends}; the mapping does not speak of it")
    for relation in walked:
        same = [other for other in walked if other.type == relation.type]
        edge_ = types.get(relation.type)
        for side in ("heads", "tails") if edge_ else ():
            known = {label for other in same for label in getattr(other, side)}
            new = [label for label in getattr(edge_, side) if label not in known] if known else []
            if new:
                yield Drift("new end", relation.type, f"its {side} are {', '.join(new)} too")
    yield from _new_properties(mapping, kinds, labels, types)


def _new_properties(
    mapping: GraphMapping,
    kinds: Mapping[str, EntityKind],
    labels: Mapping[str, LabelSurvey],
    types: Mapping[str, TypeSurvey],
) -> Iterator[Drift]:
    for name, label in labels.items():
        kind = kinds.get(name)
        if kind is None:
            continue
        read = {r.type for r in mapping.relations if r.kind == "property" and (not r.heads or name in r.heads)}
        read |= {*kind.names, *kind.aliases, *([kind.key] if kind.key else [])}
        for prop in label.properties:
            if prop.key not in read and not why_not_of_label(prop, label, kinds):
                yield Drift("new property", f"{name}.{prop.key}", "not read; add it to [relations] if it should be")
    known = {(r.of, r.type) for r in mapping.qualifiers}
    for relation in mapping.relations:
        edge = types.get(relation.type)
        if edge is None or relation.kind != "edge" or relation.via:
            continue
        for prop in edge.properties:
            if not {(relation.id, prop.key), ("", prop.key)} & known and not why_not_of_type(prop, edge):
                yield Drift("new property", f"{relation.type}.{prop.key}", "not read; add it to [relations]")
