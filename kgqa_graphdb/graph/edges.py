"""Edges as they are walked, and the walk rule: which edge may follow which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from kgqa_graphdb.mapping.hops import Hop, Turn
from kgqa_graphdb.types import Scalar, WalkRule

NO_TURN = Turn(False, False)

Arrival: TypeAlias = tuple[str, str]
"""How an edge arrived at a node: the node that it left, and the last one that it passed."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge as it was walked: from ``left`` to ``right``, whatever its direction in the graph.

    :ivar between: the nodes passed, where one step is made of several relationships
    """

    left: str
    right: str
    qualifiers: tuple[Scalar | tuple[Scalar, ...] | None, ...] = ()
    between: tuple[str, ...] = ()

    @property
    def second(self) -> str:
        """The node after ``left``."""
        return self.between[0] if self.between else self.right

    @property
    def arrival(self) -> Arrival:
        """How it arrives at ``right``."""
        return self.left, self.between[-1] if self.between else self.left


@dataclass(frozen=True, slots=True)
class HopRule:
    """What a walk rule bars at one hop of a path.

    :ivar turn: what going straight back over the hop before means here
    :ivar barred: nodes that must not be passed or arrived at
    """

    turn: Turn = NO_TURN
    barred: frozenset[str] = frozenset()

    @property
    def looks_back(self) -> bool:
        """Whether it matters how a node was arrived at."""
        return self.turn.back or self.turn.leg_back

    def may_follow(self, arrival: Arrival, edge: Edge) -> bool:
        """Whether an edge may follow one that arrived so: not if that is going straight back."""
        left, last = arrival
        return not ((self.turn.back and edge.right == left) or (self.turn.leg_back and edge.second == last))

    def allows(self, edge: Edge, arrivals: Iterable[Arrival]) -> bool:
        """Whether an edge may be walked.

        :param arrivals: how the node that it leaves was arrived at; looked at only if :attr:`looks_back`
        """
        if self.barred and not self.barred.isdisjoint((edge.right, *edge.between)):
            return False
        return not self.looks_back or any(self.may_follow(arrival, edge) for arrival in arrivals)


def hop_rules(rule: WalkRule, route: Sequence[Hop], topics: Set[str]) -> tuple[HopRule, ...]:
    """What a walk rule bars at each hop of a route from topics."""
    if rule == "exclude_topic":
        return (HopRule(barred=frozenset(topics)),) * len(route)
    if rule == "no_backtrack" and route:
        return (HopRule(), *(HopRule(Turn.between(before, after)) for before, after in pairwise(route)))
    return (HopRule(),) * len(route)


def allowed(edges: Sequence[Edge], before: Sequence[Edge], rule: HopRule) -> list[Edge]:
    """The edges that may be walked after some others."""
    arrivals: defaultdict[str, set[Arrival]] = defaultdict(set)
    for edge in before if rule.looks_back else ():
        arrivals[edge.right].add(edge.arrival)
    return [edge for edge in edges if rule.allows(edge, arrivals[edge.left])]


def prune(hops: Sequence[Sequence[Edge]], rules: Sequence[HopRule]) -> tuple[tuple[Edge, ...], ...]:
    """Keep the edges from which the last hop can be reached.

    :param rules: one for each hop
    """
    if not hops:
        return ()
    kept = [tuple(hops[-1])]
    for edges, rule in zip(reversed(hops[:-1]), reversed(rules[1:]), strict=True):
        onward: defaultdict[str, dict[tuple[str, str], Edge]] = defaultdict(dict)
        for edge in kept[0]:
            onward[edge.left].setdefault((edge.right, edge.second), edge)
        kept.insert(
            0,
            tuple(
                edge
                for edge in edges
                if (after := onward[edge.right])
                and (not rule.looks_back or any(rule.may_follow(edge.arrival, one) for one in after.values()))
            ),
        )
    return tuple(kept)


def edges_to(
    hops: Sequence[Sequence[Edge]], rules: Sequence[HopRule], ends: Iterable[str], limit: int
) -> tuple[list[set[Edge]], bool]:
    """The edges on ways to the given ends, end by end, until there are ``limit`` of them.

    :param rules: one for each hop
    :return: a set of edges for each hop, and whether the limit cut
    """
    wanted: list[set[Edge]] = [set() for _ in hops]
    if not hops:
        return wanted, False
    into = [defaultdict[str, list[Edge]](list) for _ in hops]
    for position, edges in enumerate(hops):
        for edge in edges:
            into[position][edge.right].append(edge)
    count = 0
    for end in ends:
        stack = [(len(hops) - 1, edge) for edge in into[-1].get(end, ())]
        while stack:
            position, edge = stack.pop()
            if edge in wanted[position]:
                continue
            if count >= limit:
                return wanted, True
            wanted[position].add(edge)
            count += 1
            if position:
                stack.extend(
                    (position - 1, before)
                    for before in into[position - 1].get(edge.left, ())
                    if rules[position].may_follow(before.arrival, edge)
                )
    return wanted, False
