"""Reads a graph out of Neo4j as columns of numbers: entities page by page, then the facts that leave them.

Statements return lists side by side, not a row for each fact: a row costs the driver more than the fact itself.
Nodes are told apart by the server's numbers, which take a fifth of the room that element ids do. They stay in here:
what is given out are places, 0 and up, in the order of those numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import chain, islice
from typing import Any, TypeAlias

import numpy as np

from kgqa_graphdb import queries
from kgqa_graphdb.compile import describe_keys
from kgqa_graphdb.compile.hops import PREFIX, Pattern, where
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.mapping.hops import Hop, end_labels
from kgqa_graphdb.steps import Batch, Read, Steps, ask
from kgqa_graphdb.types import Bools, Ints, Relation, Rows, Statement, Step

Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
NODES_A_PAGE = 20_000
FACTS_A_PAGE = 100_000
"""Facts that a statement returns, unless one entity has more."""
AT_ONCE = 8
"""Statements that run side by side."""
_ROW = 500_000
_DENSE = 8
"""A table of all the server's numbers is kept where it has at most so many times as many as there are entities."""


@dataclass(frozen=True, slots=True, eq=False)
class NodeNumbers:
    """The nodes of a graph by the server's numbers, ascending.

    :ivar ids: shape (nodes,), int64
    :ivar degrees: relationships that leave each, mapped or not; shape (nodes,), int64
    """

    ids: Ints
    degrees: Ints
    _table: Ints | None

    @classmethod
    def of(cls, ids: Ints, degrees: Ints) -> NodeNumbers:
        """Of numbers in any order, with repeats."""
        ids, first = np.unique(ids, return_index=True)
        table: Any = None
        if ids.size and ids[-1] < _DENSE * ids.size + 1_000_000:
            table = np.full(int(ids[-1]) + 1, -1, dtype=np.int32 if ids.size < 2**31 else np.int64)
            table[ids] = np.arange(ids.size)
        return cls(ids, degrees[first], table)

    def places(self, ids: Any) -> Ints:
        """The places of numbers; -1 for what is no entity of the graph."""
        wanted = np.asarray(ids, dtype=np.int64)
        if not self.ids.size:
            return np.full(wanted.shape, -1)
        if self._table is not None:
            inside = wanted < self._table.size
            return np.where(inside, self._table[np.where(inside, wanted, 0)], -1).astype(np.int64)
        found = np.minimum(np.searchsorted(self.ids, wanted), self.ids.size - 1)
        return np.where(self.ids[found] == wanted, found, -1)

    def pages(self) -> Iterator[tuple[int, int]]:
        """First place and end of each page."""
        facts = np.concatenate([[0], np.cumsum(self.degrees)])
        first = 0
        while first < self.ids.size:
            end = int(np.searchsorted(facts, facts[first] + FACTS_A_PAGE, "right")) - 1
            end = min(max(end, first + 1), first + NODES_A_PAGE, self.ids.size)
            yield first, end
            first = end


@dataclass(frozen=True, slots=True)
class EntityGroup:
    """Entities that have the same labels.

    :ivar labels: as they are stored, sorted
    :ivar known: those of them that the mapping knows
    :ivar ids: the server's numbers; shape (entities,)
    :ivar keys: empty where there is none
    :ivar numbers: the wanted properties as numbers; shape (entities, properties), float64, NaN where there is none
    """

    labels: tuple[str, ...]
    known: tuple[str, ...]
    ids: Ints
    keys: list[str]
    names: list[str]
    numbers: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class FactPage:
    """The facts that leave some entities, by head, relation and tail.

    :ivar heads: places; shape (facts,)
    :ivar relations: numbers of relations, in the mapping's order of those between entities; shape (facts,)
    :ivar tails: places; shape (facts,)
    :ivar numbers: the wanted qualifiers as numbers; shape (facts, qualifiers), float64, NaN where there is none
    :ivar dropped: relationships that lead to no entity
    """

    heads: Ints
    relations: Ints
    tails: Ints
    numbers: Numbers
    dropped: int


def node_numbers(mapping: GraphMapping) -> Steps[NodeNumbers]:
    """The nodes of a graph, one read a label."""
    query, parameters = queries.load("export/nodes"), {"apart": list(mapping.apart), "rows": _ROW}
    labels = dict.fromkeys(mapping.entity_labels)
    reads = [Read(Statement(query.cypher(label=label), parameters)) for label in labels]
    rows = [row for found in (yield from _all(reads)) for row in found]
    columns = (np.concatenate([np.zeros(0, np.int64), *(np.array(row[at], np.int64) for row in rows)]) for at in (0, 1))
    return NodeNumbers.of(*columns)


def entity_pages(graph: Graph, nodes: NodeNumbers, properties: Sequence[Relation]) -> Iterator[list[Read]]:
    """The reads of all entities, :data:`AT_ONCE` at a time; for :func:`entity_groups`."""
    text = queries.load("export/entities").cypher()
    keys = [*describe_keys(graph.mapping), *(relation.type for relation in properties)]
    starts = range(0, nodes.ids.size, NODES_A_PAGE)
    reads = (
        Read(Statement(text, {"ids": nodes.ids[start : start + NODES_A_PAGE].tolist(), "keys": keys}))
        for start in starts
    )
    while some := list(islice(reads, AT_ONCE)):
        yield some


def entity_groups(graph: Graph, rows: Rows, properties: Sequence[Relation]) -> Iterator[EntityGroup]:
    """The entities of one read."""
    described = describe_keys(graph.mapping)
    for labels, ids, columns in rows:
        keys, names, known = graph.called(labels, dict(zip(described, columns, strict=False)), len(ids))
        numbers = as_numbers(columns[len(described) :]).T if properties else np.zeros((len(ids), 0))
        for at, relation in enumerate(properties):
            if not graph.mapping.label and relation.heads and not set(relation.heads) & set(labels):
                numbers[:, at] = np.nan  # on nodes of other labels the key may stand for something that is not mapped
        yield EntityGroup(tuple(sorted(labels)), known, np.array(ids, dtype=np.int64), keys, names, numbers)


@dataclass(frozen=True, slots=True, eq=False)
class FactReader:
    """Reads facts between entities.

    :ivar label_sets: all labels of a node, each set once
    :ivar label_set: the set that each entity has; shape (entities,)
    :ivar qualifiers: relations to values of relationships that are read as numbers
    """

    graph: Graph
    nodes: NodeNumbers
    label_sets: Sequence[tuple[str, ...]]
    label_set: Ints
    qualifiers: Sequence[Relation] = ()
    _relations: tuple[Relation, ...] = field(init=False, repr=False)
    _numbers: dict[str, int] = field(init=False, repr=False)
    _kept: dict[tuple[str, ...], Bools] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        relations = edge_relations(self.graph.mapping)
        object.__setattr__(self, "_relations", relations)
        object.__setattr__(self, "_numbers", {relation.id: number for number, relation in enumerate(relations)})

    def pages(self) -> Iterator[list[list[Read]]]:
        """The reads of all facts, page by page, some pages at a time; for :meth:`page`."""
        each = (self._reads(first, end) for first, end in self.nodes.pages())
        while some := list(islice(each, AT_ONCE)):
            yield some

    def page(self, answers: Sequence[Rows]) -> FactPage:
        """The facts of a page: what its reads gave."""
        rows = list(self._by_relation(answers))
        sizes = [len(row.heads) for row in rows]
        heads = self.nodes.places(_flat([row.heads for row in rows], sum(sizes)))  # (facts,)
        tails = self.nodes.places(_flat([row.tails for row in rows], sum(sizes)))
        relations = np.repeat(np.array([row.relation for row in rows], dtype=np.int64), sizes)
        known = (heads >= 0) & (tails >= 0)
        own = known & self._fits(relations, heads, tails)
        numbers = self._qualified(rows, relations)
        if not own.all():
            heads, relations, tails, numbers = heads[own], relations[own], tails[own], numbers[own]
        order = np.lexsort((tails, heads * len(self._numbers) + relations))
        dropped = known.size - int(known.sum())
        return FactPage(heads[order], relations[order], tails[order], numbers[order], dropped)

    # ── what is asked ────────────────────────────────────────────────────────────────────────────────────────────────

    def _reads(self, first: int, end: int) -> list[Read]:
        mapping = self.graph.mapping
        types = None if mapping.owned else sorted(type for kind, type in mapping.by_type if kind == "edge")
        ids = self.nodes.ids[first:end].tolist()
        parameters = {"ids": ids, "types": types, "qualifiers": [relation.type for relation in self.qualifiers]}
        reads = [Read(Statement(queries.load("export/facts").cypher(), parameters))]
        for step in self._via_steps():
            allowed = self._allowed(end_labels(Step(step.relation, not step.inverse)))[self.label_set[first:end]]
            reads.append(Read(Statement(self._via_text(step), {"ids": self.nodes.ids[first:end][allowed].tolist()})))
        return reads

    def _via_steps(self) -> list[Step]:
        return [Step(relation) for relation in self._relations if relation.via]

    def _via_text(self, step: Step) -> str:
        """A statement that walks a step of several relationships from nodes, in as many rows as there are nodes."""
        hop = Hop(step, self.graph.mapping.legs(step))
        pattern = Pattern.of(self.graph.mapping, hop, "h", "t", [f"m{number}" for number in range(1, len(hop.legs))])
        return (
            f"{PREFIX}\nUNWIND $ids AS id\nMATCH (h) WHERE id(h) = id\n"
            f"MATCH {pattern.text}{where(pattern.conditions)}\n"
            "RETURN collect(id) AS heads, collect(id(t)) AS tails"
        )

    # ── what comes back ──────────────────────────────────────────────────────────────────────────────────────────────

    def _allowed(self, labels: tuple[str, ...]) -> Bools:
        """Which sets of labels a node may have that has one of these; shape (label sets,)."""
        if labels not in self._kept:
            any_label = bool(self.graph.mapping.label) or not labels
            allowed = [any_label or not set(labels).isdisjoint(some) for some in self.label_sets]
            self._kept[labels] = np.array(allowed, dtype=bool)
        return self._kept[labels]

    def _by_relation(self, answers: Sequence[Rows]) -> Iterator[_Row]:
        """What the reads of a page gave, by relation: a type of relationship may be of several."""
        for type, heads, tails, qualifiers in answers[0]:
            for relation in self.graph.mapping.by_type.get(("edge", type), ()):
                yield _Row(self._numbers[relation.id], heads, tails, qualifiers)
        for step, [[heads, tails]] in zip(self._via_steps(), answers[1:], strict=True):
            yield _Row(self._numbers[step.relation.id], heads, tails, ())

    def _fits(self, relations: Ints, heads: Ints, tails: Ints) -> Bools:
        """Which facts join what their relation joins: several relations of a company's graph may share a type."""
        fits = np.ones(relations.size, dtype=bool)
        for number in () if self.graph.mapping.label else np.unique(relations).tolist():
            relation, facts = self._relations[number], np.flatnonzero(relations == number)
            allowed = self._allowed(relation.heads)[self.label_set[heads[facts]]]
            fits[facts] = allowed & self._allowed(relation.tails)[self.label_set[tails[facts]]]
        return fits

    def _qualified(self, rows: Sequence[_Row], relations: Ints) -> Numbers:
        """The wanted qualifiers; shape (facts, qualifiers), NaN where a fact's relation has none such."""
        if not self.qualifiers:
            return np.zeros((relations.size, 0))
        nothing = [None] * len(self.qualifiers)
        numbers = as_numbers([one for row in rows for one in row.qualifiers or [nothing] * len(row.heads)])
        for at, qualifier in enumerate(self.qualifiers):
            if qualifier.of:
                numbers[relations != self._numbers.get(qualifier.of, -1), at] = np.nan
        return numbers


@dataclass(frozen=True, slots=True)
class _Row:
    """Facts of one relation, as lists side by side."""

    relation: int
    heads: Sequence[int]
    tails: Sequence[int]
    qualifiers: Sequence[Sequence[Any]]


def _flat(lists: Sequence[Sequence[int]], size: int) -> Ints:
    return np.fromiter(chain.from_iterable(lists), dtype=np.int64, count=size)


def edge_relations(mapping: GraphMapping) -> tuple[Relation, ...]:
    """The relations between entities, in the mapping's order; their numbers are the places in it."""
    return tuple(relation for relation in mapping.relations if relation.kind == "edge")


def _all(reads: Sequence[Read]) -> Steps[tuple[Rows, ...]]:
    """What reads give that run side by side.

    :raises KgqaError: one of them failed
    """
    answers: tuple[Any, ...] = yield from ask(Batch(tuple(reads)))
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers


def read_pages(pages: Sequence[Sequence[Read]]) -> Steps[list[tuple[Rows, ...]]]:
    """What the reads of some pages give, page by page; all run side by side."""
    answers = iter((yield from _all([read for page in pages for read in page])))
    return [tuple(islice(answers, len(page))) for page in pages]


_EPOCH = date(1970, 1, 1).toordinal()


def as_numbers(values: Any) -> Numbers:
    """Properties as numbers: yes is 1, no 0, a day the days since 1970; NaN what is no number.

    :param values: a list of lists of the same length
    :return: of the same shape, float64
    """
    return np.array([[_number(one) for one in each] for each in values], dtype=np.float64)


def _number(value: Any) -> float:
    if isinstance(value, datetime):
        return value.toordinal() - _EPOCH + (value.hour * 3600 + value.minute * 60 + value.second) / 86_400
    if isinstance(value, date):
        return float(value.toordinal() - _EPOCH)
    return float(value) if isinstance(value, bool | int | float) else float("nan")
