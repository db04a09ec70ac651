"""Walking a relation path from a set of nodes, one hop a statement; sets of edges, and what is left of them at the end.

Nothing here knows names or keys: nodes are element ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from kgqa_graphdb import queries
from kgqa_graphdb.compile import hop_statement, property_statement
from kgqa_graphdb.graph.edges import Edge, HopRule, allowed, hop_rules, prune
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.mapping.hops import Hop, check_path, end_of, hops_of
from kgqa_graphdb.plan import Plan
from kgqa_graphdb.steps import Read, ReadEach, Steps, ask
from kgqa_graphdb.types import Entity, Node, Path, Point, Relation, Rows, Scalar, Statement


@dataclass(frozen=True, slots=True)
class Walk:
    """The edges on complete ways along a path.

    :ivar route: what was walked: a hop for each step but a property or qualifier at the end
    :ivar rules: what the walk rule barred at each hop
    :ivar end: that property or qualifier
    :ivar hops: for each hop the edges that lie on a complete way
    :ivar values: for a path that ends in a property: the node (or for a qualifier the node reached) and its value
    """

    path: Path
    route: tuple[Hop, ...]
    rules: tuple[HopRule, ...]
    end: Relation | None
    starts: tuple[str, ...]
    hops: tuple[tuple[Edge, ...], ...]
    values: tuple[tuple[str, Scalar], ...]
    truncated: bool

    @property
    def ends(self) -> tuple[str, ...]:
        """Element ids of the nodes at the end of the edges, without repeats."""
        if not self.hops:  # nothing was reached, unless the path is but a property of the starts
            return self.starts if not self.route else ()
        return tuple(dict.fromkeys(edge.right for edge in self.hops[-1]))


MANY_RELATIONS = 200
"""With more relations the server can't keep a plan for each step warm: a plan costs 30 ms, a warm hop 2 ms."""
MAX_EXPANDED = 5_000
"""Relationships that a hop without a plan of its own may look at."""
HUB_DEGREE = 2_000
"""A node with more relationships isn't looked through for its relations: the schema's are tried instead."""
MAX_LOOKED_THROUGH = 200
"""Nodes that are looked through for the steps that lead on from a dead end."""


@dataclass(frozen=True, slots=True)
class Answers:
    """A plan's answers, sorted, whether a cap cut them, and what they were compared by."""

    nodes: tuple[Node, ...]
    truncated: bool = False
    values: Mapping[Node, Sequence[Scalar]] = field(default_factory=dict)


@dataclass(slots=True)
class Memo:
    """What was already walked and named for one question: many candidate paths begin alike.

    Hops are known by the nodes they start from and the keys of their steps.

    :ivar dead_ends: ways from which some next step led nowhere
    :ivar departures: for such ways, the steps that do lead on
    :ivar answers: what the server worked out, by plan
    """

    hops: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[tuple[Edge, ...], bool]] = field(default_factory=dict)
    walks: dict[tuple[tuple[str, ...], tuple[str, ...], str | None], Walk] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    dead_ends: set[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=set)
    departures: dict[tuple[tuple[str, ...], tuple[str, ...]], frozenset[str]] = field(default_factory=dict)
    answers: dict[Plan, Answers] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Walker:
    """Walks paths over a graph.

    :ivar max_edges: facts that one hop may return; more are cut, by key
    """

    mapping: GraphMapping
    max_edges: int = 20_000

    def walk(
        self,
        starts: Sequence[str],
        path: Path,
        memo: Memo,
        *,
        topics: Sequence[str] = (),
        pinned: str | None = None,
    ) -> Steps[Walk]:
        """Walk a path from all of ``starts``.

        :param starts: element ids
        :param topics: the nodes that the rule ``exclude_topic`` bars
        :param pinned: keep only the ways whose last edge reaches this node
        :raises UsageError: the path can't be walked
        """
        check_path(path)
        key = (tuple(starts), tuple(step.key for step in path), pinned)
        if key not in memo.walks:
            memo.walks[key] = yield from self._walk(starts, path, memo, frozenset(topics), pinned)
        return memo.walks[key]

    def _walk(
        self, starts: Sequence[str], path: Path, memo: Memo, topics: frozenset[str], pinned: str | None
    ) -> Steps[Walk]:
        edges_of: list[tuple[Edge, ...]] = []
        truncated = False
        route, end = hops_of(self.mapping, path), end_of(self.mapping, path)
        rules = hop_rules(self.mapping.walk, route, topics)
        nothing = partial(Walk, path, route, rules, end, tuple(starts), (), ())
        for length, rule in enumerate(rules, start=1):
            edges, cut = yield from self._hop(tuple(starts), route[:length], rule, edges_of, memo)
            truncated = truncated or cut
            edges_of.append(edges)
            if not edges:
                return nothing(truncated)
        if pinned is not None and edges_of:
            edges_of[-1] = tuple(edge for edge in edges_of[-1] if edge.right == pinned)
        values: list[tuple[str, Scalar]] = []
        if end is not None and end.kind == "property":
            ends = list(dict.fromkeys(edge.right for edge in edges_of[-1])) if edges_of else list(starts)
            values, cut = yield from self.values(end, ends)
            truncated = truncated or cut
            holders = {node for node, _ in values}
            if edges_of:
                edges_of[-1] = tuple(edge for edge in edges_of[-1] if edge.right in holders)
        elif end is not None:
            column = self.mapping.qualifier_keys.index(end.type)
            edges_of[-1] = tuple(edge for edge in edges_of[-1] if edge.qualifiers[column] is not None)
            values = [(edge.right, value) for edge in edges_of[-1] for value in each_value(edge.qualifiers[column])]
        if end is not None and not values:
            return nothing(truncated)
        kept = prune(edges_of, rules)
        if route and not kept[-1]:
            return nothing(truncated)
        return Walk(path, route, rules, end, tuple(starts), kept, tuple(values), truncated)

    def _hop(
        self,
        starts: tuple[str, ...],
        route: tuple[Hop, ...],
        rule: HopRule,
        before: list[tuple[Edge, ...]],
        memo: Memo,
    ) -> Steps[tuple[tuple[Edge, ...], bool]]:
        """The edges of the last hop of a route, the earlier ones having been walked."""
        key = (starts, tuple(hop.step.key for hop in route))
        if key in memo.hops:
            return memo.hops[key]
        hop = route[-1]
        frontier = list(dict.fromkeys(edge.right for edge in before[-1])) if before else list(starts)
        way = (key[0], key[1][:-1])
        if before and not (yield from self._leads_on(way, hop.step.code, frontier, memo)):
            memo.hops[key] = ((), False)
            return memo.hops[key]
        edges, cut = yield from self.edges(hop, frontier)
        found = (tuple(allowed(edges, before[-1] if before else (), rule)), cut)
        memo.hops[key] = found
        if not (edges or hop.step.tests):
            memo.dead_ends.add(way)
        return found

    def edges(self, hop: Hop, frontier: list[str]) -> Steps[tuple[list[Edge], bool]]:
        """All edges of a hop that leave some nodes, whatever the walk rule; and whether the cap cut them."""
        rows = yield from self._hop_rows(hop, frontier)
        cut = len(rows[0][0]) > self.max_edges
        if cut:  # so many that some must go: ask again, so that it is the same ones every time
            ordered = hop_statement(self.mapping, hop, self.max_edges, ordered=True)
            rows = yield from ask(ReadEach(ordered, frontier))
        left, right, *further = rows[0]
        qualifiers = further.pop(0) if self.mapping.qualifiers else [()] * len(left)
        between = further.pop(0) if further else [()] * len(left)
        edges = [Edge(*one) for one in zip(left, right, map(hashable, qualifiers), map(tuple, between), strict=True)]
        return edges, cut

    def _hop_rows(self, hop: Hop, frontier: list[str]) -> Steps[Rows]:
        """One row of a hop, as :func:`kgqa_graphdb.compile.hop_statement` gives it."""
        limit = self.max_edges + 1
        many = len(self.mapping.relations) > MANY_RELATIONS and not hop.step.tests
        if self.mapping.label and len(hop.legs) == 1 and many:
            step = hop.legs[0]
            query = queries.load("retrieve/hop_in" if step.inverse else "retrieve/hop_out")
            readable = {r.type for r in self.mapping.qualifiers if r.of in ("", hop.step.relation.id)}
            parameters = {
                "ids": frontier, "type": step.relation.type, "most": MAX_EXPANDED, "limit": limit,
                "keys": [key if key in readable else None for key in self.mapping.qualifier_keys],
            }  # fmt: skip
            rows = yield from ask(Read(Statement(query.cypher(label=self.mapping.label), parameters)))
            left, reached, qualifiers, hub = rows[0]
            if not hub:
                return [[left, reached, *([qualifiers] if self.mapping.qualifiers else [])]]
        return (yield from ask(ReadEach(hop_statement(self.mapping, hop, limit, ordered=False), frontier)))

    def _leads_on(
        self, way: tuple[tuple[str, ...], tuple[str, ...]], code: str, frontier: Sequence[str], memo: Memo
    ) -> Steps[bool]:
        """Whether a step may lead on; after a dead end the nodes are looked through, so that no more are tried."""
        if way in memo.dead_ends and way not in memo.departures and len(frontier) <= MAX_LOOKED_THROUGH:
            found = yield from self.departures(frontier)
            memo.departures[way] = frozenset(code for codes in found.values() for code in codes)
        return way not in memo.departures or code in memo.departures[way]

    def departures(self, element_ids: Sequence[str]) -> Steps[dict[str, tuple[str, ...]]]:
        """The step codes by which nodes can be left; element id → codes, sorted; of a hub: all that the schema has."""
        text = queries.load("retrieve/first_steps").cypher()
        rows = yield from ask(ReadEach(Statement(text, {"hub": HUB_DEGREE}), list(element_ids)))
        return {element_id: self._codes(out, into, keys) for element_id, _, out, into, keys in rows}

    def _codes(
        self, outgoing: Sequence[str] | None, incoming: Sequence[str] | None, keys: Sequence[str]
    ) -> tuple[str, ...]:
        by_type = self.mapping.by_type
        if outgoing is None or incoming is None:  # a hub
            outgoing = incoming = [type for kind, type in by_type if kind in ("edge", "leg")]
        codes = {">" + relation.id for key in keys for relation in by_type.get(("property", key), ())}
        for mark, types in ((">", outgoing), ("<", incoming)):
            for type in types:
                codes.update(mark + relation.id for relation in by_type.get(("edge", type), ()))
                for kind in ("edge", "leg") if self.mapping.by_first_leg else ():
                    for leg in by_type.get((kind, type), ()):
                        codes.update(self.mapping.by_first_leg.get(mark + leg.id, ()))
        return tuple(sorted(codes))

    def values(self, relation: Relation, nodes: Sequence[str]) -> Steps[tuple[list[tuple[str, Scalar]], bool]]:
        """The values of a property of some nodes, each with its node; and whether the cap cut them."""
        rows = yield from ask(ReadEach(property_statement(self.mapping, relation, self.max_edges + 1), list(nodes)))
        holders, values = rows[0]
        pairs = [(node, one) for node, value in zip(holders, values, strict=True) for one in each_value(value)]
        return pairs[: self.max_edges], len(holders) > self.max_edges


def each_value(value: Any) -> list[Scalar]:
    """The values of a property: several when it holds a list."""
    values: Sequence[Scalar | None] = (
        value if isinstance(value, list | tuple) and not isinstance(value, Point) else [value]
    )
    return [one for one in values if one is not None]


def hashable(column: Sequence[Any]) -> tuple[Scalar | tuple[Scalar, ...] | None, ...]:
    """The qualifiers of an edge as they are compared: lists are tuples."""
    return tuple(tuple(value) if isinstance(value, list) else value for value in column)
