"""Looks at a graph in Neo4j that we did not load, and proposes how to read it. Reads only, and no more than samples.

What relationship types join comes from the server's counts and is exact; property keys, their types and whether a key
tells nodes apart come from a sample of :data:`SAMPLE` nodes of each label and relationships of each type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kgqa_graphdb import queries
from kgqa_graphdb.errors import ConfigError
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Relation, Rows, Statement

SAMPLE = 10_000
"""Nodes of a label, and relationships of a type, that are looked at."""
MOSTLY_DIFFERENT = 0.9
"""A property such as ``companyName`` is a name when so many of its values differ; ``shipName`` of orders is none."""

_TEXT, _NUMBER = "STRING", "INTEGER"
_READABLE = re.compile(
    r"(LIST<)?(STRING|INTEGER|BOOLEAN)( NOT NULL)?>?|FLOAT|DATE|(ZONED|LOCAL) DATETIME"  # LIST<FLOAT> is a vector
)
_KEY_NAME = re.compile(r"(?i:id|key|code|uuid|guid|isbn|sku)|.*[a-z](Id|ID)|(?i:.*_id)")
"""Of names such as ``postalCode`` only the label's own counts: ``productCode`` of a product."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property key, as a sample shows it.

    :ivar types: Cypher's names of its values' types, without NOT NULL
    :ivar held: how many of the sampled have it
    :ivar different: how many different values it has among them
    """

    key: str
    types: frozenset[str]
    held: int = 0
    different: int = 0

    @property
    def readable(self) -> bool:
        """Whether all its values are texts, numbers, truths or dates, or lists of texts or whole numbers."""
        return all(_READABLE.fullmatch(name) for name in self.types)


@dataclass(frozen=True, slots=True)
class LabelSurvey:
    """What the nodes of a label look like.

    :ivar nodes: nodes that carry it
    :ivar sampled: of them looked at
    :ivar unique: properties that a constraint makes unique
    """

    label: str
    nodes: int
    sampled: int
    properties: tuple[Property, ...]
    unique: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TypeSurvey:
    """What a relationship type joins, and what its relationships hold."""

    type: str
    relationships: int
    heads: tuple[str, ...]
    tails: tuple[str, ...]
    properties: tuple[Property, ...]


@dataclass(frozen=True, slots=True)
class FulltextIndex:
    """A full-text index over nodes."""

    name: str
    labels: tuple[str, ...]
    properties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """A live schema, without the graphs that we loaded."""

    labels: tuple[LabelSurvey, ...]
    types: tuple[TypeSurvey, ...]
    indexes: tuple[FulltextIndex, ...]


# ── looking ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def survey(sample: int = SAMPLE) -> Steps[Survey]:
    """Look at the schema and a sample of the data.

    :raises ConfigError: the database holds nothing but graphs that we loaded
    """
    unique: dict[str, list[str]] = {}
    for label, key in (yield from _rows("unique_keys")):
        unique.setdefault(label, []).append(key)
    labels: list[LabelSurvey] = []
    for (label,) in (yield from _rows("labels")):
        [[nodes, sampled, found]] = yield from _rows("label", {"sample": sample}, label=label)
        if sampled:
            held = tuple(Property(key, _types(types), count, values) for key, count, values, types in found)
            labels.append(LabelSurvey(label, nodes, sampled, held, tuple(unique.get(label, ()))))
    if not labels:
        raise ConfigError("the database has no nodes but those of graphs that kgqa loaded; see them with: kgqa graphs")
    known = {label.label for label in labels}
    ends: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for type_, head, tail in (yield from _rows("ends")):
        if head in known and tail in known and not type_.startswith("_KGQA"):
            heads, tails = ends.setdefault(type_, ({}, {}))
            heads[head], tails[tail] = None, None
    types: list[TypeSurvey] = []
    for type_, (heads, tails) in ends.items():
        [[count, found]] = yield from _rows("relationship", {"sample": sample}, type=type_)
        held = tuple(Property(key, _types(names)) for key, names in found)
        types.append(TypeSurvey(type_, count, tuple(heads), tuple(tails), held))
    indexes = yield from _rows("fulltext_indexes")
    return Survey(tuple(labels), tuple(types), tuple(FulltextIndex(n, tuple(ls), tuple(ps)) for n, ls, ps in indexes))


def _rows(name: str, parameters: Mapping[str, object] | None = None, **splices: str) -> Steps[Rows]:
    statement = Statement(queries.load(f"survey/{name}").cypher(**splices), parameters or {})
    return (yield from ask(Read(statement)))


def _types(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.removesuffix(" NOT NULL").replace(" NOT NULL>", ">") for name in names)


# ── proposing ────────────────────────────────────────────────────────────────────────────────────────────────────────


def propose_mapping(graph: str, found: Survey) -> GraphMapping:
    """How the graph may be read: a guess for a person to correct."""
    kinds = sorted((_kind(label) for label in found.labels), key=lambda kind: (kind.key is None, kind.label))
    return GraphMapping(
        graph=graph,
        entities=tuple(kinds),
        relations=tuple(_relations(found, {kind.label: kind for kind in kinds})),
        fulltext=fulltext_for(kinds, found),
    )


def _kind(label: LabelSurvey) -> EntityKind:
    names, aliases = _names(label)
    return EntityKind(label.label, _key(label, names), names, aliases)


def _names(label: LabelSurvey) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The properties that make up a name, and those that are a name alone too."""
    texts = {p.key: p for p in label.properties if p.types == {_TEXT}}
    by_word = {_flat(key): key for key in texts}
    own = _flat(label.label)
    first = next((by_word[word] for word in ("firstname", "givenname", "forename") if word in by_word), None)
    last = next((by_word[word] for word in ("lastname", "surname", "familyname") if word in by_word), None)
    for word in ("name", "fullname", "displayname", f"{own}name"):
        if word in by_word:
            return (by_word[word],), ()
    if first and last:
        return (first, last), (last,)
    for word in ("title", f"{own}title", "label", "caption"):
        if word in by_word:
            return (by_word[word],), ()
    named = [p for p in texts.values() if _flat(p.key).endswith("name") and p.different >= MOSTLY_DIFFERENT * p.held]
    return ((max(named, key=lambda p: p.held).key,), ()) if named else ((), ())


def _key(label: LabelSurvey, names: Sequence[str]) -> str | None:
    """A property that identifies a node: by constraint, else by its name, else the name itself if all differ."""
    by_key = {p.key: p for p in label.properties if p.types in ({_TEXT}, {_NUMBER})}

    def apart(key: str) -> bool:
        return by_key[key].held == by_key[key].different == label.sampled

    own = {f"{_flat(label.label)}{word}" for word in ("id", "code", "key", "number", "no")}
    looks = [key for key in by_key if _KEY_NAME.fullmatch(key) or _flat(key) in own]
    looks.sort(key=lambda key: _key_order(key, label.label))
    constrained = [key for key in label.unique if key in by_key]
    candidates = [
        *(key for key in looks if key in constrained),
        *constrained,
        *(key for key in looks if apart(key)),
        *(key for key in names if len(names) == 1 and apart(key)),
    ]
    return next(iter(candidates), None)


def _key_order(key: str, label: str) -> tuple[bool, bool, str]:
    word = _flat(key)
    return (word not in ("id", f"{_flat(label)}id"), not word.endswith("id"), key)


def _flat(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _relations(found: Survey, kinds: Mapping[str, EntityKind]) -> Iterable[Relation]:
    taken = {survey.type for survey in found.types}
    for edge in found.types:
        yield make_relation(edge.type, heads=edge.heads, tails=edge.tails)
    holders: dict[str, list[str]] = {}
    for label in found.labels:
        kind = kinds[label.label]
        for held in label.properties:
            if held.readable and held.key != kind.key and held.key not in (*kind.names, *kind.aliases):
                holders.setdefault(held.key, []).append(label.label)
    for key, labels in sorted(holders.items()):
        name = key if key not in taken else f"property.{key}"
        yield make_relation(name, type=key, kind="property", heads=tuple(labels))
    for edge in found.types:
        for held in edge.properties:
            if held.readable:
                yield make_relation(f"{edge.type}.{held.key}", type=held.key, kind="qualifier", of=edge.type)


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
