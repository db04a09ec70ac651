"""Questions with gold answers, in the formats that data sets come in."""

from kgqa_graphdb.questions.pair import Gold, Pair
from kgqa_graphdb.questions.recognise import read_pairs

__all__ = ["Gold", "Pair", "read_pairs"]
