"""Cypher: of plans, of single hops, of look-ups by name; nothing else writes any."""

from kgqa_graphdb.compile.hops import (
    ITEM,
    PREFIX,
    describe_keys,
    describe_statement,
    each_statement,
    hop_statement,
    kind_of,
    property_statement,
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
    "replay_statement",
]
