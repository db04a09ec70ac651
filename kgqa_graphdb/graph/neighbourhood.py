"""The subgraph around topics: hop by hop over undirected edges, capped, the same one every time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph.edges import Edge
from kgqa_graphdb.graph.facts import edge_fact
from kgqa_graphdb.graph.neighbours import MAX_DEGREE, Neighbours, neighbour_reader
from kgqa_graphdb.graph.reader import GraphReader
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Fact, Scalar, Step, Subgraph, Value


@dataclass(frozen=True, slots=True)
class NeighbourhoodLimits:
    """How much a neighbourhood may hold. What a limit cuts is cut by the neighbours' keys, evenly among the relations.

    :ivar per_step: facts of a node by one step, such as all films of a genre
    :ivar per_node: facts of a node
    :ivar per_hop: facts that a hop adds
    :ivar total: facts in all
    :ivar max_degree: relationships of a node that is expanded; one that has more is only listed
    """

    per_step: int = 200
    per_node: int = 400
    per_hop: int = 5_000
    total: int = 10_000
    max_degree: int = MAX_DEGREE


@dataclass(frozen=True, slots=True)
class Expansion:
    """What a neighbourhood is made of.

    :ivar listed: codes of steps whose ends are listed but not expanded, such as ``>release_year``: what else came out
        in that year says little about a film
    :ivar properties: list the values of nodes, too
    """

    listed: frozenset[str] = frozenset()
    properties: bool = True


_Triple: TypeAlias = tuple[Step, Edge | tuple[str, Scalar]]


def neighbourhood(
    graph: GraphReader, topics: Sequence[Entity], hops: int, limits: NeighbourhoodLimits, expansion: Expansion
) -> Steps[Subgraph]:
    """See :meth:`kgqa_graphdb.graph.Graph.neighbourhood`."""
    if hops < 1:
        raise UsageError(f"a neighbourhood of {hops} hops holds nothing; ask for 1 or more")
    reader = neighbour_reader(graph, limits.max_degree, limits.per_step, limits.per_hop, valued=expansion.properties)
    distances = {topic.element_id: 0 for topic in topics}
    frontier, expanded = list(distances), set(distances)
    found: dict[tuple[object, ...], _Triple] = {}
    truncated = False
    for hop in range(1, hops + 1):
        around = yield from reader.read(frontier)
        room = min(limits.per_hop, limits.total - len(found))
        added, cut = _new_facts(frontier, around, found, limits.per_node, room)
        truncated |= cut or len(around) < len(frontier) or any(one.cut for one in around.values())
        found |= added
        frontier = []
        for step, link in added.values():
            if isinstance(link, Edge):
                distances.setdefault(link.right, hop)
                if link.right not in expanded and step.code not in expansion.listed:
                    expanded.add(link.right)
                    frontier.append(link.right)
        if not frontier:
            break
    known = yield from graph.describe(distances)
    facts = [fact for step, link in found.values() for fact in _fact(graph, step, link, known)]
    return Subgraph(
        tuple(facts), truncated, tuple(topics), {known[node]: hop for node, hop in distances.items() if node in known}
    )


def _new_facts(
    frontier: Sequence[str],
    around: Mapping[str, Neighbours],
    known: Collection[tuple[object, ...]],
    per_node: int,
    room: int,
) -> tuple[dict[tuple[object, ...], _Triple], bool]:
    """The facts that a hop adds, and whether some did not fit: first one of each node, then a second of each, …"""
    cut = False
    new: list[list[tuple[tuple[object, ...], _Triple]]] = []
    seen = set(known)
    for node in frontier:
        own: list[tuple[tuple[object, ...], _Triple]] = []
        for triple in _in_turn(around[node]) if node in around else ():
            if (key := _key(triple)) not in seen:
                seen.add(key)
                own.append((key, triple))
        cut |= len(own) > per_node
        new.append(own[:per_node])
    fair = [one for level in zip_longest(*new) for one in level if one is not None]
    return dict(fair[:room]), cut or len(fair) > room


def _in_turn(around: Neighbours) -> Iterator[_Triple]:
    """What lies around a node: the first by each step, then the second by each, …"""
    by_step: dict[Step, Sequence[Edge | tuple[str, Scalar]]] = {**around.values, **around.edges}
    ordered = sorted(by_step.items(), key=lambda one: one[0].code)
    for level in zip_longest(*(links for _, links in ordered)):
        for (step, _), link in zip(ordered, level, strict=True):
            if link is not None:
                yield step, link


def _key(triple: _Triple) -> tuple[object, ...]:
    """What makes a fact another one than that: the same from either end."""
    step, link = triple
    if not isinstance(link, Edge):
        return (step.relation.id, *link)
    left, right = (link.right, link.left) if step.inverse else (link.left, link.right)
    return step.relation.id, left, right, link.qualifiers


def _fact(
    graph: GraphReader, step: Step, link: Edge | tuple[str, Scalar], known: Mapping[str, Entity]
) -> Iterator[Fact]:
    """The fact of an edge or value, if its nodes are still there."""
    if not isinstance(link, Edge):
        node, value = link
        if node in known:
            yield Fact(known[node], step.relation, Value(value, step.relation.unit))
    elif link.left in known and link.right in known:
        yield edge_fact(graph, step, link, known)
