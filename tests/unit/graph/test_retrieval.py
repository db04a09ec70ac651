"""Neighbourhoods and connecting paths over small graphs in memory, with steps that have a ``via``."""

from __future__ import annotations

import itertools

import pytest

from kgqa_graphdb.graph import Expansion, Graph, NeighbourhoodLimits, PathLimits
from kgqa_graphdb.mapping.hops import hops_of
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Entity, Step, Value
from tests.unit.graph.memory import MemoryGraph, random_graph


def joined(made: MemoryGraph, node: str) -> set[tuple[str, str]]:
    """The steps that leave a node, and the nodes that each leads to, by brute force."""
    steps = [Step(one, back) for one in made.mapping.relations if one.kind == "edge" for back in (False, True)]
    return {(step.code, way[-1]) for step in steps for way in made.hops(node, hops_of(made.mapping, (step,))[0])}


@pytest.mark.parametrize("seed", range(3))
def test_a_neighbourhood_has_every_edge_and_value_of_its_inner_nodes_steps_with_a_via_too(seed: int) -> None:
    made = random_graph(seed, nodes=12, facts=14)
    for hops in (1, 2):
        found = run(Graph(made.mapping).neighbourhood([made.entity("e1")], hops), made)
        distances, ring = {"e1": 0}, ["e1"]
        edges: set[tuple[str, str, str]] = set()
        values: set[tuple[str, str, object]] = set()
        for hop in range(1, hops + 1):
            for node in ring:
                for code, other in joined(made, node):
                    edges.add((other, code[1:], node) if code[0] == "<" else (node, code[1:], other))
                    distances.setdefault(other, hop)
                values |= {(node, key, value) for (holder, key), value in made.values.items() if holder == node}
            ring = [node for node, distance in distances.items() if distance == hop]
        shown = [(fact.head.id, fact.relation.id, fact.tail) for fact in found.facts]
        assert {(head, name, tail.id) for head, name, tail in shown if isinstance(tail, Entity)} == edges
        own = {(head, name, tail.value) for head, name, tail in shown if isinstance(tail, Value) and name == "height"}
        assert own == values
        assert {entity.id: distance for entity, distance in found.distances.items()} == distances
        assert not found.truncated


def test_a_cut_is_shared_among_relations() -> None:
    made = random_graph(1, facts=40)
    limits = NeighbourhoodLimits(per_node=4)
    found = run(Graph(made.mapping).neighbourhood([made.entity("e1")], 1, limits, Expansion(properties=False)), made)
    assert found.truncated
    assert len({(fact.relation.id, fact.head.id == "e1") for fact in found.facts}) == len(found.facts) == 4


@pytest.mark.parametrize("seed", range(3))
def test_simple_paths_walk_steps_with_a_via_as_one(seed: int) -> None:
    made = random_graph(seed, nodes=8, facts=9)
    for source, target in itertools.permutations(made.nodes[:4], 2):
        ways = {(source,): (source,)}
        expected: set[tuple[str, ...]] = set()
        for _ in range(3):
            ways = {
                (*codes, code, other): (*passed, other)
                for codes, passed in ways.items()
                for code, other in joined(made, passed[-1])
                if other not in passed and passed[-1] != target
            }
            expected |= {codes for codes, passed in ways.items() if passed[-1] == target}
        steps = Graph(made.mapping).paths_between([made.entity(source)], [made.entity(target)], 3, "simple")
        found = run(steps, made)
        walked = set()
        for one in found.paths:
            nodes = [one.source.id]
            for step, fact in zip(one.path, one.facts, strict=True):
                end = fact.head if step.inverse else fact.tail
                nodes += [step.code, end.name]
            walked.add(tuple(nodes))
        assert walked == expected
        assert len(found.paths) == len(walked)
        lengths = [len(one.path) for one in found.paths]
        assert lengths == sorted(lengths)


def test_ways_of_a_step_with_a_via_through_different_nodes_are_one_path() -> None:
    made = random_graph(30, facts=11)
    steps = Graph(made.mapping).paths_between([made.entity("e3")], [made.entity("e1")], 2, "simple")
    paths = run(steps, made).paths
    assert len(paths) == len(set(paths)) == 6


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("hops", range(1, 5))
def test_relation_paths_are_those_of_all_walks_there_and_back_too(seed: int, hops: int) -> None:
    made = random_graph(seed, nodes=7, facts=9)
    chosen = [made.entity(node) for node in made.nodes[:3]]
    found = run(Graph(made.mapping).relation_paths(chosen, chosen, hops, PathLimits(per_pair=100_000)), made)
    assert not found.truncated
    for source, target in itertools.product(chosen, chosen):
        walks: set[tuple[tuple[str, ...], str]] = {((), source.id)}
        expected: set[tuple[str, ...]] = set()
        for _ in range(hops):
            walks = {((*codes, code), end) for codes, node in walks for code, end in joined(made, node)}
            expected |= {codes for codes, end in walks if end == target.id}
        paths = [tuple(step.code for step in path) for path in found.paths.get((source, target), ())]
        assert paths == sorted(expected, key=lambda codes: (len(codes), codes))
    few = run(Graph(made.mapping).relation_paths(chosen, chosen, hops, PathLimits(per_pair=1)), made)
    assert all(few.paths[pair] == paths[:1] for pair, paths in found.paths.items())
    assert few.truncated == any(len(paths) > 1 for paths in found.paths.values())
