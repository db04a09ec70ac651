"""Measures that are narrowed down, paths that meet, answers compared with answers, and groups by values."""

from __future__ import annotations

import operator
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator

import neo4j
import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.plan import Aggregate, AggregateOp, Cite, Combine, Each, Every, Follow, Group, Plan
from kgqa_graphdb.types import Scalar
from tests.neo4j.graphs import Made, make_graph, random_triples, remove_graph
from tests.neo4j.test_plans import HEIGHTS, edges_only, execute, ids, path, replay

COMPARE = {"<": operator.lt, "<=": operator.le, "=": operator.eq, ">=": operator.ge, ">": operator.gt}


@pytest.fixture(scope="module")
def made(driver: neo4j.Driver) -> Iterator[Made]:
    graph = make_graph(driver, "narrowed", random_triples(seed=7), dict(HEIGHTS))
    yield graph
    remove_graph(driver, graph)


@pytest.fixture
def every(made: Made) -> Every:
    return Every(str(made.mapping.label))


def height(made: Made, entity: Scalar) -> int:
    return int(str(made.values.get((str(entity), "height"), -1)))


def checked(driver: neo4j.Driver, made: Made, plan: Plan, expected: set[Scalar]) -> None:
    """A plan yields what was expected, not nothing and not all, and its Cypher gives the same answers and facts."""
    result = execute(driver, made, plan)
    assert ids(result) == expected
    assert expected
    assert expected != set(made.entities)
    assert replay(driver, made, plan) == (expected, edges_only(result))


@pytest.mark.parametrize(("op", "value"), [(">", 1), ("=", 0), ("<", 2), (">=", 1)])
@pytest.mark.parametrize("negated", [False, True])
def test_only_some_of_what_is_counted_counts(
    driver: neo4j.Driver, made: Made, every: Every, op: AggregateOp, value: int, negated: bool
) -> None:
    tall: Plan = Aggregate(">", every, path(made, ">height"), 3)
    tall = Combine("not", (every, tall)) if negated else tall
    plan = Aggregate(op, every, path(made, ">likes"), value, within=tall)
    held = {one: sum((height(made, end) > 3) != negated for end in made.reached(one, plan.by)) for one in made.entities}
    checked(driver, made, plan, {one for one, count in held.items() if COMPARE[op](count, value)})


def test_what_two_topics_have_in_common_or_another_path_leads_to(driver: neo4j.Driver, made: Made) -> None:
    ways = [("e1", [">likes"]), ("e2", [">knows", "<likes"]), ("e3", ["<likes"])]
    parts = [Follow(made.entities[topic], path(made, *codes)) for topic, codes in ways]
    one, other, third = (made.reached(part.topic.id, part.path) for part in parts)
    checked(driver, made, Combine("or", (Combine("and", (parts[0], parts[1])), parts[2])), (one & other) | third)


def test_the_most_of_what_a_topic_leads_to(driver: neo4j.Driver, made: Made, every: Every) -> None:
    liked = Follow(made.entities["e1"], path(made, ">likes", "<knows"))
    plan = Aggregate("max", every, path(made, "<likes"), within=liked)
    inside = made.reached("e1", liked.path)
    held = {one: len(inside & made.reached(one, plan.by)) for one in made.entities}
    checked(driver, made, plan, {one for one, count in held.items() if count == max(held.values())})


def test_sums_are_of_those_within(driver: neo4j.Driver, made: Made, every: Every) -> None:
    known = Aggregate(">", every, path(made, "<knows"), 0)
    plan = Aggregate(">", every, path(made, ">likes", ">height"), 8, each="sum", within=known)
    held = {
        one: sum(
            height(made, end)
            for end in made.reached(one, path(made, ">likes"))
            if (str(end), "height") in made.values and made.reached(str(end), path(made, "<knows"))
        )
        for one in made.entities
    }
    checked(driver, made, plan, {one for one, total in held.items() if total > 8})


@pytest.mark.parametrize(("op", "value"), [(">", 0), ("=", 0), ("<", 1)])
@pytest.mark.parametrize("within", [False, True])
def test_two_paths_meet_in_the_same_entity(
    driver: neo4j.Driver, made: Made, every: Every, op: AggregateOp, value: int, within: bool
) -> None:
    one, other = path(made, ">likes"), path(made, "<knows", ">likes")
    tall = Aggregate(">", every, path(made, ">height"), 3) if within else None
    plan = Aggregate(op, every, one, value, meets=(other,), within=tall)
    held = {
        entity: sum(
            not within or height(made, end) > 3 for end in made.reached(entity, one) & made.reached(entity, other)
        )
        for entity in made.entities
    }
    checked(driver, made, plan, {entity for entity, count in held.items() if COMPARE[op](count, value)})


@pytest.mark.parametrize("op", ["<", "<=", "=", ">=", ">"])
def test_entities_are_compared_with_what_another_has(
    driver: neo4j.Driver, made: Made, every: Every, op: AggregateOp
) -> None:
    bound = Follow(made.entities["e5"], path(made, ">likes", ">height"))
    plan = Aggregate(op, every, path(made, ">height"), bound)
    bounds = {int(str(value)) for value in made.reached("e5", bound.path)}
    assert len(bounds) > 1
    meets = any if op == "=" else all
    values = {one: value for (one, _), value in made.values.items()}
    expected = {one for one, value in values.items() if meets(COMPARE[op](value, bound) for bound in bounds)}
    result = execute(driver, made, plan)
    assert ids(result) == expected
    assert replay(driver, made, plan) == (expected, edges_only(result) if expected else set())


def test_with_nothing_to_compare_with_nothing_is_found(driver: neo4j.Driver, made: Made, every: Every) -> None:
    nothing = Follow(made.entities["e1"], path(made, ">likes", ">height"), to=None)
    alone = Aggregate(">", nothing, value=99)
    assert ids(execute(driver, made, Aggregate(">", every, path(made, ">height"), alone))) == set()


def test_more_than_the_mean_but_not_itself(driver: neo4j.Driver, made: Made, every: Every) -> None:
    mean = Aggregate("mean", every, path(made, ">height"))
    plan = Combine("not", (Aggregate(">", every, path(made, ">height"), mean), Cite((made.entities["e3"],), ())))
    values = {one: int(str(value)) for (one, _), value in made.values.items()}
    above = {one for one, value in values.items() if value > sum(values.values()) / len(values)}
    assert "e3" in above
    result = execute(driver, made, plan)
    assert ids(result) == above - {"e3"}
    assert replay(driver, made, plan)[0] == above - {"e3"}


def test_every_answer_comes_with_its_measure(driver: neo4j.Driver, made: Made, every: Every) -> None:
    plan = Aggregate("measure", every, path(made, ">likes"))
    result = execute(driver, made, plan)
    held = {one: len(made.reached(one, plan.by)) for one in made.entities if made.reached(one, plan.by)}
    assert {node.id: amount.value for node, amount in zip(result.nodes, result.amounts, strict=True)} == held
    assert [amount.value for amount in result.amounts] == sorted(held.values(), reverse=True)
    assert replay(driver, made, plan) == (ids(result), edges_only(result))


def test_groups_by_a_value_are_counted_and_compared(driver: neo4j.Driver, made: Made, every: Every) -> None:
    likes = Aggregate(">", every, path(made, ">likes"), 0)
    group = Group(likes, path(made, ">height"))
    held = Counter(height(made, one) for one in made.entities if made.reached(one, path(made, ">likes")))
    del held[-1]
    result = execute(driver, made, group)
    assert {node.value: amount.value for node, amount in zip(result.nodes, result.amounts, strict=True)} == held
    assert len(held) > 3
    assert replay(driver, made, group) == (set(held), edges_only(result))
    for plan, expected in (
        (Aggregate("max", group), {value for value, count in held.items() if count == max(held.values())}),
        (Aggregate(">", group, value=1), {value for value, count in held.items() if count > 1}),
    ):
        result = execute(driver, made, plan)
        assert ids(result) == expected != set(held)
        assert {amount.value for amount in result.amounts} == {held[value] for value in expected}
        assert replay(driver, made, plan)[0] == expected
        assert {fact.tail.value for fact in result.facts if fact.relation.id == "height"} == expected


@pytest.mark.parametrize("each", ["mean", "median"])
def test_groups_tell_the_mean_of_what_theirs_lead_to(
    driver: neo4j.Driver, made: Made, every: Every, each: Each
) -> None:
    group = Group(every, path(made, ">height"), of=path(made, ">likes", ">height"), each=each)
    held = defaultdict(list)
    for one in made.entities:
        values = [height(made, way[-1]) for way in made.ways(one, group.of)]
        held[height(made, one)] += values if height(made, one) >= 0 else []
    reduce = {"mean": statistics.mean, "median": statistics.median}[each]
    expected = {value: reduce(some) for value, some in held.items() if some}
    result = execute(driver, made, group)
    assert {node.value: amount.value for node, amount in zip(result.nodes, result.amounts, strict=True)} == expected
    assert replay(driver, made, group) == (set(expected), edges_only(result))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda every, made: Group(every, path(made, ">likes")),
        lambda every, made: Aggregate(">", every, path(made, ">height"), 1, meets=(path(made, ">likes"),)),
        lambda every, made: Aggregate(">", every, path(made, ">height"), every),
        lambda every, made: Aggregate(
            ">", every, path(made, ">likes"), 1, within=Aggregate("max", every, path(made, ">height"))
        ),
    ],
)
def test_what_makes_no_sense_is_refused(driver: neo4j.Driver, made: Made, every: Every, wrong) -> None:
    with pytest.raises(UsageError):
        execute(driver, made, wrong(every, made))
