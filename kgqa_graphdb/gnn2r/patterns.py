"""How answers hang together with the topics of their question, and the plan that proves them.

A pattern is a candidate subgraph of the paper (Algorithm 1): a relation path from each topic to a candidate. A function
of the type :data:`FindPatterns` goes from candidates to ranked patterns; :func:`shortest_patterns` takes the shortest
paths alone, which the paper calls GNN2R-fast (table IV). With step I alone nothing chooses among patterns: the answers
are those of step I, and every pattern is a part of their rationale.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from kgqa_graphdb.export.named import EDGES_ONLY
from kgqa_graphdb.gnn2r.asked import AskedQuestion
from kgqa_graphdb.graph import NEIGHBOURHOOD_LIMITS, Graph, Memo
from kgqa_graphdb.plan import Cite, Combine, Follow, Plan
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Fact, Scored, Step

MAX_EXECUTED = 20
"""Patterns that are executed as a whole, to see whether they lead to the answers and to nothing else."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A relation path from each topic, all of which meet in the candidates.

    :ivar sides: what is followed from each topic; one or more
    :ivar candidates: that it was found for, best first
    :ivar facts: on the paths that it was found by
    """

    sides: tuple[Follow, ...]
    candidates: tuple[Entity, ...]
    facts: tuple[Fact, ...]

    @property
    def plan(self) -> Plan:
        """All that the whole pattern leads to."""
        return self.sides[0] if len(self.sides) == 1 else Combine("and", self.sides)


@dataclass(frozen=True, slots=True)
class Patterns:
    """Ranked patterns.

    :ivar ranked: best first
    :ivar truncated: a limit left some paths out
    """

    ranked: tuple[Scored[Pattern], ...]
    truncated: bool = False


FindPatterns: TypeAlias = Callable[[AskedQuestion, Sequence[Scored[Entity]], Graph, int], Steps[Patterns]]
"""From a question, candidates, best first, the graph and the longest path in hops to ranked patterns."""


def shortest_patterns(
    asked: AskedQuestion, candidates: Sequence[Scored[Entity]], graph: Graph, max_hops: int
) -> Steps[Patterns]:
    """The patterns of the shortest paths from the topics to candidates; each has the score of its best candidate.

    A topic that is a candidate is joined with itself by a fact there and back.
    """
    topics, entities = asked.entities, [scored.item for scored in candidates]
    found = yield from graph.paths_between(topics, entities, max_hops, "shortest")
    ways = {(way.source, way.target): (Follow(way.source, way.path), way.facts) for way in found.paths}
    for topic in set(topics) & set(entities):
        own = yield from _there_and_back(topic, graph)
        ways |= {(topic, topic): own} if own else {}
    by_sides: defaultdict[tuple[Follow, ...], list[tuple[Scored[Entity], tuple[Fact, ...]]]] = defaultdict(list)
    for scored in candidates:
        each = [_nearest([ways[key] for one in some if (key := (one, scored.item)) in ways]) for some in asked.topics]
        joined = [one for one in each if one is not None]
        if joined:
            facts = tuple(dict.fromkeys(fact for _, own in joined for fact in own))
            by_sides[tuple(follow for follow, _ in joined)].append((scored, facts))
    ranked = [
        Scored(
            Pattern(sides, tuple(one.item for one, _ in some), tuple(_distinct(facts for _, facts in some))),
            max(one.score for one, _ in some),
        )
        for sides, some in by_sides.items()
    ]
    return Patterns(tuple(sorted(ranked, key=lambda one: -one.score)), found.truncated)


def plan_of(answers: Sequence[Entity], patterns: Patterns, graph: Graph, memo: Memo) -> Steps[Plan]:
    """A plan whose answers are some entities.

    It follows the patterns, where together they lead to these and to nothing else; else it cites the answers, and the
    facts that the patterns were found by.
    """
    plans = [scored.item.plan for scored in patterns.ranked]
    wanted, reached = set(answers), set[object]()
    if plans and len(plans) <= MAX_EXECUTED:
        for plan in plans:
            reached.update((yield from graph.execute(plan, memo)).nodes)
        if reached == wanted:
            return plans[0] if len(plans) == 1 else Combine("or", tuple(plans))
    return Cite(tuple(answers), tuple(_distinct(scored.item.facts for scored in patterns.ranked)))


def _nearest(ways: Sequence[tuple[Follow, tuple[Fact, ...]]]) -> tuple[Follow, tuple[Fact, ...]] | None:
    """The shortest of several ways, from entities that are called alike."""
    return min(ways, key=lambda way: len(way[0].path), default=None)


def _there_and_back(topic: Entity, graph: Graph) -> Steps[tuple[Follow, tuple[Fact, ...]] | None]:
    """A way from an entity to itself by the first of its facts; ``None``: it has none."""
    around = yield from graph.neighbourhood([topic], 1, NEIGHBOURHOOD_LIMITS, EDGES_ONLY)
    for fact in around.facts[:1]:
        out = Step(fact.relation, inverse=fact.head != topic)
        return Follow(topic, (out, Step(fact.relation, not out.inverse))), (fact,)
    return None


def _distinct(some: Iterable[Sequence[Fact]]) -> list[Fact]:
    return list(dict.fromkeys(fact for facts in some for fact in facts))
