"""What lies one step around nodes: the edges that leave them, and their values, for many nodes in one round trip.

Relationships are read by one statement for all their types; relations with a ``via`` by the hop statements that
execution walks, so that they lead here to what they lead to there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from kgqa_graphdb import queries
from kgqa_graphdb.graph.edges import Edge
from kgqa_graphdb.graph.reader import GraphReader
from kgqa_graphdb.graph.walk import Walker, each_value, hashable
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.mapping.hops import end_labels, end_of, hops_of
from kgqa_graphdb.steps import Read, Steps, ask, together
from kgqa_graphdb.types import Relation, Scalar, Statement, Step

MAX_DEGREE = 20_000
"""Relationships of a node that is expanded."""
MAX_BETWEEN = 5_000
"""Nodes that a path is followed on from."""
MAX_VIA = 20_000
"""Ways by one step with a ``via`` from all nodes of a round."""
AT_ONCE = 500
"""Nodes in a statement."""


@dataclass(frozen=True, slots=True)
class RawNeighbours:
    """What one statement says of a node.

    :ivar labels: the node's own
    :ivar steps: step, element ids of the nodes that it leads to, and for each the values of the qualifiers that
        its type has, or none at all
    :ivar values: step to a property → its values
    """

    labels: frozenset[str]
    steps: tuple[tuple[Step, Sequence[str], Sequence[Sequence[Any]]], ...]
    values: tuple[tuple[Step, Sequence[Scalar]], ...]


@dataclass(slots=True)
class Neighbours:
    """One step around a node.

    :ivar edges: step → edges, in the order of the neighbours' keys
    :ivar values: step to a property → the values that it leads to, each with the node that has it
    :ivar cut: some are missing
    """

    edges: dict[Step, list[Edge]] = field(default_factory=dict)
    values: dict[Step, list[tuple[str, Scalar]]] = field(default_factory=dict)
    cut: bool = False


@dataclass(frozen=True, slots=True)
class ViaSteps:
    """A step with a ``via``, from all nodes of a round.

    :ivar edges: those of a property lead to the nodes that have it
    :ivar values: of a property: the node that has it → its values
    :ivar cut: some are missing
    """

    step: Step
    edges: Sequence[Edge]
    values: Mapping[str, Sequence[Scalar]] | None
    cut: bool


@dataclass(frozen=True, slots=True)
class NeighbourReader:
    """Reads what lies around nodes.

    :ivar max_degree: relationships of a node that is read; one that has more has no neighbours here
    :ivar max_alike: neighbours of a node that one type of relationship leads to
    :ivar max_via: ways by one step with a ``via`` from all nodes of a round
    :ivar qualified: read the properties of relationships
    :ivar valued: read the properties of nodes
    :ivar ordered: order neighbours by their keys, so that the same ones are cut wherever the graph is stored
    """

    mapping: GraphMapping
    max_degree: int = MAX_DEGREE
    max_alike: int = MAX_DEGREE
    max_via: int = MAX_VIA
    qualified: bool = True
    valued: bool = True
    ordered: bool = True
    _keys_of: defaultdict[str, set[str]] = field(init=False, repr=False)
    _qualifiers: dict[str, list[str]] = field(init=False, repr=False)
    _labels_wanted: tuple[dict[str, list[str]], ...] = field(init=False, repr=False)
    _places: dict[str, list[tuple[int, int]]] = field(default_factory=dict, init=False, repr=False)
    _keys: list[str] = field(init=False, repr=False)
    _ends: dict[tuple[str, bool], list[tuple[Step, frozenset[str]]]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        by_type = self.mapping.by_type
        keys = sorted({type for kind, type in by_type if kind == "property"}) if self.valued else []
        ends = {
            (type, inverse): [(step, self._labels(step)) for step in (Step(one, inverse) for one in relations)]
            for (kind, type), relations in by_type.items()
            for inverse in (False, True)
            if kind == "edge"
        }
        keys_of: defaultdict[str, set[str]] = defaultdict(set)  # id of a relation → properties of its relationships
        for one in self.mapping.qualifiers:
            keys_of[one.of].add(one.type)
        object.__setattr__(self, "_keys_of", keys_of)
        object.__setattr__(self, "_keys", keys)
        object.__setattr__(self, "_ends", ends)
        object.__setattr__(self, "_labels_wanted", tuple(self._labels_by_type(inverse=one) for one in (False, True)))
        object.__setattr__(self, "_qualifiers", self._qualifiers_by_type() if self.qualified else {})

    def read(self, nodes: Sequence[str], within: Sequence[str] | None = None) -> Steps[dict[str, Neighbours]]:
        """One step around nodes, by all relations of the mapping; a hub, and a node that is gone, are missing.

        :param within: element ids of the only neighbours that are wanted
        """
        raw = yield from self.raw(nodes, within)
        found = {node: self._neighbours(node, one) for node, one in raw.items()}
        yield from self._add_via(found, None if within is None else frozenset(within))
        return found

    def raw(self, nodes: Sequence[str], within: Sequence[str] | None = None) -> Steps[dict[str, RawNeighbours]]:
        """The same without steps that have a ``via``, as compact as it comes."""
        some = [nodes[start : start + AT_ONCE] for start in range(0, len(nodes), AT_ONCE)]
        parts = yield from together(ask(Read(self._statement(part, within))) for part in some)
        return {row[0]: self._raw(*row[1:]) for rows in parts for row in rows}

    def via(self, nodes: Sequence[str]) -> Steps[list[ViaSteps]]:
        """The steps with a ``via`` that can leave nodes, by their codes."""
        if not self.mapping.by_first_leg or not nodes:
            return []
        walker = Walker(self.mapping, self.max_via)
        leaving: defaultdict[str, list[str]] = defaultdict(list)
        for node, codes in (yield from walker.departures(nodes)).items():
            for code in codes:
                if self.mapping.by_id[code[1:]].via and (self.valued or self.mapping.by_id[code[1:]].kind == "edge"):
                    leaving[code].append(node)
        steps = [self.mapping.step(code) for code in sorted(leaving)]
        return list((yield from together(self._via_step(walker, step, leaving[step.code]) for step in steps)))

    def _via_step(self, walker: Walker, step: Step, nodes: list[str]) -> Steps[ViaSteps]:
        edges, cut = yield from walker.edges(hops_of(self.mapping, (step,))[0], nodes)
        end = end_of(self.mapping, (step,))
        if end is None:
            return ViaSteps(step, edges, None, cut)
        pairs, values_cut = yield from walker.values(end, list(dict.fromkeys(edge.right for edge in edges)))
        values: defaultdict[str, list[Scalar]] = defaultdict(list)
        for node, value in pairs:
            values[node].append(value)
        return ViaSteps(step, [edge for edge in edges if edge.right in values], values, cut or values_cut)

    # ── relationships ────────────────────────────────────────────────────────────────────────────────────────────────

    def _statement(self, nodes: Sequence[str], within: Sequence[str] | None) -> Statement:
        parameters: dict[str, object] = {
            "ids": list(nodes),
            "hub": self.max_degree,
            "leaving": self._labels_wanted[0],
            "entering": self._labels_wanted[1],
            "within": None if within is None else list(within),
            "order": self._order(),
            "limit": self.max_alike + 1,
            "qualifiers": self._qualifiers,
            "keys": self._keys,
        }
        return Statement(queries.load("retrieve/neighbours").cypher(), parameters)

    def _order(self) -> list[str]:
        return list(dict.fromkeys(kind.key for kind in self.mapping.entities if kind.key)) if self.ordered else []

    def _labels_by_type(self, *, inverse: bool) -> dict[str, list[str]]:
        """Type of a relationship → labels of which a node that it leads to has one."""
        return {
            type: sorted(frozenset().union(*(labels for _, labels in steps)))
            for (type, backwards), steps in self._ends.items()
            if backwards == inverse
        }

    def _labels(self, step: Step) -> frozenset[str]:
        """The labels of which a node that a step leads to has one."""
        labels = self.mapping.entity_labels
        return frozenset(labels if self.mapping.label else end_labels(step) or labels)

    def _qualifiers_by_type(self) -> dict[str, list[str]]:
        """Type of a relationship → its properties that are read, sorted."""
        of = self._keys_of
        return {
            type: sorted(keys)
            for (kind, type), relations in self.mapping.by_type.items()
            if kind == "edge" and (keys := of[""].union(*(of[relation.id] for relation in relations)))
        }

    def _raw(
        self, labels: Sequence[str], leaving: Sequence[Any], entering: Sequence[Any], values: Sequence[Any]
    ) -> RawNeighbours:
        own = frozenset(labels)
        steps = tuple(
            (step, ids, qualifiers)
            for inverse, groups in ((False, leaving), (True, entering))
            for type, others, ids, qualifiers in groups
            for step, wanted in self._ends[type, inverse]
            if not wanted.isdisjoint(others)
        )
        found = tuple(
            (Step(relation), each)
            for key, value in zip(self._keys, values, strict=True)
            if (each := each_value(value))
            for relation in self.mapping.by_type["property", key]
            if self._may_start(Step(relation), own)
        )
        return RawNeighbours(own, steps, found)

    def _neighbours(self, node: str, raw: RawNeighbours) -> Neighbours:
        found = Neighbours(values={step: [(node, value) for value in values] for step, values in raw.values})
        for step, ids, qualifiers in raw.steps:
            if not self._may_start(step, raw.labels):
                continue
            found.cut |= len(ids) > self.max_alike
            each = list(self._masked(step.relation, qualifiers)) if qualifiers else [()] * len(ids)
            pairs = zip(ids[: self.max_alike], each, strict=False)
            found.edges.setdefault(step, []).extend(Edge(node, other, own) for other, own in pairs)
        return found

    def _may_start(self, step: Step, labels: frozenset[str]) -> bool:
        """Whether a node of some labels is what a relation starts from: several may share a type or a key."""
        wanted = end_labels(Step(step.relation, not step.inverse))
        return bool(self.mapping.label) or not wanted or not labels.isdisjoint(wanted)

    def _masked(self, relation: Relation, qualifiers: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
        """The qualifiers of edges in the order of all qualifier keys; those that are another relation's are none."""
        if relation.id not in self._places:
            columns = self.mapping.qualifier_keys
            own, read = self._keys_of[""] | self._keys_of[relation.id], self._qualifiers[relation.type]
            self._places[relation.id] = [(columns.index(key), read.index(key)) for key in sorted(own)]
        places = self._places[relation.id]
        none: tuple[Any, ...] = (None,) * len(self.mapping.qualifier_keys)  # most edges have none of many keys
        for values in qualifiers:
            if all(values[place] is None for _, place in places):
                yield none
                continue
            row = list(none)
            for (to, _), value in zip(places, hashable([values[place] for _, place in places]), strict=True):
                row[to] = value
            yield tuple(row)

    # ── steps with a via ─────────────────────────────────────────────────────────────────────────────────────────────

    def _add_via(self, found: dict[str, Neighbours], within: frozenset[str] | None) -> Steps[None]:
        for via in (yield from self.via(list(found))):
            for edge in via.edges:
                around = found[edge.left]
                if via.values is not None:
                    around.values.setdefault(via.step, []).extend((edge.left, one) for one in via.values[edge.right])
                elif within is None or edge.right in within:
                    around.edges.setdefault(via.step, []).append(edge)
            for around in found.values() if via.cut else ():  # which of them lacks some is not known
                around.cut = True


_READERS: WeakKeyDictionary[GraphReader, dict[tuple[int, int, int, bool], NeighbourReader]] = WeakKeyDictionary()


def neighbour_reader(
    graph: GraphReader,
    max_degree: int = MAX_DEGREE,
    max_alike: int = MAX_DEGREE,
    max_via: int = MAX_VIA,
    *,
    valued: bool = True,
) -> NeighbourReader:
    """What reads around a graph's nodes, made once: a mapping of many relations takes long to look through.

    Parameters as of :class:`NeighbourReader`.
    """
    own, options = _READERS.setdefault(graph, {}), (max_degree, max_alike, max_via, valued)
    if options not in own:
        own[options] = NeighbourReader(graph.mapping, max_degree, max_alike, max_via, valued=valued)
    return own[options]
