"""A small graph in memory that answers the fixed requests of graph/ from tables: no Cypher is understood."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kgqa_graphdb import queries
from kgqa_graphdb.compile import describe_statement, hop_statement, property_statement
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.mapping.hops import Hop, hops_of, inverts
from kgqa_graphdb.steps import Batch, Read, ReadEach, Request
from kgqa_graphdb.types import Entity, Rows, Scalar, Step

Triple = tuple[str, str, str]
LABEL = "KG_made"


@dataclass
class MemoryGraph:
    """Performs the requests of graph/ over some triples; an entity's id is its name and its element id, with a mark.

    :ivar values: node and property → value
    :ivar tables: text of a statement → the rows that it returns
    """

    mapping: GraphMapping
    triples: tuple[Triple, ...]
    values: Mapping[tuple[str, str], Scalar] = field(default_factory=dict)
    tables: dict[str, Rows] = field(default_factory=dict)

    @property
    def nodes(self) -> list[str]:
        """All nodes, sorted."""
        ends = {end for head, _, tail in self.triples for end in (head, tail)}
        return sorted(ends | {node for node, _ in self.values})

    def entity(self, name: str) -> Entity:
        return Entity(name, name, (), f"#{name}")

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        return [tuple(self.perform(one.requests)) if isinstance(one, Batch) else self._answer(one) for one in requests]

    @cached_property
    def _hops(self) -> dict[str, Hop]:
        """Statement → the hop that it walks."""
        steps = [Step(one, inverse) for one in self.mapping.relations for inverse in (False, True)]
        walked = [step for step in steps if step.relation.kind == "edge" or (step.relation.via and not step.inverse)]
        hops = [hop for step in walked for hop in hops_of(self.mapping, (step,))]
        orders = (True, False)
        return {hop_statement(self.mapping, hop, 1, ordered=one).text: hop for hop in hops for one in orders}

    @cached_property
    def _properties(self) -> dict[str, str]:
        """Statement → the property that it reads."""
        relations = [relation for relation in self.mapping.relations if relation.kind == "property"]
        return {property_statement(self.mapping, relation, 1).text: relation.type for relation in relations}

    def _answer(self, request: Request[Any]) -> Rows:
        assert isinstance(request, Read | ReadEach)
        text, parameters = request.statement.text, request.statement.parameters
        if text in self.tables:
            return self.tables[text]
        if isinstance(request, Read):
            assert text == queries.load("retrieve/neighbours").cypher()
            return [row for node in self._names(parameters["ids"]) for row in self._neighbours(node, parameters)]
        if text == queries.load("retrieve/first_steps").cypher():
            return [self._first_steps(node) for node in self._names(request.item)]
        if text == queries.load("retrieve/degrees").cypher():
            return [[f"#{node}", len(list(self._around(node)))] for node in self._names(request.item)]
        if text == describe_statement(self.mapping).text:
            nodes = self._names(request.item)
            return [
                [[f"#{node}" for node in nodes], [["Entity", LABEL]] * len(nodes), [[node, node] for node in nodes]]
            ]
        if text in self._properties:
            key = self._properties[text]
            held = [(node, self.values[node, key]) for node in self._names(request.item) if (node, key) in self.values]
            return [[[f"#{node}" for node, _ in held], [value for _, value in held]]]
        hop = self._hops[text]
        ways = [way for node in self._names(request.item) for way in self.hops(node, hop)]
        limit = parameters["limit"]
        assert isinstance(limit, int)
        ways = sorted(ways, key=lambda way: (way[0], way[-1]))[:limit]
        columns = [[f"#{way[0]}" for way in ways], [f"#{way[-1]}" for way in ways]]
        if len(hop.legs) > 1:
            columns.append([[f"#{node}" for node in way[1:-1]] for way in ways])  # type: ignore[misc]
        return [columns]

    def _names(self, element_ids: Any) -> list[str]:
        known = set(self.nodes)
        return sorted({one.removeprefix("#") for one in element_ids} & known)

    def _around(self, node: str) -> Iterator[tuple[bool, str, str]]:
        """Whether each relationship of a node arrives, its type, and the other end."""
        for head, type, tail in self.triples:
            if head == node:
                yield False, type, tail
            if tail == node:
                yield True, type, head

    def _neighbours(self, node: str, parameters: Mapping[str, Any]) -> Rows:
        around = sorted(self._around(node), key=lambda one: one[2])
        if len(around) > parameters["hub"]:
            return []
        within = parameters["within"]
        sides: list[list[list[Any]]] = [[], []]
        for inverse, labels in ((False, parameters["leaving"]), (True, parameters["entering"])):
            for type in sorted({type for _, type, _ in around} & set(labels)):
                others = [f"#{other}" for back, one, other in around if (back, one) == (inverse, type)]
                others = [other for other in others if within is None or other in within]
                if others:
                    sides[inverse].append([type, [LABEL], others[: parameters["limit"]], []])
        return [[f"#{node}", ["Entity", LABEL], *sides, [self.values.get((node, key)) for key in parameters["keys"]]]]

    def _first_steps(self, node: str) -> list[Any]:
        around = list(self._around(node))
        types = [sorted({type for back, type, _ in around if back == inverse}) for inverse in (False, True)]
        return [f"#{node}", len(around), *types, ["entity_id", *(key for holder, key in self.values if holder == node)]]

    def hops(self, start: str, hop: Hop) -> list[tuple[str, ...]]:
        """The nodes of every way of a hop; no relationship is walked twice, no leg goes back over the one before."""
        found: list[tuple[tuple[str, ...], tuple[Triple, ...]]] = [((start,), ())]
        for place, leg in enumerate(hop.legs):
            turns = place > 0 and inverts(hop.legs[place - 1], leg)
            found = [
                ((*nodes, right), (*used, triple))
                for nodes, used in found
                for triple in self.triples
                for left, right in [(triple[2], triple[0]) if leg.inverse else (triple[0], triple[2])]
                if triple[1] == leg.relation.type and left == nodes[-1] and triple not in used
                if not (turns and right == nodes[-2])
            ]
        return [nodes for nodes, _ in found]


VIA = {"fellow": (">likes", "<likes"), "onward": (">likes", ">knows"), "far": (">knows", "<likes", ">knows")}


def random_graph(seed: int, nodes: int = 9, facts: int = 22, **options: Any) -> MemoryGraph:
    """A dense little graph with loops and cycles, join steps and values, under the walk rule given."""
    choose = random.Random(seed)
    names = [f"e{number}" for number in range(nodes)]
    triples: dict[Triple, None] = {}
    while len(triples) < facts:
        triples[choose.choice(names), choose.choice(("likes", "knows")), choose.choice(names)] = None
    values: dict[tuple[str, str], Scalar] = {(name, "height"): choose.randrange(4) for name in names[::2]}
    relations = [make_relation("likes"), make_relation("knows"), make_relation("height", kind="property")]
    relations += [make_relation(name, via=via) for name, via in VIA.items()]
    relations += [
        make_relation("their height", kind="property", via=(">likes", ">height")),
        make_relation("far height", kind="property", via=("<knows", ">likes", ">height")),
    ]
    kind = EntityKind(LABEL, "entity_id", ("name",))
    return MemoryGraph(
        GraphMapping("made", (kind,), tuple(relations), label=LABEL, owned=True, **options), tuple(triples), values
    )
