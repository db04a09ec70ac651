"""Mapping files: TOML that a person corrects."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import tomlkit
from tomlkit.exceptions import TOMLKitError

from kgqa_graphdb.documents import MALFORMED, reason
from kgqa_graphdb.errors import ConfigError, nearest
from kgqa_graphdb.language import ENGLISH, Language, language_of
from kgqa_graphdb.mapping.graph_mapping import EntityKind, GraphMapping
from kgqa_graphdb.mapping.relations import make_relation
from kgqa_graphdb.types import Relation, RelationKind, VectorIndexes, WalkRule

MAPPING_VERSION = 1

_RELATION_KEYS = {
    "type": str, "label": str, "inverse": str, "kind": str, "description": str, "template": str,
    "unit": str, "heads": list, "tails": list, "of": str, "via": list,
    "symmetric": bool,
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
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"can't read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: it is not UTF-8 at byte {error.start + 1}") from error
    except (ValueError, RecursionError) as error:  # a name that no file can have, among them
        raise ConfigError(f"{path} is not valid TOML: {reason(error)}") from error


def _texts(entry: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    """A list of texts.

    :raises ConfigError: it holds something else
    """
    found = entry.get(key, ())
    for one in found:
        if not isinstance(one, str):
            raise ConfigError(f"{where}: {key!r} must be a list of texts; {one!r:.80} is none")
    return tuple(found)


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
        if not isinstance(entry, dict):
            raise ConfigError(f"{place}: {entry!r:.80} must be a table; begin it with [[entities]]")
        check_keys(entry, _ENTITY_KEYS, place)
        if not entry.get("label"):
            raise ConfigError(f"{place}: 'label' is missing")
        entities.append(
            EntityKind(
                label=entry["label"],
                key=entry.get("key") or None,
                names=_texts(entry, "names", place),
                aliases=_texts(entry, "aliases", place),
            )
        )
    if not entities:
        raise ConfigError(f"{where}: no [[entities]]; name at least one label, its key and its name")
    relations = []
    for relation_id, entry in table.get("relations", {}).items():
        place = f"{where}: relations.{relation_id}"
        if not isinstance(entry, dict):
            raise ConfigError(f'{place}: {entry!r:.80} must be a table; begin it with [relations."{relation_id}"]')
        check_keys(entry, _RELATION_KEYS, place)
        words = dict(entry)
        words["kind"] = _choice(entry.get("kind", "edge"), get_args(RelationKind), f"{place}: kind")
        words["heads"], words["tails"] = _texts(entry, "heads", place), _texts(entry, "tails", place)
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
    code = read_toml(path).get("language", ENGLISH.code) if path.exists() else ENGLISH.code
    return language_of(str(code), f"{path}: language")


def _vector_indexes(table: Mapping[str, Any], where: str) -> VectorIndexes:
    """The vector indexes of a mapping file; all keys must be there."""
    check_keys(dict(table) | {key: None for key in _VECTOR_KEYS if key not in table}, _VECTOR_KEYS, where)
    return VectorIndexes(_texts(table, "indexes", where), *(table[key] for key in list(_VECTOR_KEYS)[1:]))


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


def _commented(path: Path) -> tomlkit.TOMLDocument:
    """A mapping file with its comments.

    :raises ConfigError: it is none
    """
    relations = read_toml(path).get("relations", {})
    if not isinstance(relations, dict) or not all(isinstance(entry, dict) for entry in relations.values()):
        raise ConfigError(f"{path} is no mapping file: its relations are no tables; name another file, or remove it")
    try:
        return tomlkit.parse(path.read_text(encoding="utf-8"))
    except (TOMLKitError, *MALFORMED) as error:
        raise ConfigError(f"{path} can't be written anew with its comments: {error}; remove it") from error


LEFT_OUT = "# Left out: "
"""How comments begin that say what a proposal does not read."""


def write_mapping(mapping: GraphMapping, path: Path, left_out: Sequence[str] = ()) -> None:
    """Write a mapping file for a person to correct; an existing file keeps its comments.

    :param left_out: what is not read, and why: comments at the file's end, in place of those that are there
    :raises ConfigError: the file can't be written, or the one that is there is no mapping file
    """
    old = _commented(path) if path.exists() else tomlkit.document()
    if not path.exists():
        old.add(tomlkit.comment("How kgqa reads this graph. Correct names, keys and phrases as you like."))
        old.add(tomlkit.comment("Only what stands here is ever read; delete what must stay unread."))
        old.add(
            tomlkit.comment("Neo4j Browser shows whole nodes all the same, when an answer's Cypher is pasted there.")
        )
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
        if relation.symmetric or "symmetric" in entry:
            values["symmetric"] = relation.symmetric
        for key, value in values.items():
            if entry.get(key) != value:
                entry[key] = value
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(".tmp")
        text = tomlkit.dumps(old)
        if left_out:
            kept = [line for line in text.splitlines() if not line.startswith(LEFT_OUT)]
            comments = [LEFT_OUT + " ".join(line.split()) for line in left_out]
            text = "\n".join(["\n".join(kept).rstrip(), "", *comments, ""])
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise ConfigError(f"can't write {path}: {error.strerror}") from error
