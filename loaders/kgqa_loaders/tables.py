"""Tables: JSON lines and Parquet, of facts, of nodes, or as ``apoc.export.json`` writes them.

    {"head": "Phobos", "relation": "moon_of", "tail": "Mars", "since": 1877}
    {"id": "mars", "name": "Mars", "labels": ["Planet"], "diameter_km": 6779}
    {"type": "node", "id": "7", "labels": ["Planet"], "properties": {"name": "Mars"}}
    {"type": "relationship", "label": "MOON_OF", "start": {"id": "8"}, "end": {"id": "7"}, "properties": {}}

What else a fact has are its qualifiers; a tail that is a number or a truth value is a literal. A Parquet file has
columns of the same names; without them its first three are head, relation and tail.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Any

from kgqa_graphdb.errors import LoadError, MissingExtraError
from kgqa_graphdb.types import Scalar
from kgqa_loaders.csv_graph import TRIPLE_HEADINGS
from kgqa_loaders.files import BlockFile, FileSource
from kgqa_loaders.formats import Format, share, whole_lines
from kgqa_loaders.property_graph import fact_records, node_records, place_on_earth
from kgqa_loaders.records import Block, Literal, ReadOptions, Record, Reject
from kgqa_loaders.triples import decoded, undecoded

_IDS = ("id", "entity_id", "@id", "_id", "key")
_LABELS = ("labels", "label", "types", "type", "_labels")
ROWS_AT_ONCE = 10_000


def row_records(line: int, row: Mapping[str, Any]) -> Iterator[Record]:
    """The records of a row: a fact or a node; and a reject for each property that can't be stored.

    :raises ValueError: it is neither; says why
    """
    flaws: list[str] = []
    yield from _row_records(line, row, flaws)
    for flaw in flaws:
        yield Reject(line, flaw, "")


def _row_records(line: int, row: Mapping[str, Any], flaws: list[str]) -> Iterator[Record]:
    for head, relation, tail in TRIPLE_HEADINGS:
        if head in row and relation in row and tail in row:
            others = _properties({key: row[key] for key in row if key not in (head, relation, tail)}, flaws)
            yield from _fact(line, _text(head, row), _text(relation, row), row[tail], others)
            return
    if row.get("type") == "relationship" and isinstance(row.get("start"), dict) and isinstance(row.get("end"), dict):
        ends = [_text("id", row[end]) for end in ("start", "end")]
        yield from fact_records(
            line, ends[0], _text("label", row), ends[1], _properties(row.get("properties") or {}, flaws)
        )
        return
    if row.get("type") == "node" and "id" in row:
        labels = tuple(map(str, row.get("labels") or ()))
        yield from node_records(line, _text("id", row), labels, _properties(row.get("properties") or {}, flaws))
        return
    id_key = next((key for key in _IDS if key in row), "")
    if not id_key:
        raise ValueError("neither a fact (head, relation, tail) nor an entity (id, name, labels)")
    label_key = next((key for key in _LABELS if _is_labels(key, row.get(key))), "")
    given = row[label_key] if label_key else []
    properties = _properties({key: row[key] for key in row if key not in (id_key, label_key)}, flaws)
    yield from node_records(line, _text(id_key, row), (given,) if isinstance(given, str) else tuple(given), properties)


def _is_labels(key: str, value: object) -> bool:
    if key in ("label", "labels", "_labels", "types"):
        return isinstance(value, list) and all(isinstance(item, str) for item in value) if key != "label" else False
    return isinstance(value, str) and bool(value)


def _fact(line: int, head: str, relation: str, tail: Any, others: dict[str, Scalar | list[Scalar]]) -> Iterator[Record]:
    value = _scalar("tail", tail)
    if value is None or value == "":
        raise ValueError("the tail is empty")
    if isinstance(value, str):
        yield from fact_records(line, head, relation, value, others)
        return
    if others:
        raise ValueError("a fact whose tail is a value can't have qualifiers")
    yield Literal(line, head, relation, value)


def _text(key: str, row: Mapping[str, Any]) -> str:
    """An id or a name; numbers are ids too."""
    value = row.get(key)
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise ValueError(f"the {key} is {'empty' if value in (None, '') else 'no text'}")


def _properties(row: Mapping[str, Any], flaws: list[str]) -> dict[str, Scalar | list[Scalar]]:
    """What of a row's values can be stored.

    :param flaws: gets what is wrong with the others
    :raises ValueError: it is no row
    """
    if not isinstance(row, Mapping):
        raise ValueError("its properties are no object")
    found: dict[str, Scalar | list[Scalar]] = {}
    for key, value in row.items():
        items = []
        for item in value if isinstance(value, list) else [value]:
            try:
                scalar = _scalar(key, item)
            except (ValueError, TypeError, OverflowError) as error:
                flaws.append(str(error).split("\n")[0])
                continue
            if scalar is not None:
                items.append(scalar)
        if items:
            found[key] = items if isinstance(value, list) else items[0]
    return found


def _scalar(key: str, value: Any) -> Scalar | None:
    """A value that can be stored; nothing for null.

    :raises ValueError: it can't be stored
    """
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, float) and not math.isfinite(value):
        return None  # what a table has for a number that is missing
    if value is None or isinstance(value, str | int | float | date):
        return value
    if isinstance(value, Mapping) and {"longitude", "latitude"} <= value.keys():
        height = value.get("height")
        return place_on_earth(
            float(value["longitude"]), float(value["latitude"]), None if height is None else float(height)
        )
    if isinstance(value, list | Mapping):
        raise ValueError(f"{key} holds a {'list in a list' if isinstance(value, list) else 'nested object'}")
    return str(value)


# ── JSON lines ───────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class JsonLines(BlockFile):
    """A file with a JSON object a line; a list with an object a line, too.

    :ivar options: none of them applies
    """

    options: ReadOptions = field(default_factory=ReadOptions)

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of each line of a block, or a reject."""
        for number, line in enumerate(decoded(block.data), start=block.line):
            if isinstance(line, UnicodeDecodeError):
                yield undecoded(number, line)
                continue
            text = (line.removeprefix("\ufeff") if number == 1 else line).strip()
            if text in ("", "[", "]"):
                continue
            try:
                row = json.loads(_bare(text))
                if not isinstance(row, dict):
                    raise ValueError("no JSON object")
                records = list(row_records(number, row))
            except json.JSONDecodeError as error:
                yield Reject(number, f"no JSON: {error.msg} at character {error.colno}", text)
            except RecursionError:
                yield Reject(number, "no JSON: nested too deeply", text)
            except (ValueError, TypeError) as error:
                yield Reject(number, str(error).split("\n")[0], text)
            else:
                yield from _with_text(records, text)


def _with_text(records: list[Record], text: str) -> Iterator[Record]:
    """The records, rejects with the row that they are of."""
    for record in records:
        yield replace(record, text=text) if isinstance(record, Reject) else record


def _bare(text: str) -> str:
    """A line without the commas and brackets of the list that it may stand in."""
    if text.startswith("["):
        text = text[1:]
    if text.endswith("]") and not text.startswith("["):
        text = text[:-1]
    return text.strip().strip(",")


def fits_json(sample: bytes, name: str = "") -> float:
    """Share of the sample's lines that are objects of a kind that can be loaded."""
    return share([line for line in whole_lines(sample) if line.strip() not in (b"[", b"]")], _is_row)


def _is_row(line: bytes) -> bool:
    try:
        row = json.loads(_bare(line.decode().strip()))
        if not isinstance(row, dict) or "question" in row:
            return False
        records = list(row_records(1, row))
        return bool(records) and len(row) > 1 and not any(isinstance(record, Reject) for record in records)
    except (ValueError, TypeError, RecursionError):
        return False


# ── Parquet ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Parquet(FileSource):
    """A Parquet file of facts or nodes.

    :ivar options: none of them applies
    """

    options: ReadOptions = field(default_factory=ReadOptions)

    def records(self) -> Iterator[Record]:
        """The records of each row, or a reject; a row's line is its number.

        :raises LoadError: the file can't be read
        :raises MissingExtraError: duckdb is not installed
        """
        try:
            import duckdb
        except ModuleNotFoundError:
            raise MissingExtraError("duckdb", "bulk") from None
        try:
            with closing(duckdb.connect(config={"threads": 1, "preserve_insertion_order": True})) as connection:
                connection.execute("SET TimeZone = 'UTC'")
                result = connection.execute("SELECT * FROM read_parquet(?)", [str(self.path)])
                columns = [str(column[0]) for column in result.description or ()]
                names = self._names(columns)
                line = 0
                while rows := result.fetchmany(ROWS_AT_ONCE):
                    for line, row in enumerate(rows, start=line + 1):  # noqa: B020 - goes on from the last batch
                        yield from self._row(line, dict(zip(names, row, strict=True)))
        except duckdb.Error as error:
            raise LoadError(f"can't read {self.describe} as Parquet: {str(error).splitlines()[0]}") from error

    def _names(self, columns: list[str]) -> list[str]:
        """What the columns are taken for."""
        lower = [column.lower() for column in columns]
        for heading in TRIPLE_HEADINGS:
            if set(heading) <= set(lower):
                return [low if low in heading else column for low, column in zip(lower, columns, strict=True)]
        if set(_IDS) & set(columns):
            return columns
        if len(columns) < 3:
            raise LoadError(
                f"{self.describe} has the columns {', '.join(columns)}; facts need head, relation and tail, entities id"
            )
        return ["head", "relation", "tail", *columns[3:]]

    def _row(self, line: int, row: dict[str, Any]) -> Iterator[Record]:
        if isinstance(row.get("head"), int) and isinstance(row.get("tail"), int):
            row["tail"] = str(row["tail"])  # numbered entities
        try:
            records = list(row_records(line, row))
        except (ValueError, TypeError) as error:
            yield Reject(line, str(error), repr(row))
        else:
            yield from _with_text(records, repr(row))


def fits_parquet(sample: bytes, name: str = "") -> float:
    """Whether the sample begins as Parquet files do."""
    return 1.0 if sample.startswith(b"PAR1") else 0.0


FORMATS = (
    Format("parquet", "columns head, relation, tail or id, name, labels", fits_parquet, Parquet),
    Format(
        "jsonl", '{"head": …, "relation": …, "tail": …} or {"id": …, "name": …, "labels": […]}', fits_json, JsonLines
    ),
)
