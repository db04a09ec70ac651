"""What a plan's answers are reduced to: one table of how each reduction is asked for, compiled and put in words.

A new one is one entry of :data:`REDUCTIONS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Literal, TypeAlias, get_args

from kgqa_graphdb.errors import UsageError, nearest

ReductionName: TypeAlias = Annotated[str, "the name of a reduction"]
"""A key of :data:`REDUCTIONS`."""
Family: TypeAlias = Literal["answers", "values", "ranking", "comparison"]


@dataclass(frozen=True, slots=True)
class Reduction:
    """One way to reduce answers.

    :ivar name: as plans have it
    :ivar family: what is reduced and to what: ``answers``, to one value, which has no unit; their ``values``, to one
        value of the same unit; or to some of the answers: a ``ranking`` by their values, a ``comparison`` of each
    :ivar cypher: the expression, with ``{}`` for what is reduced; of a comparison a condition on ``value``, with
        ``{}`` for what it is compared with; of a ranking empty
    :ivar phrase: how an answer's sentence has it: "the sum", "at most"
    :ivar attribute: how it has it of several values of one answer: "total price"
    :ivar words: by which a question asks for it: "the average price"
    :ivar adjectives: by which a question does so of a measure only: "the combined price"
    """

    name: ReductionName
    family: Family
    cypher: str
    phrase: str
    attribute: str = ""
    words: tuple[str, ...] = ()
    adjectives: tuple[str, ...] = ()

    @property
    def yields_value(self) -> bool:
        """Whether it yields one value, not some of the answers."""
        return self.family in ("answers", "values")


def _table(every: Iterable[Reduction]) -> Mapping[str, Reduction]:
    return MappingProxyType({one.name: one for one in every})


_HIGH = tuple("most highest greatest largest biggest maximum max best".split())
_LOW = tuple("fewest lowest least smallest minimum min worst".split())

REDUCTIONS = _table(
    (
        Reduction("count", "answers", "count(DISTINCT {})", "the number", words=("number", "count")),
        Reduction("exists", "answers", "count({}) > 0", "whether there is"),
        Reduction("none", "answers", "count({}) = 0", "whether there is no"),
        Reduction("sum", "values", "sum({})", "the sum", "total", ("total", "sum"), ("combined",)),
        Reduction("mean", "values", "avg({})", "the mean", "mean", ("average", "mean")),
        Reduction("median", "values", "percentileCont({}, 0.5)", "the median", "median", ("median",)),
        Reduction("measure", "ranking", "", "the"),
        Reduction("max", "ranking", "", "the greatest", words=_HIGH),
        Reduction("min", "ranking", "", "the least", words=_LOW),
        Reduction("<", "comparison", "value < {}", "less than"),
        Reduction("<=", "comparison", "value <= {}", "at most"),
        Reduction("=", "comparison", "value = {}", ""),
        Reduction(">=", "comparison", "value >= {}", "at least"),
        Reduction(">", "comparison", "value > {}", "more than"),
        Reduction("contains", "comparison", "toLower(toString(value)) CONTAINS toLower({})", "containing"),
        Reduction("starts", "comparison", "toLower(toString(value)) STARTS WITH toLower({})", "beginning with"),
    )
)


def check_reduction(name: str, *families: Family) -> None:
    """Refuse a name that is no reduction of some families.

    :raises UsageError: it is none
    """
    known = [one.name for one in of_family(*families)]
    if name not in known:
        raise UsageError(f"there is no reduction {name!r}{nearest(name, known)}; choose from: {', '.join(known)}")


def of_family(*families: Family) -> tuple[Reduction, ...]:
    """The reductions of some families, all if none is named, in the order of the table."""
    return tuple(one for one in REDUCTIONS.values() if one.family in (families or get_args(Family)))
