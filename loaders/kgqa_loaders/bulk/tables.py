"""Rows from the files of many processes, put together on disk by duckdb: distinct, numbered, one cell per property.

Memory is bounded: what does not fit goes to files beside the database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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

MEMORY_MIB = (160, 640, 2_560)
"""What duckdb may hold, and what then if that does not do, as for an entity with a million values; the process as a
whole takes some 200 MiB more."""
CHUNK = 1 << 19
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
        return self

    def __exit__(self, *_: object) -> None:
        self.sql.close()

    def fill(self) -> None:
        """Read the files; see that no hash stands for two entities.

        Ids that share their hash differ in duckdb's hash of them: that both are equal, in a way that nobody can choose
        as the first is seeded, is one chance in 10^38 for a pair.

        :raises ClashError: one does, or a text holds a separator
        """
        if any(summary.clashes for summary in self.summaries):
            raise ClashError
        self.relations = sorted({name for summary in self.summaries for name in summary.relations})
        self.sql.execute("CREATE TABLE relation (relation INTEGER, name VARCHAR)")
        self.insert("relation", relation=np.arange(len(self.relations), dtype=np.int32), name=self.relations)
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
            SELECT (row_number() OVER () - 1)::BIGINT AS id, hash, text, clash
            FROM (
                SELECT hash, any_value(text) AS text, min(hash(text)) <> max(hash(text)) AS clash
                FROM {self.files("entities", {"hash": "BIGINT", "text": "VARCHAR"})} GROUP BY hash
            )""")
        count, clashes = self.row("SELECT count(*), count(*) FILTER (clash) FROM entity")
        if clashes:
            raise ClashError
        self.counts["entities"] = count

    def _read_facts(self) -> None:
        self.sql.execute("CREATE TABLE said (head BIGINT, relation INTEGER, tail BIGINT)")
        for summary in self.summaries:
            numbers = self._numbers(summary.relations)
            for facts in chunks(summary.folder / "facts.bin", FACT_TYPE):
                relation = numbers[facts["relation"]]
                self.insert("said", head=facts["head"].copy(), relation=relation, tail=facts["tail"].copy())
        self.sql.execute("""
            CREATE TABLE fact AS
            SELECT head.id AS head, relation, tail.id AS tail
            FROM (SELECT DISTINCT head, relation, tail FROM said) AS said
            JOIN entity AS head ON head.hash = said.head JOIN entity AS tail ON tail.hash = said.tail""")
        self.sql.execute("DROP TABLE said")
        self.counts["facts"] = self.row("SELECT count(*) FROM fact")[0]

    def _read_statements(self) -> None:
        columns = {
            "head": "BIGINT", "relation": "INTEGER", "tail": "BIGINT", "identity": "VARCHAR", "packed": "VARCHAR",
            "shape": "INTEGER", "cells": "VARCHAR",
        }  # fmt: skip
        shapes = Numbers()
        self.sql.execute(
            "CREATE TABLE told (head BIGINT, relation INTEGER, tail BIGINT, identity VARCHAR, packed VARCHAR, "
            "shape INTEGER, cells VARCHAR)"
        )
        for summary in self.summaries:
            self._map("relation_of", self._numbers(summary.relations))
            self._map("shape_of", np.array([shapes.of(shape) for shape in summary.shapes], dtype=np.int32))
            self.sql.execute(f"""
                INSERT INTO told
                SELECT head, r.new, tail, identity, packed, s.new, cells
                FROM {self.files("statements", columns, summary)} AS row
                JOIN relation_of AS r ON r.old = row.relation JOIN shape_of AS s ON s.old = row.shape""")
        self.shapes = list(shapes.index)
        self.sql.execute("""
            CREATE TABLE statement AS
            SELECT head.id AS head, relation, tail.id AS tail, identity, best.shape AS shape, best.cells AS cells
            FROM (
                SELECT head, relation, tail, identity, arg_max({'shape': shape, 'cells': cells}, packed) AS best
                FROM told GROUP BY head, relation, tail, identity
            ) AS told
            JOIN entity AS head ON head.hash = told.head JOIN entity AS tail ON tail.hash = told.tail""")
        self.sql.execute("DROP TABLE told")
        self.counts["statements"] = self.row("SELECT count(*) FROM statement")[0]

    def _numbers(self, names: Sequence[str]) -> Any:
        """The numbers of relations that a process numbered for itself."""
        return np.searchsorted(np.array(self.relations, dtype=object), np.array(names, dtype=object)).astype(np.int32)

    def _map(self, table: str, new: Any) -> None:
        self.sql.execute(f"CREATE OR REPLACE TEMP TABLE {table} (old INTEGER, new INTEGER)")
        self.insert(table, old=np.arange(len(new), dtype=np.int32), new=new)

    # ── names, labels, values ────────────────────────────────────────────────────────────────────────────────────────

    def read_values(self) -> dict[str, Datatype]:
        """Read the values of properties; the datatype of each relation that has some."""
        columns = {"hash": "BIGINT", "relation": "INTEGER", "datatype": "VARCHAR", "text": "VARCHAR"}
        self.sql.execute("CREATE TABLE given (hash BIGINT, relation INTEGER, datatype VARCHAR, text VARCHAR)")
        for summary in self.summaries:
            self._map("relation_of", self._numbers(summary.relations))
            self.sql.execute(f"""
                INSERT INTO given SELECT hash, r.new, datatype, text
                FROM {self.files("values", columns, summary)} AS row JOIN relation_of AS r ON r.old = row.relation
                """)
        self.sql.execute("""
            CREATE TABLE value AS
            SELECT id, relation, min(datatype) AS least, max(datatype) AS most, list(text) AS texts,
                   list(datatype) AS datatypes
            FROM (SELECT DISTINCT hash, relation, datatype, text FROM given)
            JOIN (SELECT hash, id FROM entity) USING (hash)
            GROUP BY id, relation""")
        self.sql.execute("DROP TABLE given")
        self.counts["packed"] = self.row("SELECT coalesce(sum(len(texts)), 0)::BIGINT FROM value")[0]
        rows: list[tuple[int, list[Datatype]]] = self.sql.execute(
            "SELECT relation, list(DISTINCT datatype) "
            "FROM (SELECT relation, unnest(datatypes) AS datatype FROM value) GROUP BY relation"
        ).fetchall()
        return {self.relations[relation]: common_datatype(types) for relation, types in rows}

    def edges(self) -> list[str]:
        """The relations that lead to entities."""
        rows = self.sql.execute("SELECT DISTINCT relation FROM fact UNION SELECT DISTINCT relation FROM statement")
        return sorted(self.relations[relation] for (relation,) in rows.fetchall())

    def qualifiers(self) -> list[tuple[str, str]]:
        """Relations and the keys of properties that their statements have."""
        rows = self.sql.execute("SELECT DISTINCT relation, shape FROM statement").fetchall()
        return sorted({(self.relations[r], column.key) for r, shape in rows for column in self.shapes[shape]})

    # ── asking ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def row(self, text: str) -> tuple[Any, ...]:
        """The one row of a query."""
        rows: list[tuple[Any, ...]] = self.sql.execute(text).fetchall()
        return rows[0]

    def stream(self, text: str) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a query, some thousand at a time."""
        cursor = self.sql.cursor()
        cursor.execute(text)
        while rows := cursor.fetchmany(20_000):
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
