"""Which steps can follow which, against the definition."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kgqa_graphdb.catalog.next_steps import NextSteps, pack_steps
from kgqa_loaders.following import followers


def by_definition(facts: set[tuple[int, int, int]], values: dict[int, set[int]]) -> dict[int, set[int]]:
    arrivals: dict[int, set[int]] = {}
    departures: dict[int, set[int]] = {}
    for head, relation, tail in facts:
        arrivals.setdefault(2 * relation, set()).add(tail)
        arrivals.setdefault(2 * relation + 1, set()).add(head)
        departures.setdefault(2 * relation, set()).add(head)
        departures.setdefault(2 * relation + 1, set()).add(tail)
    for relation, owners in values.items():
        departures.setdefault(2 * relation, set()).update(owners)
    return {step: {after for after, leaving in departures.items() if leaving & ends} for step, ends in arrivals.items()}


def unpacked(field: int) -> list[int]:
    return [number for number in range(field.bit_length()) if field >> number & 1]


@pytest.mark.parametrize("seed", range(20))
def test_followers_are_those_of_the_definition(seed: int) -> None:
    choose = random.Random(seed)
    facts = {(choose.randrange(30), choose.randrange(6), choose.randrange(30)) for _ in range(choose.randrange(60))}
    values = {6: {choose.randrange(30) for _ in range(5)}, 7: set[int]()}
    columns = [np.array([fact[column] for fact in facts], dtype=np.uint64) for column in range(3)]
    found = followers(*columns, values.items())
    assert {step: set(unpacked(field)) for step, field in found.after.items()} == by_definition(facts, values)


def test_back_step_can_always_follow() -> None:
    column = np.array([0], dtype=np.uint64)
    assert followers(column, column, column + np.uint64(1), []).after == {0: 0b10, 1: 0b01}


def test_follower_of_one_entity_in_a_hundred_is_rare() -> None:
    films = np.arange(100, dtype=np.uint64)
    people = films + np.uint64(100)
    heads = np.concatenate([films, films, people[:1], people[:50]])
    relations = np.repeat(np.array([0, 1, 1, 2], dtype=np.uint64), [100, 100, 1, 50])
    tails = np.concatenate([people, people + np.uint64(200), people[:1] + np.uint64(900), people[:50] + np.uint64(500)])
    found = followers(heads, relations, tails, [])
    assert unpacked(found.after[0]) == [1, 2, 4]  # the way back, what one person has, what half have
    assert unpacked(found.rare[0]) == [2]


def test_graph_without_facts_has_no_followers() -> None:
    nothing = np.array([], dtype=np.uint64)
    assert followers(nothing, nothing, nothing, []).after == {}


def test_packed_steps_are_unpacked_by_code() -> None:
    steps = NextSteps([">a", "<a", ">b", "<b"], pack_steps({0: 0b110, 1: 0}))
    assert steps == {">a": ("<a", ">b"), "<a": ()}
    assert ">b" not in steps


def test_steps_left_out_when_packing_are_unknown() -> None:
    codes = [f">{number}" for number in range(10_000)]
    assert NextSteps(codes, pack_steps({7: 1 | 1 << 9_999})) == {">7": (">0", ">9999")}
    assert NextSteps(codes, pack_steps({})) == NextSteps(codes, b"") == {}


def test_relations_added_after_packing_are_unknown() -> None:
    assert NextSteps([">a", "<a", ">new", "<new"], pack_steps({0: 0b10, 1: 0b1})) == {">a": ("<a",), "<a": (">a",)}
