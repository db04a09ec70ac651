"""The plan: what a method proposes, a ranker ranks, Neo4j executes and Browser replays.

Only :mod:`kgqa_graphdb.compile` turns plans into Cypher.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from kgqa_graphdb.types import Entity, Fact, Link, Node, Path, Question, Scalar, Scored, Statement

CombineOp: TypeAlias = Literal["and", "or", "not"]
AggregateOp: TypeAlias = Literal[
    "count", "exists", "sum", "mean", "max", "min", "<", "<=", "=", ">=", ">", "contains", "starts"
]  # fmt: skip
Each: TypeAlias = Literal["", "sum", "mean"]
COMPARISONS: tuple[AggregateOp, ...] = ("<", "<=", "=", ">=", ">", "contains", "starts")


@dataclass(frozen=True, slots=True)
class Follow:
    """Follow a relation path from a topic.

    :ivar to: a pinned end: keep only the paths that end there
    """

    topic: Entity
    path: Path
    to: Entity | None = None


@dataclass(frozen=True, slots=True)
class Every:
    """All entities of a kind.

    :ivar label: the label that they carry
    """

    label: str


@dataclass(frozen=True, slots=True)
class Combine:
    """Intersection, union or difference of the parts' answers; ``not`` takes the later parts from the first."""

    op: CombineOp
    parts: tuple[Plan, ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Reduce a plan's answers.

    ``count`` yields their number, ``exists`` whether there are any; ``sum`` and ``mean`` those of the values at the
    ends of ``by``, each way to one counting; ``max`` and ``min`` the answers whose value at the end of ``by`` is
    greatest or least; and the :data:`COMPARISONS` the answers whose value there compares so with ``value``;
    ``contains`` and ``starts`` look for a text, whatever its case. Where ``by`` leads to entities, the value is how
    many they are; ``max`` and ``min`` are of those that have any.

    :ivar by: path from an answer to what is compared; empty: the answers are the values
    :ivar each: what of the values of one answer is compared: each by itself, or their sum or mean
    :ivar most: of ``max`` and ``min``: answers; those that tie with the last of them are among them
    """

    op: AggregateOp
    over: Plan
    by: Path = ()
    value: Scalar | None = None
    most: int = 1
    each: Each = ""


@dataclass(frozen=True, slots=True)
class Native:
    """Cypher that was written by hand or by a language model; it has passed the guard."""

    statement: Statement


@dataclass(frozen=True, slots=True)
class Cite:
    """Nodes and facts chosen by a reader, not by a query."""

    nodes: tuple[Node, ...]
    facts: tuple[Fact, ...]


Plan: TypeAlias = Follow | Every | Combine | Aggregate | Native | Cite


def yields_values(plan: Plan) -> bool:
    """Whether a plan's answers are values, not entities."""
    match plan:
        case Follow():
            return plan.path[-1].relation.kind != "edge"
        case Combine():
            return yields_values(plan.parts[0])
        case Aggregate():
            return plan.op in ("count", "exists", "sum", "mean") or yields_values(plan.over)
        case Every() | Native() | Cite():
            return False


@dataclass(frozen=True, slots=True)
class Result:
    """What executing a plan gave.

    :ivar nodes: the answers, sorted by name and id; the greatest and the least by their values
    :ivar facts: the facts on the ways from the topics to the answers, in walking order
    :ivar truncated: a cap cut the answers or the facts
    """

    plan: Plan
    nodes: tuple[Node, ...]
    facts: tuple[Fact, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """A method's answer to a question.

    :ivar answers: entities and values, best first
    :ivar proof: the executed plans that support them, best first
    :ivar cypher: reproduces answers and proof; ``None`` when nothing was executed
    :ivar abstained: why there is no answer; empty when there is one
    :ivar notes: what the asker should know: caps that cut, an encoder that is missing
    """

    question: Question
    method: str
    links: tuple[Link, ...]
    answers: tuple[Scored[Node], ...]
    proof: tuple[Scored[Result], ...]
    cypher: Statement | None
    text: str
    abstained: str = ""
    notes: tuple[str, ...] = ()
