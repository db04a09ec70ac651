"""A local index over the names of a graph whose database has no full-text index for them: a file beside the mapping."""

from kgqa_graphdb.name_index.fill import MAX_NODES, forget_names, names_file, open_names
from kgqa_graphdb.name_index.store import NameIndex

__all__ = ["MAX_NODES", "NameIndex", "forget_names", "names_file", "open_names"]
