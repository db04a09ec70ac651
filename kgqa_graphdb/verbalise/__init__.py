"""Answers and facts in sentences."""

from __future__ import annotations

from kgqa_graphdb.verbalise.descriptions import describe_path, describe_plan, enumerate_names
from kgqa_graphdb.verbalise.sentences import FactLine, fact_sentence, fact_triple, sentence

__all__ = [
    "FactLine", "describe_path", "describe_plan", "enumerate_names", "fact_sentence", "fact_triple", "sentence",
]  # fmt: skip
