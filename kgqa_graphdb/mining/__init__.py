"""Relation paths found from answers: what a question could have been answered by."""

from kgqa_graphdb.mining.around import Around
from kgqa_graphdb.mining.gold import GoldEnds, find_gold
from kgqa_graphdb.mining.pairs import GoodPair, good_pairs
from kgqa_graphdb.mining.paths import MAX_TOPICS, GoodPath, best_topic, f1_of, good_paths, ranked_topics

__all__ = [
    "MAX_TOPICS",
    "Around",
    "GoldEnds",
    "GoodPair",
    "GoodPath",
    "best_topic",
    "f1_of",
    "find_gold",
    "good_pairs",
    "good_paths",
    "ranked_topics",
]
