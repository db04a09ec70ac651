"""Questions with gold answers, in the formats that data sets come in."""

from kgqa_graphdb.questions.asked import question_of, read_asked
from kgqa_graphdb.questions.pair import (
    Gold,
    Pair,
    canonical,
    canonical_value,
    harmonic,
    sampled,
    value_text,
    with_topics,
)
from kgqa_graphdb.questions.perturb import perturbed
from kgqa_graphdb.questions.recognise import read_pairs

__all__ = [
    "Gold",
    "Pair",
    "canonical",
    "canonical_value",
    "harmonic",
    "perturbed",
    "question_of",
    "read_asked",
    "read_pairs",
    "sampled",
    "value_text",
    "with_topics",
]
