"""An exported graph as the pair of stores that PyTorch Geometric's loaders take: facts, and features of entities.

The loaders ask for whole columns, sorted by target. Those lie in the export's files as they are asked for, so that a
graph may be larger than memory: only what a batch touches is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from torch_geometric.data import EdgeAttr, FeatureStore, GraphStore, TensorAttr
from torch_geometric.data.graph_store import EdgeLayout

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.export.exported import ENTITY, ExportedGraph
from kgqa_graphdb.export.pyg.data import REV
from kgqa_graphdb.types import Ints

EdgeType: TypeAlias = tuple[str, str, str]
FACT: EdgeType = (ENTITY, "fact", ENTITY)
"""All facts from head to tail; a batch's ``e_id`` says which they are, hence of which relation."""
REVERSE: EdgeType = (ENTITY, REV + "fact", ENTITY)
"""All facts from tail to head."""
Columns: TypeAlias = dict[EdgeType, torch.Tensor]
Layout: TypeAlias = tuple[Columns, Columns, dict[EdgeType, torch.Tensor | None]]


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """Edges of a type, by target.

    :ivar sources: number of the source among the entities of its kind; shape (edges,)
    :ivar starts: the edges to target ``n`` are ``starts[n]`` up to ``starts[n + 1]``; shape (targets + 1,)
    :ivar facts: number of the fact; shape (edges,); ``None``: the place is the number
    """

    sources: Ints
    starts: Ints
    facts: Ints | None


class FactStore(GraphStore):
    """The facts of an exported graph.

    Untyped there are two edge types, :data:`FACT` and :data:`REVERSE`, between entities of any kind, whose columns are
    memory maps. Typed there are as many node types as kinds, and an edge type for each relation between two kinds with
    one that begins in ``rev_``: that reads all facts into memory once.

    :param typed: an edge type for each relation
    :param inverse: offer each edge the other way round, too
    """

    def __init__(self, graph: ExportedGraph, *, typed: bool = False, inverse: bool = True) -> None:
        super().__init__()
        self.graph, self.typed, self.inverse = graph, typed, inverse
        self.nodes = Partition.of(graph, typed=typed)
        self._edges = self._typed() if typed else self._untyped()

    @property
    def sizes(self) -> dict[EdgeType, tuple[int, int]]:
        """How many sources and targets each edge type may have."""
        counts = self.nodes.counts
        return {edge_type: (counts[edge_type[0]], counts[edge_type[2]]) for edge_type in self._edges}

    def get_all_edge_attrs(self) -> list[EdgeAttr]:
        """All edge types, sorted by target."""
        return [EdgeAttr(edge_type, EdgeLayout.CSC, True, size) for edge_type, size in self.sizes.items()]

    def csc(self, edge_types: Sequence[EdgeType] | None = None, store: bool = False) -> Layout:
        """Sources, starts by target, and the numbers of the facts, by edge type."""
        chosen = {one: self._edges[one] for one in edge_types or self._edges}
        return (
            {edge_type: torch.from_numpy(edges.sources) for edge_type, edges in chosen.items()},
            {edge_type: torch.from_numpy(edges.starts) for edge_type, edges in chosen.items()},
            {one: None if edges.facts is None else torch.from_numpy(edges.facts) for one, edges in chosen.items()},
        )

    def csr(self, edge_types: Sequence[EdgeType] | None = None, store: bool = False) -> Layout:
        """Starts by source, targets, and the numbers of the facts: those of the edge types the other way round.

        :raises UsageError: the store was made without inverse edges
        """
        if not self.inverse:
            raise UsageError("edges by source are the inverse ones by target; make the store with inverse=True")
        chosen = list(edge_types or self._edges)
        targets, starts, facts = self.csc([reversed_type(one) for one in chosen])
        back = {reversed_type(one): one for one in chosen}
        return tuple({back[one]: column for one, column in some.items()} for some in (starts, targets, facts))  # type: ignore[return-value]

    def _get_edge_index(self, edge_attr: EdgeAttr) -> tuple[torch.Tensor, torch.Tensor] | None:
        edge_type = tuple(edge_attr.edge_type)
        if edge_type not in self._edges:
            return None
        if edge_attr.layout == EdgeLayout.CSR:
            starts, targets, _ = self.csr([edge_type])
            return starts[edge_type], targets[edge_type]
        sources, starts, _ = self.csc([edge_type])
        if edge_attr.layout == EdgeLayout.CSC:
            return sources[edge_type], starts[edge_type]
        sizes = torch.diff(starts[edge_type])
        return sources[edge_type], torch.repeat_interleave(torch.arange(len(sizes)), sizes)

    def _put_edge_index(self, edge_index: Any, edge_attr: EdgeAttr) -> bool:
        raise UsageError("an exported graph can't be changed; change it in Neo4j and export it again")

    def _remove_edge_index(self, edge_attr: EdgeAttr) -> bool:
        raise UsageError("an exported graph can't be changed; change it in Neo4j and export it again")

    def _untyped(self) -> dict[EdgeType, _Edges]:
        graph = self.graph
        edges = {FACT: _Edges(graph.in_head, graph.in_start, graph.in_fact)}
        if self.inverse:
            edges[REVERSE] = _Edges(graph.tail, graph.out_start, None)
        return edges

    def _typed(self) -> dict[EdgeType, _Edges]:
        graph, nodes = self.graph, self.nodes
        kinds, count = len(nodes.kinds), graph.num_relations
        keys = (nodes.kind[graph.head] * count + graph.relation) * kinds + nodes.kind[graph.tail]
        order = np.argsort(keys, kind="stable")
        found, first = np.unique(keys[order], return_index=True)
        edges = {}
        for key, facts in zip(found.tolist(), np.split(order, first[1:]), strict=True):
            (head, relation), tail = divmod(key // kinds, count), key % kinds
            edge_type = nodes.kinds[head], graph.relation_ids[relation], nodes.kinds[tail]
            heads, tails = nodes.local[graph.head[facts]], nodes.local[graph.tail[facts]]
            edges[edge_type] = _by_target(heads, tails, facts, nodes.counts[edge_type[2]])
            if self.inverse:
                edges[reversed_type(edge_type)] = _by_target(tails, heads, facts, nodes.counts[edge_type[0]])
        return edges


def _by_target(sources: Ints, targets: Ints, facts: Ints, size: int) -> _Edges:
    order = np.argsort(targets, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(targets, minlength=size))])
    return _Edges(sources[order], starts, facts[order])


def reversed_type(edge_type: EdgeType) -> EdgeType:
    """The edge type the other way round."""
    head, relation, tail = edge_type
    return tail, relation.removeprefix(REV) if relation.startswith(REV) else REV + relation, head


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """The entities of a graph by kind.

    :ivar kind: number of each entity's kind; shape (entities,)
    :ivar local: number of each entity among those of its kind; shape (entities,)
    :ivar members: kind → the entities that have it; ``None``: all of them
    """

    kinds: tuple[str, ...]
    counts: Mapping[str, int]
    kind: Ints
    local: Ints
    members: Mapping[str, Ints | None]

    @classmethod
    def of(cls, graph: ExportedGraph, *, typed: bool) -> Partition:
        """By the graph's kinds, or all of one kind."""
        size = graph.num_entities
        if not typed:
            nothing = np.zeros(0, np.int64)
            return cls((ENTITY,), {ENTITY: size}, nothing, nothing, {ENTITY: None})
        kind = graph.kind_of_set[graph.label_set]
        local = np.zeros(size, dtype=np.int64)
        members: dict[str, Ints | None] = {}
        for number, name in enumerate(graph.kinds):
            some = np.flatnonzero(kind == number)
            local[some] = np.arange(some.size)
            members[name] = some
        counts = np.bincount(kind, minlength=len(graph.kinds)).tolist()
        return cls(graph.kinds, dict(zip(graph.kinds, counts, strict=True)), kind, local, members)


class EntityStore(FeatureStore):
    """Features of the entities of an exported graph.

    Every node type has ``number``: the numbers of entities in the graph. Further features are put in with
    ``put_tensor(values, group_name=KIND, attr_name=NAME, index=None)``.

    :param facts: the store of the same graph's facts, typed or not
    :param x: vectors of all entities, shape (entities, dim), a memory map or an array; ``None``: no ``x``
    """

    def __init__(self, facts: FactStore, x: Any = None) -> None:
        super().__init__()
        self._nodes = facts.nodes
        self._tensors: dict[tuple[str, str], Any] = {}
        if x is not None and len(x) != facts.graph.num_entities:
            raise UsageError(f"x has {len(x):,} rows; the graph has {facts.graph.num_entities:,} entities")
        for kind, members in self._nodes.members.items():
            self._tensors[kind, "number"] = _Numbers(facts.graph.num_entities) if members is None else members
            if x is not None:
                self._tensors[kind, "x"] = x if members is None else _Rows(x, members)

    def get_all_tensor_attrs(self) -> list[TensorAttr]:
        """All features of all node types."""
        return [TensorAttr(kind, name) for kind, name in self._tensors]

    def _get_tensor(self, attr: TensorAttr) -> torch.Tensor | None:
        values = self._tensors.get((attr.group_name, attr.attr_name))
        if values is None:
            return None
        index = attr.index
        if index is None:
            return torch.as_tensor(np.asarray(values[:]))
        rows = index.numpy() if isinstance(index, torch.Tensor) else index
        return torch.as_tensor(np.asarray(values[rows]))

    def _get_tensor_size(self, attr: TensorAttr) -> tuple[int, ...] | None:
        values = self._tensors.get((attr.group_name, attr.attr_name))
        return None if values is None else tuple(values.shape)

    def _put_tensor(self, tensor: Any, attr: TensorAttr) -> bool:
        count = self._nodes.counts.get(attr.group_name)
        if attr.index is not None or count is None or len(tensor) != count:
            known = ", ".join(f"{kind} ({number:,})" for kind, number in self._nodes.counts.items())
            raise UsageError(
                f"a feature of {attr.group_name!r} with {len(tensor):,} rows does not fit; it needs a row for each"
                f" entity of a node type: {known}"
            )
        self._tensors[attr.group_name, attr.attr_name] = np.asarray(tensor)
        return True

    def _remove_tensor(self, attr: TensorAttr) -> bool:
        return self._tensors.pop((attr.group_name, attr.attr_name), None) is not None


class _Numbers:
    """As ``numpy.arange``, without the memory."""

    def __init__(self, count: int) -> None:
        self.shape = (count,)

    def __getitem__(self, places: Any) -> Any:
        return np.arange(self.shape[0])[places] if isinstance(places, slice) else np.asarray(places, dtype=np.int64)


class _Rows:
    """Some rows of an array that is not read before they are asked for."""

    def __init__(self, values: Any, rows: Ints) -> None:
        self._values, self._rows = values, rows
        self.shape = (rows.size, *values.shape[1:])

    def __getitem__(self, places: Any) -> Any:
        return self._values[self._rows[places]]


def stores(
    graph: ExportedGraph, *, typed: bool = False, inverse: bool = True, x: Any = None
) -> tuple[EntityStore, FactStore]:
    """The pair that PyG's loaders take; see :class:`FactStore` and :class:`EntityStore`."""
    facts = FactStore(graph, typed=typed, inverse=inverse)
    return EntityStore(facts, x), facts
