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
from kgqa_graphdb.mapping.naming import (
    NameProperty,
    Naming,
    aliases_of,
    choose_naming,
    code_of,
    flat,
    is_opaque_id,
    name_keys,
    name_of,
)
from kgqa_graphdb.mapping.relations import make_relation, seems_symmetric

__all__ = [
    "LEFT_OUT",
    "EntityKind",
    "GraphMapping",
    "NameProperty",
    "Naming",
    "aliases_of",
    "check_keys",
    "choose_naming",
    "code_of",
    "flat",
    "is_opaque_id",
    "language_in",
    "leg_codes",
    "make_relation",
    "name_keys",
    "name_of",
    "parse_mapping",
    "read_mapping",
    "read_toml",
    "reverse_step",
    "seems_symmetric",
    "write_mapping",
]
