"""How entities are joined: the shortest or all simple paths between many pairs, over undirected edges.

Sources and targets are read from both sides at once, and only what lies between them is read further: all pairs take
one or two round trips together. Of two hops the second is read from the nodes next to the sources, unless they are
many.

:func:`relation_paths` asks for less and for more: not which nodes are passed, but all relation paths by which walks
lead from one entity to another, those among them that pass a node twice, or end where they began.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, TypeAlias

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph.edges import Edge
from kgqa_graphdb.graph.facts import edge_fact
from kgqa_graphdb.graph.neighbours import MAX_DEGREE, NeighbourReader, Neighbours, neighbour_reader
from kgqa_graphdb.graph.reader import GraphReader
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Fact, Path, Step

PathKind: TypeAlias = Literal["shortest", "simple"]
MAX_HOPS = 4
MANY_NEXT_TO = 1_000
"""Nodes next to sources: what lies around more of them is not read, but what lies around the targets."""


@dataclass(frozen=True, slots=True)
class PathLimits:
    """How many paths are looked for.

    :ivar per_pair: simple paths between two entities, the shortest first
    :ivar max_degree: relationships of a node that a path may pass, begin or end at
    """

    per_pair: int = 500
    max_degree: int = MAX_DEGREE


@dataclass(frozen=True, slots=True)
class ConnectingPath:
    """One way from an entity to another.

    :ivar path: the relations that it walks; executed from the source it may lead to more than the target
    :ivar facts: one for each step, in walking order
    """

    source: Entity
    target: Entity
    path: Path
    facts: tuple[Fact, ...]

    @property
    def plan(self) -> Follow:
        """The plan of all ways of that kind between the two."""
        return Follow(self.source, self.path, to=self.target)


@dataclass(frozen=True, slots=True)
class ConnectingPaths:
    """The ways between pairs of entities.

    :ivar paths: pair by pair, as they were asked for; those of a pair by length, then step by step by relation and node
    :ivar truncated: a limit cut some of them, or left out ways through a node with too many relationships
    """

    paths: tuple[ConnectingPath, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class RelationPaths:
    """The relation paths between pairs of entities.

    :ivar paths: source and target → paths, by length, then by codes; a pair that none joins is not there
    :ivar truncated: a limit cut some of them, or left out ways through a node with too many relationships
    """

    paths: Mapping[tuple[Entity, Entity], tuple[Path, ...]]
    truncated: bool


_Link: TypeAlias = tuple[Step, Edge]
_Codes: TypeAlias = tuple[str, ...]
_Ends: TypeAlias = dict[_Codes, set[str]]
"""Relation path → the nodes at its other end."""


@dataclass(slots=True)
class _Between:
    """The edges that may lie between sources and targets.

    :ivar out: node → edges that leave it, of nodes that were read from the sources
    :ivar into: node → the same, found from the other end, of nodes next to those read from the targets
    :ivar next_to: node that was read from the targets → the nodes next to it
    :ivar hubs: nodes that have too many relationships to be read
    :ivar from_sources: hops that are walked from the source; the others are walked back from the target
    """

    max_hops: int
    out: dict[str, list[_Link]] = field(default_factory=dict)
    into: defaultdict[str, list[_Link]] = field(default_factory=lambda: defaultdict(list))
    next_to: defaultdict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    hubs: set[str] = field(default_factory=set)
    truncated: bool = False
    from_sources: int = field(init=False)

    def __post_init__(self) -> None:
        self.from_sources = (self.max_hops + 1) // 2

    @property
    def from_targets(self) -> int:
        return self.max_hops - self.from_sources

    def read(self, reader: NeighbourReader, sources: Sequence[str], targets: Sequence[str]) -> Steps[None]:
        """Read from both sides until they meet; the last ring of the sources only as far as it meets the others."""
        if self.max_hops == 2 and (yield from self._read_onward(reader, sources, targets)):
            return
        back, ahead = list(targets), list(sources)
        near = set(targets)
        for depth in range(self.from_sources):
            meets = depth >= self.from_targets  # as far back as is needed, so only what is near can lie between
            both = list(dict.fromkeys([*ahead, *([] if meets else back)]))
            around = yield from reader.read(both, sorted(near) if meets and depth == self.from_sources - 1 else None)
            self.hubs.update(node for node in both if node not in around)
            self.truncated |= len(around) < len(both) or any(one.cut for one in around.values())
            if not meets:
                back = self._take_in(back, around, near)
            ahead = self._take_out(ahead, around)
        for node, links in self.out.items():  # what leads to a hub is known from its other end
            for step, edge in links:
                if edge.right in self.hubs:
                    self.into[node].append((step, edge))
                    self.next_to[edge.right][node] = None
        for links in self.into.values():
            links.sort(key=lambda link: link[0].code)

    def _read_onward(self, reader: NeighbourReader, sources: Sequence[str], targets: Sequence[str]) -> Steps[bool]:
        """Read two hops from the sources alone, the second only to targets, if not much lies around the sources."""
        around = yield from reader.read(list(sources))
        if len(around) < len(set(sources)):
            return False
        ring = self._take_out(sources, around)
        if len(ring) > MANY_NEXT_TO:
            self.out.clear()
            return False
        onward = yield from reader.read(ring, sorted(set(targets)))
        self.hubs.update(node for node in ring if node not in onward)
        self.truncated = bool(self.hubs) or any(one.cut for one in (*around.values(), *onward.values()))
        self._take_out(ring, onward)
        self.from_sources = 2
        return True

    def _take_out(self, nodes: Sequence[str], around: Mapping[str, Neighbours]) -> list[str]:
        """Keep the edges that leave nodes; the nodes that they lead to and that were not read."""
        self.out |= {node: _links(around[node]) if node in around else [] for node in nodes}
        reached = dict.fromkeys(edge.right for node in nodes for _, edge in self.out[node])
        return [node for node in reached if node not in self.out]

    def _take_in(self, nodes: Sequence[str], around: Mapping[str, Neighbours], near: set[str]) -> list[str]:
        """Keep the edges that arrive at nodes; the nodes that they come from and that were not near."""
        reached: dict[str, None] = {}
        for node in nodes:
            for step, edge in _links(around[node]) if node in around else ():
                self.into[edge.right].append((_reversed(step), _backwards(edge)))
                self.next_to[node][edge.right] = reached[edge.right] = None
        new = [node for node in reached if node not in near]
        near.update(new)
        return new

    def distances_to(self, target: str) -> dict[str, int]:
        """Hops to a target, of nodes that are as near as was read from it."""
        found, ring = {target: 0}, [target]
        for hop in range(1, self.from_targets + 1):
            ring = [node for one in ring for node in self.next_to.get(one, ()) if node not in found]
            found |= dict.fromkeys(ring, hop)
        return found

    def nearest(self, source: str) -> dict[str, tuple[_Link, ...]]:
        """The first shortest way from a source to each node, where all hops are walked from sources."""
        found: dict[str, tuple[_Link, ...]] = {source: ()}
        ring = [source]
        for _ in range(self.from_sources):
            new = []
            for node in ring:
                for link in self.out.get(node, ()):
                    if (right := link[1].right) not in found:
                        found[right] = (*found[node], link)
                        new.append(right)
            ring = new
        return found

    def ways(self, source: str, distances: Mapping[str, int], length: int) -> Iterator[tuple[_Link, ...]]:
        """The ways of a length to the node at distance 0 that pass no node twice."""
        first = max(length - self.from_targets, 0)  # hops that are walked from the source

        def onward(node: str, way: tuple[_Link, ...], passed: frozenset[str]) -> Iterator[tuple[_Link, ...]]:
            left = length - len(way)
            if not left:
                yield way
                return
            for link in self.out.get(node, ()) if len(way) < first else self.into.get(node, ()):
                right = link[1].right
                if right in passed or (left - 1 == 0) != (distances.get(right) == 0):
                    continue
                if left - 1 <= self.from_targets and distances.get(right, length) > left - 1:
                    continue
                yield from onward(right, (*way, link), passed | {right})

        return onward(source, (), frozenset({source}))

    def ahead(self, source: str) -> list[_Ends]:
        """Where walks of each length from a source lead, as far as was read from sources."""
        rings: list[_Ends] = [{(): {source}}]
        for _ in range(self.from_sources):
            ring: defaultdict[_Codes, set[str]] = defaultdict(set)
            for path, nodes in rings[-1].items():
                for node in nodes:
                    for step, edge in self.out.get(node, ()):
                        ring[*path, step.code].add(edge.right)
            rings.append(dict(ring))
        return rings

    def back(self, target: str) -> list[_Ends]:
        """From where walks of each length lead to a target, as far as was read from targets."""
        rings: list[_Ends] = [{(): {target}}]
        for _ in range(self.from_targets):
            ring: defaultdict[_Codes, set[str]] = defaultdict(set)
            for path, nodes in rings[-1].items():
                for node in nodes:
                    for before in self.next_to.get(node, ()):
                        for step, edge in self.into[before]:
                            if edge.right == node:
                                ring[step.code, *path].add(before)
            rings.append(dict(ring))
        return rings


def paths_between(
    graph: GraphReader,
    sources: Sequence[Entity],
    targets: Sequence[Entity],
    max_hops: int,
    kind: PathKind,
    limits: PathLimits,
) -> Steps[ConnectingPaths]:
    """See :meth:`kgqa_graphdb.graph.Graph.paths_between`."""
    if not 1 <= max_hops <= MAX_HOPS:
        raise UsageError(f"paths of up to {max_hops} hops are not looked for; ask for 1 to {MAX_HOPS}")
    reader = neighbour_reader(graph, limits.max_degree, valued=False)
    between = _Between(max_hops)
    yield from between.read(reader, _ids(sources), _ids(targets))
    distances = {node: between.distances_to(node) for node in _ids(targets)}
    found: list[tuple[Entity, Entity, tuple[_Link, ...]]] = []
    truncated = between.truncated
    for source in sources:
        nearest = between.nearest(source.element_id) if kind == "shortest" and not between.from_targets else None
        for target in targets:
            if nearest is not None and nearest.get(target.element_id):
                found.append((source, target, nearest[target.element_id]))
            elif nearest is None and source.element_id != target.element_id:
                ways, cut = _of_pair(between, source, target, distances[target.element_id], kind, limits)
                found += ((source, target, way) for way in ways)
                truncated |= cut
    passed = {node for _, _, way in found for _, edge in way for node in (edge.left, edge.right)}
    known = yield from graph.describe(sorted(passed))
    paths = [
        ConnectingPath(
            source,
            target,
            tuple(step for step, _ in way),
            tuple(edge_fact(graph, step, edge, known) for step, edge in way),
        )
        for source, target, way in found
        if all(edge.right in known and edge.left in known for _, edge in way)
    ]
    return ConnectingPaths(tuple(paths), truncated)


def relation_paths(
    graph: GraphReader, sources: Sequence[Entity], targets: Sequence[Entity], max_hops: int, limits: PathLimits
) -> Steps[RelationPaths]:
    """See :meth:`kgqa_graphdb.graph.Graph.relation_paths`."""
    if not 1 <= max_hops <= MAX_HOPS:
        raise UsageError(f"paths of up to {max_hops} hops are not looked for; ask for 1 to {MAX_HOPS}")
    reader = neighbour_reader(graph, limits.max_degree, valued=False)
    between = _Between(max_hops)
    yield from between.read(reader, _ids(sources), _ids(targets))
    back = {node: between.back(node) for node in _ids(targets)}
    found, truncated = {}, between.truncated
    for source in dict.fromkeys(sources):
        ahead = between.ahead(source.element_id)
        for target in dict.fromkeys(targets):
            own = list(islice(_joined(ahead, back[target.element_id]), limits.per_pair + 1))
            truncated |= len(own) > limits.per_pair
            if own:
                found[source, target] = tuple(tuple(map(graph.mapping.step, codes)) for codes in own[: limits.per_pair])
    return RelationPaths(found, truncated)


def _joined(ahead: Sequence[_Ends], back: Sequence[_Ends]) -> Iterator[_Codes]:
    """The relation paths of walks from both sides that meet, by length, then by codes; each once."""
    furthest = len(ahead) - 1
    for length in range(1, furthest + len(back)):
        first, last = ahead[min(length, furthest)], back[max(length - furthest, 0)]
        met = (
            one + other for one, nodes in first.items() for other, ends in last.items() if not nodes.isdisjoint(ends)
        )
        yield from sorted(set(met))


def _of_pair(
    between: _Between, source: Entity, target: Entity, distances: Mapping[str, int], kind: PathKind, limits: PathLimits
) -> tuple[list[tuple[_Link, ...]], bool]:
    """The ways between two entities, and whether there are more."""
    most = 1 if kind == "shortest" else limits.per_pair
    found: list[tuple[_Link, ...]] = []
    for length in range(1, between.max_hops + 1):
        found += islice(between.ways(source.element_id, distances, length), most + 1 - len(found))
        if len(found) > most or (found and kind == "shortest"):
            break
    return found[:most], kind == "simple" and len(found) > most


def _ids(entities: Sequence[Entity]) -> list[str]:
    return list(dict.fromkeys(entity.element_id for entity in entities))


def _links(around: Neighbours) -> list[_Link]:
    """The edges that leave a node, by steps, then by the neighbours' keys; those that are one fact once.

    Ways of a step with a ``via`` that pass different nodes between are such.
    """
    found: dict[tuple[object, ...], _Link] = {}
    for step, edges in sorted(around.edges.items(), key=lambda one: one[0].code):
        for edge in edges:
            found.setdefault((step.code, edge.right, edge.qualifiers), (step, edge))
    return list(found.values())


def _reversed(step: Step) -> Step:
    return Step(step.relation, not step.inverse)


def _backwards(edge: Edge) -> Edge:
    return Edge(edge.right, edge.left, edge.qualifiers, edge.between[::-1])
