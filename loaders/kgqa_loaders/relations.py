"""The relations file: what the relations of a source are, and the words for them.

[relations."release_year"]
kind = "property"              # edge (the default), property, or alias: the tail is a further name of the head
datatype = "integer"           # of a property: string (the default), integer, float, boolean, date, datetime, point
label = "release year"         # head → tail, read as "the release year of X"
inverse = "films released in"  # tail → head
description = "the year in which a film was first shown"
template = "{head} was released in {tail}."
unit = ""                      # of a property, e.g. "m"
symmetric = false              # of an edge: whether a fact says of its tail what it says of its head ("married to")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args
from zoneinfo import ZoneInfo

from kgqa_graphdb.errors import ConfigError, nearest
from kgqa_graphdb.mapping import check_keys, make_relation, read_toml
from kgqa_graphdb.types import Point, Relation, Scalar

Kind: TypeAlias = Literal["edge", "property", "alias", "qualifier", "leg"]
Datatype: TypeAlias = Literal["string", "integer", "float", "boolean", "date", "datetime", "point"]

_KEYS = {
    "kind": str, "datatype": str, "label": str, "inverse": str, "description": str, "template": str, "unit": str,
    "symmetric": bool,
}  # fmt: skip
_KINDS = ("edge", "property", "alias")
"""Kinds that a relations file may give; the others follow from the source."""
WORDS = Path(__file__).parent / "words"
"""The relations files that come with this package, for public data sets."""
_RESERVED = frozenset({"entity_id", "name", "aliases", "description"})


@dataclass(frozen=True, slots=True)
class RelationSpec:
    """What a relation of a source becomes.

    :ivar relation: its words; ``type`` is the relationship type or the property key that it is stored under
    :ivar kind: ``edge``: a relationship; ``property``: a typed property of the head; ``alias``: a name of the head;
        ``qualifier``: a property of relationships; ``leg``: a relationship that is only walked as a part of others
    :ivar datatype: of a property
    :ivar declared: the keys that a person gave, e.g. ``("kind", "label")``; a source may improve the rest
    """

    relation: Relation
    kind: Kind = "edge"
    datatype: Datatype = "string"
    declared: tuple[str, ...] = ()


def spec(relation_id: str, *, kind: Kind = "edge", datatype: Datatype = "string", **words: str | bool) -> RelationSpec:
    """A relation whose missing words are guessed from its name.

    :param words: ``label``, ``inverse``, ``description``, ``template``, ``unit``, ``symmetric``
    """
    relation = make_relation(relation_id, kind="property" if kind == "alias" else kind, **words)  # type: ignore[arg-type]
    declared = tuple(sorted(words)) if kind == "edge" else ("kind", *sorted(words))
    return RelationSpec(relation, kind, datatype, declared)


def read_relations(source: Path | str) -> dict[str, RelationSpec]:
    """Read a relations file.

    :param source: its path, or the name of one that comes with this package, such as ``metaqa``
    :raises ConfigError: it can't be read, or a key or value in it is wrong
    """
    path = Path(source)
    packaged = {file.stem: file for file in sorted(WORDS.glob("*.toml"))}
    if not path.is_file() and str(source) in packaged:
        path = packaged[str(source)]
    elif not path.exists():
        raise ConfigError(f"there is no relations file {source}; with kgqa come: {', '.join(packaged)}")
    specs = parse_relations(read_toml(path), str(path))
    if not specs:
        raise ConfigError(f'{path} names no relation; begin each with [relations."its name"]')
    return specs


def parse_relations(table: Mapping[str, Any], where: str = "relations") -> dict[str, RelationSpec]:
    """The relations of a TOML table, by name.

    :raises ConfigError: a key or value is wrong
    """
    check_keys(table, {"relations": dict}, where)
    specs = {}
    for name, entry in table.get("relations", {}).items():
        place = f"{where}: relations.{name}"
        if not isinstance(entry, dict):
            raise ConfigError(f'{place}: must be a table; begin it with [relations."{name}"]')
        check_keys(entry, _KEYS, place)
        for key, choices in (("kind", _KINDS), ("datatype", get_args(Datatype))):
            if entry.get(key, choices[0]) not in choices:
                near = nearest(entry[key], choices)
                raise ConfigError(f"{place}: {key} {entry[key]!r} must be one of {', '.join(choices)}{near}")
        if "datatype" in entry and entry.get("kind", "edge") != "property":
            raise ConfigError(f'{place}: only a property has a datatype; add kind = "property"')
        template = entry.get("template", "")
        if template and not ("{head}" in template and "{tail}" in template):
            raise ConfigError(f"{place}: the template must hold {{head}} and {{tail}}")
        specs[name] = replace(spec(name, **entry), declared=tuple(sorted(entry)))
    return specs


def property_key(relation_id: str, taken: frozenset[str] | set[str] = frozenset()) -> str:
    """The key that a relation's values are stored under: its name, with ``_`` added while that is taken."""
    key = sayable(relation_id)
    while key in _RESERVED or key in taken:
        key += "_"
    return key


_SAYABLE = str.maketrans("(){}\n\r", "[][]  ")


def sayable(key: str) -> str:
    """A property key without the characters that mean something in the CSV headers of neo4j-admin, for bulk loads."""
    return key.translate(_SAYABLE)


def value_relation(relation_id: str) -> str:
    """The id of the relation of a source's values, where the same relation leads to entities too."""
    return f"{relation_id} (value)"


# ── typed values ─────────────────────────────────────────────────────────────────────────────────────────────────────

_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_BOOLEAN = {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False}


def parse_value(text: str, datatype: Datatype) -> Scalar:
    """A literal of the datatype.

    :param text: dates as ISO 8601; a time without a zone is taken as UTC
    :raises ValueError: the text is no such literal; says why
    """
    try:
        return _PARSERS[datatype](text if datatype == "string" else text.strip())
    except (ValueError, KeyError, OverflowError):
        raise ValueError(f"{text!r} is no {datatype}") from None


def _integer(text: str) -> int:
    if not _INTEGER.fullmatch(text) or not -(2**63) <= int(text) < 2**63:
        raise ValueError(text)
    return int(text)


def _float(text: str) -> float:
    value = float(text)
    if not _FLOAT.fullmatch(text) or value in (float("inf"), float("-inf")):
        raise ValueError(text)
    return value


def moment(text: str, zone: str = "") -> datetime:
    """A point in time: ISO 8601, maybe with a zone's name behind it, ``2020-07-02T00:00:00[Europe/Berlin]``.

    :param zone: of a text that has neither a difference from UTC nor a zone; empty: UTC
    :raises ValueError: it is none, or there is no such zone
    """
    match = _ZONED.fullmatch(text.strip())
    value = datetime.fromisoformat(match["moment"] if match else text.strip())
    named = match["zone"] if match else zone
    known = _zone(named) if named else UTC  # a zone that there is not is wrong even where the difference is given
    return value if value.tzinfo else value.replace(tzinfo=known)


_ZONED = re.compile(r"(?P<moment>[^\[\]]+)\[(?P<zone>[^\[\]]+)\]")


def _zone(name: str) -> tzinfo:
    if name in ("Z", "UTC", "GMT"):
        return UTC
    if name[0] in "+-":
        zone = datetime.fromisoformat(f"2000-01-01T00:00:00{name}").tzinfo
        return zone or UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(f"there is no time zone {name!r}") from None


def _point(text: str) -> Point:
    longitude, latitude = map(float, text.removeprefix("Point(").removesuffix(")").replace(",", " ").split())
    if not (abs(longitude) <= 180 and abs(latitude) <= 90):
        raise ValueError(text)
    return Point(longitude, latitude)


_PARSERS: dict[Datatype, Callable[[str], Scalar]] = {
    "string": str,
    "integer": _integer,
    "float": _float,
    "boolean": lambda text: _BOOLEAN[text.lower()],
    "date": date.fromisoformat,
    "datetime": moment,
    "point": _point,
}
