"""What composing gives, and what it is made with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from kgqa_graphdb.compose.compare import Test
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.plan import Aggregate, Combine, Each, Every, Follow, Plan
from kgqa_graphdb.rank import PathProbe, PathRanker, Proposal
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Link, Path, QualifierTest, Relation, Step


class Model(Protocol):
    """Proposes paths; see :class:`kgqa_graphdb.methods.protocols.PathModel`."""

    @property
    def untrained(self) -> PathRanker: ...

    @property
    def in_domain(self) -> bool: ...

    def propose(
        self, question: str, start_codes: Sequence[str], *, look: PathProbe | None = None
    ) -> Steps[Proposal]: ...


@dataclass(frozen=True, slots=True)
class Composed:
    """A plan, and how well its paths fit the words that they stand for, 0..1.

    :ivar links: what it starts from
    :ivar named: a noun names the kind that is asked for
    """

    plan: Plan
    fit: float
    links: tuple[Link, ...] = ()
    named: bool = True


@dataclass(frozen=True, slots=True)
class NotCovered:
    """Why a question that counts, compares or ranks has no plan: without a part of it the answer would be another.

    :ivar word: what no plan says; empty: all words together
    """

    word: str

    @property
    def why(self) -> str:
        """As an abstention has it."""
        if not self.word:
            return "the question counts, sums up or ranks, and no plan says all of it"
        return f"{self.word!r} in the question was not understood, and without it the answer would be another"


@dataclass(frozen=True, slots=True)
class NoValue:
    """What a question asks for, and the graph does not say of what it names; what it says of others is no answer.

    :ivar what: as an abstention has it: "age", "when that was"
    :ivar links: to what it is asked of
    """

    what: str
    links: tuple[Link, ...]

    @property
    def why(self) -> str:
        """As an abstention has it."""
        return f"the graph has no {self.what} of {' and '.join(link.entity.name for link in self.links)}"


def starts_of(topic: Link, text: str, graph: Graph, model: Model) -> Steps[tuple[tuple[str, ...], bool]]:
    """The steps by which a topic is left, and whether a text in which it is masked says one of them and nothing else.

    The topic may have none such, which is for the plan to find: a question whether or how many is answered by no and 0
    then, not by another step.
    """
    starts = yield from graph.first_steps([topic.entity])
    codes = tuple(starts.get(topic.entity.element_id, ()))
    meant = () if model.in_domain else model.untrained.meant(text, codes)
    return (tuple(code for code in codes if code in meant) or meant or codes), bool(meant)


def lacking_step(topic: Link, text: str, ranker: PathRanker) -> Step | None:
    """The one step that a text says and nothing else, which a topic of no known kind may have none of; ``None``: none.

    Where there are no kinds, what the topic has none of is not proposed, and a way round may be.

    :param text: with the topic masked
    """
    if topic.entity.labels:
        return None
    steps = {step.code: step for step in ranker.schema.steps}
    meant = ranker.meant(text, tuple(steps))
    return steps[meant[0]] if len(meant) == 1 else None


def proposed(topic: Link, text: str, graph: Graph, model: Model) -> Steps[Proposal]:
    """The paths from a topic for a text in which it is masked."""
    codes, _ = yield from starts_of(topic, text, graph, model)
    return (yield from model.propose(text, codes, look=partial(graph.endpoint_stats, topic.entity)))


def may_end_at(found: Sequence[Path], entity: Entity, graph: Graph) -> Steps[list[Path]]:
    """Of paths those that may lead to an entity: to its kind, or, if it has none, by a step that it is reached by."""
    if entity.labels:
        kinds = {*entity.labels}
        return [path for path in found if not (ends := end_labels(path[-1])) or kinds & {*ends}]
    starts = yield from graph.first_steps([entity])
    codes = {*starts.get(entity.element_id, ())}
    return [path for path in found if Step(path[-1].relation, not path[-1].inverse).code in codes]


def is_among(entity: Entity, plan: Plan, graph: Graph) -> Steps[bool]:
    """Whether an entity is one of a plan's answers."""
    pinned = replace(plan, to=entity) if isinstance(plan, Follow) else plan
    result = yield from graph.execute(pinned)
    return entity.element_id in {one.element_id for one in result.nodes if isinstance(one, Entity)}


def compared(
    found: Composed, path: Path, tests: Sequence[Test], fit: float = 1.0, each: Each = "", within: Plan | None = None
) -> Composed:
    """What a plan leaves of what was found where tests hold of the values that a path leads to, all of one of them."""
    plan = found.plan
    if not each and len(tests) > 1 and len(path) > 1:
        path, tests, within = _of_one_value(path, tests, within)
    for op, value in tests:
        plan = Aggregate(op, plan, path, value, each=each, within=within)
    return kept(found, plan, fit)


def _of_one_value(path: Path, tests: Sequence[Test], within: Plan | None) -> tuple[Path, Sequence[Test], Plan | None]:
    """A path with all tests but the first on its last relationship, or those whose values it leads to narrowed down."""
    (*way, end), (first, *others) = path, tests
    on_end = scalar_tests(end.relation, others)
    if on_end is None:
        return path, tests, within
    if end.relation.kind == "qualifier":
        way[-1] = replace(way[-1], tests=(*way[-1].tests, *on_end))
        return (*way, end), [first], within
    labels = end_labels(way[-1])
    inside = within or (Every(labels[0]) if len(labels) == 1 else None)
    if end.relation.kind != "property" or end.relation.via or inside is None:
        return path, tests, within
    for op, value in others:
        inside = Aggregate(op, inside, (end,), value)
    return path, [first], inside


def scalar_tests(qualifier: Relation, tests: Sequence[Test]) -> tuple[QualifierTest, ...] | None:
    """Tests of a relationship's property; ``None``: one compares with what a plan yields."""
    found = [QualifierTest(qualifier, op, value) for op, value in tests if not isinstance(value, Plan)]
    return tuple(found) if len(found) == len(tests) else None


def kept(found: Composed, plan: Plan, fit: float, *, negated: bool = False) -> Composed:
    """What a plan leaves of what was found, or all but that."""
    return replace(found, plan=Combine("not", (found.plan, plan)) if negated else plan, fit=min(found.fit, fit))
