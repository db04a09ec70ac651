"""Paths mined from answers: what lies around nodes, and the paths whose ends are the gold ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import neo4j
import pytest

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import reverse_step
from kgqa_graphdb.mining import Around, GoldEnds, GoodPair, GoodPath, find_gold, good_pairs, good_paths
from kgqa_graphdb.mining import around as around_module
from kgqa_graphdb.mining.around import follow
from kgqa_graphdb.questions import Gold, Pair
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.train.data.examples import mine
from kgqa_graphdb.types import Link, Scalar, Value, WalkRule
from tests.neo4j.graphs import Made, make_graph, random_triples, remove_graph

RULES: tuple[WalkRule, ...] = get_args(WalkRule)
CODES = (">likes", "<likes", ">knows", "<knows")
HEIGHTS: dict[tuple[str, str], Scalar] = {(f"e{number}", "height"): number for number in range(9)}
EVERYTHING = 1_000


@pytest.fixture(scope="module")
def made(driver: neo4j.Driver) -> Iterator[Made]:
    graph = make_graph(driver, "mining", random_triples(seed=7), dict(HEIGHTS))
    yield graph
    remove_graph(driver, graph)


def reached(driver: neo4j.Driver, made: Made, around: Around, topic: str, codes: tuple[str, ...]) -> set[Scalar] | None:
    """What a path leads to, by the neighbourhood: entity ids, or values."""
    ids = {entity.element_id: entity.id for entity in made.entities.values()}
    with Neo4jIO(driver) as io:
        ends = run(follow(codes, made.entities[topic].element_id, around, EVERYTHING), io)
    return None if ends is None else {end.value if isinstance(end, Value) else ids[end] for end in ends}


@pytest.mark.parametrize("rule", RULES)
def test_following_a_path_gives_what_brute_force_finds(driver: neo4j.Driver, made: Made, rule: WalkRule) -> None:
    graph = made.under(rule)
    around = Around(Graph(graph.mapping))
    paths = [codes for length in (1, 2, 3) for codes in itertools.product(CODES, repeat=length)]
    paths += [(*codes, ">height") for codes in paths[:20]]
    found_any = 0
    for topic, codes in itertools.product(("e1", "e2", "e5"), paths):
        expected = graph.reached(topic, tuple(map(graph.mapping.step, codes)))
        assert reached(driver, graph, around, topic, codes) == expected, (topic, codes)
        found_any += bool(expected)
    assert found_any > 100


def test_what_was_forgotten_is_read_again(driver: neo4j.Driver, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(around_module, "AT_ONCE", 2)
    small = Around(Graph(made.mapping), max_kept=5)
    for _, codes in itertools.product(range(2), itertools.product(CODES, repeat=2)):
        assert reached(driver, made, small, "e1", codes) == made.reached("e1", tuple(map(made.mapping.step, codes)))


def test_a_hub_leads_nowhere(driver: neo4j.Driver, made: Made) -> None:
    assert reached(driver, made, Around(Graph(made.mapping), max_degree=0), "e1", (">likes",)) == set()


def mined(driver: neo4j.Driver, made: Made, topic: str, gold: list[Gold], hops: int = 3) -> tuple[GoodPath, ...]:
    graph = Graph(made.mapping)
    with Neo4jIO(driver) as io:
        ends: GoldEnds = run(find_gold(gold, graph), io)
        return run(good_paths(made.entities[topic].element_id, ends, Around(graph), hops), io)


def test_the_path_that_made_the_answers_is_among_the_best(driver: neo4j.Driver, made: Made) -> None:
    looked = 0
    for topic, length in itertools.product(("e1", "e2", "e3", "e4", "e5"), (1, 2, 3)):
        for codes in itertools.product(CODES, repeat=length):
            answers = made.reached(topic, tuple(map(made.mapping.step, codes)))
            if not answers:
                continue
            found = mined(driver, made, topic, [Gold(name=str(answer)) for answer in answers])
            assert GoodPath(codes, 1.0) in found, (topic, codes)
            assert [path.f1 for path in found] == sorted((path.f1 for path in found), reverse=True)
            for path in found:
                ends = made.reached(topic, tuple(map(made.mapping.step, path.codes)))
                shared = len(ends & answers)
                assert path.f1 == pytest.approx(2 * shared / (len(ends) + len(answers)))
            looked += 1
    assert looked > 100


def test_the_pair_of_paths_that_made_the_answers_is_among_the_best(driver: neo4j.Driver, made: Made) -> None:
    looked = 0
    paths = [codes for length in (1, 2) for codes in itertools.product(CODES, repeat=length)]
    for topic, other in itertools.permutations(("e1", "e2", "e5"), 2):
        for first, second in itertools.product(paths, paths[:4]):
            answers = ends_of(made, topic, first) & ends_of(made, other, second)
            if not answers:
                continue
            found = pairs_mined(driver, made, topic, other, [Gold(name=str(answer)) for answer in answers])
            assert GoodPair(first, second, 1.0) in found
            assert [pair.f1 for pair in found] == sorted((pair.f1 for pair in found), reverse=True)
            for pair in found[:20]:
                met = ends_of(made, topic, pair.first) & ends_of(made, other, pair.second)
                assert pair.f1 == pytest.approx(2 * len(met & answers) / (len(met) + len(answers)))
            looked += 1
    assert looked > 30


def ends_of(made: Made, topic: str, codes: tuple[str, ...]) -> set[Scalar]:
    return made.reached(topic, tuple(map(made.mapping.step, codes)))


def pairs_mined(driver: neo4j.Driver, made: Made, topic: str, other: str, gold: list[Gold]) -> tuple[GoodPair, ...]:
    graph = Graph(made.mapping)
    one, two = (Link(place, place + 1, made.entities[name], 1.0) for place, name in enumerate((topic, other)))
    with Neo4jIO(driver) as io:
        return run(good_pairs(one, two, run(find_gold(gold, graph), io), Around(graph), 2), io)


def test_answers_may_be_values(driver: neo4j.Driver, made: Made) -> None:
    codes = (">likes", ">height")
    answers = made.reached("e1", tuple(map(made.mapping.step, codes)))
    assert GoodPath(codes, 1.0) in mined(driver, made, "e1", [Gold(name=str(answer)) for answer in answers])


def test_no_path_leads_to_what_is_not_there(driver: neo4j.Driver, made: Made) -> None:
    assert mined(driver, made, "e1", [Gold(name="nobody at all")]) == ()
    assert mined(driver, made, "e1", []) == ()


def back_and_forth(made: Made, rule: WalkRule) -> list[Pair]:
    """What a step, the way back and the step again lead to under a rule."""
    pairs = []
    for topic, code in itertools.product(("e1", "e2", "e3", "e4", "e5"), CODES):
        path = tuple(map(made.mapping.step, (code, reverse_step(code), code)))
        for length in (2, 3):
            answers = made.under(rule).reached(topic, path[:length])
            golds = tuple(Gold(name=str(answer)) for answer in sorted(map(str, answers)))
            if golds:
                pairs.append(Pair(str(len(pairs)), f"what is with [{topic}]?", golds))
    return pairs


@pytest.mark.parametrize("rule", RULES)
def test_the_walk_rule_is_the_one_that_the_answers_follow(
    driver: neo4j.Driver, made: Made, rule: WalkRule, tmp_path: Path
) -> None:
    pairs = back_and_forth(made, rule)
    assert len(pairs) > 10
    kg = KGQA(driver, graph=made.mapping.graph, mapping=made.mapping)
    assert mine(kg, pairs, tmp_path / "mined.jsonl")[1] == rule


def test_a_rule_that_hardly_matters_is_found_once_all_is_mined(
    driver: neo4j.Driver, made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under the rule that a sample chose the questions are mined, then under the one that does better on the others."""
    monkeypatch.setattr("kgqa_graphdb.train.data.examples.chosen_walk", lambda *_: "no_backtrack")
    pairs = back_and_forth(made, "free")
    kg = KGQA(driver, graph=made.mapping.graph, mapping=made.mapping)
    cache = tmp_path / "mined.jsonl"
    examples, rule = mine(kg, pairs, cache)
    assert rule == "free"
    assert [example.paths[0].f1 for example in examples] == [1.0] * len(pairs)
    monkeypatch.setattr(
        "kgqa_graphdb.train.data.examples.better_walk", lambda *_: pytest.fail("looked at a third time")
    )
    assert mine(kg, pairs, cache) == (examples, rule)


def test_a_rule_that_stays_is_looked_at_again_once(
    driver: neo4j.Driver, made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kg = KGQA(driver, graph=made.mapping.graph, mapping=made.mapping)
    looked: list[WalkRule] = []
    monkeypatch.setattr("kgqa_graphdb.train.data.examples.better_walk", lambda *given: looked.append(given[3]))
    pairs, cache = back_and_forth(made, "no_backtrack"), tmp_path / "mined.jsonl"
    once = mine(kg, pairs, cache)
    assert mine(kg, pairs, cache) == once
    assert looked == [once[1]]
