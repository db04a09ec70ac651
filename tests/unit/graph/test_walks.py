"""Walks over small graphs in memory: execution, its proof and mining lead to what brute force finds."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import pytest

from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.graph.edges import Edge, HopRule, allowed, edges_to, prune
from kgqa_graphdb.mapping.hops import Turn, end_of, hops_of, inverts
from kgqa_graphdb.mining.around import Around, follow
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Entity, Path, Scalar, Value, WalkRule
from tests.unit.graph.memory import VIA, MemoryGraph, random_graph

RULES: tuple[WalkRule, ...] = get_args(WalkRule)
EDGES = tuple(mark + name for name in ("likes", "knows", *VIA) for mark in "><")
ENDS = (*EDGES, ">height", ">their height", ">far height")
EVERYTHING = 10_000


@dataclass(frozen=True)
class Way:
    """The nodes of a way, hop by hop, and the value that it ends in."""

    hops: tuple[tuple[str, ...], ...]
    value: Scalar | None = None

    @property
    def end(self) -> Scalar:
        return self.hops[-1][-1] if self.value is None else self.value


def ways(graph: MemoryGraph, topic: str, path: Path) -> list[Way]:
    """Every way along a path, by brute force."""
    mapping = graph.mapping
    found: list[tuple[tuple[str, ...], ...]] = [((topic,),)]
    route, end = hops_of(mapping, path), end_of(mapping, path)
    for place, hop in enumerate(route):
        before = route[place - 1] if place else None
        longer = []
        for way in found:
            for nodes in graph.hops(way[-1][-1], hop):
                if mapping.walk == "exclude_topic" and topic in nodes[1:]:
                    continue
                if mapping.walk == "no_backtrack" and before:
                    legs = len(before.legs) > 1 or len(hop.legs) > 1
                    if inverts(before.step, hop.step) and nodes[-1] == way[-1][0]:
                        continue
                    if legs and inverts(before.legs[-1], hop.legs[0]) and nodes[1] == way[-1][-2]:
                        continue
                longer.append((*way, nodes))
        found = longer
    if end is None:
        return [Way(way) for way in found]
    held = [(way, graph.values.get((way[-1][-1], end.type))) for way in found]
    return [Way(way, value) for way, value in held if value is not None]


def some_paths(graph: MemoryGraph, seed: int) -> list[Path]:
    """All paths of one step, and some of two and three."""
    choose = random.Random(seed)
    codes = [(code,) for code in ENDS]
    codes += choose.sample(list(itertools.product(EDGES, ENDS)), 40)
    codes += choose.sample(list(itertools.product(EDGES, EDGES, ENDS)), 25)
    codes += [(code, back, *more) for code, back in zip(EDGES[::2], EDGES[1::2], strict=True) for more in ((), (code,))]
    return [tuple(map(graph.mapping.step, some)) for some in codes]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(4))
def test_execution_and_mining_lead_to_what_brute_force_finds(seed: int, rule: WalkRule) -> None:
    made = random_graph(seed, walk=rule)
    graph = Graph(made.mapping)
    around = Around(graph)
    found_any = 0
    for path in some_paths(made, seed):
        topic = made.entity(random.Random(str(path)).choice(made.nodes))
        expected = {way.end for way in ways(made, topic.id, path)}
        result = run(graph.execute(Follow(topic, path)), made)
        codes = tuple(step.code for step in path)
        executed = {node.id if isinstance(node, Entity) else node.value for node in result.nodes}
        assert executed == expected, (topic.id, codes)
        mined = run(follow(codes, topic.element_id, around, EVERYTHING), made)
        assert mined is not None
        assert {one.value if isinstance(one, Value) else one.removeprefix("#") for one in mined} == expected, codes
        found_any += bool(expected)
    assert found_any > 25


@pytest.mark.parametrize("rule", RULES)
def test_a_proof_shows_the_facts_on_the_ways_and_no_others(rule: WalkRule) -> None:
    made = random_graph(11, walk=rule)
    graph = Graph(made.mapping)
    shown = 0
    codes = itertools.product(EDGES[:4], [*EDGES[:4], ">height"])
    for path in [tuple(map(made.mapping.step, some)) for some in codes]:
        for topic in made.nodes[:3]:
            every = ways(made, topic, path)
            result = run(graph.execute(Follow(made.entity(topic), path)), made)
            facts = {(fact.head.name, fact.relation.id, fact.tail.name) for fact in result.facts}
            expected = set()
            for way in every:
                for step, nodes in zip(path, way.hops[1:], strict=False):
                    head, tail = reversed(nodes) if step.inverse else nodes
                    expected.add((head, step.relation.id, tail))
                if way.value is not None:
                    expected.add((way.hops[-1][-1], path[-1].relation.id, str(way.value)))
            assert facts == expected, [step.code for step in path]
            shown += len(expected)
    assert shown > 60


def test_what_was_walked_for_a_question_is_not_read_again() -> None:
    made = random_graph(2)
    graph, memo = Graph(made.mapping), Memo()
    plan = Follow(made.entity("e1"), tuple(map(made.mapping.step, (">likes", "<knows"))))
    once = run(graph.execute(plan, memo), made)
    assert run(graph.execute(plan, memo), Silent()) == once


class Silent:
    """Performs nothing."""

    def perform(self, requests: Sequence[object]) -> list[object]:
        raise AssertionError(f"asked again: {requests}")


def test_ways_to_an_answer_are_counted_where_nothing_is_barred() -> None:
    made = random_graph(5, walk="free")
    graph, memo = Graph(made.mapping), Memo()
    plan = Follow(made.entity("e1"), tuple(map(made.mapping.step, (">likes", "<likes", ">knows"))))
    result = run(graph.execute(plan, memo), made)
    counts = run(graph.count_walks(plan, result.nodes, memo), made)
    assert dict(zip((node.name for node in result.nodes), counts, strict=True)) == Counter(
        str(way.end) for way in ways(made, "e1", plan.path)
    )


# ── the walk rule, edge by edge ──────────────────────────────────────────────────────────────────────────────────────

BACK = HopRule(Turn(back=True, leg_back=False))


def test_an_edge_is_allowed_if_one_of_the_ways_to_it_does_not_turn_back() -> None:
    home = Edge("b", "a")
    assert allowed([home], [Edge("a", "b")], BACK) == []
    assert allowed([home], [Edge("a", "b"), Edge("c", "b")], BACK) == [home]
    assert allowed([home], [Edge("a", "b")], HopRule()) == [home]


def test_a_leg_may_not_go_back_over_the_leg_before() -> None:
    rule = HopRule(Turn(back=False, leg_back=True))
    before = Edge("a", "c", between=("b",))
    assert allowed([Edge("c", "d", between=("b",)), Edge("c", "d", between=("x",))], [before], rule) == [
        Edge("c", "d", between=("x",))
    ]


def test_barred_nodes_are_neither_passed_nor_arrived_at() -> None:
    rule = HopRule(barred=frozenset({"a"}))
    edges = [Edge("b", "a"), Edge("b", "c", between=("a",)), Edge("b", "c")]
    assert allowed(edges, [], rule) == [Edge("b", "c")]


def test_pruning_keeps_what_leads_to_the_last_hop_without_turning_back() -> None:
    first = [Edge("a", "b"), Edge("a", "c"), Edge("x", "b")]
    last = [Edge("b", "a")]
    assert prune([first, last], [HopRule(), HopRule()]) == ((Edge("a", "b"), Edge("x", "b")), (Edge("b", "a"),))
    assert prune([first, last], [HopRule(), BACK]) == ((Edge("x", "b"),), (Edge("b", "a"),))
    assert prune([], []) == ()


def test_edges_to_ends_are_those_on_the_ways_to_them_until_the_limit() -> None:
    hops = [[Edge("a", "b"), Edge("a", "c")], [Edge("b", "d"), Edge("c", "e")]]
    rules = [HopRule(), HopRule()]
    assert edges_to(hops, rules, ["d"], 10) == ([{Edge("a", "b")}, {Edge("b", "d")}], False)
    assert edges_to(hops, rules, ["d", "e"], 10) == ([set(hops[0]), set(hops[1])], False)
    assert edges_to(hops, rules, ["d", "e"], 2) == ([{Edge("a", "b")}, {Edge("b", "d")}], True)
    assert edges_to([], [], ["d"], 2) == ([], False)
    assert edges_to([[Edge("a", "b")], [Edge("b", "a")]], [HopRule(), BACK], ["a"], 9)[0] == [set(), {Edge("b", "a")}]
