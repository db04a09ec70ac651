"""What a graph looks like: which labels are entities, which relationship types and properties are relations.

A graph that we loaded and a company's own differ in their :class:`GraphMapping` alone. The mapping of a loaded graph
is kept in its meta nodes (:mod:`kgqa_graphdb.catalog`); that of any other graph in a TOML file that a person corrects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, get_args

import tomlkit
from tomlkit.exceptions import TOMLKitError

from kgqa_graphdb.errors import ConfigError, UnknownRelationError, nearest
from kgqa_graphdb.language import ENGLISH, Language, language_of
from kgqa_graphdb.types import Relation, RelationKind, Step, VectorIndexes, WalkRule

MAPPING_VERSION = 1


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
    :ivar entities: the entity kinds; the first that fits a node's labels counts
    :ivar relations: the relations that may be walked and the properties that may be read; nothing else is
    :ivar label: label that all entities of a loaded graph carry; ``None`` for a graph that we did not load
    :ivar fulltext: name of the full-text index over names and aliases; empty when there is none
    :ivar walk: which way back is barred while walking; see ``WalkRule``
    :ivar owned: we loaded it, so we may drop it
    :ivar next_steps: step code → codes of the steps that can come after it; a code that is missing: any; when it is
        empty, :class:`kgqa_graphdb.next_steps.NextByLabel` says what the labels allow
    :ivar rare_steps: step code → those of the next steps that hardly any entity reached can be left by
    :ivar vectors: the vector indexes over names and descriptions; ``None`` when there are none
    :ivar language: what questions and the words for relations are in
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
    by_id: Mapping[str, Relation] = field(init=False, repr=False, compare=False)
    by_type: Mapping[tuple[str, str], tuple[Relation, ...]] = field(init=False, repr=False, compare=False)
    by_first_leg: Mapping[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)
    qualifiers: tuple[Relation, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
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
    return tuple(map(turned, reversed(via))) if step.inverse else via


def turned(code: str) -> str:
    """A step's code the other way round: ``>directed_by`` → ``<directed_by``."""
    return ("<" if code.startswith(">") else ">") + code[1:]


def make_relation(
    relation_id: str,
    *,
    type: str = "",
    label: str = "",
    inverse: str = "",
    kind: RelationKind = "edge",
    description: str = "",
    template: str = "",
    unit: str = "",
    heads: tuple[str, ...] = (),
    tails: tuple[str, ...] = (),
    of: str = "",
    via: tuple[str, ...] = (),
    language: Language = ENGLISH,
) -> Relation:
    """A relation whose missing words are guessed from its name."""
    words = label or language.words_of(relation_id)
    return Relation(
        id=relation_id,
        type=type or relation_id,
        phrase=label or language.guessed_phrase(relation_id),
        inverse_phrase=inverse or language.guessed_inverse(words),
        kind=kind,
        description=description,
        template=template or language.guessed_template(words, of_value=kind in ("property", "qualifier")),
        unit=unit,
        heads=heads,
        tails=tails,
        of=of,
        via=via,
    )


# ── TOML ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


_RELATION_KEYS = {
    "type": str, "label": str, "inverse": str, "kind": str, "description": str, "template": str,
    "unit": str, "heads": list, "tails": list, "of": str, "via": list,
}  # fmt: skip
_ENTITY_KEYS = {"label": str, "key": str, "names": list, "aliases": list}
_TOP_KEYS = {
    "version": int, "graph": str, "language": str, "walk": str, "fulltext": str, "entities": list, "relations": dict,
    "vectors": dict,
}  # fmt: skip
_VECTOR_KEYS = {"indexes": list, "encoder": str, "fingerprint": str, "dimension": int}


def check_keys(table: Mapping[str, Any], allowed: Mapping[str, type], where: str) -> None:
    """Refuse unknown keys and wrong types in a table read from TOML.

    :raises ConfigError: names the key, the place and the nearest key there is
    """
    for key, value in table.items():
        if key not in allowed:
            raise ConfigError(f"{where}: unknown key {key!r}{nearest(key, allowed)}")
        if not isinstance(value, allowed[key]):
            raise ConfigError(f"{where}: {key!r} must be a {allowed[key].__name__}, not {value!r}")


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    :raises ConfigError: it is missing, unreadable or not TOML
    """
    try:
        return tomlkit.parse(path.read_text(encoding="utf-8")).unwrap()
    except OSError as error:
        raise ConfigError(f"can't read {path}: {error.strerror}") from error
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error


def _choice(value: str, choices: tuple[str, ...], where: str) -> Any:
    if value not in choices:
        raise ConfigError(f"{where}: {value!r} must be one of {', '.join(choices)}{nearest(value, choices)}")
    return value


def read_mapping(path: Path) -> GraphMapping:
    """Read a mapping file.

    :raises ConfigError: it can't be read, or a key or value in it is wrong
    """
    return parse_mapping(read_toml(path), str(path))


def parse_mapping(table: Mapping[str, Any], where: str = "mapping") -> GraphMapping:
    """A mapping from its TOML table.

    :raises ConfigError: a key or value is wrong
    """
    check_keys(table, _TOP_KEYS, where)
    if table.get("version", MAPPING_VERSION) != MAPPING_VERSION:
        raise ConfigError(f"{where}: version {table['version']} is not {MAPPING_VERSION}; write it anew with: kgqa map")
    if not table.get("graph"):
        raise ConfigError(f"{where}: 'graph' is missing; give the graph's name, e.g. graph = \"northwind\"")
    language = language_of(table.get("language", ENGLISH.code), f"{where}: language")
    entities = []
    for number, entry in enumerate(table.get("entities", ()), start=1):
        place = f"{where}: entities[{number}]"
        check_keys(entry, _ENTITY_KEYS, place)
        if not entry.get("label"):
            raise ConfigError(f"{place}: 'label' is missing")
        entities.append(
            EntityKind(
                label=entry["label"],
                key=entry.get("key") or None,
                names=tuple(entry.get("names", ())),
                aliases=tuple(entry.get("aliases", ())),
            )
        )
    if not entities:
        raise ConfigError(f"{where}: no [[entities]]; name at least one label, its key and its name")
    relations = []
    for relation_id, entry in table.get("relations", {}).items():
        place = f"{where}: relations.{relation_id}"
        check_keys(entry, _RELATION_KEYS, place)
        words = dict(entry)
        words["kind"] = _choice(entry.get("kind", "edge"), get_args(RelationKind), f"{place}: kind")
        words["heads"] = tuple(entry.get("heads", ()))
        words["tails"] = tuple(entry.get("tails", ()))
        words["via"] = tuple(entry.get("via", ()))
        relations.append(make_relation(relation_id, language=language, **words))
    known = {relation.id: relation for relation in relations}
    for relation in relations:
        check_via(relation, known, f"{where}: relations.{relation.id}")
    return GraphMapping(
        graph=table["graph"],
        entities=tuple(entities),
        relations=tuple(relations),
        fulltext=table.get("fulltext", ""),
        walk=_choice(table.get("walk", "no_backtrack"), get_args(WalkRule), f"{where}: walk"),
        vectors=_vector_indexes(table["vectors"], f"{where}: vectors") if "vectors" in table else None,
        language=language,
    )


def language_in(path: Path) -> Language:
    """The language that a mapping file names; English where it names none, or where there is no file.

    :raises ConfigError: the file can't be read, or no such language is known
    """
    table = read_toml(path) if path.exists() else {}
    return language_of(table.get("language", ENGLISH.code), f"{path}: language")


def _vector_indexes(table: Mapping[str, Any], where: str) -> VectorIndexes:
    """The vector indexes of a mapping file; all keys must be there."""
    check_keys(dict(table) | {key: None for key in _VECTOR_KEYS if key not in table}, _VECTOR_KEYS, where)
    return VectorIndexes(tuple(map(str, table["indexes"])), *(table[key] for key in list(_VECTOR_KEYS)[1:]))


def check_via(relation: Relation, known: Mapping[str, Relation], where: str) -> None:
    """Refuse a ``via`` that can't be walked.

    :param known: the graph's relations by id
    :raises ConfigError: a code names no relation, or one of the wrong kind
    """
    if not relation.via:
        return
    if relation.kind not in ("edge", "property"):
        raise ConfigError(f"{where}: a {relation.kind} has no 'via'; only an edge or a property is made of other steps")
    ends_in_value = relation.kind == "property"
    if ends_in_value and len(relation.via) < 2:
        raise ConfigError(f"{where}: 'via' of a property needs a step to walk before the property itself")
    for position, code in enumerate(relation.via):
        if not isinstance(code, str) or code[:1] not in ("<", ">") or code[1:] not in known:
            near = nearest(str(code)[1:], known)
            raise ConfigError(
                f"{where}: via: {code!r} must be '>' or '<' and the name of a relation of this file{near}"
            )
        leg = known[code[1:]]
        if leg.via:
            raise ConfigError(f"{where}: via: {code!r} is made of other steps itself; write those instead")
        if ends_in_value and position == len(relation.via) - 1:
            if leg.kind != "property" or code[0] == "<":
                raise ConfigError(f"{where}: via: the last step of a property must be a property, not {code!r}")
        elif leg.kind not in ("edge", "leg"):
            raise ConfigError(f"{where}: via: {code!r} is a {leg.kind}; only an edge or a leg can be walked")


LEFT_OUT = "# Left out: "
"""How comments begin that say what a proposal does not read."""


def write_mapping(mapping: GraphMapping, path: Path, left_out: Sequence[str] = ()) -> None:
    """Write a mapping file for a person to correct; an existing file keeps its comments.

    :param left_out: what is not read, and why: comments at the file's end, in place of those that are there
    :raises ConfigError: the file can't be written
    """
    old = tomlkit.parse(path.read_text(encoding="utf-8")) if path.exists() else tomlkit.document()
    if not path.exists():
        old.add(tomlkit.comment("How kgqa reads this graph. Correct names, keys and phrases as you like."))
        old.add(tomlkit.comment("Only what stands here is ever read; delete what must stay unread."))
    old["version"] = MAPPING_VERSION
    old["graph"] = mapping.graph
    if "language" in old or mapping.language != ENGLISH:
        old["language"] = mapping.language.code
    old["walk"] = mapping.walk
    old["fulltext"] = mapping.fulltext
    old.pop("vectors", None)
    if mapping.vectors:
        old["vectors"] = asdict(mapping.vectors) | {"indexes": list(mapping.vectors.indexes)}
    entities = tomlkit.aot()
    for kind in mapping.entities:
        entry = tomlkit.table()
        entry["label"] = kind.label
        entry["key"] = kind.key or ""
        entry["names"] = list(kind.names)
        entry["aliases"] = list(kind.aliases)
        entities.append(entry)
    old["entities"] = entities
    relations = old.setdefault("relations", tomlkit.table(is_super_table=True))
    known = {relation.id for relation in mapping.relations}
    for gone in [name for name in relations if name not in known]:
        del relations[gone]
    for relation in mapping.relations:
        entry = relations.setdefault(relation.id, tomlkit.table())
        values: dict[str, Any] = {
            "type": relation.type,
            "kind": relation.kind,
            "label": relation.phrase,
            "inverse": relation.inverse_phrase,
            "description": relation.description,
            "template": relation.template,
            "unit": relation.unit,
            "heads": list(relation.heads),
            "tails": list(relation.tails),
            "of": relation.of,
        }
        if relation.via or "via" in entry:
            values["via"] = list(relation.via)
        for key, value in values.items():
            if entry.get(key) != value:
                entry[key] = value
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(".tmp")
        text = tomlkit.dumps(old)
        if left_out:
            kept = [line for line in text.splitlines() if not line.startswith(LEFT_OUT)]
            said = [LEFT_OUT + " ".join(line.split()) for line in left_out]
            text = "\n".join(["\n".join(kept).rstrip(), "", *said, ""])
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise ConfigError(f"can't write {path}: {error.strerror}") from error
