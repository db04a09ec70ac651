"""CSV files of nodes and relationships, with the headers of ``neo4j-admin database import``, and of triples.

    personId:ID(Person),name,born:int,:LABEL          :START_ID(Person),roles:string[],:END_ID(Film),:TYPE

The header is a file's first line, or a separate file in its folder (``films-header.csv`` for ``films.csv`` and
``films-2.csv``). The exports of ``apoc.export.csv`` (``_id,_labels,…,_start,_end,_type``) are read too, and tables
with the columns head, relation, tail; what else these have are qualifiers. Commas, semicolons, tabs or bars divide
columns, semicolons a list's items.
https://neo4j.com/docs/operations-manual/5/import/#import-tool-header-format
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from kgqa_graphdb.errors import LoadError
from kgqa_graphdb.types import Point, Scalar
from kgqa_loaders.files import FileSource, not_utf8, open_bytes, reading, rest_of_line
from kgqa_loaders.formats import Format
from kgqa_loaders.property_graph import fact_records, node_records
from kgqa_loaders.records import ReadOptions, Record, Reject
from kgqa_loaders.relations import Datatype, moment, parse_value

DELIMITERS = (",", ";", "\t", "|")
_ROLES = frozenset({"ID", "LABEL", "START_ID", "END_ID", "TYPE", "IGNORE"})
_APOC = {"_id": "ID", "_labels": "LABEL", "_start": "START_ID", "_end": "END_ID", "_type": "TYPE"}
TRIPLE_HEADINGS = (
    ("head", "relation", "tail"), ("subject", "predicate", "object"), ("source", "relation", "target"),
    ("subject", "relation", "object"), ("from", "relation", "to"),
)  # fmt: skip
_FIELD = re.compile(
    r"(?P<name>.*?)(?::(?P<type>[A-Za-z_]+)(?P<array>\[\])?(?:\((?P<space>[^)]*)\))?(?:\{(?P<options>.*)\})?)?"
)
_DATATYPES: dict[str, Datatype] = {
    "int": "integer", "long": "integer", "short": "integer", "byte": "integer", "float": "float", "double": "float",
    "boolean": "boolean", "date": "date", "datetime": "datetime", "localdatetime": "datetime",
}  # fmt: skip
_TEXTS = frozenset({"string", "char", "time", "localtime", "duration", ""})
MAX_ROW_LINES = 1_000
"""Lines that one row may have: a text in quotes may hold line ends, but a quote that is never closed must not eat the
rest of the file."""

Cell: TypeAlias = str


class Column(NamedTuple):
    """A column of a table.

    :ivar role: ``ID``, ``LABEL``, ``START_ID``, ``END_ID``, ``TYPE``, ``IGNORE``, or ``""`` for a property
    :ivar name: property key; of an id, the property that keeps it too; empty: none
    :ivar space: of an id, the group in which it is unique
    :ivar type: of a property, as in the header
    :ivar options: of a property, as in the header's braces
    """

    role: str
    name: str
    space: str = ""
    type: str = "string"
    array: bool = False
    divider: str = ";"
    options: str = ""

    def option(self, key: str) -> str:
        """What the header says in braces, such as ``{timezone:Europe/Stockholm}``; empty where it does not."""
        found = re.search(rf"\b{key}\s*:\s*['\"]?([^'\",}}]+)", self.options, re.IGNORECASE)
        return found[1].strip() if found else ""


@dataclass(frozen=True, slots=True)
class Header:
    """A table's columns and what divides them.

    :ivar kind: ``nodes``, ``relationships``, ``both`` (each row is either), or ``triples``
    """

    kind: str
    columns: tuple[Column, ...]
    delimiter: str


def parse_header(line: str) -> Header | None:
    """The header that a line is; nothing if it is none that says what is an entity and what a relation."""
    for delimiter in DELIMITERS:
        try:
            cells = next(csv.reader([line.rstrip("\r\n")], delimiter=delimiter), [])
        except csv.Error:
            return None
        if len(cells) > 1 and (header := _header([cell.strip() for cell in cells], delimiter)):
            return header
    cells = [line.strip()]
    return _header(cells, ",")


def _header(cells: list[str], delimiter: str) -> Header | None:
    lower = [cell.lower() for cell in cells]
    for heading in TRIPLE_HEADINGS:
        if set(heading) <= set(lower) and len(set(lower)) == len(lower):
            roles = dict(zip(heading, ("START_ID", "TYPE", "END_ID"), strict=True))
            columns = [_column(cell) for cell in cells]
            triple = tuple(
                Column(roles[low], "") if low in roles else column for low, column in zip(lower, columns, strict=True)
            )
            return Header("triples", triple, delimiter)
    columns = [_column(cell) for cell in cells]
    roles_of = {column.role for column in columns}
    nodes, edges = bool({"ID", "LABEL"} & roles_of), {"START_ID", "END_ID"} <= roles_of
    if not (nodes or edges) or any(column.type.lower() not in _KNOWN for column in columns):
        return None
    kind = "both" if nodes and edges else "nodes" if nodes else "relationships"
    return Header(kind, tuple(columns), delimiter)


_KNOWN = frozenset(_DATATYPES) | _TEXTS | {"point"}


def _column(cell: str) -> Column:
    if cell in _APOC:
        return Column(_APOC[cell], "", divider=":" if cell == "_labels" else ";")
    match = _FIELD.fullmatch(cell)
    if match is None:
        return Column("", cell)
    type_ = match["type"] or "string"
    if type_.upper() in _ROLES:
        kept_as = re.search(r"id-type:\s*(\w+)", match["options"] or "")
        return Column(type_.upper(), match["name"], match["space"] or "", kept_as[1] if kept_as else "string")
    return Column("", match["name"], "", type_, bool(match["array"]), options=match["options"] or "")


def fits(sample: bytes, name: str = "") -> float:
    """Whether the sample's first line, or that of a separate header file, is a header."""
    first = sample.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode(errors="replace")
    if "\ufffd" in first or "\x00" in first:
        return 0.0
    return 1.0 if parse_header(first) or header_beside(Path(name)) else 0.0


def header_beside(path: Path) -> Header | None:
    """The header that is in a separate file of the same folder: ``films-header.csv`` for ``films-2.csv``."""
    if not path.parent.is_dir() or path.suffix not in (".csv", ".tsv", ".gz", ".txt") or path.name == str(path):
        return None
    for file in sorted(path.parent.glob("*header*")):
        base = re.sub(r"[-_.]?header$", "", file.name.split(".")[0], flags=re.IGNORECASE)
        rest = path.name.removeprefix(base)
        if file == path or not path.name.startswith(base) or not re.match(r"[-_.]?(part)?[-_]?\d*\.", rest):
            continue
        with reading(str(file)), open_bytes(file) as stream:
            line = stream.readline(1 << 20).decode(errors="replace").removeprefix("\ufeff")
        if header := parse_header(line):
            return header
    return None


@dataclass(frozen=True, slots=True)
class CsvGraph(FileSource):
    """A CSV file of nodes, of relationships, or of triples.

    :ivar options: none of them applies
    """

    options: ReadOptions = field(default_factory=ReadOptions)

    def records(self) -> Iterator[Record]:
        """The records of each row, or a reject.

        :raises LoadError: it can't be read, or has no header
        """
        with reading(self.describe), open_bytes(self.path) as stream:
            lines = enumerate(iter(partial(rest_of_line, stream, self.describe), b""), start=1)
            first = next(lines, (1, b""))[1].decode(errors="replace").removeprefix("\ufeff")
            header = parse_header(first)
            if header is None:
                header = header_beside(self.path.absolute())
                if header is None:
                    raise LoadError(plain_table(self.describe, first))
                stream.seek(0)
                lines = enumerate(iter(partial(rest_of_line, stream, self.describe), b""), start=1)
            rows = Rows(header, self.path.name.split(".")[0])
            for number, cells in _rows(lines, header):
                yield from [cells] if isinstance(cells, Reject) else rows.records(number, cells)


def plain_table(describe: str, first_line: str) -> str:
    """The sentence about a table whose header does not say what is an entity and what a relation."""
    shown = first_line.strip()
    shown = shown if len(shown) <= 80 else shown[:79] + "…"
    return (
        f"{describe} does not say what is an entity and what a relation ({shown!r}); head its columns as neo4j-admin "
        "does, orderId:ID(Order),:LABEL,freight:float for entities and :START_ID(Order),:END_ID(Product),:TYPE for "
        "facts, or head,relation,tail"
    )


def _rows(lines: Iterator[tuple[int, bytes]], header: Header) -> Iterator[tuple[int, list[Cell] | Reject]]:
    """The rows of a table; of a row that is wrong, one line is rejected and the next read as a row."""
    if csv.field_size_limit() < sys.maxsize:
        csv.field_size_limit(sys.maxsize)
    width = len(header.columns)
    waiting: list[tuple[int, bytes]] = []
    while True:
        number, line = waiting.pop(0) if waiting else next(lines, (0, b""))
        if not line:
            return
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line.strip():
            continue
        taken: list[tuple[int, bytes]] = []
        whole = line
        while whole.count(b'"') % 2 and len(taken) < MAX_ROW_LINES:
            more = waiting.pop(0) if waiting else next(lines, (0, b""))
            if not more[1]:
                break
            taken.append(more)
            whole = b"".join((line, *(text for _, text in taken)))
        cells = _cells(number, whole, header.delimiter)
        flaw = cells.reason if isinstance(cells, Reject) else ""
        if whole.count(b'"') % 2:
            flaw = "a quote is not closed"
        elif not flaw and len(cells) > width:  # type: ignore[arg-type]
            flaw = f"{len(cells)} columns instead of {width}"  # type: ignore[arg-type]
        if flaw:
            waiting[:0] = taken  # the lines after it may be rows
            yield number, Reject(number, flaw, line.decode(errors="backslashreplace").rstrip("\r\n"))
        else:
            yield number, cells


def _cells(number: int, row: bytes, delimiter: str) -> list[Cell] | Reject:
    try:
        text = row.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        return Reject(number, not_utf8(error), "")
    if "\x00" in text:
        return Reject(number, "it holds a NUL character", "")
    try:
        found = list(csv.reader(text.splitlines(keepends=True), delimiter=delimiter, strict=True))
    except csv.Error as error:
        return Reject(number, f"its quotes are wrong: {error}", "")
    return found[0] if len(found) == 1 else Reject(number, "a carriage return outside quotes", "")


class Rows:
    """Makes records of rows.

    :param stem: the file's name, for what has no type and no id of its own
    """

    def __init__(self, header: Header, stem: str) -> None:
        self.header = header
        self.stem = stem

    def records(self, line: int, cells: list[Cell]) -> Iterator[Record]:
        """The records of a row, or a reject."""
        roles: dict[str, tuple[Column, str]] = {}
        labels: list[str] = []
        properties: dict[str, Scalar | list[Scalar]] = {}
        flaws: list[str] = []
        for column, cell in zip(self.header.columns, cells, strict=False):
            if not cell:
                continue
            if column.role == "LABEL":
                labels += [label for label in cell.split(column.divider) if label]
            elif column.role and column.role != "IGNORE":
                roles[column.role] = column, cell
            if column.name and column.role in ("", "ID") and (value := _value(column, cell, flaws)) is not None:
                properties[column.name] = value
        for flaw in flaws:  # what is wrong with a cell costs no other
            yield Reject(line, flaw, self.header.delimiter.join(cells))
        if self.header.kind == "nodes" or (self.header.kind == "both" and not {"START_ID", "END_ID"} & roles.keys()):
            entity_id = _id(*roles["ID"]) if "ID" in roles else f"{self.stem}:{line}"
            yield from node_records(line, entity_id, tuple(labels), properties)
            return
        missing = [role for role in ("START_ID", "END_ID") if role not in roles]
        typed = any(column.role == "TYPE" for column in self.header.columns)
        if typed and "TYPE" not in roles:
            missing.append("TYPE")
        if missing:
            names = {"START_ID": "head", "END_ID": "tail", "TYPE": "relation"}
            yield Reject(line, f"the {' and the '.join(names[role] for role in missing)} is empty", ",".join(cells))
            return
        relation = roles["TYPE"][1] if typed else self.stem
        head, tail = _id(*roles["START_ID"]), _id(*roles["END_ID"])
        yield from fact_records(line, head, relation, tail, properties)


def _id(column: Column, cell: str) -> str:
    return f"{column.space}:{cell}" if column.space else cell


def _value(column: Column, cell: str, flaws: list[str]) -> Scalar | list[Scalar] | None:
    """The typed value of a cell; nothing where it is of another type.

    :param flaws: gets what is wrong with it
    """
    found: list[Scalar] = []
    for item in cell.split(column.divider) if column.array else [cell]:
        try:
            found.append(_scalar(column, item))
        except ValueError as error:
            flaws.append(f"{column.name}: {error}")
    return found if column.array and found else found[0] if found else None


def _scalar(column: Column, text: str) -> Scalar:
    """The typed value of a text.

    :raises ValueError: it is of another type
    """
    type_ = column.type.lower()
    if type_ == "point":
        return _point(text, column.option("crs").lower())
    if type_ not in _DATATYPES:
        return text
    if type_ == "boolean":
        return text.strip().lower() == "true"  # as neo4j-admin has it
    if type_ == "datetime" and (zone := column.option("timezone")):
        try:
            return moment(text, zone)
        except ValueError:
            raise ValueError(f"{text!r} is no datetime in {zone}") from None
    value = parse_value(text, _DATATYPES[type_])
    if type_ == "localdatetime" and isinstance(value, datetime):
        return value.replace(tzinfo=None)
    return value if not isinstance(value, date) or value.year else text


def _point(text: str, crs: str) -> Scalar:
    """A place; points that are no places on Earth, or have a height, stay texts.

    :param crs: the coordinate system of a point that names none
    :raises ValueError: it is no point
    """
    parts = dict(re.findall(r"(\w+)\s*:\s*'?\"?([\w.+-]+)", text))
    longitude, latitude = parts.get("longitude", parts.get("x")), parts.get("latitude", parts.get("y"))
    if longitude is None or latitude is None:
        raise ValueError(f"{text!r} is no point")
    crs = parts.get("crs", crs).lower()
    if "cartesian" in crs or ("x" in parts and not crs) or "height" in parts or "z" in parts:
        return text
    try:
        return Point(float(longitude), float(latitude))
    except ValueError:
        raise ValueError(f"{text!r} is no point") from None


FORMATS = (Format("csv", "id:ID,name,:LABEL or :START_ID,:END_ID,:TYPE or head,relation,tail", fits, CsvGraph),)
