"""Reasoning paths: one way to each end, in order, under the walk rule; and which of them are read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgqa_graphdb.mapping import GraphMapping, make_relation
from kgqa_graphdb.plan import Follow, Result
from kgqa_graphdb.rra.reasoning import reasoning_paths, sampled
from kgqa_graphdb.types import Entity, Fact, Node, Relation, Step, Value

DIRECTED, COSTS, CAST = make_relation("directed_by"), make_relation("costs", kind="property"), make_relation("cast")
HAS_ROLE, PLAYED_BY = make_relation("has_role", kind="leg"), make_relation("played_by", kind="leg")
ACTED = make_relation("acted", via=(">has_role", ">played_by"))
SINCE = make_relation("since", kind="qualifier", of="directed_by")
MAPPING = GraphMapping("films", (), (DIRECTED, COSTS, CAST, HAS_ROLE, PLAYED_BY, ACTED, SINCE))


def entity(name: str) -> Entity:
    return Entity(name, name, element_id=f"#{name}")


ANN, BEN, UP, DOWN, LEFT = map(entity, ("Ann", "Ben", "Up", "Down", "Left"))


def facts_of(relation: Relation, *pairs: tuple[Entity, Node]) -> tuple[Fact, ...]:
    return tuple(Fact(head, relation, tail) for head, tail in pairs)


def found(path: tuple[Step, ...], ends: tuple[Node, ...], facts: tuple[Fact, ...], walk: str = "no_backtrack") -> list:
    mapping = replace(MAPPING, walk=walk)
    result = Result(Follow(UP, path), ends, facts, truncated=False)
    return [(one.end, one.facts) for one in reasoning_paths(result, mapping)]


def test_each_end_has_the_first_way_by_the_names_on_it() -> None:
    up, ben, down, left = facts_of(DIRECTED, (UP, ANN), (UP, BEN), (DOWN, ANN), (LEFT, BEN))
    other = Fact(DOWN, DIRECTED, BEN)
    path = (Step(DIRECTED), Step(DIRECTED, inverse=True))
    assert found(path, (DOWN, LEFT), (up, ben, down, left, other)) == [(DOWN, (up, down)), (LEFT, (ben, left))]


@pytest.mark.parametrize(("walk", "back"), [("no_backtrack", False), ("exclude_topic", False), ("free", True)])
def test_a_way_back_is_one_only_where_the_walk_rule_lets_it(walk: str, back: bool) -> None:
    facts = facts_of(DIRECTED, (UP, ANN), (DOWN, ANN))
    path = (Step(DIRECTED), Step(DIRECTED, inverse=True))
    assert found(path, (UP,), facts, walk) == ([(UP, (facts[0], facts[0]))] if back else [])


def test_a_path_may_end_in_a_value_of_a_node_or_of_a_relationship() -> None:
    costs = Fact(UP, COSTS, Value(9))
    assert found((Step(COSTS),), (Value(9),), (costs,)) == [(Value(9), (costs,))]
    since = Fact(UP, DIRECTED, BEN, (("since", 1999),))
    both = (Fact(UP, DIRECTED, ANN, (("since", 1998),)), since)
    assert found((Step(DIRECTED), Step(SINCE)), (Value(1999),), both) == [(Value(1999), (since,))]


def test_a_step_over_several_relationships_is_shown_as_the_proof_shows_it() -> None:
    role = entity("role")
    legs = (Fact(UP, HAS_ROLE, role), Fact(role, PLAYED_BY, ANN))
    assert found((Step(ACTED),), (ANN,), legs) == [(ANN, legs)]
    whole = facts_of(ACTED, (UP, ANN))
    assert found((Step(ACTED),), (ANN,), whole) == [(ANN, whole)]
    back = Result(Follow(ANN, (Step(ACTED, inverse=True),)), (UP,), tuple(reversed(legs)), truncated=False)
    assert [set(one.facts) for one in reasoning_paths(back, MAPPING)] == [set(legs)]


def test_an_end_whose_ways_were_cut_off_is_left_out() -> None:
    facts = facts_of(DIRECTED, (UP, ANN))
    assert found((Step(DIRECTED),), (ANN, BEN), facts) == [(ANN, facts)]


@pytest.mark.parametrize(
    ("sizes", "most", "read"),
    [
        ((10, 10, 10), 5, (3, 1, 1)),  # the likeliest has most, and not all
        ((10, 0, 10), 5, (4, 0, 1)),  # the second leads nowhere
        ((2, 10, 1), 5, (2, 2, 1)),  # what the first leaves goes to the second
        ((1, 1), 5, (1, 1)),
        ((10, 10, 10), 2, (1, 1, 0)),
        ((10,), 5, (5,)),
        ((), 5, ()),
    ],
)
def test_every_relation_path_has_a_place_and_the_likeliest_has_the_others(
    sizes: tuple[int, ...], most: int, read: tuple[int, ...]
) -> None:
    paths = [[f"{number}.{place}" for place in range(size)] for number, size in enumerate(sizes)]
    chosen = sampled(paths, most)
    assert tuple(map(len, chosen)) == read
    assert all(some == own[: len(some)] for some, own in zip(chosen, paths, strict=True))
