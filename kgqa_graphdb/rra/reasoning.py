"""Reasoning paths: the facts on one way of a relation path from its topic to one of its ends; and a sample of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from kgqa_graphdb.graph.edges import Edge, HopRule, hop_rules
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.mapping.hops import hops_of
from kgqa_graphdb.plan import Follow, ReasoningPath, Result
from kgqa_graphdb.types import Entity, Fact, Node, Step, Value

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Walked:
    """A hop from a node to another, and the facts that it is made of."""

    left: Node
    right: Node
    facts: tuple[Fact, ...]

    @property
    def edge(self) -> Edge:
        """The same as walk rules see it."""
        ends = [{fact.head, fact.tail} for fact in self.facts]
        between = [min(one & other, key=_key) for one, other in pairwise(ends) if one & other]
        return Edge(_key(self.left), _key(self.right), between=tuple(map(_key, between)))


def reasoning_paths(result: Result, mapping: GraphMapping) -> Iterator[ReasoningPath]:
    """One reasoning path to each end of a relation path, in the order of the ends; of several the first by their names.

    :param result: of a relation path that was executed; an end to which its facts hold no way is left out
    """
    follow, ends, facts = result.plan, result.nodes, result.facts
    if not isinstance(follow, Follow):
        return
    steps = [step for step in follow.path if step.relation.kind != "qualifier"]
    rules = hop_rules(mapping.walk, hops_of(mapping, follow.path), {_key(follow.topic)})
    hops: list[dict[Node, list[_Walked]]] = []
    reached: set[Node] = {follow.topic}
    for place, step in enumerate(steps):
        barred = rules[place].barred if place < len(rules) else frozenset()
        into: defaultdict[Node, list[_Walked]] = defaultdict(list)
        for one in sorted(_walked(step, facts, mapping), key=_order):
            if one.left in reached and (not barred or barred.isdisjoint((one.edge.right, *one.edge.between))):
                into[one.right].append(one)
        hops.append(into)
        reached = set(into)
    free = (*rules, HopRule(), HopRule())
    qualified = len(steps) < len(follow.path)
    for end in ends:
        nodes = [node for node in reached if isinstance(node, Entity)] if qualified else [end]
        ways = (way for node in sorted(nodes, key=_key) for way in _ways(hops, free, len(hops) - 1, node, None))
        fitting = (way for way in ways if not qualified or _holds(way[-1], end))
        found = next(fitting, None)
        if found:
            yield ReasoningPath(end, found)


def _ways(
    hops: Sequence[dict[Node, list[_Walked]]], rules: Sequence[HopRule], place: int, node: Node, after: _Walked | None
) -> Iterator[tuple[Fact, ...]]:
    """The facts of the ways to a node, in walking order."""
    if place < 0:
        yield ()
        return
    for one in hops[place].get(node, ()):
        if after is None or rules[place + 1].may_follow(one.edge.arrival, after.edge):
            for way in _ways(hops, rules, place - 1, one.left, one):
                yield (*way, *one.facts)


def _walked(step: Step, facts: Iterable[Fact], mapping: GraphMapping) -> list[_Walked]:
    """The hops that facts make: single ones, or one for each leg of a step that has a ``via``."""
    own = [_of_fact(step, fact) for fact in facts if fact.relation.id == step.relation.id]
    if not step.relation.via:
        return own
    legs = [
        [_of_fact(leg, fact) for fact in facts if fact.relation.id == leg.relation.id] for leg in mapping.legs(step)
    ]
    joined = legs[0]
    for leg in legs[1:]:
        after: defaultdict[Node, list[_Walked]] = defaultdict(list)
        for one in leg:
            after[one.left].append(one)
        joined = [
            _Walked(one.left, other.right, (*one.facts, *other.facts)) for one in joined for other in after[one.right]
        ]
    return [*own, *joined]


def _of_fact(step: Step, fact: Fact) -> _Walked:
    if step.inverse and isinstance(fact.tail, Entity):
        return _Walked(fact.tail, fact.head, (fact,))
    return _Walked(fact.head, fact.tail, (fact,))


def _holds(fact: Fact, end: Node) -> bool:
    """Whether a fact has a value among its qualifiers."""
    return isinstance(end, Value) and any(value == end.value for _, value in fact.qualifiers)


def _key(node: Node) -> str:
    return (node.element_id or node.id) if isinstance(node, Entity) else f"= {node.name}"


def _order(one: _Walked) -> tuple[str, ...]:
    """By the names on the way."""
    return tuple(text for fact in one.facts for text in (fact.head.name, fact.tail.name, str(fact.qualifiers)))


def sampled(found: Sequence[Sequence[T]], most: int) -> list[list[T]]:
    """The reasoning paths that are read, of each relation path the first ones.

    One place is kept for every relation path that leads anywhere, as long as there are places; the likeliest gets the
    others, and what it leaves goes to the next. So the sample is the same every time, the likeliest path has most of
    it, and where that is the wrong one another still says something. (In the paper's code the first relation path may
    take all places, and its sets have no order.)

    :param found: of each relation path, the likeliest first
    :param most: reasoning paths in all
    """
    counts = [0] * len(found)
    left = most
    for share in (1, most):
        for place, some in enumerate(found):
            more = min(share, left, len(some) - counts[place])
            counts[place] += more
            left -= more
    return [list(some[:count]) for some, count in zip(found, counts, strict=True)]
