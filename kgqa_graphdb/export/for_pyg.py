"""The subgraph around topics, out of Neo4j, as PyTorch Geometric's data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kgqa_graphdb.errors import UsageError, nearest
from kgqa_graphdb.export.named import NAMES, RELATIONS, read_subgraph, relation_words
from kgqa_graphdb.graph import NEIGHBOURHOOD_LIMITS, Graph, NeighbourhoodLimits
from kgqa_graphdb.steps import Embed, Steps, ask
from kgqa_graphdb.types import Entity

if TYPE_CHECKING:
    from torch_geometric.data import Data, HeteroData


def export_subgraph(
    graph: Graph,
    topics: Sequence[str | Entity],
    hops: int = 2,
    *,
    caps: NeighbourhoodLimits = NEIGHBOURHOOD_LIMITS,
    allow_cut: bool = False,
    typed: bool = False,
    inverse: bool = True,
    features: Sequence[str] = (),
) -> Steps[Data | HeteroData]:
    """The subgraph around topics, read out of Neo4j, for PyTorch Geometric.

    :param topics: entities, or keys or names of some
    :param hops: undirected steps from the nearest topic, 1 or more
    :param caps: how much may lie around the topics
    :param allow_cut: take what the caps leave, rather than raise
    :param typed: a node type for each kind and an edge type for each relation
        (:func:`kgqa_graphdb.export.pyg.to_hetero_data`), else one of each (:func:`kgqa_graphdb.export.pyg.to_data`)
    :param inverse: add each edge the other way round, marked as such
    :param features: ``names``: the vectors of the entities' names by the text encoder, as ``x``; ``relations``: those
        of the relations' words, as ``edge_attr``; there is none of those where it is typed
    :raises UnknownEntityError: nothing in the graph has a topic's key or name
    :raises UsageError: no topic, no hops, or no such feature
    :raises SubgraphError: a topic without facts, or more lies around the topics than the caps allow
    :raises MissingExtraError: PyTorch Geometric is not installed
    """
    from kgqa_graphdb.export.pyg import to_data, to_hetero_data

    allowed = (NAMES,) if typed else (NAMES, RELATIONS)
    for feature in features:
        if feature not in allowed:
            raise UsageError(f"there is no feature {feature!r} here{nearest(feature, allowed)}; there are: {allowed}")
    found = yield from read_subgraph(graph, topics, hops, caps, allow_cut=allow_cut)
    x = (yield from ask(Embed(found.names, keep=True))) if NAMES in features else None
    if typed:
        return to_hetero_data(found, inverse=inverse, node_features=x)
    words = relation_words(found.relations)
    vectors = (yield from ask(Embed(words, keep=True))) if RELATIONS in features else None
    return to_data(found, inverse=inverse, node_features=x, relation_features=vectors)
