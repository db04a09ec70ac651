"""Relations that are walked via several relationships: one step to reason with, all of its legs in the graph."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import get_args

import neo4j
import pytest
from neo4j.graph import Node as DriverNode

from kgqa_graphdb.catalog.next_steps import NextSteps, NextStepsOfAll, pack_steps
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import GraphMapping, make_relation
from kgqa_graphdb.mining.around import Around, follow
from kgqa_graphdb.plan import Cite, Follow, Plan, Result
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Entity, Fact, Scalar, Value, WalkRule
from tests.neo4j.graphs import Made, make_graph, random_triples, remove_graph

RULES: tuple[WalkRule, ...] = get_args(WalkRule)
VIA = {"fellow": (">likes", "<likes"), "onward": (">likes", ">knows"), "back": ("<knows", ">likes")}
CODES = tuple(mark + name for name in (*VIA, "likes") for mark in "><")


@pytest.fixture(scope="module")
def made(driver: neo4j.Driver) -> Iterator[Made]:
    heights = {(f"e{number}", "height"): height for number, height in enumerate([4, 3, 7, 7, 1, 1, 5])}
    graph = make_graph(driver, "via", random_triples(seed=11), heights)
    for number, relationship in enumerate(graph.triples):
        driver.execute_query(
            f"MATCH (:KG_via {{entity_id: $h}})-[r:`{relationship[1]}`]->(:KG_via {{entity_id: $t}}) SET r.since = $n",
            h=relationship[0],
            t=relationship[2],
            n=number,
        )
    made_of = [make_relation(name, via=via) for name, via in VIA.items()]
    made_of.append(make_relation("their height", kind="property", via=(">likes", ">height")))
    legs = [replace(r, kind="leg") if r.id == "knows" else r for r in graph.mapping.relations]
    yield replace(graph, mapping=replace(graph.mapping, relations=(*legs, *made_of)))
    remove_graph(driver, graph)


def execute(driver: neo4j.Driver, mapping: GraphMapping, plan: Plan) -> Result:
    with Neo4jIO(driver) as io:
        return run(Graph(mapping).execute(plan), io)


@dataclass(frozen=True)
class Way:
    """The nodes of a way, hop by hop, with those between the ends of each."""

    hops: tuple[tuple[str, ...], ...]

    @property
    def end(self) -> str:
        return self.hops[-1][-1]


def reverse_step(code: str) -> str:
    return ("<" if code[0] == ">" else ">") + code[1:]


def legs_of(code: str) -> tuple[str, ...]:
    via = VIA.get(code[1:], (">" + code[1:],))
    return via if code[0] == ">" else tuple(reverse_step(one) for one in reversed(via))


def ways(made: Made, rule: WalkRule, topic: str, codes: tuple[str, ...]) -> list[Way]:
    """Every way along a path, by brute force."""
    found = [Way(((topic,),))]
    before = ""
    for code in codes:
        legs = legs_of(code)
        longer = []
        for way in found:
            for hop in hops(made, way.end, legs):
                last = way.hops[-1]
                if rule == "exclude_topic" and topic in hop[1:]:
                    continue
                if rule == "no_backtrack" and before:
                    back = before[1:] == code[1:] and before[0] != code[0] and hop[-1] == last[0]
                    leg_back = legs_of(before)[-1] == reverse_step(legs[0]) and hop[1] == last[-2]
                    if back or leg_back:
                        continue
                longer.append(Way((*way.hops, hop)))
        found, before = longer, code
    return found


def hops(made: Made, start: str, legs: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The nodes of every hop from one; no relationship is walked twice, and no leg goes back over the one before."""
    found: list[tuple[tuple[str, ...], tuple[tuple[str, str, str], ...]]] = [((start,), ())]
    for position, leg in enumerate(legs):
        turns = position > 0 and legs[position - 1][1:] == leg[1:] and legs[position - 1][0] != leg[0]
        found = [
            ((*nodes, right), (*used, (head, relation, tail)))
            for nodes, used in found
            for head, relation, tail in made.triples
            for left, right in [(head, tail) if leg[0] == ">" else (tail, head)]
            if relation == leg[1:] and left == nodes[-1] and (head, relation, tail) not in used
            if not (turns and right == nodes[-2])
        ]
    return [nodes for nodes, _ in found]


def ids(result: Result) -> set[Scalar]:
    return {node.id if isinstance(node, Entity) else node.value for node in result.nodes}


def replayed(driver: neo4j.Driver, mapping: GraphMapping, plan: Plan) -> set[Scalar]:
    statement = Graph(mapping).statement(plan)
    rows = driver.execute_query(statement.text, dict(statement.parameters)).records
    answers = [row["answer"] for row in rows if row["answer"] is not None]
    return {answer["entity_id"] if isinstance(answer, DriverNode) else answer for answer in answers}


@pytest.mark.parametrize("rule", RULES)
def test_following_relations_with_legs_yields_what_brute_force_finds(
    driver: neo4j.Driver, made: Made, rule: WalkRule
) -> None:
    mapping = replace(made.mapping, walk=rule)
    found_any = 0
    for topic, length in (("e1", 1), ("e4", 1), ("e1", 2), ("e5", 2)):
        every_path = list(itertools.product(CODES, repeat=length))
        for codes in random.Random(length).sample(every_path, min(20, len(every_path))):
            plan = Follow(made.entities[topic], tuple(map(mapping.step, codes)))
            result = execute(driver, mapping, plan)
            every = ways(made, rule, topic, codes)
            assert ids(result) == {way.end for way in every}, (topic, codes)
            assert replayed(driver, mapping, plan) == ids(result), (topic, codes)
            # None of these nodes has a name, so each hop is one fact.
            pairs = {
                tuple(reversed(ends)) if code[0] == "<" else ends
                for way in every
                for code, hop in zip(codes, way.hops[1:], strict=True)
                for ends in [(hop[0], hop[-1])]
            }
            assert {(fact.head.id, fact.tail.id) for fact in result.facts if isinstance(fact.tail, Entity)} == pairs
            found_any += bool(every)
    assert found_any > 25


def test_a_sibling_is_not_oneself_whatever_the_rule(driver: neo4j.Driver, made: Made) -> None:
    for rule in RULES:
        mapping = replace(made.mapping, walk=rule)
        plan = Follow(made.entities["e1"], (mapping.step(">fellow"),))
        assert "e1" not in ids(execute(driver, mapping, plan))


def test_the_proof_shows_all_legs_where_what_lies_between_has_names(driver: neo4j.Driver, made: Made) -> None:
    plan = Follow(made.entities["e1"], (made.mapping.step(">onward"),))
    every = ways(made, "no_backtrack", "e1", (">onward",))
    whole = execute(driver, made.mapping, plan)
    assert {fact.relation.id for fact in whole.facts} == {"onward"}
    driver.execute_query("MATCH (n:KG_via) SET n.name = 'the ' + n.entity_id")
    try:
        result = execute(driver, made.mapping, plan)
    finally:
        driver.execute_query("MATCH (n:KG_via) SET n.name = n.entity_id")
    expected = {(*way.hops[-1][:1], "likes", *way.hops[-1][1:2]) for way in every}
    expected |= {(*way.hops[-1][1:2], "knows", *way.hops[-1][2:]) for way in every}
    assert {(f.head.id, f.relation.id, f.tail.id) for f in result.facts if isinstance(f.tail, Entity)} == expected
    assert [fact.relation.id for fact in result.facts] == sorted((f.relation.id for f in result.facts), reverse=True)


def test_a_value_at_the_end_of_legs(driver: neo4j.Driver, made: Made) -> None:
    plan = Follow(made.entities["e1"], (made.mapping.step(">their height"),))
    liked = {way.end for way in ways(made, "free", "e1", (">likes",))}
    expected = {made.values[one, "height"] for one in liked if (one, "height") in made.values}
    result = execute(driver, made.mapping, plan)
    assert expected
    assert ids(result) == expected == replayed(driver, made.mapping, plan)
    assert {(f.head.id, f.relation.id, f.tail) for f in result.facts} == {
        ("e1", "their height", Value(value)) for value in expected
    }


def test_a_qualifier_between_two_topics_is_read_off_the_legs(driver: neo4j.Driver, made: Made) -> None:
    told = make_relation("onward.since", type="since", kind="qualifier", of="onward")
    mapping = replace(made.mapping, relations=(*made.mapping.relations, told))
    way = ways(made, "free", "e1", (">onward",))[0]
    path = (mapping.step(">onward"), mapping.step(">onward.since"))
    plan = Follow(made.entities["e1"], path, to=made.entities[way.end])
    firsts = {
        made.triples.index((*one.hops[-1][:1], "likes", *one.hops[-1][1:2]))  # type: ignore[arg-type]
        for one in ways(made, "free", "e1", (">onward",))
        if one.end == way.end
    }
    result = execute(driver, mapping, plan)
    assert ids(result) == firsts == replayed(driver, mapping, plan)
    assert {fact.qualifiers for fact in result.facts} == {(("since", since),) for since in firsts}


def test_a_fact_of_several_legs_can_be_cited(driver: neo4j.Driver, made: Made) -> None:
    way = ways(made, "free", "e1", (">onward",))[0]
    fact = Fact(made.entities["e1"], made.mapping.relation("onward"), made.entities[way.end])
    statement = Graph(made.mapping).statement(Cite((), (fact,)))
    rows = driver.execute_query(statement.text, dict(statement.parameters)).records
    assert rows
    assert {tuple(node["entity_id"] for node in row["facts"][0].nodes) for row in rows} >= {way.hops[-1]}


def test_departures_know_legs_only_as_beginnings(driver: neo4j.Driver, made: Made) -> None:
    with Neo4jIO(driver) as io:
        codes = run(Graph(made.mapping).first_steps([made.entities["e1"]]), io)[made.entities["e1"].element_id]
    assert ">knows" not in codes
    assert "<knows" not in codes
    around = {(relation, head == "e1") for head, relation, tail in made.triples if "e1" in (head, tail)}
    assert (">onward" in codes) == (("likes", True) in around)
    assert (">back" in codes) == (("knows", False) in around)
    assert ("<onward" in codes) == (("knows", False) in around)


def test_a_leg_is_not_walked_by_itself(driver: neo4j.Driver, made: Made) -> None:
    with pytest.raises(UsageError, match="part of other relations"):
        execute(driver, made.mapping, Follow(made.entities["e1"], (made.mapping.step(">knows"),)))


def test_what_follows_a_step_with_legs_is_what_follows_its_last_leg() -> None:
    relations = [
        make_relation("acted", kind="leg"),
        make_relation("film"),
        make_relation("year", kind="property"),
        make_relation("cast", via=(">acted", ">film")),
        make_relation("role", kind="qualifier", of="cast"),
    ]
    codes = [mark + relation.id for relation in relations for mark in "><"]
    number = {code: place for place, code in enumerate(codes)}
    # acted: person → part, film: part → film, year: of a film
    after = {">acted": [">film", "<acted"], ">film": [">year", "<film"], "<film": [">film", "<acted"]}
    packed = pack_steps({number[code]: sum(1 << number[one] for one in ones) for code, ones in after.items()})
    following = NextStepsOfAll(NextSteps(codes, packed), relations)
    assert set(following[">cast"]) == {">year", "<film", "<cast", ">role"}
    assert set(following[">film"]) == {">year", "<film", "<cast"}
    assert "<cast" not in following
    assert set(following) == {">film", "<film", ">cast"}
    assert len(following) == 3


def test_paths_are_mined_over_what_is_walked_via_others(driver: neo4j.Driver, made: Made) -> None:
    ids = {entity.element_id: entity.id for entity in made.entities.values()}
    around = Around(Graph(replace(made.mapping, walk="free")))
    found_any = 0
    for topic, length in itertools.product(("e1", "e2", "e5"), (1, 2)):
        for codes in itertools.product(CODES, repeat=length):
            with Neo4jIO(driver) as io:
                ends = run(follow(codes, made.entities[topic].element_id, around, 1_000), io)
            assert ends is not None
            assert {ids[str(end)] for end in ends} == {way.end for way in ways(made, "free", topic, codes)}, codes
            found_any += bool(ends)
    assert found_any > 50
