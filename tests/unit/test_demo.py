"""The demo graph says true things about itself: sorted, typed, worded, and its questions' answers follow from it."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable
from datetime import date
from functools import cache

import pytest

from kgqa_graphdb import demo
from kgqa_graphdb.demo import DemoQuestion

READ: dict[str, Callable[[str], object]] = {"integer": int, "float": float, "date": date.fromisoformat, "string": str}


@cache
def facts() -> tuple[tuple[str, str, str], ...]:
    rows = (line.split("|") for line in demo.FACTS_FILE.read_text(encoding="utf-8").splitlines())
    return tuple((head, relation, tail) for head, relation, tail in rows)


@cache
def relations() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = tomllib.loads(demo.RELATIONS_FILE.read_text(encoding="utf-8"))["relations"]
    return table


def walk(topic: str, codes: tuple[str, ...]) -> set[object]:
    """Follow step codes over the file's facts, never back over the edge just walked."""
    edges: dict[tuple[str, str], set[tuple[str, int]]] = defaultdict(set)
    for number, (head, relation, tail) in enumerate(facts()):
        edges[head, ">" + relation].add((tail, number))
        edges[tail, "<" + relation].add((head, number))
    at = {(topic, -1)}
    for code in codes:
        at = {(to, edge) for name, came in at for to, edge in edges[name, code] if edge != came}
    read = READ[relations()[codes[-1][1:]].get("datatype", "string")]
    return {read(name) for name, _ in at}


def test_facts_are_unique_sorted_and_a_few_hundred() -> None:
    assert len(set(facts())) == len(facts())
    assert 300 <= len(facts()) <= 500
    assert list(facts()) == sorted(facts(), key=lambda fact: (fact[0].casefold().removeprefix("the "), fact))


def test_facts_are_clean_text() -> None:
    for fact in facts():
        assert all(part and part == part.strip() for part in fact), fact


def test_every_relation_used_is_described_and_every_relation_described_is_used() -> None:
    assert {relation for _, relation, _ in facts()} == set(relations())


def test_every_relation_has_words_and_every_edge_has_them_both_ways() -> None:
    for name, words in relations().items():
        assert words["description"].endswith("."), name
        if words.get("kind") == "alias":
            continue
        assert "{head}" in words["template"], name
        assert "{tail}" in words["template"], name
        assert words["label"], name
        assert ("inverse" in words) == (words.get("kind") != "property"), name


def test_every_value_has_the_type_that_its_relation_says() -> None:
    for head, relation, tail in facts():
        words = relations()[relation]
        if words.get("kind") == "property":
            READ[words["datatype"]](tail)
            assert tail == tail.strip(), (head, relation)


def test_every_alias_belongs_to_an_entity_with_other_facts() -> None:
    aliases = {(head, tail) for head, relation, tail in facts() if relation == "also_known_as"}
    others = {name for head, relation, tail in facts() if relation != "also_known_as" for name in (head, tail)}
    assert {head for head, _ in aliases} <= others


@pytest.mark.parametrize("asked", demo.questions(), ids=lambda asked: asked.question)
def test_answers_follow_from_the_facts(asked: DemoQuestion) -> None:
    ends = [walk(topic, tuple(codes)) for topic, *codes in asked.paths]
    expected = set.intersection(*ends) if ends else set()
    assert list(asked.answers) == sorted(expected, key=str)
    assert all(len(path) == asked.hops + 1 for path in asked.paths)


def test_questions_show_what_the_demo_promises() -> None:
    asked = demo.questions()
    assert len(asked) >= 10
    for hops in (1, 2, 3):
        assert sum(question.hops == hops for question in asked) >= 2
    assert any(len(question.paths) == 2 for question in asked), "two topics"
    assert any(isinstance(question.answers[0], int) for question in asked if question.answers), "a property"
    assert any(not question.answers for question in asked), "one that the graph can't answer"
