"""The graphs that were loaded into the database, read from their meta nodes: what there is, and how each is read."""

from kgqa_graphdb.catalog.loaded import (
    GraphInfo,
    apart_from_loaded,
    check_graph_name,
    graph_fingerprint,
    graphs,
    label_of,
    loaded_mapping,
)
from kgqa_graphdb.catalog.provenance import SourceCounts

__all__ = [
    "GraphInfo",
    "SourceCounts",
    "apart_from_loaded",
    "check_graph_name",
    "graph_fingerprint",
    "graphs",
    "label_of",
    "loaded_mapping",
]
