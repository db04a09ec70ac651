"""A graph as columns of numbers: read out of Neo4j, kept in a folder of memory maps, and cut into subgraphs."""

from kgqa_graphdb.export.exported import ENTITY, ExportedGraph
from kgqa_graphdb.export.features import write_features
from kgqa_graphdb.export.for_pyg import export_subgraph
from kgqa_graphdb.export.manifest import Manifest
from kgqa_graphdb.export.named import NamedSubgraph, named, read_subgraph
from kgqa_graphdb.export.subgraph import IndexedSubgraph, SubgraphSettings, cut_subgraph, cut_to_size
from kgqa_graphdb.export.write import export_graph, fingerprint, open_export

__all__ = [
    "ENTITY", "ExportedGraph", "IndexedSubgraph", "Manifest", "NamedSubgraph", "SubgraphSettings", "cut_subgraph",
    "cut_to_size",
    "export_graph", "export_subgraph",
    "fingerprint", "named", "open_export", "read_subgraph", "write_features",
]  # fmt: skip
