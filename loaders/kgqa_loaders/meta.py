"""Relations and their meta nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.types import Relation
from kgqa_loaders.relations import RelationSpec, property_key


def merged(
    stored: Iterable[Mapping[str, Any]], given: Mapping[str, RelationSpec], graph: str
) -> dict[str, RelationSpec]:
    """What the relations are: as they were stored, with the words given now.

    :param stored: properties of the relations' meta nodes
    :raises ConfigError: a stored relation would become of another kind
    """
    specs = {row["relation"]: stored_spec(row) for row in stored}
    taken = {spec.relation.type for spec in specs.values() if spec.kind == "property"}
    for name, new in given.items():
        old = specs.get(name)
        if old is not None and (old.kind, old.datatype) != (new.kind, new.datatype):
            raise ConfigError(
                f"relation {name!r} of graph {graph!r} is loaded as {old.kind} ({old.datatype}), not as {new.kind} "
                f"({new.datatype}); to change that, load it anew after: kgqa drop {graph}"
            )
        if new.kind == "property":
            key = old.relation.type if old else property_key(name, taken)
            taken.add(key)
            new = replace(new, relation=replace(new.relation, type=key))
        specs[name] = new
    return specs


def stored_spec(row: Mapping[str, Any]) -> RelationSpec:
    """What a relation's meta node says."""
    relation = Relation(
        id=row["relation"],
        type=row["type"],
        phrase=row["label"],
        inverse_phrase=row["inverse"],
        kind="property" if row["kind"] == "alias" else row["kind"],
        description=row["description"],
        template=row["template"],
        unit=row["unit"],
        heads=tuple(row["heads"]),
        tails=tuple(row["tails"]),
        of=row.get("of", ""),
        via=tuple(row.get("via", ())),
    )
    return RelationSpec(relation, row["kind"], row["datatype"])


def relation_row(graph: str, spec: RelationSpec, number: int) -> dict[str, Any]:
    """The properties of a relation's meta node, but for the steps that follow it."""
    relation = spec.relation
    return {
        "graph": graph, "relation": relation.id, "type": relation.type, "kind": spec.kind, "datatype": spec.datatype,
        "number": number, "label": relation.phrase, "inverse": relation.inverse_phrase,
        "description": relation.description, "template": relation.template, "unit": relation.unit,
        "heads": list(relation.heads), "tails": list(relation.tails),
        "of": relation.of, "via": list(relation.via),
    }  # fmt: skip
