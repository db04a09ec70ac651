"""Walking a relation path from a set of nodes, one hop a statement; sets of edges, and what is left of them at the end.

Nothing here knows names or keys: nodes are element ids.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kgqa_graphdb import queries
from kgqa_graphdb.compile import check_path, hop_statement, inverts, property_statement, qualifier_keys
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Entity, Path, Rows, Scalar, Statement, Step, WalkRule


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge as it was walked: from ``left`` to ``right``, whatever its direction in the graph."""

    left: str
    right: str
    qualifiers: tuple[Scalar | tuple[Scalar, ...] | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Walk:
    """The edges on complete ways along a path.

    :ivar hops: for each edge step the edges that lie on a complete way
    :ivar values: for a path that ends in a property: the node (or for a qualifier the node reached) and its value
    """

    path: Path
    starts: tuple[str, ...]
    hops: tuple[tuple[Edge, ...], ...]
    values: tuple[tuple[str, Scalar], ...]
    truncated: bool

    @property
    def ends(self) -> tuple[str, ...]:
        """Element ids of the nodes at the end of the edges, without repeats."""
        if not self.hops:  # nothing was reached, unless the path is but a property of the starts
            return self.starts if self.path[0].relation.kind != "edge" else ()
        return tuple(dict.fromkeys(edge.right for edge in self.hops[-1]))


MANY_RELATIONS = 200
"""With more relations the server can't keep a plan for each step warm: a plan costs 30 ms, a warm hop 2 ms."""
MAX_EXPANDED = 5_000
"""Relationships that a hop without a plan of its own may look at."""
HUB_DEGREE = 2_000
"""A node with more relationships isn't looked through for its relations: the schema's are tried instead."""
MAX_LOOKED_THROUGH = 200
"""Nodes that are looked through for the steps that lead on from a dead end."""


@dataclass(slots=True)
class Memo:
    """What was already walked and named for one question: many candidate paths begin alike.

    Hops are known by the nodes they start from and the codes of their steps.

    :ivar dead_ends: ways from which some next step led nowhere
    :ivar departures: for such ways, the steps that do lead on
    """

    hops: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[tuple[Edge, ...], bool]] = field(default_factory=dict)
    walks: dict[tuple[tuple[str, ...], tuple[str, ...], str | None], Walk] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    dead_ends: set[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=set)
    departures: dict[tuple[tuple[str, ...], tuple[str, ...]], frozenset[str]] = field(default_factory=dict)


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
        key = (tuple(starts), tuple(step.code for step in path), pinned)
        if key not in memo.walks:
            memo.walks[key] = yield from self._walk(starts, path, memo, frozenset(topics), pinned)
        return memo.walks[key]

    def _walk(
        self, starts: Sequence[str], path: Path, memo: Memo, topics: frozenset[str], pinned: str | None
    ) -> Steps[Walk]:
        edges_of: list[tuple[Edge, ...]] = []
        truncated = False
        edge_steps = [step for step in path if step.relation.kind == "edge"]
        for length in range(1, len(edge_steps) + 1):
            edges, cut = yield from self._hop(tuple(starts), tuple(edge_steps[:length]), edges_of, memo, topics)
            truncated = truncated or cut
            edges_of.append(edges)
            if not edges:
                return Walk(path, tuple(starts), (), (), truncated)
        if pinned is not None and edges_of:
            edges_of[-1] = tuple(edge for edge in edges_of[-1] if edge.right == pinned)
        values: list[tuple[str, Scalar]] = []
        last = path[-1]
        if last.relation.kind == "property":
            ends = list(dict.fromkeys(edge.right for edge in edges_of[-1])) if edges_of else list(starts)
            values, cut = yield from self._values(last, ends)
            truncated = truncated or cut
            holders = {node for node, _ in values}
            if edges_of:
                edges_of[-1] = tuple(edge for edge in edges_of[-1] if edge.right in holders)
        elif last.relation.kind == "qualifier":
            column = qualifier_keys(self.mapping).index(last.relation.type)
            edges_of[-1] = tuple(edge for edge in edges_of[-1] if edge.qualifiers[column] is not None)
            values = [(edge.right, value) for edge in edges_of[-1] for value in _each(edge.qualifiers[column])]
        if last.relation.kind != "edge" and not values:
            return Walk(path, tuple(starts), (), (), truncated)
        kept = prune(edges_of, edge_steps, self.mapping.walk)
        if edge_steps and not kept[-1]:
            return Walk(path, tuple(starts), (), (), truncated)
        return Walk(path, tuple(starts), kept, tuple(values), truncated)

    def _hop(
        self,
        starts: tuple[str, ...],
        steps: tuple[Step, ...],
        before: list[tuple[Edge, ...]],
        memo: Memo,
        topics: frozenset[str],
    ) -> Steps[tuple[tuple[Edge, ...], bool]]:
        """The edges of the last of ``steps``, the earlier ones having been walked."""
        key = (starts, tuple(step.code for step in steps))
        if key in memo.hops:
            return memo.hops[key]
        step = steps[-1]
        frontier = list(dict.fromkeys(edge.right for edge in before[-1])) if before else list(starts)
        way = (key[0], key[1][:-1])
        if before and not (yield from self._leads_on(way, step, frontier, memo)):
            memo.hops[key] = ((), False)
            return memo.hops[key]
        rows = yield from self._hop_rows(step, frontier)
        cut = len(rows[0][0]) > self.max_edges
        if cut:  # so many that some must go: ask again, so that it is the same ones every time
            rows = yield from ask(Read(hop_statement(self.mapping, step, frontier, self.max_edges, ordered=True)))
        left, right, *qualifiers = rows[0]
        columns = qualifiers[0] if qualifiers else [()] * len(left)
        edges = [Edge(*ends) for ends in zip(left, right, map(_hashable, columns), strict=True)]
        found = (tuple(self._allowed(edges, topics, steps, before)), cut)
        memo.hops[key] = found
        if not edges:
            memo.dead_ends.add(way)
        return found

    def _hop_rows(self, step: Step, frontier: Sequence[str]) -> Steps[Rows]:
        """One row of a hop: nodes left, nodes reached, and the qualifiers if the graph has any."""
        limit = self.max_edges + 1
        if self.mapping.label and not self.mapping.qualifiers and len(self.mapping.relations) > MANY_RELATIONS:
            query = queries.load("retrieve/hop_in" if step.inverse else "retrieve/hop_out")
            parameters = {"ids": list(frontier), "type": step.relation.type, "most": MAX_EXPANDED, "limit": limit}
            rows = yield from ask(Read(Statement(query.cypher(label=self.mapping.label), parameters)))
            left, reached, hub = rows[0]
            if not hub:
                return [[left, reached]]
        return (yield from ask(Read(hop_statement(self.mapping, step, frontier, limit, ordered=False))))

    def _leads_on(
        self, way: tuple[tuple[str, ...], tuple[str, ...]], step: Step, frontier: Sequence[str], memo: Memo
    ) -> Steps[bool]:
        """Whether a step may lead on; after a dead end the nodes are looked through, so that no more are tried."""
        if way in memo.dead_ends and way not in memo.departures and len(frontier) <= MAX_LOOKED_THROUGH:
            found = yield from self.departures(frontier)
            memo.departures[way] = frozenset(code for codes in found.values() for code in codes)
        return way not in memo.departures or step.code in memo.departures[way]

    def departures(self, element_ids: Sequence[str]) -> Steps[dict[str, tuple[str, ...]]]:
        """The step codes by which nodes can be left; element id → codes, sorted; of a hub: all that the schema has."""
        text = queries.load("retrieve/first_steps").cypher()
        rows = yield from ask(Read(Statement(text, {"ids": list(element_ids), "hub": HUB_DEGREE})))
        return {element_id: self._codes(out, into, keys) for element_id, _, out, into, keys in rows}

    def _codes(
        self, outgoing: Sequence[str] | None, incoming: Sequence[str] | None, keys: Sequence[str]
    ) -> tuple[str, ...]:
        by_type = self.mapping.by_type
        if outgoing is None or incoming is None:  # a hub
            outgoing = incoming = [type for kind, type in by_type if kind == "edge"]
        codes = [
            *(">" + relation.id for type in outgoing for relation in by_type.get(("edge", type), ())),
            *("<" + relation.id for type in incoming for relation in by_type.get(("edge", type), ())),
            *(">" + relation.id for key in keys for relation in by_type.get(("property", key), ())),
        ]
        return tuple(sorted(codes))

    def _allowed(
        self, edges: list[Edge], topics: frozenset[str], steps: tuple[Step, ...], before: list[tuple[Edge, ...]]
    ) -> list[Edge]:
        """The edges that the graph's walk rule lets pass."""
        if self.mapping.walk == "exclude_topic":
            return [edge for edge in edges if edge.right not in topics]
        if self.mapping.walk == "no_backtrack" and before and inverts(steps[-2], steps[-1]):
            came_from: defaultdict[str, set[str]] = defaultdict(set)
            for edge in before[-1]:
                came_from[edge.right].add(edge.left)
            return [edge for edge in edges if len(came_from[edge.left] - {edge.right}) > 0]
        return edges

    def _values(self, step: Step, nodes: Sequence[str]) -> Steps[tuple[list[tuple[str, Scalar]], bool]]:
        rows = yield from ask(Read(property_statement(step, nodes, self.max_edges + 1)))
        holders, values = rows[0]
        pairs = [(node, value) for node, held in zip(holders, values, strict=True) for value in _each(held)]
        return pairs[: self.max_edges], len(holders) > self.max_edges


def _each(value: Any) -> list[Scalar]:
    """The values of a property: several when it holds a list."""
    held: Sequence[Scalar | None] = value if isinstance(value, list | tuple) else [value]
    return [one for one in held if one is not None]


def _hashable(column: Sequence[Any]) -> tuple[Scalar | tuple[Scalar, ...] | None, ...]:
    return tuple(tuple(value) if isinstance(value, list) else value for value in column)


def blocked(before: Edge, after: Edge, steps: tuple[Step, Step], rule: WalkRule) -> bool:
    """Whether the rule bars going on from one edge over the other."""
    return rule == "no_backtrack" and after.right == before.left and inverts(*steps)


def prune(hops: Sequence[tuple[Edge, ...]], steps: Sequence[Step], rule: WalkRule) -> tuple[tuple[Edge, ...], ...]:
    """Keep the edges from which the last hop can be reached."""
    if not hops:
        return ()
    kept = [tuple(hops[-1])]
    for position in range(len(hops) - 2, -1, -1):
        onward: defaultdict[str, set[str]] = defaultdict(set)
        for edge in kept[0]:
            onward[edge.left].add(edge.right)
        turning = rule == "no_backtrack" and inverts(steps[position], steps[position + 1])
        kept.insert(
            0,
            tuple(
                edge for edge in hops[position] if (onward[edge.right] - {edge.left} if turning else onward[edge.right])
            ),
        )
    return tuple(kept)


def edges_to(walk: Walk, ends: Sequence[str], rule: WalkRule, limit: int) -> tuple[list[set[Edge]], bool]:
    """The edges on ways to the given ends, end by end, until there are ``limit`` of them.

    :return: a set of edges for each hop, and whether the limit cut
    """
    steps = [step for step in walk.path if step.relation.kind == "edge"]
    wanted: list[set[Edge]] = [set() for _ in walk.hops]
    if not walk.hops:
        return wanted, False
    into = [defaultdict[str, list[Edge]](list) for _ in walk.hops]
    for position, edges in enumerate(walk.hops):
        for edge in edges:
            into[position][edge.right].append(edge)
    count = 0
    for end in ends:
        stack = [(len(walk.hops) - 1, edge) for edge in into[-1].get(end, ())]
        while stack:
            position, edge = stack.pop()
            if edge in wanted[position]:
                continue
            if count >= limit:
                return wanted, True
            wanted[position].add(edge)
            count += 1
            if position:
                turn = (steps[position - 1], steps[position])
                stack.extend(
                    (position - 1, before)
                    for before in into[position - 1].get(edge.left, ())
                    if not blocked(before, edge, turn, rule)
                )
    return wanted, False


def values_by_start(walk: Walk, rule: WalkRule) -> dict[str, list[Scalar]]:
    """The values that each start's own ways end in; element id of the start → values, without repeats."""
    at_end: defaultdict[str, list[Scalar]] = defaultdict(list)
    for node, value in walk.values:
        at_end[node].append(value)
    steps = [step for step in walk.path if step.relation.kind == "edge"]
    held = {edge: dict.fromkeys(at_end[edge.right]) for edge in walk.hops[-1]} if walk.hops else {}
    for position in range(len(walk.hops) - 2, -1, -1):
        onward: defaultdict[str, list[Edge]] = defaultdict(list)
        for edge in walk.hops[position + 1]:
            onward[edge.left].append(edge)
        turn = (steps[position], steps[position + 1])
        held = {
            edge: {
                value: None
                for after in onward[edge.right]
                if not blocked(edge, after, turn, rule)
                for value in held[after]
            }
            for edge in walk.hops[position]
        }
    if not walk.hops:
        return {start: list(dict.fromkeys(at_end[start])) for start in walk.starts if at_end[start]}
    found: defaultdict[str, dict[Scalar, None]] = defaultdict(dict)
    for edge, values in held.items():
        found[edge.left].update(values)
    return {start: list(values) for start, values in found.items() if values}
