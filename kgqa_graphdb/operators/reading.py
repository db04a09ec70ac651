"""What a question is taken apart into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from kgqa_graphdb.operators.kinds import Kind
from kgqa_graphdb.operators.mark import Comparison
from kgqa_graphdb.operators.same import Same
from kgqa_graphdb.operators.words import Direction
from kgqa_graphdb.plan import AggregateOp, Each

Wants: TypeAlias = Literal["answers", "count", "exists", "sum", "mean"]


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that holds of what is asked for.

    :ivar text: its words, without what stands below
    :ivar value: a text that was quoted or written with a capital
    :ivar op: how the value is compared
    :ivar each: what of several numbers is compared
    :ivar topic: it speaks of the topic, which is in the text
    :ivar unclear: it says more than this
    :ivar within: what it counts or sums up is narrowed down to these
    :ivar mean_of: the words of a mean that is compared with
    :ivar attributive: it stands before the noun
    :ivar same: what is done to, or by, one entity
    """

    text: str
    comparisons: tuple[Comparison, ...] = ()
    value: str = ""
    op: AggregateOp = "="
    each: Each = ""
    negated: bool = False
    topic: bool = False
    unclear: bool = False
    within: Reading | None = None
    mean_of: str = ""
    attributive: bool = False
    same: Same | None = None


@dataclass(frozen=True, slots=True)
class Extreme:
    """The greatest or the least.

    :ivar measures: by what, in words, and which way; the first that the graph has
    :ivar each: what of several numbers counts
    :ivar bottom: the list is read from its end
    :ivar within: what is counted or summed up is narrowed down to these
    """

    measures: tuple[tuple[Direction, str], ...]
    most: int = 1
    each: Each = ""
    bottom: bool = False
    within: Reading | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A question taken apart.

    :ivar measure: what is summed up, in words
    :ivar kind: what is asked for
    :ivar noun: the word for it
    :ivar unsure: it says something that is not understood
    :ivar per: words for what the answers are grouped by
    :ivar tests: what the number of a group is compared with
    """

    wants: Wants = "answers"
    measure: str = ""
    kind: Kind | None = None
    noun: str = ""
    conditions: tuple[Condition, ...] = ()
    extreme: Extreme | None = None
    unsure: bool = False
    per: str = ""
    tests: tuple[Comparison, ...] = ()

    @property
    def compares(self) -> bool:
        """Whether anything is done with what a path leads to."""
        conditions = any(one.comparisons or one.negated or one.value or one.same for one in self.conditions)
        return self.wants != "answers" or self.extreme is not None or conditions or bool(self.per)

    @property
    def narrowed(self) -> tuple[Reading, ...]:
        """What measures are narrowed down to."""
        some = (*(one.within for one in self.conditions), self.extreme.within if self.extreme else None)
        return tuple(one for one in some if one is not None)
