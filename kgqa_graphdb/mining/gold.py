"""Gold answers as they are found in a graph: nodes and values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kgqa_graphdb.graph import Graph, keyed_entities
from kgqa_graphdb.questions import Gold, canonical_value, harmonic, value_text
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Value

MAX_NAMESAKES = 5
"""Nodes of one name that a gold answer may be."""


@dataclass(frozen=True, slots=True)
class GoldEnds:
    """The gold answers of a question, as ends that a path may lead to.

    :ivar nodes: element id → places among the gold answers
    :ivar values: text of a value, in one way of writing → the same
    :ivar count: gold answers, found or not
    """

    nodes: Mapping[str, frozenset[int]]
    values: Mapping[str, frozenset[int]]
    count: int

    def places(self, end: str | Value) -> frozenset[int]:
        """Which gold answers a node or value is."""
        found = self.nodes.get(end) if isinstance(end, str) else self.values.get(canonical_value(value_text(end.value)))
        return found or frozenset()

    def meets(self, ends: Iterable[str | Value]) -> bool:
        """Whether one of them is gold."""
        return any(map(self.places, ends))

    def f1(self, ends: Collection[str | Value]) -> float:
        """F1 of a set of ends, 0..1."""
        matched = [places for end in ends if (places := self.places(end))]
        if not matched:
            return 0.0
        precision, recall = len(matched) / len(ends), len(frozenset().union(*matched)) / self.count
        return harmonic(precision, recall)


def find_gold(gold: Sequence[Gold], graph: Graph) -> Steps[GoldEnds]:
    """The nodes that gold answers may be: those that have their ids, or else those that are called so."""
    by_text: dict[str, set[int]] = {}
    values: dict[str, frozenset[int]] = {}
    for place, answer in enumerate(gold):
        for text in {answer.id, answer.name} - {""}:
            by_text.setdefault(text, set()).add(place)
            values[canonical_value(text)] = values.get(canonical_value(text), frozenset()) | {place}
    keyed = [named.entity for named in (yield from keyed_entities(graph, list(by_text)))]
    nodes = {entity.element_id: frozenset(by_text.get(entity.id, ())) for entity in keyed}
    found = frozenset().union(*nodes.values())
    missing = {place: answer.name for place, answer in enumerate(gold) if place not in found and answer.name}
    called = (yield from graph.find(list(missing.values()))) if missing else {}
    for place, name in missing.items():
        for entity in [one for one in called[name] if name in (one.name, one.id)][:MAX_NAMESAKES]:
            nodes[entity.element_id] = nodes.get(entity.element_id, frozenset()) | {place}
    return GoldEnds(nodes, values, len(gold))
