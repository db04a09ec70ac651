"""Exported graphs for PyTorch Geometric: subgraphs as data objects, whole graphs behind its loaders. Extra: gnn."""

from kgqa_graphdb.errors import MissingExtraError

try:
    import torch_geometric  # noqa: F401
except ImportError as error:
    raise MissingExtraError("torch-geometric", "gnn") from error

from kgqa_graphdb.export.pyg.data import to_data, to_hetero_data
from kgqa_graphdb.export.pyg.sampler import FactSampler
from kgqa_graphdb.export.pyg.stores import FACT, REVERSE, EntityStore, FactStore, stores

__all__ = ["FACT", "REVERSE", "EntityStore", "FactSampler", "FactStore", "stores", "to_data", "to_hetero_data"]
