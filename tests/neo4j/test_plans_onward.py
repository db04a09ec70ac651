"""Plans that go on from another plan's answers: what they yield, their proof, and that their Cypher replays both."""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from kgqa_graphdb.plan import Aggregate, Combine, Every, Follow, Onward, Plan
from kgqa_graphdb.types import Scalar
from tests.neo4j.graphs import Made, make_graph, random_triples, remove_graph
from tests.neo4j.test_plans import HEIGHTS, RULES, edges_only, execute, ids, path, replay, some_paths

Triples = set[tuple[str, str, str]]


@pytest.fixture(scope="module")
def made(driver: neo4j.Driver) -> Iterator[Made]:
    graph = make_graph(driver, "onward", random_triples(seed=11), dict(HEIGHTS))
    yield graph
    remove_graph(driver, graph)


def onward(made: Made, some: set[Scalar], codes: tuple[str, ...]) -> tuple[set[Scalar], Triples]:
    """What a path leads to from each of some entities, and the triples on the ways there, by brute force.

    None of them is the topic, so the rule that leaves the topic out has nothing to leave out.
    """
    made = made.under("free") if made.mapping.walk == "exclude_topic" else made
    one = path(made, *codes)
    reached = {end: made.reached(str(end), one) for end in some}
    return set().union(*reached.values()), set().union(*(made.proof(str(end), one, to) for end, to in reached.items()))


PATHS = ((">likes",), ("<knows",), (">likes", "<knows"), (">knows", "<knows"), (">height",), (">likes", ">height"))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("codes", PATHS)
def test_a_path_is_followed_from_all_that_a_path_leads_to(
    driver: neo4j.Driver, made: Made, rule: str, codes: tuple[str, ...]
) -> None:
    graph = made.under(rule)  # type: ignore[arg-type]
    for first in some_paths(graph)[:8]:
        plan = Onward(Follow(graph.entities["e1"], first), path(graph, *codes))
        begun = graph.reached("e1", first)
        expected, proof = onward(graph, begun, codes)
        result = execute(driver, graph, plan)
        assert ids(result) == expected
        led = {end for end in begun if onward(graph, {end}, codes)[0]}
        assert edges_only(result) == proof | graph.proof("e1", first, led)
        assert replay(driver, graph, plan) == (expected, edges_only(result))


def over_the_highest(made: Made) -> tuple[Plan, set[Scalar]]:
    highest = max(HEIGHTS.values())
    plan = Aggregate("max", Every(str(made.mapping.label)), by=path(made, ">height"))
    return plan, {end for (end, _), height in HEIGHTS.items() if height == highest and end in made.entities}


@pytest.mark.parametrize("codes", PATHS)
def test_a_path_is_followed_from_all_that_rank_first(driver: neo4j.Driver, made: Made, codes: tuple[str, ...]) -> None:
    over, highest = over_the_highest(made)
    plan = Onward(over, path(made, *codes))
    expected, proof = onward(made, highest, codes)
    result = execute(driver, made, plan)
    assert len(highest) == 2
    assert ids(result) == expected
    assert edges_only(result) == proof
    assert replay(driver, made, plan) == (expected, proof)


def test_it_is_a_part_of_other_plans_and_begins_where_one_like_it_ends(driver: neo4j.Driver, made: Made) -> None:
    over, highest = over_the_highest(made)
    liked, _ = onward(made, highest, (">likes",))
    known, _ = onward(made, liked, ("<knows",))
    twice = Onward(Onward(over, path(made, ">likes")), path(made, "<knows"))
    assert ids(execute(driver, made, twice)) == known == replay(driver, made, twice)[0]
    counted = Aggregate("count", twice)
    assert ids(execute(driver, made, counted)) == {len(known)} == replay(driver, made, counted)[0]
    both = Combine("and", (twice, Follow(made.entities["e1"], path(made, ">knows"))))
    expected = known & made.reached("e1", path(made, ">knows"))
    assert ids(execute(driver, made, both)) == expected == replay(driver, made, both)[0]


def test_it_leads_nowhere_where_the_other_plan_does(driver: neo4j.Driver, made: Made) -> None:
    nothing = Aggregate(">", Every(str(made.mapping.label)), by=path(made, ">height"), value=99)
    result = execute(driver, made, Onward(nothing, path(made, ">likes")))
    assert (result.nodes, result.facts) == ((), ())
