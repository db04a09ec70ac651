"""Values as cells of the CSV files that ``neo4j-admin database import`` reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from kgqa_graphdb.errors import LoadError
from kgqa_graphdb.types import Point, Scalar

CSV_TYPES = {
    "string": "string", "integer": "long", "float": "double", "boolean": "boolean", "date": "date",
    "datetime": "datetime", "local": "localdatetime", "point": "point{crs:WGS-84}", "byte": "byte",
}  # fmt: skip
"""Datatype of a value → type in the header of its column; ``local`` is a time without a zone."""


@dataclass(frozen=True, slots=True)
class Separators:
    """Characters that part what belongs together; none of them may occur in a text of the graph.

    :ivar item: between the items of a list, for neo4j-admin
    :ivar cell: between the cells of a node, for us
    """

    item: str
    cell: str


CHOICES = (Separators("\x1f", "\x1e"), Separators("\x1d", "\x1c"), Separators("\uf8f1", "\uf8f2"))
"""Tried in turn. Control characters come first, as they are short and hardly any text has one."""


class Column(NamedTuple):
    """A column of properties.

    :ivar key: of the property
    :ivar datatype: key of :data:`CSV_TYPES`
    """

    key: str
    datatype: str
    is_list: bool = False

    def header(self) -> str:
        """How the header names it.

        :raises LoadError: neo4j-admin would read the key as something else
        """
        if any(character in self.key for character in "(){}\n\r"):
            raise LoadError(
                f"the property {self.key!r} can't be named in a CSV header for neo4j-admin; load without --bulk"
            )
        type_ = CSV_TYPES[self.datatype]
        name, brace, options = type_.partition("{")
        return quoted(f"{self.key}:{name}{'[]' if self.is_list else ''}{brace}{options}")


def quoted(text: str) -> str:
    """A text in quotes."""
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if '"' in text else f'"{text}"'


def datatype_of(value: Scalar) -> str:
    """The datatype of a value: key of :data:`CSV_TYPES`."""
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "float"
    if isinstance(value, Point):
        return "point"
    if isinstance(value, datetime):
        return "datetime" if value.tzinfo else "local"
    return "date"


def text_of(value: Scalar) -> str:
    """A value as neo4j-admin reads it, without quotes."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Point):
        return f"{{longitude:{value.longitude!r}, latitude:{value.latitude!r}}}"
    return value.isoformat() if isinstance(value, date) else repr(value)


def cell(key: str, value: Scalar | list[Scalar], separators: Separators) -> tuple[Column, str]:
    """A property's column and its cell."""
    if isinstance(value, list):
        datatype = datatype_of(value[0])
        return Column(key, datatype, True), quoted(separators.item.join(map(text_of, value)))
    datatype = datatype_of(value)
    text = text_of(value)
    return Column(key, datatype), text if datatype in ("integer", "float", "boolean", "date") else quoted(text)


def cells(properties: Mapping[str, Scalar | list[Scalar]], separators: Separators) -> tuple[tuple[Column, ...], str]:
    """The columns of some properties, by key, and their cells, parted by ``separators.cell``."""
    pairs = [cell(key, properties[key], separators) for key in sorted(properties)]
    return tuple(column for column, _ in pairs), separators.cell.join(text for _, text in pairs)


def has_separator(texts: Iterable[str], separators: Separators) -> bool:
    """Whether a text holds a character that must not occur."""
    return any(separators.item in text or separators.cell in text for text in texts)
