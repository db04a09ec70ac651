"""Proposes a mapping from what a survey found: a guess for a person to correct."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from kgqa_graphdb import queries
from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.graph.reader import GraphReader
from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.language.names import words_of
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation, reverse_step
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.survey.joins import Join, find_joins
from kgqa_graphdb.survey.kinds import called_kind, is_opaque, kind_of_label, would_name
from kgqa_graphdb.survey.readable import LeftOut, why_not_of_label, why_not_of_type
from kgqa_graphdb.survey.schema import LabelSurvey, Property, Survey, TypeSurvey
from kgqa_graphdb.types import Relation, Statement

_IDS = {"id", "ids", "uuid", "guid", "key"}


@dataclass(frozen=True, slots=True)
class Nameless:
    """A label whose nodes nobody can ask for by name.

    :ivar candidates: properties that might name them, likeliest first
    :ivar key: the property that they can be asked for by; empty: none
    """

    label: str
    candidates: tuple[str, ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A mapping to correct.

    :ivar joins: labels that are walked through and so are no entities
    :ivar left_out: properties that it does not read, and why
    :ivar nameless: labels whose nodes have neither a name nor a key that people use
    :ivar examples: label → what a few of its nodes are called by the mapping
    """

    mapping: GraphMapping
    joins: tuple[Join, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    nameless: tuple[Nameless, ...] = ()
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def propose_mapping(graph: str, found: Survey) -> GraphMapping:
    """How the graph may be read."""
    return propose(graph, found).mapping


def propose(graph: str, found: Survey, language: Language = ENGLISH) -> Proposal:
    """How the graph may be read, and what of it not.

    :param language: of the names in the graph
    """
    kinds = {label.label: kind_of_label(label) for label in found.labels}
    types = {edge.type for edge in found.types}  # one may have come meanwhile
    every = find_joins(found.labels, kinds, language)
    joins = {join.label: join for join in every if all(end.type in types for end in join.ends)}
    left_out: list[LeftOut] = []
    readable = {
        label.label: list(_readable(label, kinds, left_out, is_join=label.label in joins)) for label in found.labels
    }
    for label in found.labels:
        if label.label not in joins:  # what is walked through needs no name
            kinds[label.label] = called_kind(label)  # and a code is asked for, too
    on_edges = {edge.type: list(_of_type(edge, left_out)) for edge in found.types}
    entities = sorted(
        (kind for kind in kinds.values() if kind.label not in joins),
        key=lambda kind: (kind.key is None, kind.key not in _unique(found, kind.label), kind.label),
    )
    relations = _Relations(found, joins, readable, on_edges, language)
    mapping = GraphMapping(
        graph=graph,
        entities=tuple(entities),
        relations=tuple(relations.all()),
        fulltext=fulltext_for(entities, found),
        language=language,
    )
    by_label = {label.label: label for label in found.labels}
    nameless = tuple(
        Nameless(kind.label, would_name(by_label[kind.label]), kind.key or "")
        for kind in entities
        if not kind.names and is_opaque(by_label[kind.label], kind.key)
    )
    return Proposal(mapping, tuple(joins.values()), tuple(left_out), nameless)


def examples_of(mapping: GraphMapping, found: Survey) -> Steps[dict[str, tuple[str, ...]]]:
    """What a few nodes of each label are called by a mapping; label → names."""
    some = {label.label: label.some for label in found.labels}
    ids = [element_id for kind in mapping.entities for element_id in some.get(kind.label, ())]
    entities = (yield from GraphReader(mapping).describe(ids)) if ids else {}
    named = {
        kind.label: tuple(dict.fromkeys(entities[one].name for one in some.get(kind.label, ()) if one in entities))
        for kind in mapping.entities
    }
    return {label: names for label, names in named.items() if names}


def _unique(found: Survey, label: str) -> tuple[str, ...]:
    return next(one.unique for one in found.labels if one.label == label)


def _readable(
    label: LabelSurvey, kinds: Mapping[str, EntityKind], left_out: list[LeftOut], *, is_join: bool
) -> Iterator[Property]:
    """The properties of a label that are relations; its key and its names are none."""
    kind = kinds[label.label]
    for prop in label.properties:
        if prop.key in (*kind.names, *kind.aliases) or (prop.key == kind.key and not _is_asked_for(label, kind)):
            continue
        why = why_not_of_label(prop, label, kinds)
        if why:
            left_out.append(LeftOut(label.label, prop.key, why))
        else:
            yield prop
    if is_join and kind.key:
        left_out.append(LeftOut(label.label, kind.key, "identifies nodes that nobody asks for"))


def _is_asked_for(label: LabelSurvey, kind: EntityKind) -> bool:
    """Whether a key is something that people ask for, beside the name, as a number or a code is, but no id."""
    words = words_of(kind.key or "").split()
    return bool(kind.names) and not is_opaque(label, kind.key) and not {*words[-1:]} & _IDS


def _of_type(edge: TypeSurvey, left_out: list[LeftOut]) -> Iterator[Property]:
    for prop in edge.properties:
        why = why_not_of_type(prop, edge)
        if why:
            left_out.append(LeftOut(edge.type, prop.key, why))
        else:
            yield prop


class _Relations:
    """The relations of a proposal, each under a name of its own.

    :param readable: label → properties to read; ``on_edges`` is the same of relationship types
    """

    def __init__(
        self,
        found: Survey,
        joins: Mapping[str, Join],
        readable: Mapping[str, list[Property]],
        on_edges: Mapping[str, list[Property]],
        language: Language,
    ) -> None:
        self._language, self._make = language, partial(make_relation, language=language)
        self._found, self._joins, self._readable, self._on_edges = found, joins, readable, on_edges
        self._edges: dict[str, list[str]] = {}
        self._taken = {edge.type for edge in found.types}
        self._pairs: dict[str, dict[tuple[str, str], None]] = {}
        for label in found.labels:
            for one in label.around:
                for other in (other for others in one.others for other in others):
                    pair = (label.label, other) if one.outgoing else (other, label.label)
                    self._pairs.setdefault(one.type, {})[pair] = None

    def all(self) -> Iterator[Relation]:
        """Relationships, what is walked via several, properties of nodes, and those of relationships."""
        legs: dict[tuple[str, str], str] = {}
        for edge in self._found.types:
            yield from self._edge(edge, legs)
        made = [relation for join in self._joins.values() for relation in self._via(join, legs)]
        yield from made
        properties: dict[str, list[str]] = {}
        for label in self._found.labels:
            join = self._joins.get(label.label)
            if join is None or len(join.ends) == 1:
                for prop in self._readable[label.label]:
                    properties.setdefault(prop.key, []).append(label.label)
        names = {key: self._name(key, f"property.{key}") for key in sorted(properties)}
        for key, labels in sorted(properties.items()):
            yield self._make(names[key], type=key, kind="property", heads=tuple(labels))
        for join in self._joins.values():
            if len(join.ends) == 1 and not join.pairs:
                yield from self._hung(join, legs, names)
        for edge in self._found.types:
            for name in self._edges[edge.type]:
                for prop in self._on_edges[edge.type]:
                    yield self._make(f"{name}.{prop.key}", type=prop.key, kind="qualifier", of=name)
        for relation in made:
            join = self._joins[relation.description]
            for prop in self._join_properties(join):
                name = f"{relation.id}.{prop.key}"
                yield self._make(name, type=prop.key, kind="qualifier", of=relation.id)

    def _name(self, wanted: str, otherwise: str) -> str:
        """A name that no other relation has."""
        name = wanted if wanted not in self._taken else otherwise
        number = 2
        while name in self._taken:
            name, number = f"{otherwise}.{number}", number + 1
        self._taken.add(name)
        return name

    def _edge(self, edge: TypeSurvey, legs: dict[tuple[str, str], str]) -> Iterator[Relation]:
        """A relationship type as an edge between entities, as the leg of what is walked through, or as both."""
        edges = self._ends(edge)
        names = [edge.type] if len(edges) == 1 else [f"{edge.type}.{tails[0]}" for _, tails in edges]
        self._edges[edge.type] = names
        for name, (heads, tails) in zip(names, edges, strict=True):
            phrase, inverse, template = self._language.edge_words(edge.type, heads, tails)
            yield self._make(
                name, type=edge.type, label=phrase, inverse=inverse, template=template, heads=heads, tails=tails
            )
        for join in self._joins.values():
            ends = [end for end in join.ends if end.type == edge.type]
            if not ends:
                continue
            first = edge.type not in names and not any(type_ == edge.type for type_, _ in legs)
            name = edge.type if first else self._name(f"{edge.type}.{join.label}", f"{edge.type}.{join.label}.leg")
            legs[edge.type, join.label] = name
            into = tuple(label for end in ends for label in end.labels if end.code[0] == "<")
            out = tuple(label for end in ends for label in end.labels if end.code[0] == ">")
            yield self._make(
                name,
                type=edge.type,
                kind="leg",
                heads=tuple(dict.fromkeys((*into, *((join.label,) if out else ())))),
                tails=tuple(dict.fromkeys((*out, *((join.label,) if into else ())))),
            )

    def _ends(self, edge: TypeSurvey) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """The heads and tails of a type, without what is walked through; by tails if its name has no meaning."""
        pairs = [pair for pair in self._pairs.get(edge.type, ()) if not {*pair} & set(self._joins)]
        through = any(end.type == edge.type for join in self._joins.values() for end in join.ends)
        heads, tails = edge.heads, edge.tails
        if through:  # the server counts ends, not pairs of them
            heads = tuple(sorted({head for head, _ in pairs}))
            tails = tuple(sorted({tail for _, tail in pairs}))
        if not heads or not tails:
            return []
        apart = {tail: tuple(sorted({head for head, other in pairs if other == tail})) for tail in tails}
        if (
            len(tails) > 1
            and set(self._language.words_of(edge.type).split()) <= self._language.vague
            and all(apart.values())
        ):
            return [(some, (tail,)) for tail, some in apart.items()]
        return [(heads, tails)]

    def _via(self, join: Join, legs: Mapping[tuple[str, str], str]) -> Iterator[Relation]:
        """What a join node's ends have to do with each other: one relation for each two of them."""
        for one, other in join.pairs:
            first, second = join.ends[one], join.ends[other]
            if first.code[0] == ">" and second.code[0] == "<":  # read the way the relationships point
                first, second = second, first
            into = reverse_step(first.code)[0] + legs[first.type, join.label]
            out = second.code[0] + legs[second.type, join.label]
            name = f"{first.labels[0]}.{second.labels[0]}"
            words_of = self._language.words_of
            ends = {word for label in (*first.labels, *second.labels) for word in words_of(label).split()}
            words = [word for word in words_of(join.label).split() if word not in self._language.joining | ends]
            head, tail, through = words_of(first.labels[0]), words_of(second.labels[0]), " ".join(words)
            yield self._make(
                self._name(name, f"{name}.{join.label}"),
                label=f"{through} {tail}".strip(),
                inverse=f"{head} with {through} of" if through else f"{head} with",
                template=f"{{head}} — {f'{through} {tail}'.strip()}: {{tail}}.",
                description=join.label,
                heads=first.labels,
                tails=second.labels,
                via=(into, out),
            )

    def _hung(self, join: Join, legs: Mapping[tuple[str, str], str], names: Mapping[str, str]) -> Iterator[Relation]:
        """The values of nodes that hang on one neighbour, as that one's properties."""
        end = join.ends[0]
        into = reverse_step(end.code)[0] + legs[end.type, join.label]
        for prop in self._readable[join.label]:
            name = self._name(f"{join.label}.{prop.key}", f"{join.label}.{prop.key}")
            yield self._make(
                name,
                label=self._language.words_of(prop.key),
                kind="property",
                heads=end.labels,
                via=(into, f">{names[prop.key]}"),
            )

    def _join_properties(self, join: Join) -> Iterator[Property]:
        """What a join node and its relationships hold."""
        properties: dict[str, Property] = {prop.key: prop for prop in self._readable[join.label]}
        for end in join.ends:
            for prop in self._on_edges.get(end.type, ()):
                properties.setdefault(prop.key, prop)
        yield from properties.values()


def fulltext_for(kinds: Iterable[EntityKind], found: Survey) -> str:
    """The smallest full-text index that covers the names of all kinds that have any; empty when there is none."""
    labels, properties = names_to_index(kinds)
    fitting = [i for i in found.indexes if labels and labels <= set(i.labels) and properties <= set(i.properties)]
    return min(fitting, key=lambda i: (len(i.labels), len(i.properties), i.name)).name if fitting else ""


def names_to_index(kinds: Iterable[EntityKind]) -> tuple[set[str], set[str]]:
    """The labels whose nodes have names, and the properties that hold them."""
    named = [kind for kind in kinds if kind.names]
    return {kind.label for kind in named}, {key for kind in named for key in (*kind.names, *kind.aliases)}


def names_index(index: str, kinds: Iterable[EntityKind]) -> Statement:
    """The statement that makes a full-text index over the names of some kinds; it folds case and accents.

    :raises ConfigError: no kind has a name
    """
    labels, properties = names_to_index(kinds)
    if not labels:
        raise ConfigError("no label has a property that looks like a name; write 'names' in the mapping file first")
    return Statement(
        f"CYPHER 5\nCREATE FULLTEXT INDEX {queries.quote(index)} IF NOT EXISTS "
        f"FOR (n:{'|'.join(queries.quote(label) for label in sorted(labels))}) "
        f"ON EACH [{', '.join('n.' + queries.quote(key) for key in sorted(properties))}] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}"
    )
