"""What lies around nodes, as step codes: read with Cypher once, and kept while many questions are mined."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from kgqa_graphdb.graph import Graph
from kgqa_graphdb.graph.edges import Arrival, Edge, HopRule, hop_rules
from kgqa_graphdb.graph.neighbours import AT_ONCE, MAX_BETWEEN, MAX_DEGREE, NeighbourReader, RawNeighbours
from kgqa_graphdb.mapping.hops import hops_of
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Value

Reached: TypeAlias = Mapping[str, Set["str | Value"]]
"""Step code → element ids of the nodes, or the values, that the step leads to."""

MAX_KEPT = 4_000_000
"""Neighbours that are kept, some 100 bytes each."""
MAX_VIA = 1_000_000
"""Ways by a step with a ``via`` from :data:`AT_ONCE` nodes that are read."""


@dataclass(frozen=True, slots=True)
class NodeSteps:
    """What leaves a node.

    :ivar reached: what each step leads to
    :ivar via: of the steps with a ``via`` each edge, and the node or the values that it leads to
    """

    reached: dict[str, set[str | Value]]
    via: dict[str, list[tuple[Edge, Sequence[str | Value]]]]

    @property
    def size(self) -> int:
        """Ends of all steps."""
        return sum(map(len, self.reached.values()))


@dataclass(slots=True)
class Around:
    """The neighbourhood of nodes, as a graph's mapping has it: via others, and with properties.

    :param max_degree: relationships of a node that are read
    """

    graph: Graph
    max_degree: int = MAX_DEGREE
    max_kept: int = MAX_KEPT
    _nodes: OrderedDict[str, NodeSteps] = field(default_factory=OrderedDict)
    _kept: int = 0
    _reader: NeighbourReader = field(init=False)

    def __post_init__(self) -> None:
        self._reader = NeighbourReader(
            self.graph.mapping, self.max_degree, self.max_degree, MAX_VIA, qualified=False, ordered=False
        )

    def steps_from(self, nodes: Iterable[str]) -> Steps[dict[str, Reached]]:
        """The steps that leave nodes and what each leads to; nothing for a hub."""
        return {node: one.reached for node, one in (yield from self.around(nodes)).items()}

    def around(self, nodes: Iterable[str]) -> Steps[dict[str, NodeSteps]]:
        """What leaves nodes; nothing for a hub."""
        wanted = list(dict.fromkeys(nodes))
        missing = [node for node in wanted if node not in self._nodes]
        for start in range(0, len(missing), AT_ONCE):
            yield from self._read(missing[start : start + AT_ONCE])
        found = {node: self._nodes[node] for node in wanted}
        while self._kept > self.max_kept and self._nodes:
            self._kept -= self._nodes.popitem(last=False)[1].size
        return found

    def _read(self, nodes: Sequence[str]) -> Steps[None]:
        raw = yield from self._reader.raw(nodes)
        found = {node: NodeSteps(_steps(raw[node]) if node in raw else {}, {}) for node in nodes}
        for via in (yield from self._reader.via(list(raw))):
            code, unit = via.step.code, via.step.relation.unit
            for edge in via.edges:
                values = None if via.values is None else [Value(one, unit) for one in via.values[edge.right]]
                ends: Sequence[str | Value] = [edge.right] if values is None else values
                found[edge.left].via.setdefault(code, []).append((edge, ends))
                found[edge.left].reached.setdefault(code, set()).update(ends)
        self._nodes |= found  # a hub, too, so that it is not read again
        self._kept += sum(one.size for one in found.values())


def _steps(raw: RawNeighbours) -> dict[str, set[str | Value]]:
    found: defaultdict[str, set[str | Value]] = defaultdict(set)
    for step, ids, _ in raw.steps:
        found[step.code].update(ids)
    for step, values in raw.values:
        found[step.code].update(Value(value, step.relation.unit) for value in values)
    return dict(found)


def follow(path: Sequence[str], topic: str, around: Around, most: int) -> Steps[Set[str | Value] | None]:
    """The set that a path leads to from a topic, as executing it would; ``None`` when that is too big.

    :param path: step codes
    :param topic: element id
    :param most: ends; on the way there it is :data:`kgqa_graphdb.graph.neighbours.MAX_BETWEEN`
    """
    mapping = around.graph.mapping
    route = hops_of(mapping, tuple(map(mapping.step, path)))
    free = HopRule()  # of a property at the end, and of what would come after
    rules = (*hop_rules(mapping.walk, route, {topic}), free, free)
    ends: set[str | Value] = {topic}
    arrivals: Mapping[str | Value, Collection[Arrival]] = {}
    for place, code in enumerate(path):
        limit = most if place == len(path) - 1 else MAX_BETWEEN
        nodes = yield from around.around(end for end in ends if isinstance(end, str))
        reached = _follow_step(code, nodes, arrivals, rules[place], keep=rules[place + 1].looks_back, limit=limit)
        if reached is None:
            return None
        ends, arrivals = reached
    return ends


def _follow_step(
    code: str,
    nodes: Mapping[str, NodeSteps],
    arrivals: Mapping[str | Value, Collection[Arrival]],
    rule: HopRule,
    *,
    keep: bool,
    limit: int,
) -> tuple[set[str | Value], Mapping[str | Value, Collection[Arrival]]] | None:
    """What a step leads to from nodes, and how each of its ends was arrived at; ``None``: to too much.

    :param arrivals: how the nodes were arrived at, if the rule looks back
    :param keep: the next rule looks back
    """
    ends: set[str | Value] = set()
    arrived: defaultdict[str | Value, set[Arrival]] = defaultdict(set)
    for node, steps in nodes.items():
        came = arrivals.get(node, ())
        if code in steps.via:
            for edge, reached in steps.via[code]:
                if rule.allows(edge, came):
                    ends.update(reached)
                    if keep:
                        arrived[edge.right].add(edge.arrival)
            continue
        some = steps.reached.get(code, set()) - rule.barred
        if rule.looks_back:  # only where it came from can it go back to, so few edges need be made
            some -= {
                end for one in came for end in some.intersection(one) if not rule.allows(Edge(node, str(end)), came)
            }
        ends |= some
        if keep:
            own = (node, node)
            for end in some:
                arrived[end].add(own)
        if len(ends) > limit:
            return None
    return None if len(ends) > limit else (ends, arrived)
