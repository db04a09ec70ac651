"""What a graph looks like: which labels are entities, which relationship types and properties are relations.

A graph that we loaded and a company's own differ in their :class:`GraphMapping` alone. The mapping of a loaded graph
is kept in its meta nodes (:mod:`kgqa_graphdb.catalog`); that of any other graph in a TOML file that a person corrects.
"""

from kgqa_graphdb.mapping.files import (
    LEFT_OUT,
    check_keys,
    language_in,
    parse_mapping,
    read_mapping,
    read_toml,
    write_mapping,
)
from kgqa_graphdb.mapping.graph_mapping import EntityKind, GraphMapping, leg_codes, reverse_step
from kgqa_graphdb.mapping.relations import make_relation, seems_symmetric

__all__ = [
    "LEFT_OUT",
    "EntityKind",
    "GraphMapping",
    "check_keys",
    "language_in",
    "leg_codes",
    "make_relation",
    "parse_mapping",
    "read_mapping",
    "read_toml",
    "reverse_step",
    "seems_symmetric",
    "write_mapping",
]
