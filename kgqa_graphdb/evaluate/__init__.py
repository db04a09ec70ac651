"""Measuring answers against gold ones."""

from kgqa_graphdb.evaluate.metrics import Predicted, Scores, score

__all__ = ["Predicted", "Scores", "score"]
