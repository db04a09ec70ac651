"""The nodes of a graph: from names, labels and values on disk to one line of CSV per entity.

Each property of an entity becomes a cell; :mod:`kgqa_loaders.bulk.plan` says which go to the same file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from kgqa_loaders.bulk.cells import Column, cell
from kgqa_loaders.bulk.plan import LABELS, Plan, planned
from kgqa_loaders.bulk.shards import ALIAS_RANK, LABEL_TYPE
from kgqa_loaders.bulk.tables import Tables, chunks, sql_text
from kgqa_loaders.normal import Packed, united

ALIASES = Column("aliases", "string", True)
DESCRIPTION = Column("description", "string")
OWN_FILES = 100
"""Sets of columns that have a file of their own: those with the most entities."""
_BY_TEXT = "('string', 'boolean', 'date')"
"""Datatypes whose values are in the order of their texts."""
_BARE = "('integer', 'float', 'boolean', 'date')"
"""Datatypes whose texts are written as they are, without quotes."""


def quote(expression: str) -> str:
    """SQL for a text in quotes."""
    return f"'\"' || replace({expression}, '\"', '\"\"') || '\"'"


@dataclass(slots=True)
class Nodes:
    """The nodes of one load.

    :ivar keys: relation → property key of its values
    """

    tables: Tables
    keys: Mapping[str, str]
    labels: list[str] = field(init=False)
    literals: int = 0

    def gather(self) -> None:
        """Make the cells of all entities."""
        run = self.tables.sql.execute
        run("CREATE TABLE cell (id BIGINT, col INTEGER, cell VARCHAR)")
        self._labels()
        self._names()
        self._descriptions()
        self._values()

    def _number(self, column: Column) -> int:
        return self.tables.columns.of(column)

    def _labels(self) -> None:
        tables = self.tables
        self.labels = sorted({label for summary in tables.summaries for label in summary.labels})
        place = {label: number for number, label in enumerate(self.labels)}
        tables.sql.execute("CREATE TABLE class (number INTEGER, label VARCHAR)")
        tables.insert("class", number=np.arange(len(self.labels), dtype=np.int32), label=self.labels)
        tables.sql.execute("CREATE TABLE is_a (hash BIGINT, number INTEGER)")
        for summary in tables.summaries:
            numbers = np.array([place[label] for label in summary.labels], dtype=np.int32)
            for pairs in chunks(summary.folder / "labels.bin", LABEL_TYPE):
                tables.insert("is_a", hash=pairs["entity"].copy(), number=numbers[pairs["label"]])
        joined = f"array_to_string(list_sort(list(DISTINCT label)), {sql_text(tables.separators.item)})"
        tables.sql.execute(f"""
            INSERT INTO cell SELECT id, {self._number(LABELS)}, {quote(joined)}
            FROM is_a JOIN class USING (number) JOIN entity USING (hash) GROUP BY id""")
        tables.sql.execute("DROP TABLE is_a")

    def _names(self) -> None:
        """The least rank, then text, wins; what loses is an alias. An entity without a name is called by its id."""
        tables = self.tables
        words = tables.files("words", {"hash": "BIGINT", "rank": "VARCHAR", "text": "VARCHAR"})
        tables.sql.execute(
            f"CREATE TABLE word AS SELECT id, rank, text FROM {words} JOIN (SELECT hash, id FROM entity) USING (hash)"
        )
        tables.sql.execute(f"""
            CREATE TABLE name AS
            SELECT id, min({{'rank': rank, 'text': text}}) FILTER (rank <> '{ALIAS_RANK}') AS best, count(*) AS words
            FROM word GROUP BY id""")
        joined = f"array_to_string(list_sort(list(DISTINCT word.text)), {sql_text(tables.separators.item)})"
        tables.sql.execute(f"""
            INSERT INTO cell SELECT id, {self._number(ALIASES)}, {quote(joined)}
            FROM word JOIN name USING (id) JOIN entity USING (id)
            WHERE (words > 1 OR best IS NULL) AND word.text <> coalesce(best.text, entity.text)
            GROUP BY id""")
        tables.sql.execute("DROP TABLE word")

    def _descriptions(self) -> None:
        tables = self.tables
        rows = tables.files("descriptions", {"hash": "BIGINT", "rank": "VARCHAR", "text": "VARCHAR"})
        tables.sql.execute(f"""
            INSERT INTO cell SELECT id, {self._number(DESCRIPTION)}, {quote("min({'rank': rank, 'text': text}).text")}
            FROM {rows} JOIN (SELECT hash, id FROM entity) USING (hash) GROUP BY id""")

    def _values(self) -> None:
        """Cells of properties: a value as it is, several as a sorted list; :func:`united` where SQL sorts otherwise."""
        tables = self.tables
        item = sql_text(tables.separators.item)
        alike = f"least = most AND (least IN {_BY_TEXT} OR least = 'integer')"
        tables.sql.execute(f"""
            CREATE TEMP VIEW simple AS
            SELECT id, relation, 1 AS values, text,
                   CASE WHEN least = 'datetime' AND NOT regexp_matches(text, '(Z|[+-][0-9:.]+)$') THEN 'local'
                        ELSE least END AS datatype
            FROM value WHERE values = 1
            UNION ALL
            SELECT id, relation, len(texts),
                   array_to_string(CASE WHEN least = 'integer' THEN list_sort(texts::BIGINT[])::VARCHAR[]
                                        ELSE list_sort(texts) END, {item}),
                   least
            FROM several WHERE {alike}""")
        tables.sql.execute("CREATE TABLE of_value (relation INTEGER, datatype VARCHAR, many BOOLEAN, col INTEGER)")
        kinds = tables.sql.execute("SELECT DISTINCT relation, datatype, values > 1 FROM simple").fetchall()
        columns = [self._number(Column(self.keys[tables.relations[r]], type_, many)) for r, type_, many in kinds]
        if kinds:
            tables.sql.executemany(
                "INSERT INTO of_value VALUES (?, ?, ?, ?)",
                [(*kind, column) for kind, column in zip(kinds, columns, strict=True)],
            )
        latitude = "split_part(text, ' ', 2)"
        tables.sql.execute(f"""
            INSERT INTO cell
            SELECT id, col,
                   CASE WHEN values > 1 THEN {quote("text")}
                        WHEN datatype IN {_BARE} THEN text
                        WHEN datatype = 'point'
                        THEN '"{{longitude:' || split_part(text, ' ', 1) || ', latitude:' || {latitude} || '}}"'
                        ELSE {quote("text")} END
            FROM simple JOIN of_value USING (relation, datatype) WHERE many = (values > 1)""")
        self.literals = tables.row("SELECT coalesce(sum(values), 0)::BIGINT FROM simple")[0]
        mixed = f"SELECT id, relation, datatypes, texts FROM several WHERE NOT ({alike})"
        for rows in tables.stream(mixed):
            ids, numbers, found = [], [], []
            for id_, relation, datatypes, texts in rows:
                value = united(map(Packed, datatypes, texts))
                column, text = cell(self.keys[tables.relations[relation]], value, tables.separators)
                ids.append(id_)
                numbers.append(self._number(column))
                found.append(text)
                self.literals += len(value) if isinstance(value, list) else 1
            tables.insert("cell", id=np.array(ids, dtype=np.int64), col=np.array(numbers, dtype=np.int32), cell=found)

    # ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def some_names(self, count: int) -> list[str]:
        """Names of some entities."""
        rows = self.tables.sql.execute(
            f"SELECT coalesce(best.text, text) FROM (FROM entity LIMIT {count}) LEFT JOIN name USING (id)"
        )
        return [name for (name,) in rows.fetchall()]

    def write(self, folder: Path) -> Plan:
        """Write the files."""
        tables = self.tables
        separator = sql_text(tables.separators.cell)
        tables.sql.execute(f"""
            CREATE TABLE line AS
            SELECT id, array_to_string(list_transform(cells, lambda c: c.col), ' ') AS shape,
                   array_to_string(list_transform(cells, lambda c: c.cell), {separator}) AS cells
            FROM (SELECT id, list_sort(list({{'col': col, 'cell': cell}})) AS cells FROM cell GROUP BY id)
            """)
        tables.sql.execute("DROP TABLE cell")
        shapes = tables.sql.execute("SELECT shape FROM line GROUP BY shape ORDER BY count(*) DESC, shape").fetchall()
        known = list(tables.columns.index)
        of = {text: tuple(known[int(number)] for number in text.split()) for (text,) in shapes}
        plan = planned([of[text] for (text,) in shapes], OWN_FILES, ":ID,entity_id,name")
        tables.sql.execute("""
            CREATE TABLE named AS
            SELECT id, text, coalesce(best.text, text) AS called FROM entity LEFT JOIN name USING (id)""")
        lines = f"""
            SELECT coalesce(shape, ''), id || ',' || {quote("text")} || ',' || {quote("called")}, coalesce(cells, '')
            FROM named LEFT JOIN line USING (id)"""  # a join of its own: two would be in memory together
        plan.write(folder, "nodes", tables.stream(lines), of, tables.separators.cell)
        return plan
