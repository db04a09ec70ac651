"""The plan: what a method proposes, a ranker ranks, Neo4j executes and Browser replays.

Only :mod:`kgqa_graphdb.compile` turns plans into Cypher.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from kgqa_graphdb.reductions import REDUCTIONS, ReductionName, check_reduction
from kgqa_graphdb.types import Entity, Fact, Link, Node, Path, Question, Scalar, Scored, Statement, Value

CombineOp: TypeAlias = Literal["and", "or", "not"]
AggregateOp: TypeAlias = ReductionName
Each: TypeAlias = ReductionName
"""A reduction of values, such as ``sum`` and ``mean``; empty: none."""


@dataclass(frozen=True, slots=True)
class Follow:
    """Follow a relation path from a topic.

    :ivar to: a pinned end: keep only the paths that end there
    """

    topic: Entity
    path: Path
    to: Entity | None = None


def either_ways(path: Path) -> tuple[Path, ...]:
    """A path, and where it is one step of a symmetric relation the way back, too, which says the same."""
    step = path[0]
    if len(path) > 1 or not step.relation.symmetric or step.relation.kind != "edge":
        return (path,)
    return path, (replace(step, inverse=not step.inverse),)


def follow_either_way(follow: Follow) -> Plan:
    """A plan that follows one step of a symmetric relation both ways; any other as it is."""
    first, *others = (replace(follow, path=path) for path in either_ways(follow.path))
    return Combine("or", (first, *others)) if others else first


@dataclass(frozen=True, slots=True)
class Every:
    """All entities of a kind.

    :ivar label: the label that they carry
    """

    label: str


@dataclass(frozen=True, slots=True)
class Onward:
    """Follow a relation path from each of a plan's answers: where the heaviest animal lives.

    :ivar over: yields entities
    """

    over: Plan
    path: Path


@dataclass(frozen=True, slots=True)
class Combine:
    """Intersection, union or difference of the parts' answers; ``not`` takes the later parts from the first."""

    op: CombineOp
    parts: tuple[Plan, ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Reduce a plan's answers, by one of :data:`kgqa_graphdb.reductions.REDUCTIONS`.

    ``count`` yields their number, ``exists`` whether there are any; ``sum``, ``mean`` and ``median`` those of the
    values at the ends of ``by``, each way to one counting; ``measure`` the answers, each with its value at the end of
    ``by``; ``max`` and ``min`` those whose value there is greatest or least; and comparisons those whose value there
    compares so with ``value``; ``contains`` and ``starts`` look for a text, whatever its case. Where ``by`` leads to
    entities, the value is how many they are; ``measure``, ``max`` and ``min`` are of those that have any.

    :ivar by: path from an answer to what is compared, a symmetric relation alone both ways; empty: the answers are the
        values, or groups with theirs
    :ivar value: what is compared with; a plan: all values that it yields
    :ivar each: what of the values of one answer is compared: each by itself, or their sum, mean and so on
    :ivar most: of ``max`` and ``min``: answers; those that tie with the last of them are among them
    :ivar within: only ways over its answers count: those are the last entities on ``by``
    :ivar meets: further paths from an answer; only ways to entities to which these lead, too, count
    """

    op: AggregateOp
    over: Plan
    by: Path = ()
    value: Scalar | Plan | None = None
    most: int = 1
    each: Each = ""
    within: Plan | None = None
    meets: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        check_reduction(self.op)
        if self.each:
            check_reduction(self.each, "values")


@dataclass(frozen=True, slots=True)
class Group:
    """The values that a path from a plan's answers leads to, each with the number of answers that have it.

    :ivar by: path from an answer to the value; it ends in a property
    :ivar years: the values are moments; their years count
    :ivar of: path from an answer to numbers, whose sum, mean and so on stands in the place of the number of answers
    """

    over: Plan
    by: Path
    years: bool = False
    of: Path = ()
    each: Each = ""

    def __post_init__(self) -> None:
        if self.each:
            check_reduction(self.each, "values")


@dataclass(frozen=True, slots=True)
class Native:
    """Cypher that was written by hand or by a language model; it has passed the guard."""

    statement: Statement


@dataclass(frozen=True, slots=True)
class Cite:
    """Nodes and facts chosen by a reader, not by a query."""

    nodes: tuple[Node, ...]
    facts: tuple[Fact, ...]


Plan: TypeAlias = Follow | Every | Onward | Combine | Aggregate | Group | Native | Cite


def yields_values(plan: Plan) -> bool:
    """Whether a plan's answers are values, not entities."""
    match plan:
        case Follow() | Onward():
            return plan.path[-1].relation.kind != "edge"
        case Combine():
            return yields_values(plan.parts[0])
        case Aggregate():
            return REDUCTIONS[plan.op].yields_value or yields_values(plan.over)
        case Group():
            return True
        case Every() | Native() | Cite():
            return False


def tells_amounts(plan: Plan) -> bool:
    """Whether each answer of a plan comes with a number of its own, by which it can be compared."""
    return isinstance(plan, Group) or (isinstance(plan, Aggregate) and not plan.by and tells_amounts(plan.over))


@dataclass(frozen=True, slots=True)
class Result:
    """What executing a plan gave.

    :ivar nodes: the answers, sorted by name and id; the greatest and the least by their values
    :ivar facts: the facts on the ways from the topics to the answers, in walking order
    :ivar truncated: a cap cut the answers or the facts
    :ivar amounts: by what each of the answers was ranked or grouped, in their order; empty: by nothing
    """

    plan: Plan
    nodes: tuple[Node, ...]
    facts: tuple[Fact, ...]
    truncated: bool
    amounts: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """How much of what was found a reader was shown.

    :ivar facts: that were found
    :ivar kept: that fitted
    """

    facts: int
    kept: int


@dataclass(frozen=True, slots=True)
class ReasoningPath:
    """One way of a relation path from its topic to one of its ends.

    :ivar facts: in walking order
    """

    end: Node
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a method that predicts relation paths retrieved for a reader.

    :ivar hops: the likeliest number of hops
    :ivar paths: predicted relation paths, best first
    :ivar sample: of each of them the reasoning paths that were chosen to be read
    """

    hops: int
    paths: tuple[Scored[Follow], ...]
    sample: tuple[tuple[ReasoningPath, ...], ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts of the sample, without repeats."""
        return tuple(dict.fromkeys(fact for some in self.sample for path in some for fact in path.facts))


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a language model read and wrote for an answer.

    :ivar prompt: tokens of all prompts
    :ivar completion: tokens of all completions
    """

    prompt: int
    completion: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be the answer, for methods that choose among such.

    :ivar text: as it was guessed; of what nobody guessed its name
    :ivar place: among the distinct guesses, from 0; ``None``: nobody guessed it, it lies near the topics
    :ivar votes: how often it was guessed
    :ivar entity: that it names; ``None``: none of the graph
    :ivar score: 0..1, how likely it is the answer; ``None``: it is not joined with the topics, so it was not ranked
    """

    text: str
    place: int | None = None
    votes: int = 1
    entity: Entity | None = None
    score: float | None = None


TEMPLATES = "templates"
"""What writes a sentence that no language model wrote."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A method's answer to a question.

    :ivar answers: entities and values, best first
    :ivar proof: the executed plans that support them, best first
    :ivar cypher: reproduces answers and proof; ``None`` when nothing was executed
    :ivar abstained: why there is no answer; empty when there is one
    :ivar notes: what the asker should know: caps that cut, an encoder that is missing
    :ivar cut: what a language model was shown of the facts; ``None``: none was asked, or it was shown all
    :ivar ungrounded: names that a language model gave and that its facts don't have: they are no answers; ``None``:
        none read facts
    :ivar tokens: what a language model read and wrote for it; ``None``: none was asked
    :ivar verbalised_by: what wrote ``text``: ``templates``, or the name of a language model
    :ivar retrieved: by methods that predict relation paths
    :ivar candidates: by methods that choose among such: the guesses in their order, then the others
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
    cut: Cut | None = None
    ungrounded: tuple[str, ...] | None = None
    tokens: Tokens | None = None
    verbalised_by: str = TEMPLATES
    retrieved: Retrieved | None = None
    candidates: tuple[Candidate, ...] | None = None
