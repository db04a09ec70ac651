"""What can be asked of a graph: walks, plans, neighbourhoods, paths between entities, names."""

from kgqa_graphdb.graph.connect import ConnectingPath, ConnectingPaths, PathKind, PathLimits, RelationPaths
from kgqa_graphdb.graph.endpoints import EndpointStats
from kgqa_graphdb.graph.graph import NEIGHBOURHOOD_LIMITS, Graph
from kgqa_graphdb.graph.lookup import Named, keyed_entities, named_entities, search_names
from kgqa_graphdb.graph.neighbourhood import Expansion, NeighbourhoodLimits
from kgqa_graphdb.graph.walk import Memo

__all__ = [
    "NEIGHBOURHOOD_LIMITS",
    "ConnectingPath",
    "ConnectingPaths",
    "EndpointStats",
    "Expansion",
    "Graph",
    "Memo",
    "Named",
    "NeighbourhoodLimits",
    "PathKind",
    "PathLimits",
    "RelationPaths",
    "keyed_entities",
    "named_entities",
    "search_names",
]
