"""What lies around nodes, as step codes: read with Cypher once, and kept while many questions are mined."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from kgqa_graphdb import queries
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import leg_codes, turned
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Scalar, Statement, Value

Reached: TypeAlias = Mapping[str, Set["str | Value"]]
"""Step code → element ids of the nodes, or the values, that the step leads to."""

MAX_DEGREE = 20_000
"""Relationships of a node that are read; one that has more leads nowhere here."""
MAX_KEPT = 4_000_000
"""Neighbours that are kept, some 100 bytes each."""
MAX_BETWEEN = 5_000
AT_ONCE = 500
"""Nodes in a statement."""
_NOTHING: Reached = {}


@dataclass(slots=True)
class Around:
    """The neighbourhood of nodes, as a graph's mapping has it: via others, and with properties.

    :param max_degree: relationships of a node that are read
    """

    graph: Graph
    max_degree: int = MAX_DEGREE
    max_kept: int = MAX_KEPT
    _raw: OrderedDict[str, Reached] = field(default_factory=OrderedDict)
    _steps: dict[str, Reached] = field(default_factory=dict)
    _kept: int = 0
    _keys: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self._keys = sorted({type for kind, type in self.graph.mapping.by_type if kind == "property"})

    def steps_from(self, nodes: Iterable[str]) -> Steps[dict[str, Reached]]:
        """The steps that leave nodes and what each leads to; nothing for a hub."""
        wanted = list(dict.fromkeys(nodes))
        raw = yield from self._read(wanted)
        firsts = self.graph.mapping.by_first_leg
        if not firsts:
            return raw
        missing = [node for node in wanted if node not in self._steps]
        known = {node: self._steps[node] for node in wanted if node in self._steps}
        middles = {
            str(reached) for node in missing for code in firsts if code in raw[node] for reached in raw[node][code]
        }
        beyond = yield from self._read(middles)
        composed = {node: self._composed(node, raw[node], beyond) for node in missing}
        self._steps |= {node: steps for node, steps in composed.items() if node in self._raw}
        return known | composed

    def _composed(self, node: str, raw: Reached, beyond: Mapping[str, Reached]) -> Reached:
        """The steps of a node, those that are walked via others among them."""
        mapping = self.graph.mapping
        found = {code: ends for code, ends in raw.items() if mapping.by_id[code[1:]].kind != "leg"}
        for first, codes in mapping.by_first_leg.items():
            for code in codes if first in raw else ():
                _, *between, last = leg_codes(mapping.step(code))
                if between:
                    continue  # of three legs or more: seldom, and far to go for each node
                ends = {end for middle in raw[first] for end in beyond[str(middle)].get(last, ())}
                if last == turned(first):
                    ends.discard(node)  # there is no way straight back
                if ends:
                    found[code] = ends
        return found

    def _read(self, nodes: Iterable[str]) -> Steps[dict[str, Reached]]:
        """The relationships and properties of nodes, as they are."""
        wanted = list(dict.fromkeys(nodes))
        missing = [node for node in wanted if node not in self._raw]
        for start in range(0, len(missing), AT_ONCE):
            some = missing[start : start + AT_ONCE]
            rows = yield from ask(Read(self._statement(some)))
            read = {node: self._reached(leaving, entering, values) for node, leaving, entering, values in rows}
            for node in some:  # a hub too, so that it is not looked at again
                self._keep(node, read.get(node, _NOTHING))
        found = {node: self._raw.get(node, _NOTHING) for node in wanted}
        while self._kept > self.max_kept and self._raw:
            gone, reached = self._raw.popitem(last=False)
            self._kept -= sum(map(len, reached.values()))
            self._steps.pop(gone, None)
        return found

    def _keep(self, node: str, reached: Reached) -> None:
        self._raw[node] = reached
        self._kept += sum(map(len, reached.values()))

    def _statement(self, nodes: Sequence[str]) -> Statement:
        mapping = self.graph.mapping
        types = sorted({type for kind, type in mapping.by_type if kind in ("edge", "leg")})
        return Statement(
            queries.load("mining/around").cypher(),
            {
                "ids": list(nodes),
                "hub": self.max_degree,
                "types": types,
                "labels": mapping.entity_labels,
                "keys": self._keys,
            },
        )

    def _reached(self, leaving: Sequence[Any], entering: Sequence[Any], values: Sequence[Any]) -> Reached:
        by_type = self.graph.mapping.by_type
        found: defaultdict[str, set[str | Value]] = defaultdict(set)
        for mark, pairs in ((">", leaving), ("<", entering)):
            for type, other in pairs:
                for kind in ("edge", "leg"):
                    for relation in by_type.get((kind, type), ()):
                        found[mark + relation.id].add(other)
        for key, value in zip(self._keys, values, strict=True):
            held: Sequence[Scalar] = value if isinstance(value, list) else [] if value is None else [value]
            for relation in by_type["property", key] if held else ():
                found[f">{relation.id}"].update(Value(one, relation.unit) for one in held)
        return dict(found)


def follow(path: Sequence[str], topic: str, around: Around, most: int) -> Steps[Set[str | Value] | None]:
    """The set that a path leads to from a topic, by the graph's walk rule; ``None`` when that is too big.

    Of steps that are walked via others the rule looks at their ends alone.

    :param path: step codes
    :param topic: element id
    :param most: ends; on the way there :data:`MAX_BETWEEN` nodes are gone on from
    """
    walk = around.graph.mapping.walk
    came: dict[str | Value, set[str]] = {topic: set()}
    before = ""
    for place, code in enumerate(path, start=1):
        limit = most if place == len(path) else MAX_BETWEEN
        nodes = [node for node in came if isinstance(node, str)]
        steps = yield from around.steps_from(nodes)
        reached: defaultdict[str | Value, set[str]] = defaultdict(set)
        back = walk == "no_backtrack" and code == turned(before or code)
        for node in nodes:
            for end in steps[node].get(code, ()):
                if (back and came[node] == {end}) or (walk == "exclude_topic" and end == topic):
                    continue
                reached[end].add(node)
            if len(reached) > limit:
                return None
        came, before = dict(reached), code
    return came.keys()
