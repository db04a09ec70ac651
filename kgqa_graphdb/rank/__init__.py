"""Ranking relation paths against a question."""

from kgqa_graphdb.rank.paths import PathRanker
from kgqa_graphdb.rank.propose import Proposal, propose
from kgqa_graphdb.rank.question import mask_mention
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.text import path_text

__all__ = ["PathRanker", "Proposal", "Schema", "mask_mention", "path_text", "propose"]
