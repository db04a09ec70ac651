"""From a source to the files that ``neo4j-admin database import`` reads: parse, put together, write."""

from __future__ import annotations

import csv
import errno
import heapq
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kgqa_graphdb.catalog import label_of
from kgqa_graphdb.errors import LoadError
from kgqa_loaders.bulk.cells import CHOICES, Column, Separators
from kgqa_loaders.bulk.meta_nodes import about, columns_of
from kgqa_loaders.bulk.nodes import Nodes, quote
from kgqa_loaders.bulk.plan import Plan, planned
from kgqa_loaders.bulk.pool import parse_all
from kgqa_loaders.bulk.shards import Summary
from kgqa_loaders.bulk.steps import followers
from kgqa_loaders.bulk.tables import MEMORY_MIB, ClashError, Tables, sql_text
from kgqa_loaders.meta import (
    Found,
    declared,
    merge_relation_specs,
    numbered,
    remarks,
    stores_facts,
    value_keys,
    value_relations,
)
from kgqa_loaders.normal import note_of
from kgqa_loaders.records import Reject, RelationNote, Source, parts_of
from kgqa_loaders.rejects import Rejects
from kgqa_loaders.relations import RelationSpec
from kgqa_loaders.server import Progress
from kgqa_loaders.write import MAX_RELATIONSHIP_TYPES

_NAMES = 2_000
"""Names sampled to choose the analyzer of the full-text index."""


@dataclass(frozen=True, slots=True)
class Meta:
    """What a graph's meta nodes store that its source does not have.

    :ivar relations: what a person declares of relations
    :ivar formats: of the source's files
    """

    graph: str
    relations: Mapping[str, RelationSpec] = field(default_factory=dict)
    licence: str = ""
    formats: Sequence[str] = ()
    language: str = ""


@dataclass(slots=True)
class Converted:
    """The files of a graph, and what is in them.

    :ivar nodes: labels → files
    :ivar relationships: files
    :ivar multiline: files that have texts of several lines
    :ivar longest: characters of the longest line
    :ivar counts: ``entities``, ``facts``, ``literals``, ``relations``, ``handled``
    :ivar names: some names of entities
    """

    folder: Path
    separators: Separators
    nodes: dict[str, list[Path]] = field(default_factory=dict)
    relationships: list[Path] = field(default_factory=list)
    multiline: list[Path] = field(default_factory=list)
    longest: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def arguments(self) -> list[str]:
        """What ``neo4j-admin database import full DATABASE`` needs as arguments."""
        found = ["--id-type=actual", f"--array-delimiter=U+{ord(self.separators.item):04X}"]
        if self.longest > 1 << 20:
            found.append(f"--read-buffer-size={4 * self.longest}")
        if self.multiline:
            files = ",".join(map(str, self.multiline))
            found += ["--multiline-fields-format=v2", f"--multiline-fields={files}"]
        found += [f"--nodes={labels}={path}" for labels, paths in self.nodes.items() for path in paths]
        return found + [f"--relationships={path}" for path in self.relationships]


def convert(
    source: Source,
    folder: Path,
    output: Path,
    meta: Meta,
    *,
    rejects: Rejects,
    workers: int,
    progress: Progress,
) -> Converted:
    """Write a source as CSV files.

    :param folder: for what is needed on the way; emptied at the end
    :param output: of the CSV files
    :raises LoadError: the source can't be read or holds no facts, the disk is full
    """
    specs = declared((), meta.relations, meta.graph)
    for separators in CHOICES:
        with full_disk(folder):
            try:
                summaries = parse_all(source, specs, folder / "rows", separators, workers=workers, progress=progress)
                return _put_together(source, summaries, folder, output, separators, meta, rejects, workers)
            except ClashError:
                continue
            finally:
                for path in folder.iterdir():
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
    raise LoadError(
        f"{source.describe} holds texts with each of the control characters that the bulk load needs to part values; "
        "load it without --bulk"
    )


def _put_together(
    source: Source,
    summaries: Sequence[Summary],
    folder: Path,
    output: Path,
    separators: Separators,
    meta: Meta,
    rejects: Rejects,
    workers: int,
) -> Converted:
    """Make the files from what the processes wrote, with little memory if that does.

    :raises ClashError: the separators occur in a text, or a hash stands for two entities
    :raises duckdb.OutOfMemoryException: much memory does not do either
    """
    import duckdb

    for memory in MEMORY_MIB:
        try:
            with Tables(folder, summaries, separators, workers, memory) as tables:
                tables.fill()
                if not rejects.count:
                    write_rejects(source, summaries, rejects)
                return _Job(tables, output, source, meta).write(rejects)
        except duckdb.OutOfMemoryException as error:
            if memory == MEMORY_MIB[-1] or _is_full(error):
                raise
        for path in (*output.iterdir(), *(folder / name for name in ("rows.db", "rows.db.wal", "spill", "steps"))):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    raise AssertionError("unreachable")


def _is_full(error: Exception) -> bool:
    """Whether it is for the disk that duckdb gave up."""
    return "No space left" in str(error) or "disk space" in str(error)


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """Say in one sentence that a disk is full.

    :raises LoadError: it is
    """
    import duckdb

    cure = "free some space, or set TMPDIR to a folder on another disk"
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise LoadError(f"the disk of {folder} is full; {cure}") from error
    except (duckdb.IOException, duckdb.OutOfMemoryException) as error:
        if not _is_full(error):
            raise LoadError(f"duckdb could not put the graph together: {error}; load it without --bulk") from error
        raise LoadError(f"the disk of {folder} is full; {cure}") from error


@dataclass(slots=True)
class _Job:
    """One conversion whose rows are parsed."""

    tables: Tables
    output: Path
    source: Source
    meta: Meta
    made: Converted = field(init=False)

    def write(self, rejects: Rejects) -> Converted:
        tables = self.tables
        self.made = Converted(self.output, tables.separators)
        if not tables.counts["entities"]:
            raise LoadError(f"{self.source.describe} holds no facts that can be loaded ({rejects.count:,} rejected)")
        types = tables.read_values()
        edges = tables.edges()
        if len(edges) > MAX_RELATIONSHIP_TYPES:
            raise LoadError(
                f"{self.source.describe} brings {len(edges):,} relations; {MAX_RELATIONSHIP_TYPES:,} relationship "
                "types are the most that a database should hold. Load a part of it"
            )
        specs = merge_relation_specs((), self.meta.relations, Found(edges, types, tables.qualifiers(), self._notes()))
        self.made.notes = remarks(specs, self.meta.relations, self._notes())
        rows = numbered(self.meta.graph, specs, {})
        own = value_relations(specs)
        self._relationships()
        numbers = {name: rows[name]["number"] for name in edges}
        values = {name: rows[own[name]]["number"] for name in types}
        with tables.lending():
            steps = followers(tables, tables.folder / "steps", numbers, values)
        nodes = Nodes(tables, value_keys(specs))
        nodes.gather()
        label = label_of(self.meta.graph)
        self.made.names = nodes.some_names(_NAMES)
        self._add_nodes(f"Entity:{label}", nodes.write(self.output))
        self._count(nodes, sum(map(stores_facts, specs.values())))
        counts = self.made.counts
        meta = self.meta
        graph = about(
            meta.graph,
            self.source.describe,
            meta.licence,
            counts | {"statements": tables.counts["statements"]},
            nodes.labels,
            meta.formats,
            steps,
            numbers.values(),
        )
        first = counts["entities"]
        self._meta_nodes("_KGQA_Graph", [graph | {"language": meta.language}], first)
        self._meta_nodes("_KGQA_Relation", list(rows.values()), first + 1)
        return self.made

    def _notes(self) -> dict[str, list[RelationNote]]:
        notes: dict[str, list[RelationNote]] = {}
        for relation, text in sorted({note for summary in self.tables.summaries for note in summary.notes}):
            notes.setdefault(relation, []).append(note_of(text))
        return notes

    def _count(self, nodes: Nodes, relations: int) -> None:
        counts = self.tables.counts
        self.made.counts = {
            "entities": counts["entities"], "facts": counts["facts"] + counts["statements"], "literals": nodes.literals,
            "relations": relations, "handled": counts["facts"] + counts["statements"] + counts["packed"],
        }  # fmt: skip

    def _add_nodes(self, labels: str, plan: Plan) -> None:
        self.made.nodes[labels] = sorted(plan.paths)
        self._note_lines(plan)

    def _note_lines(self, plan: Plan) -> None:
        self.made.multiline += sorted(plan.multiline)
        self.made.longest = max(self.made.longest, plan.longest)

    def _relationships(self) -> None:
        tables = self.tables
        path = self.output / "relationships.csv"
        tables.sql.execute(f"""
            COPY (
                SELECT head AS ":START_ID", tail AS ":END_ID", name AS ":TYPE" FROM fact JOIN relation USING (relation)
            ) TO {sql_text(str(path))} (FORMAT csv, HEADER true)""")
        self.made.relationships = [path]
        if any("\n" in name or "\r" in name for name in tables.relations):
            self.made.multiline.append(path)
        shapes = {str(number): columns for number, columns in enumerate(tables.shapes)}
        plan = planned(list(shapes.values()), 100, ":START_ID,:END_ID,:TYPE,statement_id")
        lines = tables.stream(f"""
            SELECT shape::VARCHAR, head || ',' || tail || ',' || {quote("name")} || ',' || {quote("identity")}, cells
            FROM statement JOIN relation USING (relation) JOIN form USING (form)""")
        plan.write(self.output, "statements", lines, shapes, tables.separators.cell)
        self.made.relationships += sorted(plan.paths)
        self._note_lines(plan)

    def _meta_nodes(self, label: str, rows: Sequence[Mapping[str, Any]], first: int) -> None:
        """Write meta nodes."""
        between = self.made.separators.cell
        shapes: dict[str, tuple[Column, ...]] = {}
        lines = []
        for number, row in enumerate(rows):
            columns, texts = columns_of(row, self.made.separators)
            shapes[str(columns)] = columns
            lines.append((str(columns), str(first + number), between.join(texts)))
        plan = planned(list(shapes.values()), 100, ":ID")
        plan.write(self.output, label.strip("_"), iter([lines]), shapes, between)
        self._add_nodes(label, plan)


def write_rejects(source: Source, summaries: Sequence[Summary], rejects: Rejects) -> None:
    """Put the rejects of all processes into one file, in the order of their lines."""
    parts = parts_of(source)
    files = [(summary.folder / "rejects.csv").open(encoding="utf-8", newline="") for summary in summaries]
    try:
        rows = heapq.merge(*(csv.reader(file) for file in files), key=lambda row: (int(row[0]), int(row[1])))
        for number, line, reason, text in rows:
            where = f"{parts[int(number)].describe}: " if len(parts) > 1 else ""
            rejects.add(Reject(int(line), where + reason, text))
    finally:
        for file in files:
            file.close()
