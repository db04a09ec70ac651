"""A graph's mapping: which labels are entities, which relationship types and properties are relations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kgqa_graphdb.errors import UnknownRelationError, nearest
from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.types import Relation, Step, VectorIndexes, WalkRule


@dataclass(frozen=True, slots=True)
class EntityKind:
    """A label whose nodes are entities.

    :ivar label: the node label
    :ivar key: property that identifies a node; ``None``: only the server's element id does
    :ivar names: properties that make up the name, joined by a space, e.g. first name and surname
    :ivar aliases: properties that hold further names: a text or a list of texts each
    """

    label: str
    key: str | None
    names: tuple[str, ...]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphMapping:
    """How a graph in Neo4j is read.

    :ivar graph: the graph's name
    :ivar entities: the entity kinds, those with names first; the first that fits a node's labels counts
    :ivar relations: the relations that may be walked and the properties that may be read; nothing else is
    :ivar label: label that all entities of a loaded graph carry; ``None`` for a graph that we did not load
    :ivar fulltext: name of the full-text index over names and aliases; empty when there is none
    :ivar walk: which way back is barred while walking; see ``WalkRule``
    :ivar owned: we loaded it, so we may drop it
    :ivar next_steps: step code → codes of the steps that can come after it; a code that is missing: any; when it is
        empty, :class:`kgqa_graphdb.mapping.next_steps.NextByLabel` says what the labels allow
    :ivar rare_steps: step code → those of the next steps that hardly any entity reached can be left by
    :ivar vectors: the vector indexes over names and descriptions; ``None`` when there are none
    :ivar language: what questions and the words for relations are in
    :ivar apart: labels of other graphs in the database, whose nodes are none of this one whatever labels they have
    :ivar by_id: the relations by their ids; follows from ``relations``, as do the next three
    :ivar by_type: kind and stored type → relations, without those that are walked via others
    :ivar by_first_leg: code of a leg → codes of the steps that are walked via others and begin with it
    :ivar qualifiers: the relations that are properties of relationships
    """

    graph: str
    entities: tuple[EntityKind, ...]
    relations: tuple[Relation, ...]
    label: str | None = None
    fulltext: str = ""
    walk: WalkRule = "no_backtrack"
    owned: bool = False
    next_steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rare_steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    vectors: VectorIndexes | None = None
    language: Language = ENGLISH
    apart: tuple[str, ...] = ()
    by_id: Mapping[str, Relation] = field(init=False, repr=False, compare=False)
    by_type: Mapping[tuple[str, str], tuple[Relation, ...]] = field(init=False, repr=False, compare=False)
    by_first_leg: Mapping[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)
    qualifiers: tuple[Relation, ...] = field(init=False, repr=False, compare=False)
    qualifier_keys: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "entities", tuple(sorted(self.entities, key=lambda kind: not kind.names)))
        by_type: dict[tuple[str, str], tuple[Relation, ...]] = {}
        by_first_leg: dict[str, tuple[str, ...]] = {}
        for relation in self.relations:
            if not relation.via:
                key = (relation.kind, relation.type)
                by_type[key] = (*by_type.get(key, ()), relation)
                continue
            for inverse in (False, True) if relation.kind == "edge" else (False,):
                step = Step(relation, inverse)
                first = leg_codes(step)[0]
                by_first_leg[first] = (*by_first_leg.get(first, ()), step.code)
        object.__setattr__(self, "by_first_leg", by_first_leg)
        object.__setattr__(self, "by_type", by_type)
        object.__setattr__(self, "by_id", {relation.id: relation for relation in self.relations})
        object.__setattr__(self, "qualifiers", tuple(r for r in self.relations if r.kind == "qualifier"))
        object.__setattr__(self, "qualifier_keys", tuple(sorted({relation.type for relation in self.qualifiers})))

    @property
    def entity_labels(self) -> list[str]:
        """Labels of which every entity has one."""
        return [self.label] if self.label else [kind.label for kind in self.entities]

    def relation(self, relation_id: str) -> Relation:
        """The relation of that name.

        :raises UnknownRelationError: the graph has none; the message names the nearest
        """
        if relation_id not in self.by_id:
            raise UnknownRelationError(
                f"relation {relation_id!r} is not in graph {self.graph!r}{nearest(relation_id, self.by_id)}"
            )
        return self.by_id[relation_id]

    def step(self, code: str) -> Step:
        """The step of a code such as ``>directed_by`` or ``<directed_by``."""
        return Step(self.relation(code[1:]), inverse=code.startswith("<"))

    def legs(self, step: Step) -> tuple[Step, ...]:
        """The steps that a step is walked by, in walking order: itself, unless it has a ``via``.

        :raises UnknownRelationError: a leg is not in the graph
        """
        if not step.relation.via:
            return (step,)
        return tuple(self.step(code) for code in leg_codes(step))


def leg_codes(step: Step) -> tuple[str, ...]:
    """The codes of the steps that a step is walked by, in walking order; see ``Relation.via``."""
    via = step.relation.via or (f">{step.relation.id}",)
    return tuple(map(reverse_step, reversed(via))) if step.inverse else via


def reverse_step(code: str) -> str:
    """A step's code the other way round: ``>directed_by`` → ``<directed_by``."""
    return ("<" if code.startswith(">") else ">") + code[1:]
