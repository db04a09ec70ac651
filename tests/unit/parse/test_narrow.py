"""Narrowed measures, one entity twice, comparisons with others and groups: what is read, by the words alone."""

from __future__ import annotations

import pytest

from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.parse import Lexicon, ParsedQuestion
from kgqa_graphdb.parse.lexicon import nouns_of, phrases_of, value_nouns
from kgqa_graphdb.parse.parsed import Bound
from kgqa_graphdb.parse.read import read

MAPPING = GraphMapping(
    graph="lakes",
    entities=(EntityKind("Lake", "name", ("name",)), EntityKind("Person", "name", ("name",))),
    relations=(
        make_relation("MAPPED", label="mapped", heads=("Person",), tails=("Lake",)),
        make_relation("NAMED", label="christened", heads=("Person",), tails=("Lake",)),
        make_relation("depth", kind="property", heads=("Lake",), unit="m"),
        make_relation("boatsPerLake", kind="property", heads=("Lake",)),
        make_relation("country", kind="property", heads=("Lake",)),
    ),
)
NOUNS = nouns_of(MAPPING)


def taken(question: str, topic: str = "", other: str = "") -> ParsedQuestion:
    spans = [(question.index(one), question.index(one) + len(one)) if one else None for one in (topic, other)]
    return read(question, Lexicon(NOUNS, phrases_of(MAPPING), value_nouns(MAPPING)), spans[0], spans[1])


@pytest.mark.parametrize(
    ("question", "measure", "conditions"),
    [
        ("Who mapped the most lakes formed after 1950?", "mapped lakes", ["formed"]),
        ("Who mapped the most lakes that are frozen?", "mapped lakes", ["frozen"]),
        ("Who mapped the most frozen lakes?", "mapped lakes", ["frozen"]),
        ("Who mapped the highest number of frozen lakes in the 1990s?", "mapped lakes", ["frozen", ""]),
        ("Which person has the highest total depth of lakes formed in 1990?", "depth of lakes", ["formed"]),
        ("List the top 3 people by number of lakes with a depth above 9", "number of lakes", ["depth"]),
    ],
)
def test_what_narrows_a_measure_is_no_condition_on_what_is_asked_for(
    question: str, measure: str, conditions: list[str]
) -> None:
    reading = taken(question)
    assert reading.extreme is not None
    assert reading.extreme.within is not None
    assert (reading.unsure, reading.conditions) == (False, ())
    assert " ".join(w for w in reading.extreme.measures[0][1].split() if w != "number") == measure.removeprefix(
        "number of "
    )
    assert reading.extreme.within.kind == NOUNS["lake"]
    assert [one.text for one in reading.extreme.within.conditions] == conditions


def test_a_number_of_what_is_narrowed_down() -> None:
    (condition,) = taken("Which people mapped more than 3 lakes formed after 1950?").conditions
    assert [(one.op, one.value) for one in condition.comparisons] == [(">", 3)]
    assert condition.within is not None
    (inner,) = condition.within.conditions
    assert (inner.text, [(one.op, one.value) for one in inner.comparisons]) == ("formed", [(">", 1950)])


@pytest.mark.parametrize(
    "question",
    [
        "Who mapped the most lakes?",
        "Who has the most lakes mapped?",
        "Who mapped the most lakes and was born after 1950?",
        "Which lake has the most boats per lake?",
        "Which lake has the highest depth of all lakes?",
        "Which people mapped more than 3 lakes?",
    ],
)
def test_what_narrows_nothing_down(question: str) -> None:
    reading = taken(question)
    assert reading.narrowed == ()
    assert not reading.unsure


def test_a_topic_may_be_what_a_measure_is_narrowed_down_by() -> None:
    reading = taken("Who mapped the most lakes christened by Ada Byron?", "Ada Byron")
    assert reading.extreme is not None
    assert [[one.topic for one in within.conditions] for within in reading.narrowed] == [[True]]
    assert reading.conditions == ()


@pytest.mark.parametrize(
    ("question", "verbs", "noun"),
    [
        ("Which people mapped and christened the same lake?", ("mapped", "christened"), "lake"),
        ("Which lakes were both mapped and christened by the same person?", ("mapped", "christened"), "person"),
        ("Which lakes have the same person mapped and christened?", ("mapped", "christened"), "person"),
        ("List lakes where the mapper and the namer are the same person", ("mapper", "namer"), "person"),
        ("Who christened a lake that they also mapped?", ("christened", "mapped"), "lake"),
    ],
)
def test_one_entity_twice(question: str, verbs: tuple[str, ...], noun: str) -> None:
    reading = taken(question)
    if "namer" in verbs:  # nobody is called so here
        assert reading.unsure
        return
    (condition,) = reading.conditions
    assert condition.same is not None
    assert (condition.same.verbs, condition.same.noun, reading.unsure) == (verbs, noun, False)


def test_one_entity_twice_may_be_narrowed_down() -> None:
    (condition,) = taken("Who mapped and christened the same lake formed after 1950?").conditions
    assert condition.within is not None
    assert [one.text for one in condition.within.conditions] == ["formed"]


@pytest.mark.parametrize(
    "question",
    [
        "Which people mapped or christened the same lake?",
        "Which people mapped and own the same boat?",
        "Which people mapped the same lake?",
    ],
)
def test_one_entity_twice_is_not_guessed(question: str) -> None:
    assert taken(question).unsure


@pytest.mark.parametrize(
    ("said", "op", "adjective", "text"),
    [
        ("that are deeper than Sihl", ">", "deepest", ""),
        ("that are cheaper than the lake Sihl", ">", "cheapest", ""),
        ("that are less expensive than Sihl", ">", "least expensive", ""),
        ("with a greater depth than Sihl", ">", "", "depth"),
        ("with a lower depth than Sihl", "<", "", "depth"),
        ("with a depth below Sihl", "<", "", "depth"),
        ("mapped before Sihl", "<", "", "mapped"),
        ("mapped after Sihl", ">", "", "mapped"),
        ("in the same country as Sihl", "=", "", "country"),
    ],
)
def test_comparisons_with_what_another_has(said: str, op: str, adjective: str, text: str) -> None:
    reading = taken(f"Which are the lakes {said}?", other="Sihl")
    (condition,) = reading.conditions
    (comparison,) = condition.comparisons
    assert (comparison.op, comparison.value, comparison.adjective) == (op, Bound.OTHER, adjective)
    assert (condition.text, condition.topic, reading.unsure) == (text, False, False)


def test_another_that_nothing_is_compared_with_is_not_understood() -> None:
    assert taken("Which lakes are twice as deep as Sihl?", other="Sihl").unsure


@pytest.mark.parametrize(
    ("said", "text", "mean_of"),
    [
        ("deeper than average", "", ""),
        ("with a depth above the average", "depth", ""),
        ("with a depth above the average depth of all lakes", "depth", "depth"),
        ("with a depth above the average of their country", "depth country", "country"),
    ],
)
def test_comparisons_with_the_mean(said: str, text: str, mean_of: str) -> None:
    (condition,) = taken(f"Which are the lakes {said}?").conditions
    assert [one.value for one in condition.comparisons] == [Bound.MEAN]
    assert (condition.text, condition.mean_of) == (text, mean_of)


@pytest.mark.parametrize(
    ("question", "wants", "per", "noun"),
    [
        ("How many lakes are there per country?", "count", "country", "lakes"),
        ("How many lakes were mapped in each year?", "count", "year", "lakes"),
        ("How many lakes did each person map?", "count", "person", "lakes"),
        ("What is the average depth of lakes by country?", "mean", "country", "lakes"),
        ("What is the average depth per person?", "mean", "person", ""),
    ],
)
def test_groups_with_what_is_told_of_them(question: str, wants: str, per: str, noun: str) -> None:
    reading = taken(question)
    assert (reading.wants, reading.per, reading.noun, reading.unsure) == (wants, per, noun, False)
    assert (reading.extreme, reading.tests) == (None, ())


@pytest.mark.parametrize(
    ("question", "per", "measures", "most", "tests"),
    [
        ("Which country has the most lakes?", "country", (("max", ""),), 1, []),
        ("In which year were the fewest lakes mapped?", "year", (("min", ""),), 1, []),
        ("List the top 3 countries by number of lakes", "countries", (("max", ""),), 3, []),
        ("What are the 3 most common countries of lakes?", "countries", (("max", ""),), 3, []),
        ("Which countries have more than 5 lakes?", "countries", None, 1, [(">", 5)]),
    ],
)
def test_the_groups_that_are_asked_for(question: str, per: str, measures: object, most: int, tests: object) -> None:
    reading = taken(question)
    assert (reading.per, reading.noun, reading.unsure) == (per, "lakes", False)
    assert [(one.op, one.value) for one in reading.tests] == tests
    assert (reading.extreme and reading.extreme.measures) == measures
    assert reading.extreme is None or reading.extreme.most == most


def test_what_is_ranked_groups_nothing() -> None:
    assert taken("Which 3 people have the highest average depth per lake?").per == ""


@pytest.mark.parametrize("question", ["Who are the people?", "What are our lakes?", "Which are the lakes?"])
def test_what_is_asked_for_may_be_every_one_of_a_kind(question: str) -> None:
    reading = taken(question)
    assert (reading.unsure, reading.conditions, reading.kind is not None) == (False, (), True)


def test_a_property_and_a_number_before_a_kind_are_a_condition() -> None:
    reading = taken("Which depth 9 lakes are frozen?")
    assert [one.text for one in reading.conditions][:1] == ["depth"]
    assert reading.conditions[0].comparisons[0].value == 9


def test_what_follows_does_is_not_asked_for() -> None:
    assert taken("What does the deepest lake hold?").unsure
    assert not taken("Which is the deepest lake?").unsure
