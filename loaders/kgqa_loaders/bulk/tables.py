"""Rows from the files of many processes, put together on disk by duckdb: distinct, numbered, one cell per property.

Memory is bounded: what does not fit goes to files next to the database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgqa_graphdb.errors import MissingExtraError
from kgqa_loaders.bulk.cells import Column, Separators
from kgqa_loaders.bulk.shards import FACT_TYPE, Numbers, Summary
from kgqa_loaders.normal import common_datatype
from kgqa_loaders.relations import Datatype

if TYPE_CHECKING:
    import duckdb

MEMORY_MIB = (96, 640, 2_560)
"""What duckdb may hold, and what then if that does not do, as for an entity with a million values; the process as a
whole takes some 200 MiB more."""
CHUNK = 1 << 17
"""Records of a binary file that are read at once."""
_ROWS = 4_096
"""Rows that become texts of Python at once."""
_MIB = 1 << 20


class ClashError(Exception):
    """Two entities have the same hash, or a text holds a separator: to be done again with others."""


@dataclass(slots=True)
class Tables:
    """The database of one load.

    :ivar memory_mib: what the database may hold in memory
    :ivar relations: of facts and values, by number, in the order of their ids
    :ivar columns: of nodes, by number
    :ivar counts: ``entities``, ``facts``, ``statements``, ``values`` (stored), ``packed`` (distinct in the source)
    """

    folder: Path
    summaries: Sequence[Summary]
    separators: Separators
    threads: int
    memory_mib: int
    relations: list[str] = field(init=False)
    shapes: list[tuple[Column, ...]] = field(init=False)
    columns: Numbers = field(default_factory=Numbers)
    counts: dict[str, int] = field(default_factory=dict)
    sql: duckdb.DuckDBPyConnection = field(init=False)

    def __enter__(self) -> Tables:
        try:
            import duckdb
        except ImportError as error:
            raise MissingExtraError("duckdb", "bulk") from error
        settings: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{self.memory_mib}MiB", "temp_directory": str(self.folder / "spill"),
            "threads": self.threads, "preserve_insertion_order": False, "autoinstall_known_extensions": False,
        }  # fmt: skip
        self.sql = duckdb.connect(str(self.folder / "rows.db"), config=settings)
        self.sql.execute("PRAGMA disable_checkpoint_on_shutdown")  # it is thrown away
        return self

    def __exit__(self, *_: object) -> None:
        self.sql.close()

    def fill(self) -> None:
        """Read the files; see that no hash stands for two entities.

        :raises ClashError: one does, or a text holds a separator
        """
        if any(summary.clashes for summary in self.summaries):
            raise ClashError
        self.relations = sorted({name for summary in self.summaries for name in summary.relations})
        self.sql.execute("CREATE TABLE relation (relation INTEGER, name VARCHAR)")
        self.insert("relation", relation=np.arange(len(self.relations), dtype=np.int32), name=self.relations)
        self._map("relation_of", [self._numbers(summary.relations) for summary in self.summaries])
        self._read_entities()
        self._read_facts()
        self._read_statements()

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def files(self, name: str, columns: Mapping[str, str], only: Summary | None = None) -> str:
        """SQL that reads the text files of a name."""
        paths = [str(summary.folder / f"{name}.csv") for summary in ([only] if only else self.summaries)]
        longest = max(summary.longest for summary in self.summaries)
        line = max(2 * _MIB, longest)
        types = ", ".join(f"{sql_text(column)}: {sql_text(type_)}" for column, type_ in columns.items())
        return (
            f"read_csv({sql_list(paths)}, columns={{{types}}}, "
            "auto_detect=false, header=false, delim=',', quote='\"', escape='\"', parallel=false, strict_mode=true, "
            f"nullstr={sql_text(self.separators.cell * 3)}, new_line='\\n', "
            f"max_line_size={line}, buffer_size={2 * line})"
        )

    def insert(self, table: str, **columns: Any) -> None:
        values = {
            name: np.asarray(column, dtype=object if isinstance(column, list) else None)
            for name, column in columns.items()
        }
        if len(next(iter(values.values()))):
            self.sql.register("incoming", values)
            self.sql.execute(f"INSERT INTO {table} SELECT {', '.join(columns)} FROM incoming")
            self.sql.unregister("incoming")

    def _read_entities(self) -> None:
        self.sql.execute(f"""
            CREATE TABLE entity AS
            SELECT (row_number() OVER () - 1)::BIGINT AS id, hash, text
            FROM (SELECT DISTINCT hash, text FROM {self.files("entities", {"hash": "BIGINT", "text": "VARCHAR"})})""")
        count, hashes = self.row(
            "SELECT count(*), (SELECT count(*) FROM (SELECT DISTINCT hash FROM entity)) FROM entity"
        )
        if hashes < count:
            raise ClashError
        self.counts["entities"] = count

    def _read_facts(self) -> None:
        self.sql.execute("CREATE TABLE raw_fact (head BIGINT, relation INTEGER, tail BIGINT)")
        for summary in self.summaries:
            numbers = self._numbers(summary.relations)
            for facts in chunks(summary.folder / "facts.bin", FACT_TYPE):
                relation = numbers[facts["relation"]]
                self.insert("raw_fact", head=facts["head"].copy(), relation=relation, tail=facts["tail"].copy())
        # One after the other: together they hold several hash tables, of which each can go to disk, but not all.
        for made, query, done in (
            ("distinct_fact", "SELECT DISTINCT head, relation, tail FROM raw_fact", "raw_fact"),
            (
                "headed",
                "SELECT id AS head, relation, tail FROM distinct_fact JOIN entity ON hash = head",
                "distinct_fact",
            ),
            ("fact", "SELECT head, relation, id AS tail FROM headed JOIN entity ON hash = tail", "headed"),
        ):
            self.sql.execute(f"CREATE TABLE {made} AS {query}")
            self.sql.execute(f"DROP TABLE {done}")
        self.counts["facts"] = self.row("SELECT count(*) FROM fact")[0]

    def _read_statements(self) -> None:
        """The qualifiers that come last among those of a statement stay; they are numbered in their order."""
        run = self.sql.execute
        run("CREATE TABLE written (number BIGINT, shape INTEGER, packed VARCHAR, cells VARCHAR)")
        run("CREATE TABLE raw_statement (head BIGINT, relation INTEGER, tail BIGINT, identity VARCHAR, number BIGINT)")
        forms = {"number": "BIGINT", "shape": "INTEGER", "packed": "VARCHAR", "cells": "VARCHAR"}
        columns = {
            "head": "BIGINT", "relation": "INTEGER", "tail": "BIGINT", "identity": "VARCHAR", "number": "BIGINT",
        }  # fmt: skip
        shapes = Numbers()
        self._map("shape_of", [[shapes.of(shape) for shape in summary.shapes] for summary in self.summaries])
        self.shapes = list(shapes.index)
        before = 0
        for place, summary in enumerate(self.summaries):  # one after the other: together they hold twice the memory
            run(f"""
                INSERT INTO written
                SELECT number + {before}, s.new, packed, cells FROM {self.files("forms", forms, summary)} AS row
                JOIN shape_of AS s ON s.process = {place} AND s.old = row.shape""")
            run(f"""
                INSERT INTO raw_statement SELECT head, r.new, tail, identity, number + {before}
                FROM {self.files("statements", columns, summary)} AS row
                JOIN relation_of AS r ON r.process = {place} AND r.old = row.relation""")
            before += summary.forms
        run("CREATE TABLE form_of AS SELECT number, dense_rank() OVER (ORDER BY packed) AS form FROM written")
        run("""
            CREATE TABLE form AS SELECT form, any_value(shape) AS shape, any_value(cells) AS cells
            FROM written JOIN form_of USING (number) GROUP BY form""")
        run("""
            CREATE TABLE statement AS
            SELECT head.id AS head, relation, tail.id AS tail, identity, form
            FROM (
                SELECT head, relation, tail, identity, max(form) AS form
                FROM raw_statement JOIN form_of USING (number) GROUP BY head, relation, tail, identity
            ) AS raw
            JOIN entity AS head ON head.hash = raw.head JOIN entity AS tail ON tail.hash = raw.tail""")
        for table in ("raw_statement", "written", "form_of"):
            run(f"DROP TABLE {table}")
        self.counts["statements"] = self.row("SELECT count(*) FROM statement")[0]

    def _numbers(self, names: Sequence[str]) -> Any:
        """The numbers of relations that a process numbered for itself."""
        return np.searchsorted(np.array(self.relations, dtype=object), np.array(names, dtype=object)).astype(np.int32)

    def _map(self, table: str, numbers: Sequence[Any]) -> None:
        """Make a table of the numbers that stand for those of each process."""
        self.sql.execute(f"CREATE OR REPLACE TEMP TABLE {table} (process INTEGER, old INTEGER, new INTEGER)")
        for place, new in enumerate(numbers):
            some = np.asarray(new, dtype=np.int32)
            old = np.arange(len(some), dtype=np.int32)
            self.insert(table, process=np.full(len(some), place, dtype=np.int32), old=old, new=some)

    # ── names, labels, values ────────────────────────────────────────────────────────────────────────────────────────

    def read_values(self) -> dict[str, Datatype]:
        """Read the values of properties; the datatype of each relation that has some."""
        columns = {"hash": "BIGINT", "relation": "INTEGER", "datatype": "VARCHAR", "text": "VARCHAR"}
        self.sql.execute("CREATE TABLE given (hash BIGINT, relation INTEGER, datatype VARCHAR, text VARCHAR)")
        for place, summary in enumerate(self.summaries):  # one after the other: together they hold twice the memory
            self.sql.execute(f"""
                INSERT INTO given
                SELECT hash, r.new, datatype, text FROM {self.files("values", columns, summary)} AS row
                JOIN relation_of AS r ON r.process = {place} AND r.old = row.relation""")
        self.sql.execute("""
            CREATE TABLE packed AS
            SELECT id, relation, datatype, text FROM (SELECT DISTINCT hash, relation, datatype, text FROM given)
            JOIN (SELECT hash, id FROM entity) USING (hash)""")
        self.sql.execute("DROP TABLE given")
        self.sql.execute("""
            CREATE TABLE value AS
            SELECT id, relation, min(datatype) AS least, max(datatype) AS most, min(text) AS text, count(*) AS values
            FROM packed GROUP BY id, relation""")
        self.sql.execute("""
            CREATE TABLE several AS
            SELECT id, relation, least, most, list(packed.text) AS texts, list(datatype) AS datatypes
            FROM packed JOIN value USING (id, relation) WHERE values > 1 GROUP BY id, relation, least, most""")
        self.counts["packed"] = self.row("SELECT count(*) FROM packed")[0]
        rows: list[tuple[int, list[Datatype]]] = self.sql.execute(
            "SELECT relation, list(DISTINCT datatype) FROM packed GROUP BY relation"
        ).fetchall()
        self.sql.execute("DROP TABLE packed")
        return {self.relations[relation]: common_datatype(types) for relation, types in rows}

    def edges(self) -> list[str]:
        """The relations that lead to entities."""
        rows = self.sql.execute("SELECT DISTINCT relation FROM fact UNION SELECT DISTINCT relation FROM statement")
        return sorted(self.relations[relation] for (relation,) in rows.fetchall())

    def qualifiers(self) -> list[tuple[str, str]]:
        """Relations and the keys of properties that their statements have."""
        rows = self.sql.execute("SELECT DISTINCT relation, shape FROM statement JOIN form USING (form)").fetchall()
        return sorted({(self.relations[r], column.key) for r, shape in rows for column in self.shapes[shape]})

    # ── asking ───────────────────────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def lending(self) -> Iterator[None]:
        """Hold half as much meanwhile: to scan takes little, and the arrays of what is scanned need the room."""
        self.sql.execute(f"SET memory_limit = '{self.memory_mib // 2}MiB'")
        yield
        self.sql.execute(f"SET memory_limit = '{self.memory_mib}MiB'")

    def row(self, text: str) -> tuple[Any, ...]:
        """The one row of a query."""
        rows: list[tuple[Any, ...]] = self.sql.execute(text).fetchall()
        return rows[0]

    def stream(self, text: str) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a query, some thousand at a time."""
        cursor = self.sql.cursor()
        cursor.execute(text)
        while rows := cursor.fetchmany(_ROWS):
            yield rows
        cursor.close()


def chunks(path: Path, dtype: np.dtype[Any]) -> Iterator[Any]:
    """The records of a binary file, some at a time."""
    with path.open("rb") as file:
        while len(found := np.fromfile(file, dtype=dtype, count=CHUNK)):
            yield found


def sql_text(value: str) -> str:
    """A text in SQL."""
    return "'" + value.replace("'", "''") + "'"


def sql_list(values: Sequence[str]) -> str:
    return f"[{', '.join(map(sql_text, values))}]"
