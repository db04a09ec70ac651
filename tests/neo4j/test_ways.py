"""In how many ways plans lead to their answers, and how many relationships nodes have."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import neo4j
import pytest

from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.plan import Combine, Follow, Plan
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import Steps, run
from kgqa_graphdb.types import Entity, Scalar, WalkRule
from tests.neo4j.graphs import Made, make_graph, random_triples, remove_graph
from tests.neo4j.test_plans import HEIGHTS, some_paths


@pytest.fixture(scope="module")
def made(driver: neo4j.Driver) -> Iterator[Made]:
    graph = make_graph(driver, "ways", random_triples(seed=7), dict(HEIGHTS))
    yield graph
    remove_graph(driver, graph)


def ways(driver: neo4j.Driver, made: Made, plan: Plan) -> dict[Scalar, int]:
    """In how many ways a plan leads to each of its answers."""
    graph, memo = Graph(made.mapping), Memo()

    def counted() -> Steps[dict[Scalar, int]]:
        result = yield from graph.execute(plan, memo)
        counts = yield from graph.count_walks(plan, result.nodes, memo)
        known = [node.id if isinstance(node, Entity) else node.value for node in result.nodes]
        return dict(zip(known, counts, strict=True))

    with Neo4jIO(driver) as io:
        return run(counted(), io)


@pytest.mark.parametrize("rule", ["free", "exclude_topic"])
def test_the_ways_to_an_answer_are_those_that_brute_force_finds(
    driver: neo4j.Driver, made: Made, rule: WalkRule
) -> None:
    graph = made.under(rule)
    most = 0
    for topic, some in itertools.product(("e1", "e2"), some_paths(graph)):
        expected: Counter[Scalar] = Counter()
        for way in graph.ways(topic, some):
            end = str(way[-1])
            expected[graph.values[end, "height"] if some[-1].relation.kind == "property" else end] += 1
        assert ways(driver, graph, Follow(graph.entities[topic], some)) == expected, (topic, [s.code for s in some])
        most = max(most, *expected.values(), 0)
    assert most > 2


def test_ways_of_an_intersection_are_pairs_of_one_of_each_part(driver: neo4j.Driver, made: Made) -> None:
    two_steps = [some for some in some_paths(made) if len(some) == 2 and some[-1].relation.kind == "edge"]
    one, other = next(
        (Follow(made.entities["e1"], first), Follow(made.entities["e2"], second))
        for first, second in itertools.product(two_steps, repeat=2)
        if len(made.reached("e1", first) & made.reached("e2", second)) > 1
    )
    each = [ways(driver, made, plan) for plan in (one, other)]
    both = ways(driver, made, Combine("and", (one, other)))
    assert both
    assert both == {end: each[0][end] * each[1][end] for end in each[0].keys() & each[1].keys()}
    assert set(ways(driver, made, Combine("or", (one, other))).values()) == {1}


def test_degrees_count_all_relationships_of_a_node(driver: neo4j.Driver, made: Made) -> None:
    some = [made.entities[name] for name in ("e1", "e2", "e5")]
    with Neo4jIO(driver) as io:
        found = run(Graph(made.mapping).degrees([one.element_id for one in some]), io)
        assert run(Graph(made.mapping).degrees([]), io) == {}
    expected = {one.element_id: sum(one.id in (head, tail) for head, _, tail in made.triples) for one in some}
    assert found == expected
