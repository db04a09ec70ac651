"""Plans to Cypher. :mod:`kgqa_graphdb.link.lookup` looks names up; nothing else writes Cypher."""

from kgqa_graphdb.compile.hops import (
    ITEM,
    PREFIX,
    describe_keys,
    describe_statement,
    each_statement,
    hop_statement,
    kind_of,
    property_statement,
    qualifier_keys,
)
from kgqa_graphdb.compile.replay import answers_statement, replay_statement

__all__ = [
    "ITEM",
    "PREFIX",
    "answers_statement",
    "describe_keys",
    "describe_statement",
    "each_statement",
    "hop_statement",
    "kind_of",
    "property_statement",
    "qualifier_keys",
    "replay_statement",
]
