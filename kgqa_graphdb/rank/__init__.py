"""Ranking relation paths against a question."""

from kgqa_graphdb.rank.mixed import MixedRanker, make_ranker
from kgqa_graphdb.rank.model import PathModelDetails, PathModelFiles, read_details, read_model
from kgqa_graphdb.rank.paths import PathRanker
from kgqa_graphdb.rank.propose import PathProbe, Proposal, propose
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.text import path_text
from kgqa_graphdb.rank.trained import TrainedRanker

__all__ = [
    "MixedRanker",
    "PathModelDetails",
    "PathModelFiles",
    "PathProbe",
    "PathRanker",
    "Proposal",
    "Schema",
    "TrainedRanker",
    "make_ranker",
    "path_text",
    "propose",
    "read_details",
    "read_model",
]
