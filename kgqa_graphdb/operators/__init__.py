"""What a question does with what it speaks of: counting, comparing, ranking, leaving out; each a plan."""

from kgqa_graphdb.operators.compose import Composed, Operators

__all__ = ["Composed", "Operators"]
