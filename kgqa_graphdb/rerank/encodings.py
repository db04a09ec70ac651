"""What a Graphormer is told of a subgraph's structure, and of many subgraphs side by side.

Source: C. Ying et al., Do Transformers Really Perform Badly for Graph Representation? (2021), section 3.1. Of equally
short paths the paper takes any, here it is the first by the nodes' places; where several facts join two nodes, a step
between them is the mean of them all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kgqa_graphdb.rerank.shown import RoleGraph
from kgqa_graphdb.types import Bools, Floats, Ints

MOST_DEGREE = 8
"""Nodes with more facts are as those with so many."""
FURTHEST = 5
"""Nodes that are further apart are as those that are so far; of longer paths the first so many steps are read."""
APART, VIRTUAL = FURTHEST + 1, FURTHEST + 2
"""In the place of a distance: nothing joins the nodes; one of them is the virtual node."""
DISTANCES = FURTHEST + 3
WalkedStep = tuple[str, bool]
"""A relation's id, and whether it is walked from tail to head."""


@dataclass(frozen=True, slots=True, eq=False)
class EncodedGraph:
    """A subgraph's structure.

    :ivar role: of each node; shape (nodes,)
    :ivar in_degree: facts that lead to each node, clipped; shape (nodes,)
    :ivar out_degree: facts that leave each node, clipped; shape (nodes,)
    :ivar distance: hops from each node to each, whatever the directions, clipped; :data:`APART` where nothing joins
        them; shape (nodes, nodes)
    :ivar pair: of each step on the shortest path of two nodes: the first's place times ``nodes`` plus the second's;
        shape (steps,)
    :ivar hop: its place on that path, from 0; shape (steps,)
    :ivar step: its place in ``steps``; shape (steps,)
    :ivar share: what it counts: 1 / (steps of the path · facts that join its ends); shape (steps,)
    :ivar steps: relations as they are walked, each once
    """

    role: Ints
    in_degree: Ints
    out_degree: Ints
    distance: Ints
    pair: Ints
    hop: Ints
    step: Ints
    share: Floats
    steps: tuple[WalkedStep, ...]

    @property
    def nodes(self) -> int:
        """How many there are."""
        return len(self.role)


def encoded(graph: RoleGraph) -> EncodedGraph:
    """The structure of a subgraph."""
    count = len(graph.roles)
    number: dict[WalkedStep, int] = {}
    joined: list[defaultdict[int, list[int]]] = [defaultdict(list) for _ in range(count)]  # node → neighbour → steps
    arriving, leaving = [0] * count, [0] * count
    for head, tail, relation in graph.edges:
        leaving[head] += 1
        arriving[tail] += 1
        if head != tail:
            joined[head][tail].append(number.setdefault((relation, False), len(number)))
            joined[tail][head].append(number.setdefault((relation, True), len(number)))
    distance = np.full((count, count), APART, dtype=np.int64)
    rows: list[tuple[int, int, int, float]] = []
    for start in range(count):
        for end, path in _shortest_paths(joined, start).items():
            distance[start, end] = min(len(path) - 1, FURTHEST)
            hops = list(pairwise(path))[:FURTHEST]
            rows += [
                (start * count + end, hop, step, 1 / (len(hops) * len(joined[one][other])))
                for hop, (one, other) in enumerate(hops)
                for step in joined[one][other]
            ]
    pair, hop, step, share = zip(*rows, strict=True) if rows else ((), (), (), ())
    degrees = np.minimum([arriving, leaving], MOST_DEGREE).astype(np.int64)
    return EncodedGraph(
        role=_ints(graph.roles),
        in_degree=degrees[0],
        out_degree=degrees[1],
        distance=distance,
        pair=_ints(pair),
        hop=_ints(hop),
        step=_ints(step),
        share=np.array(share, dtype=np.float32),
        steps=tuple(number),
    )


def _shortest_paths(joined: Sequence[defaultdict[int, list[int]]], start: int) -> dict[int, tuple[int, ...]]:
    """The nodes on a shortest path from a node to each that it is joined with, itself too."""
    found: dict[int, tuple[int, ...]] = {start: (start,)}
    reached = [start]
    while reached:
        next_reached = []
        for node in reached:
            for other in sorted(joined[node]):
                if other not in found:
                    found[other] = (*found[node], other)
                    next_reached.append(other)
        reached = next_reached
    return found


def _ints(column: Sequence[int]) -> Ints:
    return np.array(column, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class DenseBatch:
    """Subgraphs side by side, each filled up to the size of the largest.

    :ivar there: whether there is a node; shape (graphs, nodes)
    :ivar role: shape (graphs, nodes), as the next two
    :ivar distance: shape (graphs, nodes, nodes)
    :ivar graph: of each step on a shortest path its subgraph; shape (steps,), as the others
    :ivar first: place of the node where its path begins
    :ivar second: place of the node where its path ends
    :ivar step: its number among the batch's steps
    :ivar steps: relations as they are walked, each once
    """

    there: Bools
    role: Ints
    in_degree: Ints
    out_degree: Ints
    distance: Ints
    graph: Ints
    first: Ints
    second: Ints
    hop: Ints
    step: Ints
    share: Floats
    steps: tuple[WalkedStep, ...]


def dense_batch(graphs: Sequence[EncodedGraph]) -> DenseBatch:
    """Subgraphs side by side.

    :param graphs: one or more
    """
    size = max(graph.nodes for graph in graphs)
    shape = (len(graphs), size)
    role, in_degree, out_degree = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    distance = np.full((*shape, size), APART, dtype=np.int64)
    number: dict[WalkedStep, int] = {}
    numbers = []
    for row, graph in enumerate(graphs):
        own = slice(graph.nodes)
        role[row, own], in_degree[row, own], out_degree[row, own] = graph.role, graph.in_degree, graph.out_degree
        distance[row, own, own] = graph.distance
        numbers.append(np.array([number.setdefault(one, len(number)) for one in graph.steps], dtype=np.int64))
    sizes = np.array([graph.nodes for graph in graphs])
    counts = [graph.pair.size for graph in graphs]
    pair, nodes = np.concatenate([graph.pair for graph in graphs]), np.repeat(sizes, counts)
    return DenseBatch(
        there=np.arange(size) < sizes[:, None],
        role=role,
        in_degree=in_degree,
        out_degree=out_degree,
        distance=distance,
        graph=np.repeat(np.arange(len(graphs)), counts),
        first=pair // nodes,
        second=pair % nodes,
        hop=np.concatenate([graph.hop for graph in graphs]),
        step=np.concatenate([own[graph.step] for own, graph in zip(numbers, graphs, strict=True)]),
        share=np.concatenate([graph.share for graph in graphs]),
        steps=tuple(number),
    )
