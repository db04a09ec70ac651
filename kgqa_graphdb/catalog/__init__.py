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

__all__ = [
    "GraphInfo",
    "apart_from_loaded",
    "check_graph_name",
    "graph_fingerprint",
    "graphs",
    "label_of",
    "loaded_mapping",
]
