"""Questions with gold answers, in the formats that data sets come in."""

from kgqa_graphdb.questions.pair import Gold, Pair, canonical, harmonic, sampled, with_topics
from kgqa_graphdb.questions.perturb import perturbed
from kgqa_graphdb.questions.recognise import read_pairs

__all__ = ["Gold", "Pair", "canonical", "harmonic", "perturbed", "read_pairs", "sampled", "with_topics"]
