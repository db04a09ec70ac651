"""How answers hang together with the topics of their question, and the plan that proves them.

A pattern is a candidate subgraph of the paper (Algorithm 1): a relation path from each topic to a candidate. With step
I alone nothing chooses among patterns: the answers are those of step I, and each of the shortest patterns is a part of
their rationale.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Literal, TypeAlias, get_args

from kgqa_graphdb.errors import UsageError, nearest
from kgqa_graphdb.export.named import EDGES_ONLY
from kgqa_graphdb.export.walks import Walks
from kgqa_graphdb.gnn2r.asked import AskedQuestion
from kgqa_graphdb.gnn2r.subgraphs import numbers_of
from kgqa_graphdb.graph import NEIGHBOURHOOD_LIMITS, Graph, Memo
from kgqa_graphdb.graph.connect import MAX_HOPS
from kgqa_graphdb.graph.graph import PATH_LIMITS
from kgqa_graphdb.plan import Cite, Combine, Follow, Plan
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Fact, Scored, Step

Joining: TypeAlias = Literal["walks", "simple", "shortest"]
"""Which paths join topics and candidates: all walks, also those that pass an entity twice or lead back to the topic;
all paths that pass none twice, as in the paper; or one of the shortest, which the paper calls GNN2R-fast (table IV).
Of PathQuestion's annotated chains 94, 52, 48 and 5 % (PQ-2, PQ-3, PQL-2, PQL-3) pass no entity twice."""
JOININGS: tuple[Joining, ...] = get_args(Joining)
MAX_COMBINED = 100
"""Patterns of one candidate where several topics are named and every way from one goes with every way from another:
each pattern is a text to encode."""
MAX_EXECUTED = 20
"""Patterns that are executed as a whole, to see whether they lead to the answers and to nothing else."""


def joining_of(text: str) -> Joining:
    """Which paths join topics and candidates, by what a person says.

    :raises UsageError: there is no such way
    """
    for known in JOININGS:
        if text == known:
            return known
    raise UsageError(f"no paths are called {text!r}{nearest(text, JOININGS)}; choose from: {', '.join(JOININGS)}")


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


_Way: TypeAlias = tuple[Follow, tuple[Fact, ...]]
"""What is followed, and the facts that are known to lie on it."""
_Ways: TypeAlias = Mapping[tuple[Entity, Entity], Sequence[_Way]]
_Read: TypeAlias = tuple[_Ways, bool]
"""Topic and candidate → ways; and whether a limit left some out."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """Ranked patterns.

    :ivar ranked: best first
    :ivar truncated: a limit left some paths out
    """

    ranked: tuple[Scored[Pattern], ...]
    truncated: bool = False

    @property
    def nearness(self) -> tuple[float, ...]:
        """The score of each as a share of the highest, 0..1: of candidate patterns, how near step I finds them.

        Where none was found from what is near, as in training from an answer alone, all have 0.
        """
        most = max((one.score for one in self.ranked), default=0.0) or 1.0
        return tuple(one.score / most for one in self.ranked)


def candidate_patterns(
    asked: AskedQuestion,
    candidates: Sequence[Scored[Entity]],
    graph: Graph,
    max_hops: int,
    joining: Joining,
    source: Walks | None = None,
) -> Steps[Patterns]:
    """The patterns by which candidates hang together with the topics, each with the score of its best candidate.

    :param candidates: best first
    :param max_hops: the longest path; longer than :data:`kgqa_graphdb.graph.connect.MAX_HOPS` none is looked for
    :param source: the graph, exported; walks are looked for in it, other paths in Neo4j
    """
    topics, entities = asked.entities, [scored.item for scored in candidates]
    most = min(max_hops, MAX_HOPS)
    if joining == "walks" and source:
        ways, truncated = _exported_walks(topics, entities, graph, most, source)
    else:
        read = {"walks": _walks, "simple": _simple, "shortest": _shortest}[joining]
        ways, truncated = yield from read(topics, entities, graph, most)
    found: dict[tuple[object, ...], tuple[tuple[Follow, ...], list[Scored[Entity]], list[Sequence[Fact]]]] = {}
    for scored in candidates:
        for some in _combined(asked, scored.item, ways, 1 if joining == "shortest" else None):
            key = tuple((way.topic.element_id, *(step.code for step in way.path)) for way, _ in some)
            own = found.setdefault(key, (tuple(way for way, _ in some), [], []))
            own[1].append(scored)
            own[2].extend(facts for _, facts in some)
    ranked = [
        Scored(Pattern(sides, tuple(one.item for one in own), tuple(_distinct(facts))), max(one.score for one in own))
        for sides, own, facts in found.values()
    ]
    return Patterns(tuple(sorted(ranked, key=lambda one: -one.score)), truncated)


def _combined(
    asked: AskedQuestion, candidate: Entity, ways: _Ways, per_topic: int | None
) -> Iterable[tuple[_Way, ...]]:
    """One way from each topic that any joins with a candidate, in all combinations, the shorter first.

    Of more than :data:`MAX_COMBINED` the longest ways are left out.

    :param per_topic: ways from what one place of the question names; ``None``: all
    """
    each = [
        sorted((way for one in some for way in ways.get((one, candidate), ())), key=lambda way: len(way[0].path))[
            :per_topic
        ]
        for some in asked.topics
    ]
    joined = [some for some in each if some]
    while len(joined) > 1 and prod(map(len, joined)) > MAX_COMBINED:
        max(joined, key=len).pop()  # the longest way of the topic that has most
    return product(*joined) if joined else ()


def _walks(topics: Sequence[Entity], entities: Sequence[Entity], graph: Graph, max_hops: int) -> Steps[_Read]:
    found = yield from graph.relation_paths(topics, entities, max_hops)
    return {
        pair: tuple((Follow(pair[0], path), ()) for path in paths) for pair, paths in found.paths.items()
    }, found.truncated


def _exported_walks(
    topics: Sequence[Entity], entities: Sequence[Entity], graph: Graph, max_hops: int, source: Walks
) -> _Read:
    numbers = {one: numbers_of(source.graph, one) for one in dict.fromkeys((*topics, *entities))}
    begins, ends = ([number for one in some for number in numbers[one]] for some in (topics, entities))
    found = source.joining(begins, ends, max_hops, PATH_LIMITS.per_pair)
    used = {way for paths in found.paths.values() for path in paths for way in path}
    steps = {way: graph.mapping.step(source.codes[way]) for way in used}
    ways: dict[tuple[Entity, Entity], Sequence[_Way]] = {}
    for topic, entity in product(dict.fromkeys(topics), dict.fromkeys(entities)):
        paths = dict.fromkeys(
            path for pair in product(numbers[topic], numbers[entity]) for path in found.paths.get(pair, ())
        )
        if paths:
            ways[topic, entity] = [(Follow(topic, tuple(steps[way] for way in path)), ()) for path in paths]
    return ways, found.truncated


def _simple(topics: Sequence[Entity], entities: Sequence[Entity], graph: Graph, max_hops: int) -> Steps[_Read]:
    found = yield from graph.paths_between(topics, entities, max_hops, "simple")
    ways: defaultdict[tuple[Entity, Entity], dict[tuple[str, ...], _Way]] = defaultdict(dict)
    for way in found.paths:
        codes = tuple(step.code for step in way.path)
        follow, facts = ways[way.source, way.target].get(codes, (Follow(way.source, way.path), ()))
        ways[way.source, way.target][codes] = follow, (*facts, *way.facts)
    return {pair: tuple(some.values()) for pair, some in ways.items()}, found.truncated


def _shortest(topics: Sequence[Entity], entities: Sequence[Entity], graph: Graph, max_hops: int) -> Steps[_Read]:
    """A topic that is a candidate is joined with itself by a fact there and back."""
    found = yield from graph.paths_between(topics, entities, max_hops, "shortest")
    ways = {(way.source, way.target): ((Follow(way.source, way.path), way.facts),) for way in found.paths}
    for topic in set(topics) & set(entities):
        own = yield from _there_and_back(topic, graph)
        ways |= {(topic, topic): (own,)} if own else {}
    return ways, found.truncated


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


def _there_and_back(topic: Entity, graph: Graph) -> Steps[_Way | None]:
    """A way from an entity to itself by the first of its facts; ``None``: it has none."""
    around = yield from graph.neighbourhood([topic], 1, NEIGHBOURHOOD_LIMITS, EDGES_ONLY)
    for fact in around.facts[:1]:
        out = Step(fact.relation, inverse=fact.head != topic)
        return Follow(topic, (out, Step(fact.relation, not out.inverse))), (fact,)
    return None


def _distinct(some: Iterable[Sequence[Fact]]) -> list[Fact]:
    return list(dict.fromkeys(fact for facts in some for fact in facts))
