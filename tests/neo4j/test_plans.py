"""Every kind of plan: what it yields, the facts that prove it, and that its Cypher reproduces both."""

from __future__ import annotations

import itertools
import math
import operator
import random
import statistics
from collections.abc import Iterable, Iterator
from typing import get_args

import neo4j
import pytest
from neo4j.graph import Node as DriverNode
from neo4j.graph import Path as DriverPath

from kgqa_graphdb.errors import CypherError, UsageError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.plan import Aggregate, AggregateOp, Cite, Combine, Each, Every, Follow, Native, Plan, Result
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Entity, Fact, Path, Scalar, Statement, Step, Value, WalkRule
from tests.neo4j.graphs import Made, make_graph, random_triples, remove_graph

RULES: tuple[WalkRule, ...] = get_args(WalkRule)
HEIGHTS = {(f"e{number}", "height"): height for number, height in enumerate([4, 3, 7, 7, 1, 1, 5, 9, 9, 2, 7])}


@pytest.fixture(scope="module")
def made(driver: neo4j.Driver) -> Iterator[Made]:
    graph = make_graph(driver, "plans", random_triples(seed=7), dict(HEIGHTS))
    yield graph
    remove_graph(driver, graph)


def execute(driver: neo4j.Driver, made: Made, plan: Plan, **caps: int) -> Result:
    with Neo4jIO(driver) as io:
        return run(Graph(made.mapping, **caps).execute(plan), io)


def ids(result: Result) -> set[Scalar]:
    return {node.id if isinstance(node, Entity) else node.value for node in result.nodes}


def triples(result: Result) -> set[tuple[str, str, Scalar]]:
    return {
        (fact.head.id, fact.relation.id, fact.tail.id if isinstance(fact.tail, Entity) else fact.tail.value)
        for fact in result.facts
    }


def replay(driver: neo4j.Driver, made: Made, plan: Plan) -> tuple[set[Scalar], set[tuple[str, str, str]]]:
    """What a plan's Cypher returns: answers, and the relationships of its facts."""
    statement = Graph(made.mapping).statement(plan)
    answers: set[Scalar] = set()
    facts: set[tuple[str, str, str]] = set()
    for row in driver.execute_query(statement.text, dict(statement.parameters)).records:
        answer = row["answer"]
        if answer is not None:
            answers.add(answer["entity_id"] if isinstance(answer, DriverNode) else answer)
        for path in row["facts"]:
            if isinstance(path, DriverPath):
                facts |= {(r.start_node["entity_id"], r.type, r.end_node["entity_id"]) for r in path.relationships}
    return answers, facts


def edges_only(result: Result) -> set[tuple[str, str, Scalar]]:
    return {triple for triple in triples(result) if triple[1] not in ("height",)}


def step(made: Made, code: str) -> Step:
    return made.mapping.step(code)


def path(made: Made, *codes: str) -> Path:
    return tuple(step(made, code) for code in codes)


EDGE_CODES = (">likes", "<likes", ">knows", "<knows")


def some_paths(made: Made) -> list[Path]:
    """All paths of one and two steps, a sample of three, and each with a property at its end."""
    paths = [path(made, *codes) for length in (1, 2) for codes in itertools.product(EDGE_CODES, repeat=length)]
    three = list(itertools.product(EDGE_CODES, repeat=3))
    paths += [path(made, *codes) for codes in random.Random(1).sample(three, 16)]
    return [*paths, *(some + path(made, ">height") for some in paths[:12]), path(made, ">height")]


@pytest.mark.parametrize("rule", RULES)
def test_following_a_path_yields_what_brute_force_finds(driver: neo4j.Driver, made: Made, rule: WalkRule) -> None:
    graph = made.under(rule)
    found_any = 0
    for topic, some in itertools.product(("e1", "e2", "e5"), some_paths(graph)):
        plan = Follow(graph.entities[topic], some)
        result = execute(driver, graph, plan)
        expected = graph.reached(topic, some)
        assert ids(result) == expected, (topic, [s.code for s in some])
        assert edges_only(result) == graph.proof(topic, some, expected), (topic, [s.code for s in some])
        assert not result.truncated
        found_any += bool(expected)
    assert found_any > 50


@pytest.mark.parametrize("rule", RULES)
def test_a_followed_path_is_replayed_by_its_cypher(driver: neo4j.Driver, made: Made, rule: WalkRule) -> None:
    graph = made.under(rule)
    for some in some_paths(graph):
        plan = Follow(graph.entities["e1"], some)
        result = execute(driver, graph, plan)
        assert replay(driver, graph, plan) == (ids(result), edges_only(result)), [s.code for s in some]


def test_a_pinned_end_keeps_only_the_ways_to_it(driver: neo4j.Driver, made: Made) -> None:
    some = path(made, ">likes", "<knows")
    end = sorted(str(one) for one in made.reached("e1", some))[0]
    plan = Follow(made.entities["e1"], some, to=made.entities[end])
    result = execute(driver, made, plan)
    assert ids(result) == {end}
    assert triples(result) == made.proof("e1", some, {end})
    assert replay(driver, made, plan) == (ids(result), edges_only(result))


@pytest.mark.parametrize(("op", "combine"), [("and", set.intersection), ("or", set.union), ("not", set.difference)])
def test_combining_two_topics(driver: neo4j.Driver, made: Made, op: str, combine) -> None:
    checked = 0
    for one, other in itertools.combinations(sorted(made.entities)[:10], 2):
        first, second = path(made, ">likes"), path(made, ">knows", "<likes")
        plan = Combine(op, (Follow(made.entities[one], first), Follow(made.entities[other], second)))
        result = execute(driver, made, plan)
        expected = combine(made.reached(one, first), made.reached(other, second))
        proof = made.proof(one, first, expected)
        if op != "not":
            proof |= made.proof(other, second, expected)
        assert ids(result) == expected
        assert triples(result) == proof
        assert replay(driver, made, plan) == (expected, proof)
        checked += bool(expected)
    assert checked >= 3


def test_combinations_nest(driver: neo4j.Driver, made: Made) -> None:
    parts = [Follow(made.entities[e], path(made, c)) for e, c in (("e1", ">likes"), ("e2", ">knows"), ("e3", "<likes"))]
    plan = Combine("not", (Combine("or", (parts[0], parts[1])), parts[2]))
    result = execute(driver, made, plan)
    reached = [made.reached(part.topic.id, part.path) for part in parts]
    assert ids(result) == (reached[0] | reached[1]) - reached[2]
    assert ids(result)
    assert replay(driver, made, plan) == (ids(result), edges_only(result))


@pytest.mark.parametrize("op", ["count", "exists"])
def test_counting_and_existence_prove_themselves_by_what_they_count(driver: neo4j.Driver, made: Made, op: str) -> None:
    some = path(made, ">likes", ">knows")
    plan = Aggregate(op, Follow(made.entities["e1"], some))
    result = execute(driver, made, plan)
    reached = made.reached("e1", some)
    expected = len(reached) if op == "count" else bool(reached)
    assert [node.value for node in result.nodes if isinstance(node, Value)] == [expected]
    assert triples(result) == made.proof("e1", some, reached)
    assert replay(driver, made, plan) == ({expected}, edges_only(result))


def test_nothing_counts_as_zero_and_does_not_exist(driver: neo4j.Driver, made: Made) -> None:
    nowhere = next(
        Follow(made.entities[entity], path(made, code))
        for entity in sorted(made.entities)
        for code in EDGE_CODES
        if not made.reached(entity, path(made, code))
    )
    assert ids(execute(driver, made, Aggregate("count", nowhere))) == {0}
    assert ids(execute(driver, made, Aggregate("exists", nowhere))) == {False}
    assert replay(driver, made, Aggregate("count", nowhere)) == ({0}, set())
    assert replay(driver, made, Aggregate("exists", nowhere)) == ({False}, set())


COMPARE = {
    "<": operator.lt, "<=": operator.le, "=": operator.eq, ">=": operator.ge, ">": operator.gt,
    "contains": lambda value, wanted: str(wanted) in str(value),
    "starts": lambda value, wanted: str(value).startswith(str(wanted)),
}  # fmt: skip


def compared(made: Made, over: Iterable[Scalar], by: Path, *, none: bool = False) -> dict[Scalar, set[Scalar]]:
    """What answers are compared by: values, or how many entities; by brute force.

    :param none: those with no such entities have 0
    """
    held = {end: made.reached(str(end), by) for end in over}
    if by[-1].relation.kind == "edge":
        held = {end: {len(reached)} for end, reached in held.items() if reached or none}
    return {end: values for end, values in held.items() if values}


def extreme(held: dict[Scalar, set[Scalar]], op: str, most: int) -> set[Scalar]:
    """The answers with the greatest or the least values, by brute force."""
    best = {end: max(values) if op == "max" else min(values) for end, values in held.items()}
    in_order = sorted(best.values(), reverse=op == "max")
    bound = in_order[min(most, len(in_order)) - 1]
    return {end for end, value in best.items() if (value >= bound if op == "max" else value <= bound)}


BYS = ((">height",), (">likes", ">height"), (">knows",), ("<likes", ">knows"))


@pytest.mark.parametrize("by", BYS)
@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize(
    ("op", "value"), [("<", 5), ("<=", 3), ("=", 2), (">=", 3), (">", 1), ("contains", "7"), ("starts", "9"), ("=", 0)]
)
def test_comparing_answers_by_a_value(
    driver: neo4j.Driver, made: Made, op: AggregateOp, value: Scalar, by: tuple[str, ...], every: bool
) -> None:
    some = path(made, ">likes", "<likes")
    over = Every(str(made.mapping.label)) if every else Follow(made.entities["e1"], some)
    under = set(made.entities) if every else made.reached("e1", some)
    plan = Aggregate(op, over, by=path(made, *by), value=value)
    result = execute(driver, made, plan)
    held = compared(made, under, plan.by, none=op in ("<", "<=") or value == 0)
    expected = {end for end, values in held.items() if any(COMPARE[op](v, value) for v in values)}
    assert ids(result) == expected
    assert replay(driver, made, plan) == (expected, edges_only(result))


@pytest.mark.parametrize("by", BYS)
@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize(("op", "most"), [("max", 1), ("min", 1), ("max", 3), ("min", 3), ("max", 99)])
def test_the_greatest_and_the_least_with_all_that_tie(
    driver: neo4j.Driver, made: Made, op: AggregateOp, most: int, by: tuple[str, ...], every: bool
) -> None:
    some = path(made, ">likes", "<likes")
    over = Every(str(made.mapping.label)) if every else Follow(made.entities["e1"], some)
    under = set(made.entities) if every else made.reached("e1", some)
    plan = Aggregate(op, over, by=path(made, *by), most=most)
    result = execute(driver, made, plan)
    held = compared(made, under, plan.by)
    best = {end: max(values) if op == "max" else min(values) for end, values in held.items()}
    assert ids(result) == extreme(held, op, most)
    shown = [best[node.id] for node in result.nodes if isinstance(node, Entity)]
    assert shown == sorted(shown, reverse=op == "max")
    assert replay(driver, made, plan) == (ids(result), edges_only(result))


@pytest.mark.parametrize("every", [False, True])
def test_sums_and_means_count_every_way_to_a_value(driver: neo4j.Driver, made: Made, every: bool) -> None:
    some = path(made, ">likes")
    over = Every(str(made.mapping.label)) if every else Follow(made.entities["e1"], some)
    under = set(made.entities) if every else made.reached("e1", some)
    for by in (path(made, ">height"), path(made, "<likes", ">height")):
        values = [made.values[str(way[-1]), "height"] for end in under for way in made.ways(str(end), by)]
        assert len(values) > len(set(values)) or len(by) == 1
        reduced = {"sum": sum(values), "mean": statistics.mean(values), "median": statistics.median(values)}
        for op, expected in reduced.items():
            plan = Aggregate(op, over, by=by)
            result = execute(driver, made, plan)
            assert list(ids(result)) == [pytest.approx(expected)]
            assert replay(driver, made, plan) == (ids(result), edges_only(result))


@pytest.mark.parametrize("each", ["sum", "mean", "median"])
def test_sums_and_means_of_each_answer_are_compared(driver: neo4j.Driver, made: Made, each: Each) -> None:
    by = path(made, "<likes", ">height")
    held: dict[Scalar, float] = {}
    for end in made.entities:
        values = [float(made.values[str(way[-1]), "height"]) for way in made.ways(end, by)]
        if values:
            held[end] = {"sum": math.fsum, "mean": statistics.mean, "median": statistics.median}[each](values)
    every = Every(str(made.mapping.label))
    for plan, expected in (
        (Aggregate("max", every, by, each=each), {end for end, value in held.items() if value == max(held.values())}),
        (Aggregate(">", every, by, 6, each=each), {end for end, value in held.items() if value > 6}),
    ):
        result = execute(driver, made, plan)
        assert ids(result) == expected != set()
        assert replay(driver, made, plan) == (expected, edges_only(result))


def test_values_themselves_are_counted_summed_and_compared(driver: neo4j.Driver, made: Made) -> None:
    over = Follow(made.entities["e1"], path(made, ">likes", "<likes", ">height"))
    values = made.reached("e1", over.path)
    for op, expected in (("max", {max(values)}), ("min", {min(values)}), ("count", {len(values)})):
        plan = Aggregate(op, over)
        result = execute(driver, made, plan)
        assert ids(result) == expected
        assert replay(driver, made, plan) == (expected, edges_only(result))
    assert ids(execute(driver, made, Aggregate(">", over, value=3))) == {value for value in values if value > 3}


def test_all_entities_are_counted_however_few_are_shown(driver: neo4j.Driver, made: Made) -> None:
    every = Every(str(made.mapping.label))
    assert ids(execute(driver, made, every)) == set(made.entities)
    assert ids(execute(driver, made, Aggregate("count", every), max_edges=2)) == {len(made.entities)}
    some = execute(driver, made, every, max_edges=2)
    assert (len(some.nodes), some.truncated) == (2, True)


def test_compared_answers_combine_and_are_compared_again(driver: neo4j.Driver, made: Made) -> None:
    every, height = Every(str(made.mapping.label)), path(made, ">height")
    between = Aggregate("<", Aggregate(">", every, height, 2), height, 8)
    known = Aggregate(">", every, path(made, ">knows"), 0)
    plan = Combine("not", (between, known))
    held = compared(made, made.entities, height)
    middle = {end for end, values in held.items() if any(v > 2 for v in values) and any(v < 8 for v in values)}
    expected = middle - {end for end in made.entities if made.reached(end, path(made, ">knows"))}
    result = execute(driver, made, plan)
    assert ids(result) == expected != set()
    assert replay(driver, made, plan)[0] == expected


@pytest.mark.parametrize(
    "wrong",
    [
        lambda every, value, height: Aggregate("max", every),
        lambda every, value, height: Aggregate("<", every, height),
        lambda every, value, height: Aggregate("max", value, height),
    ],
)
def test_a_comparison_that_makes_no_sense_is_refused(driver: neo4j.Driver, made: Made, wrong) -> None:
    height = path(made, ">height")
    plan = wrong(Every(str(made.mapping.label)), Follow(made.entities["e1"], height), height)
    with pytest.raises(UsageError):
        execute(driver, made, plan)


def test_a_citation_is_what_was_cited(driver: neo4j.Driver, made: Made) -> None:
    head, relation, tail = made.triples[0]
    fact = Fact(made.entities[head], made.mapping.relation(relation), made.entities[tail])
    plan = Cite((made.entities[tail], Value("a guess")), (fact,))
    result = execute(driver, made, plan)
    assert ids(result) == {tail, "a guess"}
    assert result.facts == (fact,)
    assert replay(driver, made, plan) == ({tail, "a guess"}, {(head, relation, tail)})


def test_a_written_statement_gives_nodes_values_and_facts(driver: neo4j.Driver, made: Made) -> None:
    text = f"MATCH p = (:`{made.mapping.label}` {{entity_id: $id}})-[:likes]->(m) RETURN m AS answer, [p] AS facts"
    plan = Native(Statement(text, {"id": "e1"}, replays="facts"))
    result = execute(driver, made, plan)
    expected = made.reached("e1", path(made, ">likes"))
    assert ids(result) == expected
    assert triples(result) == made.proof("e1", path(made, ">likes"), expected)
    assert replay(driver, made, plan) == (ids(result), edges_only(result))


def test_a_written_statement_can_not_write(driver: neo4j.Driver, made: Made) -> None:
    with pytest.raises(CypherError, match=r"[Ww]rit"):
        execute(driver, made, Native(Statement("CREATE (n:Intruder) RETURN n")))
    assert driver.execute_query("MATCH (n:Intruder) RETURN count(n)").records[0][0] == 0


def test_a_hub_is_cut_the_same_way_every_time_and_says_so(driver: neo4j.Driver, made: Made) -> None:
    plan = Follow(made.entities["e1"], path(made, ">likes", "<likes"))
    whole = execute(driver, made, plan)
    assert len(whole.nodes) > 3
    cut = [execute(driver, made, plan, max_edges=3) for _ in range(3)]
    assert all(result.truncated for result in cut)
    assert len({result.nodes for result in cut}) == 1
    assert ids(cut[0]) < ids(whole)


def test_a_proof_is_cut_and_says_so(driver: neo4j.Driver, made: Made) -> None:
    plan = Follow(made.entities["e1"], path(made, ">likes", "<likes"))
    result = execute(driver, made, plan, max_facts=2)
    assert len(result.facts) == 2
    assert result.truncated
    assert result.nodes == execute(driver, made, plan).nodes


@pytest.mark.parametrize("codes", [(), (">height", ">likes"), ("<height",)])
def test_a_path_that_can_not_be_walked_is_refused(driver: neo4j.Driver, made: Made, codes: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        execute(driver, made, Follow(made.entities["e1"], path(made, *codes)))


def test_graph_of_many_relations_is_walked_alike(
    driver: neo4j.Driver, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgqa_graphdb.graph.walk.MANY_RELATIONS", 0)
    for topic, some in itertools.product(("e1", "e5"), some_paths(made)):
        plan = Follow(made.entities[topic], some)
        result = execute(driver, made, plan)
        expected = made.reached(topic, some)
        assert ids(result) == expected, (topic, [s.code for s in some])
        assert edges_only(result) == made.proof(topic, some, expected), (topic, [s.code for s in some])


def test_hub_of_a_graph_of_many_relations_is_walked_alike(
    driver: neo4j.Driver, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgqa_graphdb.graph.walk.MANY_RELATIONS", 0)
    monkeypatch.setattr("kgqa_graphdb.graph.walk.MAX_EXPANDED", 1)
    some = path(made, ">likes", "<likes")
    assert ids(execute(driver, made, Follow(made.entities["e1"], some))) == made.reached("e1", some)
