"""A subgraph as PyTorch Geometric's ``Data`` or ``HeteroData``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch_geometric.data import Data, HeteroData

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.export.named import NamedSubgraph
from kgqa_graphdb.types import Ints

REV = "rev_"
"""What the name of an inverse edge type begins with, as PyG's own ``ToUndirected`` has it."""


def to_data(
    subgraph: NamedSubgraph,
    *,
    inverse: bool = True,
    node_features: object = None,
    relation_features: object = None,
) -> Data:
    """A subgraph as one kind of nodes and one of edges.

    Of ``facts`` facts there are as many edges, or with ``inverse`` twice as many: edge ``facts + e`` is edge ``e``
    walked backwards. What it holds:

    - ``edge_index``: shape (2, edges); ``edge_type``: number of the relation, plus the number of relations where it is
      walked backwards; ``is_inverse``: whether it is; shape (edges,)
    - ``n_id``, ``e_id``: numbers of entities and facts in the exported graph; ``distance``: hops from the topics
    - ``topic_index``: the topics; ``entity_keys``, ``entity_names``, ``relation_ids``: what the numbers stand for
    - ``x``, ``edge_attr``: the features, where they are given

    :param inverse: add each edge the other way round
    :param node_features: shape (nodes, dim)
    :param relation_features: shape (2 · relations, dim); the second half is of relations walked backwards
    :raises UsageError: the features do not fit
    """
    index, count = subgraph.index, len(subgraph.relations)
    edges = np.stack([index.head, index.tail])  # (2, facts)
    relation, facts = index.relation, index.facts
    flags = np.zeros(facts.size, dtype=bool)
    if inverse:
        edges = np.concatenate([edges, edges[::-1]], axis=1)
        relation = np.concatenate([relation, relation + count])
        flags = np.repeat([False, True], facts.size)
        facts = np.concatenate([facts, facts])
    data = Data(
        edge_index=_long(edges),
        edge_type=_long(relation),
        is_inverse=torch.from_numpy(flags),
        e_id=_long(facts),
        n_id=_long(index.nodes),
        distance=_long(index.distances),
        topic_index=torch.arange(index.topics),
        num_nodes=index.nodes.size,
        entity_keys=list(subgraph.keys),
        entity_names=list(subgraph.names),
        relation_ids=list(subgraph.relation_ids),
    )
    if node_features is not None:
        data.x = _features(node_features, index.nodes.size, "node_features")
    if relation_features is not None:
        data.edge_attr = _features(relation_features, 2 * count, "relation_features")[data.edge_type]
    return data


def to_hetero_data(subgraph: NamedSubgraph, *, inverse: bool = True, node_features: object = None) -> HeteroData:
    """A subgraph with a node type for each kind of entity and an edge type for each relation between two kinds.

    Node types hold ``n_id``, ``distance``, ``is_topic``, ``entity_keys``, ``entity_names`` and, where they are given,
    ``x``; edge types ``edge_index`` and ``e_id``. The edge type of a relation walked backwards is called
    ``rev_RELATION`` and has ``is_inverse`` set.

    :param inverse: add each edge the other way round
    :param node_features: shape (nodes, dim)
    :raises UsageError: the features do not fit
    """
    index = subgraph.index
    data = HeteroData()
    x = None if node_features is None else _features(node_features, index.nodes.size, "node_features")
    kinds = np.array(subgraph.kinds)
    local = np.zeros(index.nodes.size, dtype=np.int64)
    for kind in dict.fromkeys(subgraph.kinds):
        members = np.flatnonzero(kinds == kind)
        local[members] = np.arange(members.size)
        data[kind].num_nodes = members.size
        data[kind].n_id = _long(index.nodes[members])
        data[kind].distance = _long(index.distances[members])
        data[kind].is_topic = torch.from_numpy(members < index.topics)
        data[kind].entity_keys = _at(subgraph.keys, members)
        data[kind].entity_names = _at(subgraph.names, members)
        if x is not None:
            data[kind].x = x[torch.from_numpy(members)]
    for facts in _alike(kinds[index.head], index.relation, kinds[index.tail]):
        head, tail = str(kinds[index.head[facts[0]]]), str(kinds[index.tail[facts[0]]])
        name = subgraph.relations[index.relation[facts[0]]].id
        edges = np.stack([local[index.head[facts]], local[index.tail[facts]]])  # (2, facts)
        _add_edges(data, (head, name, tail), edges, index.facts[facts], inverse=False)
        if inverse:
            _add_edges(data, (tail, REV + name, head), edges[::-1], index.facts[facts], inverse=True)
    return data


def _add_edges(data: HeteroData, edge_type: tuple[str, str, str], edges: Ints, facts: Ints, *, inverse: bool) -> None:
    data[edge_type].edge_index = _long(edges)
    data[edge_type].e_id = _long(facts)
    data[edge_type].is_inverse = inverse


def _alike(*columns: Any) -> list[Ints]:
    """The places at which columns have the same values, each group ascending."""
    numbers = [np.unique(column, return_inverse=True)[1] for column in columns]
    _, group = np.unique(np.stack(numbers), axis=1, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    return [some for some in np.split(order, np.flatnonzero(np.diff(group.ravel()[order])) + 1) if some.size]


def _at(texts: Sequence[str], places: Ints) -> list[str]:
    return [texts[place] for place in places.tolist()]


def _long(values: Ints) -> torch.Tensor:
    return torch.from_numpy(np.array(values, dtype=np.int64))


def _features(values: object, count: int, name: str) -> torch.Tensor:
    tensor = torch.as_tensor(np.array(values, dtype=np.float32))
    if tensor.dim() != 2 or len(tensor) != count:
        raise UsageError(f"{name} has the shape {tuple(tensor.shape)}; it must have {count:,} rows, one each")
    return tensor
