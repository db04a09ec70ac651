"""Walks over an exported graph, in memory: which relation paths join entities, and what a path leads to.

The same as :meth:`kgqa_graphdb.graph.Graph.relation_paths` and executing a path give on the graph itself, in a fraction
of the time where hundreds of paths of a question are looked for and followed, as when a model is trained. A relation is
walked forwards or backwards: *ways* number both, in the order of their codes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from kgqa_graphdb.export.exported import ExportedGraph
from kgqa_graphdb.export.subgraph import runs
from kgqa_graphdb.graph.neighbours import MAX_BETWEEN
from kgqa_graphdb.types import Ints, WalkRule

Ways: TypeAlias = tuple[int, ...]
"""A relation path."""
MAX_EDGES = 5_000_000
"""Edges, or ways that two halves of walks make together, that are looked at at a time; of more the first."""


class Edges(NamedTuple):
    """What leaves some entities, forwards and backwards; shape (edges,) each.

    :ivar place: which of the entities it leaves
    :ivar way: along which relation
    :ivar end: the entity that it leads to
    """

    place: Ints
    way: Ints
    end: Ints

    def take(self, chosen: Ints) -> Edges:
        """Some of them."""
        return Edges(*(column[chosen] for column in self))


@dataclass(frozen=True, slots=True)
class JoiningPaths:
    """Relation paths between pairs of entities.

    :ivar paths: source and target → paths, by length, then by codes; a pair that none joins is not there
    :ivar truncated: a limit left some out
    """

    paths: Mapping[tuple[int, int], tuple[Ways, ...]]
    truncated: bool


@dataclass(frozen=True, eq=False)
class Walks:
    """Walks over a graph.

    :ivar codes: the step code of each way, ascending
    :ivar reverse: the way back of each
    """

    graph: ExportedGraph
    codes: tuple[str, ...] = field(init=False, repr=False)
    reverse: Ints = field(init=False, repr=False)
    _way: Ints = field(init=False, repr=False)  # of each relation forwards, then backwards

    def __post_init__(self) -> None:
        ids = self.graph.relation_ids
        codes = np.array([*(f">{one}" for one in ids), *(f"<{one}" for one in ids)], dtype=object)
        order = np.argsort(codes, kind="stable")
        way = np.argsort(order, kind="stable")
        back = way.reshape(2, -1)[::-1].ravel()  # of each relation forwards the way backwards, and so on
        object.__setattr__(self, "codes", tuple(codes[order].tolist()))
        object.__setattr__(self, "reverse", back[order])
        object.__setattr__(self, "_way", way)

    @cached_property
    def way_of(self) -> Mapping[str, int]:
        """The way of each step code."""
        return {code: way for way, code in enumerate(self.codes)}

    def edges(self, entities: Ints) -> Edges:
        """What leaves entities, forwards and backwards."""
        graph = self.graph
        outwards = _spans(graph.out_start, entities)
        inwards = _spans(graph.in_start, entities)
        out, into = runs(*outwards), runs(*inwards)
        every = np.arange(entities.size)
        return Edges(
            np.concatenate([np.repeat(every, end - start) for start, end in (outwards, inwards)]),
            np.concatenate([
                self._way[graph.relation[out]],
                self._way[graph.num_relations + graph.relation[graph.in_fact[into]]],
            ]),
            np.concatenate([graph.tail[out], graph.in_head[into]]).astype(np.int64),
        )  # fmt: skip

    # ── joining entities ─────────────────────────────────────────────────────────────────────────────────────────────

    def joining(self, sources: Sequence[int], targets: Sequence[int], max_hops: int, per_pair: int) -> JoiningPaths:
        """The relation paths by which walks lead from each of some entities to each of others, whatever they pass.

        :param max_hops: of a path, 1 or more
        :param per_pair: paths between two entities, the shortest first
        """
        furthest = (max_hops + 1) // 2  # walked from the sources, the rest back from the targets
        back = self._rings(np.unique(np.array(targets, dtype=np.int64)), max_hops - furthest, backwards=True)
        found: dict[tuple[int, int], list[Ways]] = {}
        truncated = back[-1].truncated
        for source in dict.fromkeys(sources):
            ahead = self._rings(np.array([source], dtype=np.int64), furthest)
            truncated |= ahead[-1].truncated
            for length in range(1, max_hops + 1):
                first = min(length, furthest)
                truncated |= _join(ahead[first], back[length - first], source, found)
        truncated |= any(len(some) > per_pair for some in found.values())
        return JoiningPaths({pair: tuple(some[:per_pair]) for pair, some in found.items()}, truncated)

    def _rings(self, origins: Ints, hops: int, *, backwards: bool = False) -> list[_Ring]:
        """Where walks of each length lead from some entities, 0 hops and up."""
        rings = [_Ring(origins, origins, np.zeros(origins.size, np.int64), np.zeros((1, 0), np.int64))]
        for _ in range(hops):
            last = rings[-1]
            nodes, place = np.unique(last.node, return_inverse=True)
            edges = self.edges(nodes)
            rows, chosen, cut = _product(place, edges.place)
            way = edges.way[chosen]
            ways, path = np.unique(
                last.path[rows] * len(self.codes) + (self.reverse[way] if backwards else way), return_inverse=True
            )
            before, step = last.paths[ways // len(self.codes)], (ways % len(self.codes))[:, None]
            origin, node, path = _distinct(np.stack([last.origin[rows], edges.end[chosen], path]))
            paths = np.hstack([step, before] if backwards else [before, step])
            rings.append(_Ring(origin, node, path, paths, cut or last.truncated))
        return rings


@dataclass(frozen=True, slots=True, eq=False)
class _Ring:
    """Where walks of one length lead.

    :ivar origin: where each begins; shape (walks,)
    :ivar node: where it ends
    :ivar path: which of ``paths`` it takes
    :ivar paths: ways in walking order; shape (paths, length)
    """

    origin: Ints
    node: Ints
    path: Ints
    paths: Ints
    truncated: bool = False


def _join(ahead: _Ring, back: _Ring, source: int, found: dict[tuple[int, int], list[Ways]]) -> bool:
    """Note the paths of walks from both sides that meet, by codes; whether some were left out."""
    rows, chosen, cut = _product(ahead.node, back.node)
    if not rows.size:
        return cut
    columns = np.stack([back.origin[chosen], ahead.path[rows], back.path[chosen]])
    target, one, other = _distinct(columns)
    ways = np.hstack([ahead.paths[one], back.paths[other]])  # (walks, length)
    ways, target = _distinct_rows(np.hstack([target[:, None], ways]))
    for end, path in zip(target.tolist(), ways.tolist(), strict=True):
        found.setdefault((source, end), []).append(tuple(path))
    return cut


def _distinct_rows(rows: Ints) -> tuple[Ints, Ints]:
    """Rows without repeats, ascending: what stands behind the first column, and the first column."""
    unique = np.unique(rows, axis=0)
    return unique[:, 1:], unique[:, 0]


def _distinct(columns: Ints) -> Ints:
    """Columns without repeats, ascending; shape (3, columns)."""
    order = np.lexsort(columns[::-1])
    columns = columns[:, order]
    differs = np.ones(columns.shape[1], dtype=bool)
    differs[1:] = (columns[:, 1:] != columns[:, :-1]).any(axis=0)
    return columns[:, differs]


def _product(left: Ints, right: Ints) -> tuple[Ints, Ints, bool]:
    """All pairs of places where two columns are equal, and whether some were left out."""
    order = np.argsort(right, kind="stable")
    ascending = right[order]
    starts, ends = np.searchsorted(ascending, left), np.searchsorted(ascending, left, side="right")
    within = np.flatnonzero(np.cumsum(ends - starts) <= MAX_EDGES)
    starts, ends = starts[within], ends[within]
    return np.repeat(within, ends - starts), order[runs(starts, ends)], within.size < left.size


def _spans(starts: Ints, entities: Ints) -> tuple[Ints, Ints]:
    return starts[entities], starts[entities + 1]


# ── following paths ──────────────────────────────────────────────────────────────────────────────────────────────────


class _State(NamedTuple):
    """Where walks are, by the way that they came; shape (walks,) each.

    :ivar way: ascending
    :ivar node: where each is
    :ivar came: the entity before; of a walk rule that does not ask 0
    """

    way: Ints
    node: Ints
    came: Ints


class Follower:
    """Follows paths from topics; what a beginning leads to is found once.

    ``no_backtrack`` bars a step straight back to the entity before. Where a step passes a node between, executing the
    path tells apart more: which node that was.

    :param most: ends of a path; what leads to more is not followed
    """

    def __init__(self, walks: Walks, rule: WalkRule, most: int) -> None:
        self._walks, self._most = walks, most
        self._looks_back, self._shuns_topic = rule == "no_backtrack", rule == "exclude_topic"
        self._known: dict[tuple[int, Ways], _State | None] = {}

    def ends(self, topic: int, path: Ways) -> Ints | None:
        """The entities that a path leads to, ascending; ``None``: too many, or too many lie between."""
        state = self._after(topic, path)
        ends = None if state is None else np.unique(state.node)
        return None if ends is None or ends.size > self._most else ends

    def _after(self, topic: int, path: Ways) -> _State | None:
        """Where walks are that have taken a path."""
        state = self._onward(topic, path[:-1])
        if state is None:
            return None
        start, end = np.searchsorted(state.way, [path[-1], path[-1] + 1])
        return _State(*(column[start:end] for column in state))

    def _onward(self, topic: int, path: Ways) -> _State | None:
        """Where walks that have taken a path are after each way on."""
        if (topic, path) not in self._known:
            self._known[topic, path] = self._walk_on(topic, path)
        return self._known[topic, path]

    def _walk_on(self, topic: int, path: Ways) -> _State | None:
        if path:
            state = self._after(topic, path)
            if state is None:
                return None
            nodes, came = state.node, state.came
        else:
            nodes, came = np.array([topic], dtype=np.int64), np.array([-1], dtype=np.int64)
        distinct, place = np.unique(nodes, return_inverse=True)
        if distinct.size > MAX_BETWEEN:
            return None
        edges = self._walks.edges(distinct)
        left = distinct[edges.place]
        if self._looks_back and path:  # a walk may come to a node from several
            rows, chosen, _ = _product(place, edges.place)
            straight = (edges.way[chosen] == self._walks.reverse[path[-1]]) & (edges.end[chosen] == came[rows])
            allowed = np.unique(chosen[~straight])
            edges, left = edges.take(allowed), left[allowed]
        if self._shuns_topic:
            other = np.flatnonzero(edges.end != topic)
            edges, left = edges.take(other), left[other]
        came = left if self._looks_back else np.zeros(left.size, dtype=np.int64)
        return _State(*_distinct(np.stack([edges.way, edges.end, came])))
