"""What a question does with what it speaks of: counting, comparing, ranking, leaving out; each a plan."""

from kgqa_graphdb.operators.compose import Operators, topics_of
from kgqa_graphdb.operators.composed import Composed
from kgqa_graphdb.operators.cues import left_out, negation_in, passed_over

__all__ = ["Composed", "Operators", "left_out", "negation_in", "passed_over", "topics_of"]
