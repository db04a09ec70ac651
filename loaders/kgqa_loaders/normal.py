"""The one transformation from a source's records to rows, whichever way they go into Neo4j.

The online writer gathers rows in memory, the bulk path sorts them on disk, Spark spreads them over machines. Each may
see them in any order and any of them twice; what they must agree on stands here: what a record becomes, how a value is
written as text, and what several values, names or notes of one thing make together.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from kgqa_graphdb.types import Point, Scalar
from kgqa_loaders.records import MAX_NAME_BYTES, Literal, Named, Record, RelationNote, Statement, Triple
from kgqa_loaders.relations import Datatype, RelationSpec, parse_value, sayable

FACT = "f"
"""Row of a fact between entities: head, relation, tail, statement id, qualifiers as :func:`pack` writes them."""
VALUE = "v"
"""Row of a property's value: entity, relation, datatype, text."""
NAME = "n"
"""Row of an entity's name: entity, rank, name."""
ALIAS = "a"
"""Row of a further name: entity, alias."""
LABEL = "l"
"""Row of a class label: entity, label."""
DESCRIPTION = "d"
"""Row of a description: entity, rank, text."""
NOTE = "r"
"""Row of a source's note on a relation: relation, :class:`RelationNote` as JSON."""
REJECT = "x"
"""Row of what can't be loaded: line, reason, text."""


class Row(NamedTuple):
    """A row: its kind and five columns of text, empty where the kind has fewer."""

    kind: str
    a: str
    b: str = ""
    c: str = ""
    d: str = ""
    e: str = ""


_TOO_LONG = f"a name is longer than {MAX_NAME_BYTES:,} bytes"
_NUL = "it holds a NUL character"
_SURROGATE = "it holds half a surrogate pair, which is no text"


def normalise(records: Iterable[Record], specs: Mapping[str, RelationSpec]) -> Iterator[Row]:
    """The rows of some records.

    :param specs: what a person declares the relations to be; those left out are what the records make of them
    """
    for record in records:
        if isinstance(record, Triple):
            _, head, relation, tail = record
            spec = specs.get(relation)
            if spec is not None and spec.kind in ("property", "alias"):
                yield _declared(record.line, head, relation, tail, spec)
            elif flaw := name_flaw(head) or name_flaw(relation) or name_flaw(tail):
                yield _reject(record.line, flaw, head, relation, tail)
            else:
                yield Row(FACT, head, relation, tail)
        elif isinstance(record, Literal):
            yield _literal(record, specs.get(record.relation))
        elif isinstance(record, Statement):
            yield from statement_rows(record, specs)
        elif isinstance(record, Named):
            yield from _named(record)
        elif isinstance(record, RelationNote):
            if flaw := name_flaw(record.relation):
                yield _reject(0, flaw, record.relation)
            else:
                note = {key: value for key, value in asdict(record).items() if value}
                yield Row(NOTE, record.relation, _json(note))
        else:
            yield Row(REJECT, str(record.line), record.reason, _printable(record.text))


def name_flaw(text: str) -> str:
    """What is wrong with a text as an id, a name or a key; empty when nothing is."""
    if not text.strip():
        return "a name is empty"
    if len(text) > MAX_NAME_BYTES // 4 and len(text.encode(errors="replace")) > MAX_NAME_BYTES:
        return _TOO_LONG
    return text_flaw(text)


def text_flaw(text: str) -> str:
    """What keeps a text from being stored; empty when nothing does."""
    if "\x00" in text:
        return _NUL
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return _SURROGATE
    return ""


def _reject(line: int, reason: str, *columns: object) -> Row:
    return Row(REJECT, str(line), reason, _printable("\t".join(map(str, columns))))


def _printable(text: str) -> str:
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


def _declared(line: int, head: str, relation: str, text: str, spec: RelationSpec) -> Row:
    """A triple whose relation is an alias or a property, because a person declared it."""
    flaw = name_flaw(head) or name_flaw(relation) or (name_flaw(text) if spec.kind == "alias" else text_flaw(text))
    if flaw:
        return _reject(line, flaw, head, relation, text)
    if spec.kind == "alias":
        return Row(ALIAS, head, text)
    try:
        value = parse_value(text, spec.datatype)
    except ValueError as error:
        return _reject(line, f"{relation}: {error}", head, relation, text)
    return Row(VALUE, head, relation, *pack_value(value))


def _literal(record: Literal, spec: RelationSpec | None) -> Row:
    line, head, relation, value = record
    if spec is not None and spec.kind == "alias":
        return _declared(line, head, relation, str(value), spec)
    if spec is not None and spec.kind == "property" and isinstance(value, str) and spec.datatype != "string":
        return _declared(line, head, relation, value, spec)
    if spec is not None and spec.kind == "edge":  # because a person declared it: its tails are entities
        flaw = name_flaw(head) or name_flaw(relation) or name_flaw(str(value))
        return _reject(line, flaw, head, relation, value) if flaw else Row(FACT, head, relation, str(value))
    flaw = name_flaw(head) or name_flaw(relation) or value_flaw(value)
    if flaw:
        return _reject(line, flaw, head, relation, value)
    return Row(VALUE, head, relation, *pack_value(value))


def value_flaw(value: Scalar) -> str:
    """What keeps a value from being stored; empty when nothing does."""
    if isinstance(value, str):
        return text_flaw(value)
    if isinstance(value, Point):
        inside = abs(value.longitude) <= 180 and abs(value.latitude) <= 90
        return "" if inside else f"{value.longitude}, {value.latitude} is no place on Earth"
    return f"{value} is no number" if isinstance(value, float) and not math.isfinite(value) else ""


def statement_rows(record: Statement, specs: Mapping[str, RelationSpec]) -> Iterator[Row]:
    """The row of a statement, and rejects for what of its qualifiers can't be stored."""
    head, relation, tail = record.head, record.relation, record.tail
    keys = next(filter(None, map(name_flaw, record.qualifiers)), "")
    flaw = name_flaw(head) or name_flaw(relation) or name_flaw(tail) or keys
    spec = specs.get(relation)
    if spec is not None and spec.kind in ("property", "alias"):
        if not record.qualifiers:
            yield _declared(record.line, head, relation, tail, spec)
            return
        flaw = flaw or f"{relation} is a {spec.kind}, as the relations file says, and only a fact can have qualifiers"
    if flaw:
        yield _reject(record.line, flaw, head, relation, tail)
        return
    collected: dict[str, set[Packed]] = {}
    for key, value in record.qualifiers.items():
        for item in value if isinstance(value, list) else [value]:
            if wrong := value_flaw(item):  # the fact stays
                yield _reject(record.line, f"{key}: {wrong}", head, relation, tail, item)
            else:
                collected.setdefault(qualifier_key(key), set()).add(pack_value(item))
    qualifiers = pack({key: packed(united(values)) if len(values) > 1 else values for key, values in collected.items()})
    identity = record.statement_id
    if qualifiers and not identity:
        identity = hashlib.sha256(qualifiers.encode()).hexdigest()[:16]
    yield Row(FACT, head, relation, tail, identity, qualifiers)


@lru_cache(maxsize=1_000)
def qualifier_key(key: str) -> str:
    """The property key that a qualifier goes by."""
    return sayable(key + "_" if key == "statement_id" else key)


def _named(record: Named) -> Iterator[Row]:
    entity, name, aliases, labels, description, rank, line = record
    if flaw := name_flaw(entity):
        yield _reject(line, flaw, entity)
        return
    if not name:
        yield Row(NAME, entity)
    elif flaw := name_flaw(name):
        yield _reject(line, flaw, entity, name)
    else:
        yield Row(NAME, entity, f"{rank:04}", name)
    for kind, texts in ((ALIAS, aliases), (LABEL, labels)):
        for text in texts:
            if kind == LABEL and is_reserved(text):
                continue
            flaw = name_flaw(text)
            yield _reject(line, flaw, entity, text) if flaw else Row(kind, entity, text)
    if description:
        flaw = text_flaw(description)
        row = Row(DESCRIPTION, entity, f"{rank:04}", description)
        yield _reject(line, flaw, entity, description) if flaw else row


def is_reserved(label: str) -> bool:
    """Whether a class label is one that kgqa keeps its own books with, as in an export of a graph that it loaded."""
    return label == "Entity" or label.startswith(("KG_", "_KGQA"))


# ── values as text ───────────────────────────────────────────────────────────────────────────────────────────────────


class Packed(NamedTuple):
    """A value as text.

    :ivar datatype: ``string``, ``integer``, ``float``, ``boolean``, ``date``, ``datetime`` or ``point``
    :ivar text: the same for equal values
    """

    datatype: Datatype
    text: str


def pack_value(value: Scalar) -> Packed:
    """A value as text; an integer that does not fit into 64 bits stays a text."""
    if isinstance(value, str):
        return Packed("string", value)
    if isinstance(value, bool):
        return Packed("boolean", "true" if value else "false")
    if isinstance(value, int):
        return Packed("integer" if -(2**63) <= value < 2**63 else "string", str(value))
    if isinstance(value, float):
        return Packed("float", repr(value))
    if isinstance(value, Point):
        return Packed("point", f"{float(value.longitude)!r} {float(value.latitude)!r}")
    if isinstance(value, datetime):  # all values of a property must be alike, so one without a zone is taken as UTC
        return Packed("datetime", value.isoformat())
    return Packed("date", value.isoformat())


_READERS: dict[str, Callable[[str], Scalar]] = {
    "string": str,
    "boolean": lambda text: text == "true",
    "integer": int,
    "float": float,
    "point": lambda text: Point(*map(float, text.split())),
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
}


def unpack_value(packed: Packed) -> Scalar:
    """The value of a text that :func:`pack_value` wrote."""
    return _READERS[packed[0]](packed[1])


def united(values: Iterable[Packed]) -> Scalar | list[Scalar]:
    """What several values of one property are stored as: one as it is, several as a sorted list of one type.

    Integers among floats become floats; other mixtures become texts, since a list in Neo4j is of one type. A whole
    float reads as an integer then, so that it does not matter which came first.
    """
    distinct = set(values)
    types = {value.datatype for value in distinct}
    if types == {"integer", "float"}:
        distinct = {pack_value(float(value.text)) for value in distinct}
    elif len(types) > 1:
        distinct = {
            Packed("string", value.text.removesuffix(".0") if value.datatype == "float" else value.text)
            for value in distinct
        }
    found: list[Any] = sorted(_alike(list(map(unpack_value, distinct))))
    return found if len(found) > 1 else found[0]


def _alike(values: list[Any]) -> list[Any]:
    """The values; local times among others are taken as UTC, since a list in Neo4j is of one type."""
    if any(isinstance(value, datetime) and value.tzinfo for value in values):
        return list({value if value.tzinfo else value.replace(tzinfo=UTC) for value in values})
    return values


def packed(stored: Scalar | list[Scalar]) -> set[Packed]:
    """The values of a property as it is stored: one, or a list."""
    return set(map(pack_value, stored if isinstance(stored, list) else [stored]))


def common_datatype(types: Iterable[Datatype]) -> Datatype:
    """The datatype that a relation's meta node gives where its values differ."""
    found = set(types)
    if found == {"integer", "float"}:
        return "float"
    return found.pop() if len(found) == 1 else "string"


def pack(properties: Mapping[str, Iterable[Packed]]) -> str:
    """Properties as one text, the same for equal properties; empty for none."""
    return _json({key: sorted(properties[key]) for key in sorted(properties)}) if properties else ""


def unpack(text: str) -> dict[str, Scalar | list[Scalar]]:
    """The properties of a text that :func:`pack` wrote."""
    return {key: united(Packed(*pair) for pair in values) for key, values in json.loads(text or "{}").items()}


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


# ── notes ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def note_of(text: str) -> RelationNote:
    """The note of a row."""
    values: dict[str, Any] = json.loads(text)
    values |= {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
    return RelationNote(**values)


def merged_note(notes: Iterable[RelationNote]) -> RelationNote:
    """Several notes on one relation merged: per word the least rank, then text; ends are united.

    Its rank is that of its label.
    """
    ordered = sorted(notes, key=lambda note: (note.rank, _json(asdict(note))))
    values: dict[str, Any] = {"relation": ordered[0].relation}
    for key in ("kind", "label", "inverse", "description", "template", "unit", "via", "like", "left_out"):
        values[key] = next(
            (getattr(note, key) for note in ordered if getattr(note, key)), None if key == "kind" else ""
        )
    values["via"] = values["via"] or ()
    values["rank"] = next((note.rank for note in ordered if note.label), 0)
    for key in ("heads", "tails"):
        values[key] = tuple(sorted({label for note in ordered for label in getattr(note, key)}))
    return RelationNote(**values)
