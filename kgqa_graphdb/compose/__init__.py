"""Composing plans of what a question was parsed to do: counting, comparing, ranking, leaving out."""

from kgqa_graphdb.compose.composed import Composed, NotCovered, NoValue
from kgqa_graphdb.compose.questions import QuestionComposer

__all__ = ["Composed", "NoValue", "NotCovered", "QuestionComposer"]
