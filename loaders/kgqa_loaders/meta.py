"""Relations and their meta nodes: what those of a graph are, once its facts are known."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.types import Relation
from kgqa_loaders.normal import common_datatype, merged_note
from kgqa_loaders.records import GUESS_RANK, RelationNote
from kgqa_loaders.relations import Datatype, Kind, RelationSpec, property_key, value_relation

_WORDS = {
    "label": "phrase", "inverse": "inverse_phrase", "description": "description", "template": "template",
    "unit": "unit",
}  # fmt: skip
"""Words of a relations file → field of :class:`Relation`."""
_CODE = re.compile(r"[a-z]?\d+", re.IGNORECASE)
"""An id that has no meaning for people: ``P19``."""


def declared(
    stored: Iterable[Mapping[str, Any]], given: Mapping[str, RelationSpec], graph: str
) -> dict[str, RelationSpec]:
    """The relations whose kind a person has given, now or at an earlier load, by their names in a source.

    :param stored: properties of the relations' meta nodes
    :raises ConfigError: a stored relation would become of another kind
    """
    specs: dict[str, RelationSpec] = {}
    for row in sorted(stored, key=lambda row: str(row["kind"]) == "property"):  # a property's name may be an edge's too
        if row["kind"] in ("edge", "leg", "property", "alias") and not row.get("via"):
            specs[source_relation(row["relation"], row["type"])] = stored_spec(row)
    for name, new in given.items():
        old = specs.get(name)
        if old is not None and "kind" in new.declared and (old.kind, old.datatype) != (new.kind, new.datatype):
            raise ConfigError(
                f"relation {name!r} of graph {graph!r} is loaded as {old.kind} ({old.datatype}), not as {new.kind} "
                f"({new.datatype}); to change that, load it anew after: kgqa drop {graph}"
            )
        if old is None or "kind" in new.declared:
            specs[name] = new
    return {name: spec for name, spec in specs.items() if "kind" in spec.declared}


@dataclass(slots=True)
class Found:
    """What the facts of a source hold, as far as its relations go.

    :ivar edges: relations between entities
    :ivar values: relation → datatype of its values
    :ivar qualifiers: relation and key of each property that its statements have
    :ivar notes: relation → what the source's notes say
    """

    edges: Collection[str]
    values: Mapping[str, Datatype]
    qualifiers: Iterable[tuple[str, str]] = ()
    notes: Mapping[str, Iterable[RelationNote]] = field(default_factory=dict)

    def kept(self, stored: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The stored relations that a source which is all of the graph still has."""
        via = {name for name, notes in self.notes.items() if any(note.via for note in notes)}
        has = {
            "edge": {*self.edges, *via},
            "leg": {*self.edges},
            "property": {*self.values, *via},
        }
        qualifiers = set(self.qualifiers)
        return [
            row
            for row in stored
            if row["kind"] == "alias"
            or (row["kind"] == "qualifier" and (row["of"], row["type"]) in qualifiers)
            or source_relation(row["relation"], row["type"]) in has.get(row["kind"], ())
        ]


def merge_relation_specs(
    stored: Iterable[Mapping[str, Any]], given: Mapping[str, RelationSpec], found: Found
) -> dict[str, RelationSpec]:
    """The relations of a graph by id: what is stored, merged with what a source brings and a person gives.

    A relation with entities and values keeps its name for the entities; see
    :func:`kgqa_loaders.relations.value_relation`.

    :param stored: properties of the relations' meta nodes
    :param given: what a person gives now
    """
    before = {row["relation"]: stored_spec(row) for row in stored}
    notes = _alike({name: merged_note(some) for name, some in found.notes.items()}, before)
    plain = {name for name, spec in before.items() if spec.kind in ("edge", "leg") and not spec.relation.via}
    edges = {*found.edges, *plain}
    words = _Words(before, given, notes)
    specs: dict[str, RelationSpec] = {}

    for name in sorted(edges):
        note = notes.get(name)
        leg = (note is not None and note.kind == "leg") or (name in before and before[name].kind == "leg")
        specs[name] = words.spec(name, name, "leg" if leg else "edge")

    old_values = {name: before[id_] for name, id_ in value_relations(before).items()}
    taken = {spec.relation.type for spec in old_values.values()}
    for name in sorted({*found.values, *old_values}):
        old = old_values.get(name)
        key = old.relation.type if old else property_key(name, taken)
        taken.add(key)
        types = ([found.values[name]] if name in found.values else []) + ([old.datatype] if old else [])
        declared_type = given[name].datatype if name in given and "kind" in given[name].declared else None
        id_ = value_relation(name) if name in edges else name
        while id_ in specs:
            id_ += "_"
        specs[id_] = words.spec(id_, key, "property", declared_type or common_datatype(types), words_of=name)

    aliases = {name for name, spec in {**before, **given}.items() if spec.kind == "alias"}
    specs |= {name: words.spec(name, name, "alias") for name in sorted(aliases)}
    stored_qualifiers = {(s.relation.of, s.relation.type) for s in before.values() if s.kind == "qualifier"}
    for edge, key in sorted({*found.qualifiers, *stored_qualifiers}):
        id_ = f"{edge}.{key}"
        while id_ in specs:  # dotted names are a habit of Freebase's
            id_ += " (qualifier)"
        specs[id_] = words.spec(id_, key, "qualifier", of=edge, words_of=key)
    via = {name for name, note in notes.items() if note.via} | {n for n, s in before.items() if s.relation.via}
    for name in sorted(via - specs.keys()):
        legs = notes[name].via if name in notes and notes[name].via else before[name].relation.via
        if all(code[1:] in specs for code in legs):
            last = specs[legs[-1][1:]]
            kind: Kind = "property" if last.kind == "property" else "edge"
            type_ = last.relation.type if kind == "property" else name
            specs[name] = words.spec(name, type_, kind, last.datatype, via=legs)
    return specs


def remarks(
    specs: Mapping[str, RelationSpec],
    given: Mapping[str, RelationSpec],
    notes: Mapping[str, Iterable[RelationNote]],
) -> list[str]:
    """What the caller should know of a graph's relations.

    :param specs: what they are
    :param given: what a person gives
    :param notes: relation → what the source's notes say
    """
    found = [
        f"the relations file names {name!r}, which the source does not have" for name in given if name not in specs
    ]
    asked = [spec.relation for spec in specs.values() if spec.kind in ("edge", "property")]
    wordless = [relation.id for relation in asked if _CODE.fullmatch(relation.phrase)]
    if 2 * len(wordless) > len(asked):
        found.append(
            f"{len(wordless):,} of {len(asked):,} relations have no words but their ids, such as {wordless[0]}, so no "
            "question can be told to be about them; give a file with their --names, or words: --relations"
        )
    for name, some in sorted(notes.items()):
        if why := merged_note(some).left_out:
            found.append(f"{name!r} is left out: {why}")
    return found


def _alike(notes: dict[str, RelationNote], before: Mapping[str, RelationSpec]) -> dict[str, RelationNote]:
    """The notes, those that have no words with the words of the relation that they are like."""
    found = dict(notes)
    for name, note in notes.items():
        if note.like and not note.label:
            model = notes.get(note.like)
            if model is not None:
                words = {key: getattr(model, key) for key in ("label", "inverse", "description", "template")}
            elif (old := before.get(name) or before.get(note.like)) is not None:
                words = {key: getattr(old.relation, _WORDS[key]) for key in ("label", "inverse", "description")}
            else:
                continue
            found[name] = replace(note, **words)
    return found


def value_relations(specs: Mapping[str, RelationSpec]) -> dict[str, str]:
    """Relation of a source → id of the relation that its values are stored as."""
    return {
        source_relation(id_, spec.relation.type): id_
        for id_, spec in specs.items()
        if spec.kind == "property" and not spec.relation.via
    }


def value_keys(specs: Mapping[str, RelationSpec]) -> dict[str, str]:
    """Relation of a source → property key of its values."""
    return {name: specs[id_].relation.type for name, id_ in value_relations(specs).items()}


def stores_facts(spec: RelationSpec) -> bool:
    """Whether facts or values of a relation are stored under its own name."""
    return spec.kind in ("edge", "leg", "property") and not spec.relation.via


def source_relation(relation_id: str, key: str) -> str:
    """The name in its source of a relation whose values are stored under a key."""
    own = key.rstrip("_") == property_key(relation_id).rstrip("_")
    return relation_id if own else relation_id.rstrip("_").removesuffix(value_relation(""))


@dataclass(frozen=True, slots=True)
class _Words:
    """The words for relations: a person's win over a source's, these over what was stored, that over guesses."""

    before: Mapping[str, RelationSpec]
    given: Mapping[str, RelationSpec]
    notes: Mapping[str, RelationNote]

    def spec(
        self,
        name: str,
        type_: str,
        kind: Kind,
        datatype: Datatype = "string",
        *,
        words_of: str = "",
        of: str = "",
        via: tuple[str, ...] = (),
    ) -> RelationSpec:
        """What a relation is.

        :param words_of: id of the relation whose words it has, where that is not its own
        """
        old, note = self.before.get(name), self.notes.get(words_of or name)
        given = self.given.get(words_of if kind == "property" and words_of else name)
        person = given or old
        own_keys = person.declared if person else ()
        known: dict[str, str] = {}
        if old is not None and "label" not in own_keys:
            known = {key: getattr(old.relation, attribute) for key, attribute in _WORDS.items()}
        noted = {key: getattr(note, key) for key in _WORDS if getattr(note, key)} if note else {}
        if known and note is not None and note.rank >= GUESS_RANK:
            noted.pop("label", None)
        if noted.get("label", known.get("label")) != known.get("label"):  # what was made of another label goes with it
            known = {key: known[key] for key in ("description", "unit") if key in known}
        words = known | noted
        if person is not None:
            if "label" in own_keys:  # a source's other words would not fit a person's
                words = {key: words.get(key, "") for key in ("description", "unit")}
            words |= {key: getattr(person.relation, _WORDS[key]) for key in own_keys if key in _WORDS}
        heads, tails = (
            tuple(sorted({*(getattr(note, end) if note else ()), *(getattr(old.relation, end) if old else ())}))
            for end in ("heads", "tails")
        )
        relation = make_relation(
            words_of or name,
            type=type_,
            kind="property" if kind == "alias" else kind,
            heads=heads,
            tails=tails,
            of=of,
            via=via,
            symmetric=person.relation.symmetric if person and "symmetric" in own_keys else None,
            **words,
        )
        return RelationSpec(replace(relation, id=name), kind, datatype, own_keys)


def stored_spec(row: Mapping[str, Any]) -> RelationSpec:
    """The spec that a relation's meta node stores."""
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
        symmetric=bool(row.get("symmetric", False)),
    )
    declared_keys = row.get("said", () if row["kind"] == "edge" else ("kind",))
    return RelationSpec(relation, row["kind"], row["datatype"], tuple(declared_keys))


def relation_row(graph: str, spec: RelationSpec, number: int) -> dict[str, Any]:
    """The properties of a relation's meta node, but for the steps that follow it."""
    relation = spec.relation
    return {
        "graph": graph, "relation": relation.id, "type": relation.type, "kind": spec.kind, "datatype": spec.datatype,
        "number": number, "label": relation.phrase, "inverse": relation.inverse_phrase,
        "description": relation.description, "template": relation.template, "unit": relation.unit,
        "heads": list(relation.heads), "tails": list(relation.tails),
        "of": relation.of, "via": list(relation.via), "said": list(spec.declared),
        "symmetric": relation.symmetric,
    }  # fmt: skip


def numbered(
    graph: str, specs: Mapping[str, RelationSpec], rows: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """The meta nodes' properties of a graph's relations, by id, in the order of their numbers.

    A relation keeps its number, since the steps that follow others are stored by number.

    :param rows: what is stored now
    """
    number = max((row["number"] for row in rows.values()), default=-1)
    numbers = {name: rows[name]["number"] for name in specs if name in rows}
    for name in sorted(set(specs) - set(rows)):
        number = numbers[name] = number + 1
    return {name: relation_row(graph, specs[name], numbers[name]) for name in sorted(specs, key=numbers.__getitem__)}
