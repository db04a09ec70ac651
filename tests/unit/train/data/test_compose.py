"""Composed questions: of any schema, in its words, seeded, and of paths that it allows."""

from __future__ import annotations

import re
from itertools import islice, pairwise
from random import Random

import pytest

from kgqa_graphdb.mapping import GraphMapping, make_relation
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data.compose import Composer, compose
from kgqa_graphdb.train.data.phrases import phrases_of
from kgqa_graphdb.types import Step
from tests.unit.rank.graphs import kings, schema_of

RIVERS, _ = schema_of([
    (make_relation("flows_into"), "river", "sea"),
    (make_relation("mapped_by", heads=("River",), tails=("Person",)), "river", "person"),
    (make_relation("mouth_country"), "river", "country"),
    (make_relation("opening_year", kind="property"), "river", "year"),
    (make_relation("length_km", kind="property"), "river", "number"),
])  # fmt: skip
STAGE, _ = schema_of([(make_relation("starred_dancers"), "ballet", "dancer")])
KITCHEN, _ = schema_of([
    (make_relation("CONTAINS", heads=("Recipe",), tails=("Ingredient",)), "recipe", "ingredient"),
    (make_relation("hasCuisine"), "recipe", "cuisine"),
    (make_relation("invented_by"), "recipe", "cook"),
])  # fmt: skip


@pytest.mark.parametrize("mapping", [RIVERS, KITCHEN])
def test_paths_are_allowed_and_can_start_at_the_topic(mapping: GraphMapping) -> None:
    schema = Schema(mapping)
    lengths = set()
    for text, path, starts in islice(compose(schema, 1), 500):
        assert "[X]" in text
        assert "  " not in text
        assert path[0] in starts
        assert all(after in schema.followers(row) for row, after in pairwise(path))
        lengths.add(len(path))
    assert lengths == {1, 2, 3}


def test_the_same_seed_gives_the_same_questions_another_gives_others() -> None:
    one, same, other = (list(islice(compose(Schema(RIVERS), seed), 200)) for seed in (3, 3, 4))
    assert one == same != other


def test_wording_varies() -> None:
    questions = [text for text, _, _ in islice(compose(Schema(KITCHEN), 0), 2_000)]
    assert len(set(questions)) > 1_200


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ([">mapped_by"], {"who mapped [X]", "who was [X] mapped by", "what is the mapper of [X]"}),
        (["<mapped_by"], {"what did [X] map", "which rivers were mapped by [X]", "name the rivers [X] mapped"}),
        ([">opening_year"], {"when was [X] opened", "[X] was opened when", "what is [X]'s opening year"}),
    ],
)
def test_a_path_is_said_in_many_ways(path: list[str], wanted: set[str]) -> None:
    schema = Schema(RIVERS)
    rows = schema.rows([RIVERS.step(code) for code in path])
    composer = Composer(schema, Random(5))
    found = {composer.question(rows).rstrip("?") for _ in range(10_000)}
    assert wanted <= found, sorted(found)[:80]


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        (">starred_dancers", [r"\[X\] starred which dancers", r"\[X\] starred who"]),
        ("<starred_dancers", [r"which \w+ starred \[X\]", r"name the \w+ that starred \[X\]"]),
    ],
)
def test_a_noun_after_a_verb_is_a_clause_too(code: str, wanted: list[str]) -> None:
    schema = Schema(STAGE)
    composer = Composer(schema, Random(5))
    found = {composer.question(schema.rows([STAGE.step(code)])).rstrip("?") for _ in range(20_000)}
    assert all(any(re.fullmatch(pattern, text) for text in found) for pattern in wanted)


@pytest.mark.parametrize(
    ("phrase", "stranded"),
    [("books about", "about"), ("cities in", "in"), ("books written by", ""), ("people born in", ""), ("head of", ""),
     ("that flows into", ""), ("of the kind", ""), ("", "")],
)  # fmt: skip
def test_a_preposition_before_what_is_asked_for_can_end_the_question(phrase: str, stranded: str) -> None:
    relation = make_relation("topic", label="topic", inverse=phrase)
    assert phrases_of(Step(relation)).placed == stranded
    mapping, _ = schema_of([(relation, "book", "topic")])
    composer = Composer(Schema(mapping), Random(0))
    found = {composer.question([0]).rstrip("?") for _ in range(1_000)}
    assert (f"what is [X] {stranded}" in found) is bool(stranded)


def test_what_sort_of_thing_it_is_asks_for_its_category() -> None:
    mapping, _ = schema_of([(make_relation("tax category", heads=("Product",)), "product", "category")])
    composer = Composer(Schema(mapping), Random(0))
    found = {composer.question([0]).rstrip("?") for _ in range(2_000)}
    assert {"what kind of product is [X]", "which type of product is [X]"} <= found


def test_what_is_done_to_a_part_is_done_to_the_whole() -> None:
    composer = Composer(Schema(KITCHEN), Random(0))
    row = Schema(KITCHEN).row_of[">invented_by"]
    found = {composer.question([row]).rstrip("?") for _ in range(10_000)}
    assert {"who invented the part of [X]", "who invented the title for [X]"} <= found
    assert not {"who invented the recipe of [X]", "who invented the recipe for [X]"} & found


def test_a_preposition_is_said_before_what_lies_there_only() -> None:
    member = make_relation("member_of", label="member of", inverse="people in", heads=("Person",), tails=("Team",))
    mapping, _ = schema_of([(member, "person", "team")])
    composer = Composer(Schema(mapping), Random(0))
    found = {composer.question([0]).rstrip("?") for _ in range(2_000)}
    assert not any("teams in [X]" in text or "team in [X]" in text for text in found)


def test_other_words_take_the_place_of_the_schemas_own() -> None:
    relation = make_relation("invented_by", label="inventor", inverse="recipes invented by", heads=("Recipes",))
    mapping, _ = schema_of([(relation, "recipe", "cook")])
    composer = Composer(Schema(mapping), Random(0), {"recipes": ("dish", "course")})
    back = {composer.question([1]).rstrip("?") for _ in range(5_000)}
    assert any("dishes invented by [X]" in text for text in back)
    assert not any("dishes recipes" in text or "dish recipes" in text for text in back)
    forth = {composer.question([0]).rstrip("?") for _ in range(5_000)}
    parts = {found[1] for text in forth if (found := re.fullmatch(r"who invented the (\w+) (?:of|for) \[X\]", text))}
    assert len(parts) > 10
    assert not {"dish", "course", "recipe"} & parts


def test_owners_are_said_one_after_the_other() -> None:
    mapping, _ = kings()
    schema = Schema(mapping)
    composer = Composer(schema, Random(0))
    path = schema.rows([mapping.step(">father"), mapping.step(">spouse")])
    found = {composer.question(path).rstrip("?") for _ in range(40_000)}
    assert {"find [X]'s father's spouse", "[X]'s father's spouses", "what is the spouse of [X]'s fathers"} <= found


@pytest.mark.parametrize(
    ("relation", "inverse", "nouns", "owned", "verbs"),
    [
        ("invented_by", False, ("inventor",), (), ["invented"]),
        ("invented_by", True, (), ("inventor",), ["invented"]),
        ("has_cuisine", False, ("cuisine",), (), []),
        ("capital_of", False, (), ("capital",), []),
        ("capital_of", True, ("capital",), (), []),
        ("acted_in", True, (), (), ["acted in"]),
    ],
)
def test_words_are_nouns_or_verbs_of_one_end(
    relation: str, inverse: bool, nouns: tuple[str, ...], owned: tuple[str, ...], verbs: list[str]
) -> None:
    phrases = phrases_of(Step(make_relation(relation), inverse))
    assert (phrases.nouns, phrases.owned) == (nouns, owned)
    assert [f"{verb.past} {verb.particle}".strip() for verb in phrases.verbs] == verbs
