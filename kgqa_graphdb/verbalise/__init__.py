"""Answers and facts in sentences."""

from __future__ import annotations

from kgqa_graphdb.verbalise.descriptions import describe_path, describe_plan, enumerate_names
from kgqa_graphdb.verbalise.faithful import Stated, why_unfaithful
from kgqa_graphdb.verbalise.sentences import FactLine, fact_sentence, fact_triple, sentence
from kgqa_graphdb.verbalise.written import write_sentences

__all__ = [
    "FactLine",
    "Stated",
    "describe_path",
    "describe_plan",
    "enumerate_names",
    "fact_sentence",
    "fact_triple",
    "sentence",
    "why_unfaithful",
    "write_sentences",
]
