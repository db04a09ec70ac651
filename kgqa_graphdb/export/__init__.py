"""A graph as columns of numbers: read out of Neo4j, kept in a folder of memory maps, and cut into subgraphs."""

from kgqa_graphdb.export.exported import ExportedGraph
from kgqa_graphdb.export.manifest import Manifest
from kgqa_graphdb.export.write import export_graph, fingerprint, open_export

__all__ = ["ExportedGraph", "Manifest", "export_graph", "fingerprint", "open_export"]
