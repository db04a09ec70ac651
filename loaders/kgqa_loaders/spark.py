"""Converting dumps on a Spark cluster, for graphs that one machine would take days over.

The same transformation as everywhere (:func:`kgqa_loaders.normal.normalise`) is applied to blocks of lines, wherever
they lie; what entities, facts and relations come to is decided by keys. The output is what ``neo4j-admin database
import`` reads, as :mod:`kgqa_loaders.bulk` writes it, but that entities go by their ids instead of numbers, so that
relationships need no join.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from kgqa_graphdb.catalog import check_graph_name
from kgqa_graphdb.errors import LoadError
from kgqa_loaders.bulk.cells import CHOICES, Column, Separators, cell, cells, has_separator, quoted
from kgqa_loaders.bulk.meta_nodes import about, columns_of
from kgqa_loaders.bulk.plan import LABELS, header_of
from kgqa_loaders.bulk.steps import counted
from kgqa_loaders.following import MAX_COUNTED_STEPS, Followers
from kgqa_loaders.meta import Found, declared, merge_relation_specs, numbered, stores_facts, value_keys, value_relations
from kgqa_loaders.normal import (
    ALIAS,
    DESCRIPTION,
    FACT,
    LABEL,
    NAME,
    NOTE,
    REJECT,
    VALUE,
    Packed,
    Row,
    common_datatype,
    normalise,
    note_of,
    united,
    unpack,
)
from kgqa_loaders.records import Block, BlockSource
from kgqa_loaders.relations import RelationSpec

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import SparkSession

_LINES = 20_000
"""Lines parsed at once."""
_OUT, _BACK = ">", "<"
_ALIASES = Column("aliases", "string", True)
_DESCRIPTION = Column("description", "string")


@dataclass(frozen=True, slots=True)
class SparkReport:
    """What was written.

    :ivar command: what imports it
    :ivar rejects: folder of the records that can't be loaded: reason, text
    """

    command: str
    entities: int
    facts: int
    literals: int
    relations: int
    rejects: str


def convert(
    spark: SparkSession,
    source: BlockSource,
    paths: Sequence[str],
    output: str,
    *,
    graph: str,
    relations: Mapping[str, RelationSpec] | None = None,
    licence: str = "",
) -> SparkReport:
    """Write dumps as files for ``neo4j-admin database import``.

    Lines keep no numbers, and bytes that are no UTF-8 are replaced, as Spark reads them.

    :param source: how lines are parsed; its ``blocks`` are not used
    :param paths: files that Spark reads, also packed ones (bzip2 is read in parallel), on storage that all nodes see
    :param output: a folder that does not exist yet
    :raises LoadError: the dumps hold no facts, or each control character that might part values occurs in them
    """
    check_graph_name(graph)
    given = dict(relations or {})
    specs = declared((), given, graph)
    lines = spark.sparkContext.textFile(",".join(paths))
    rows = lines.mapPartitionsWithIndex(_Parser(source, specs)).persist()
    try:
        for separators in CHOICES:
            texts = rows.filter(lambda row: row[0] in (VALUE, NAME, ALIAS, LABEL, DESCRIPTION, FACT))
            if texts.filter(_Clash(separators)).isEmpty():
                return _Job(spark, rows, separators, output, graph, given).write(source, licence)
    finally:
        rows.unpersist()
    raise LoadError("the dumps hold each of the control characters that the conversion needs to part values")


@dataclass(frozen=True)
class _Parser:
    """Rows of the lines of a partition."""

    source: BlockSource
    specs: Mapping[str, RelationSpec]

    def __call__(self, partition: int, lines: Iterable[str]) -> Iterator[Row]:
        number = 1 if partition == 0 else 2  # the first line may be a heading
        left = iter(lines)
        while some := list(islice(left, _LINES)):
            block = Block(number, "\n".join([*some, ""]).encode("utf-8", "surrogatepass"))
            yield from normalise(self.source.parse(block), self.specs)
            number = 2


@dataclass(frozen=True)
class _Clash:
    """Whether a row holds a separator."""

    separators: Separators

    def __call__(self, row: Row) -> bool:
        if row[0] == FACT:
            values = unpack(row[5]).values() if row[5] else ()
            return any(
                has_separator((str(item) for item in (v if isinstance(v, list) else [v])), self.separators)
                for v in values
            )
        return has_separator(row[1:], self.separators)


@dataclass(slots=True)
class _Job:
    """One conversion whose rows are parsed."""

    spark: SparkSession
    rows: RDD[Row]
    separators: Separators
    output: str
    graph: str
    given: dict[str, RelationSpec]
    arguments: list[str] = field(default_factory=list)

    def write(self, source: BlockSource, licence: str) -> SparkReport:
        rows, separators = self.rows, self.separators
        facts = rows.filter(lambda row: row[0] == FACT)
        values = rows.filter(lambda row: row[0] == VALUE)
        statements = (
            facts.filter(lambda row: bool(row[4])).map(lambda row: ((row[1:5]), row[5])).reduceByKey(max).persist()
        )
        edges = sorted(facts.map(lambda row: row[2]).distinct().collect())
        types: dict[str, set[Any]] = {}
        for relation, datatype in values.map(lambda row: (row[2], row[3])).distinct().collect():
            types.setdefault(relation, set()).add(datatype)
        qualifiers = statements.flatMap(lambda s: [(s[0][1], key) for key in unpack(s[1])]).distinct().collect()
        notes: dict[str, list[Any]] = {}
        for relation, text in sorted(
            rows.filter(lambda row: row[0] == NOTE).map(lambda r: r[1:3]).distinct().collect()
        ):
            notes.setdefault(relation, []).append(note_of(text))
        datatypes = {relation: common_datatype(found) for relation, found in types.items()}
        relation_specs = merge_relation_specs((), self.given, Found(edges, datatypes, sorted(qualifiers), notes))
        meta_rows = numbered(self.graph, relation_specs, {})
        own = value_relations(relation_specs)
        nothing: frozenset[tuple[str, ...]] = frozenset()
        entities = rows.flatMap(_parts_of).aggregateByKey(nothing, _add, frozenset.union).persist()
        count = entities.count()
        if not count:
            raise LoadError(f"{source.describe} holds no facts that can be loaded")
        nodes = entities.map(_Node(value_keys(relation_specs), separators))
        self._save("nodes", "Entity:KG_" + self.graph, nodes, "entity_id:ID(entity),name")
        plain = facts.filter(lambda row: not row[4]).map(lambda row: row[1:4]).distinct()
        ends = ":START_ID(entity),:END_ID(entity),:TYPE"
        first = plain.map(lambda f: ((), f"{quoted(f[0])},{quoted(f[2])},{quoted(f[1])}"))
        self._save("facts", "", first, ends)
        self._save("statements", "", statements.map(_StatementLine(separators)), f"{ends},statement_id")
        numbers = {name: meta_rows[name]["number"] for name in edges}
        steps = _followers(entities, numbers, {name: meta_rows[own[name]]["number"] for name in types})
        counts = {
            "entities": count,
            "facts": plain.count() + statements.count(),
            "literals": entities.map(_Literals()).sum(),
            "statements": statements.count(),
        }
        classes = sorted(rows.filter(lambda row: row[0] == LABEL).map(lambda row: row[2]).distinct().collect())
        meta = about(self.graph, source.describe, licence, counts, classes, (), steps, numbers.values())
        self._meta("_KGQA_Graph", [meta | {"checksum": source.checksum()}])
        self._meta("_KGQA_Relation", list(meta_rows.values()))
        rejects = f"{self.output}/rejects"
        rows.filter(lambda row: row[0] == REJECT).map(lambda row: f"{row[2]}\t{row[3]}").saveAsTextFile(rejects)
        flags = ["--id-type=string", f"--array-delimiter=U+{ord(separators.item):04X}", "--multiline-fields=true"]
        command = shlex.join(["neo4j-admin", "database", "import", "full", "neo4j", *flags, *self.arguments])
        relations = sum(map(stores_facts, relation_specs.values()))
        return SparkReport(command, count, counts["facts"], counts["literals"], relations, rejects)

    def _save(self, name: str, labels: str, rows: RDD[tuple[tuple[Column, ...], str]], prefix: str) -> None:
        """Write lines, those of the same columns into a folder of their own, each with a header file."""
        shapes = sorted(rows.map(lambda row: row[0]).distinct().collect())
        number_of = {shape: number for number, shape in enumerate(shapes)}
        if not shapes:
            return
        folder = f"{self.output}/{name}"
        numbered_lines = rows.map(lambda row: (number_of[row[0]], row[1]))
        self.spark.createDataFrame(numbered_lines, "shape int, line string").write.partitionBy("shape").text(folder)
        for shape, number in number_of.items():
            head = ",".join([prefix, *map(header_of, shape)])
            header = f"{self.output}/{name}-header-{number}"
            self.spark.sparkContext.parallelize([head], 1).saveAsTextFile(header)
            files = f"{header}/part-00000,{folder}/shape={number}/part-.*"
            self.arguments.append(f"--nodes={labels}={files}" if labels else f"--relationships={files}")

    def _meta(self, label: str, rows: Sequence[Mapping[str, Any]]) -> None:
        lines = []
        for number, row in enumerate(rows):
            columns, texts = columns_of(row, self.separators)
            lines.append((columns, ",".join([f"{label}{number}", *texts])))
        self._save(label.strip("_"), label, self.spark.sparkContext.parallelize(lines, 1), ":ID(meta)")


def _parts_of(row: Row) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What a row adds to its entities: of a fact only which step leaves."""
    if row[0] == FACT:
        yield row[1], (_OUT, row[2])
        yield row[3], (_BACK, row[2])
    elif row[0] not in (NOTE, REJECT):
        yield row[1], (row[0], *row[2:])


def _add(parts: frozenset[tuple[str, ...]], part: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    return parts | {part}


@dataclass(frozen=True)
class _Node:
    """Columns and line of an entity.

    :ivar keys: relation → property key of its values
    """

    keys: Mapping[str, str]
    separators: Separators

    def __call__(self, entity: tuple[str, frozenset[tuple[str, ...]]]) -> tuple[tuple[Column, ...], str]:
        entity_id, parts = entity
        names = sorted((item[1], item[2]) for item in parts if item[0] == NAME and item[2])
        name = names[0][1] if names else entity_id
        aliases = {text for _, text in names} | {item[1] for item in parts if item[0] == ALIAS}
        descriptions = [(item[1], item[2]) for item in parts if item[0] == DESCRIPTION]
        labels = sorted(item[1] for item in parts if item[0] == LABEL)
        properties = {self.keys[relation]: united(values) for relation, values in _values(parts).items()}
        found = [cell(key, value, self.separators) for key, value in properties.items()]
        if labels:
            found.append((LABELS, quoted(self.separators.item.join(labels))))
        if further := sorted(aliases - {name}):
            found.append((_ALIASES, quoted(self.separators.item.join(further))))
        if descriptions:
            found.append((_DESCRIPTION, quoted(min(descriptions)[1])))
        found.sort()
        line = ",".join([quoted(entity_id), quoted(name), *(text for _, text in found)])
        return tuple(column for column, _ in found), line


def _values(parts: Iterable[tuple[str, ...]]) -> dict[str, set[Packed]]:
    values: dict[str, set[Packed]] = {}
    for item in parts:
        if item[0] == VALUE:
            values.setdefault(item[1], set()).add(Packed(item[2], item[3]))  # type: ignore[arg-type]
    return values


@dataclass(frozen=True)
class _Literals:
    """How many values an entity has."""

    def __call__(self, entity: tuple[str, frozenset[tuple[str, ...]]]) -> int:
        stored = map(united, _values(entity[1]).values())
        return sum(len(value) if isinstance(value, list) else 1 for value in stored)


@dataclass(frozen=True)
class _StatementLine:
    """Columns and line of a fact with properties."""

    separators: Separators

    def __call__(self, statement: tuple[tuple[str, str, str, str], str]) -> tuple[tuple[Column, ...], str]:
        (head, relation, tail, identity), qualifiers = statement
        columns, line = cells(unpack(qualifiers), self.separators)
        first = [quoted(head), quoted(tail), quoted(relation), quoted(identity)]
        return columns, ",".join([*first, *(line.split(self.separators.cell) if columns else ())])


def _followers(entities: RDD[Any], edges: Mapping[str, int], values: Mapping[str, int]) -> Followers:
    """The steps that can follow each step, counted where the entities are."""
    number = {(_OUT, name): 2 * n for name, n in edges.items()} | {
        (_BACK, name): 2 * n + 1 for name, n in edges.items()
    }
    number |= {(VALUE, name): 2 * n for name, n in values.items()}
    present = np.array(sorted(set(number.values())) or [0])
    place = {kind: int(at) for kind, at in zip(number, np.searchsorted(present, list(number.values())), strict=True)}
    both = entities.mapPartitions(_Pairs(place)).reduceByKey(int.__add__).collect()
    matrix = np.zeros((len(present), len(present)), dtype=np.int64)
    for (one, other), count in both:
        matrix[one, other] = count
    arrivals = {step for n in edges.values() for step in (2 * n, 2 * n + 1)}
    found = counted(matrix, present, arrivals)
    return found if len(present) <= MAX_COUNTED_STEPS else Followers(found.after, {})


@dataclass(frozen=True)
class _Pairs:
    """How many entities of a partition each two steps leave."""

    place: Mapping[tuple[str, str], int]

    def __call__(self, entities: Iterable[tuple[str, Any]]) -> Iterator[tuple[tuple[int, int], int]]:
        counts: dict[tuple[int, int], int] = {}
        for _, parts in entities:
            leaving = {self.place[item[0], item[1]] for item in parts if item[0] in (_OUT, _BACK, VALUE)}
            for one in leaving:
                for other in leaving:
                    counts[one, other] = counts.get((one, other), 0) + 1
        yield from counts.items()
