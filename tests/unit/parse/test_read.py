"""What a question is taken apart into, by its words alone."""

from __future__ import annotations

from datetime import date

import pytest

from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.parse import Lexicon, ParsedQuestion
from kgqa_graphdb.parse.lexicon import nouns_of
from kgqa_graphdb.parse.parsed import Bound, Condition
from kgqa_graphdb.parse.read import read

MAPPING = GraphMapping(
    graph="lakes",
    entities=(EntityKind("Lake", "name", ("name",)), EntityKind("Person", "name", ("name",))),
    relations=(
        make_relation("MAPPED", label="mapped", heads=("Person",), tails=("Lake",)),
        make_relation("depth", kind="property", heads=("Lake",), unit="m"),
    ),
)
NOUNS = nouns_of(MAPPING)


def taken(question: str, topic: str = "") -> ParsedQuestion:
    start = question.find(topic) if topic else -1
    return read(question, Lexicon(NOUNS), (start, start + len(topic)) if start >= 0 else None)


def texts(reading: ParsedQuestion) -> list[str]:
    return [one.text for one in reading.conditions]


def compared(reading: ParsedQuestion) -> list[tuple[str, object]]:
    return [(one.op, one.value) for condition in reading.conditions for one in condition.comparisons]


def test_kinds_are_named_by_their_labels_and_by_who_does_what() -> None:
    assert {"lake", "lakes", "person", "people", "mapper", "mappers"} <= set(NOUNS)
    mapper = NOUNS["mappers"]
    assert (mapper.label, mapper.by and mapper.by.code) == ("Person", ">MAPPED")


@pytest.mark.parametrize(
    ("question", "wants", "measure"),
    [
        ("How many lakes are there?", "count", ""),
        ("What is the number of lakes?", "count", ""),
        ("Count all lakes", "count", ""),
        ("What is the average depth of lakes?", "mean", "depth"),
        ("total depth of the lakes", "sum", "depth"),
        ("What is the median depth of lakes?", "median", "depth"),
        ("Are there any lakes deeper than 40?", "exists", ""),
        ("List the lakes", "answers", ""),
    ],
)
def test_what_of_the_answers_is_wanted(question: str, wants: str, measure: str) -> None:
    reading = taken(question)
    assert (reading.wants, reading.measure, reading.kind and reading.kind.label) == (wants, measure, "Lake")


@pytest.mark.parametrize(
    ("said", "tests"),
    [
        ("more than 40", [(">", 40)]),
        ("at least 1,200", [(">=", 1200)]),
        ("fewer than 7", [("<", 7)]),
        ("at most 2.5", [("<=", 2.5)]),
        ("of 25 or more", [(">=", 25)]),
        ("between 10 and 20", [(">=", 10), ("<=", 20)]),
        ("of exactly three", [("=", 3)]),
        ("less than or equal to $5", [("<=", 5)]),
        ("of more than 3 million", [(">", 3_000_000)]),
        ("below -10", [("<", -10)]),
    ],
)
def test_numbers_are_compared_as_they_are_said(said: str, tests: list[tuple[str, float]]) -> None:
    reading = taken(f"Which lakes have a depth {said}?")
    assert (compared(reading), texts(reading)) == (tests, ["depth"])


@pytest.mark.parametrize(
    ("said", "tests"),
    [
        ("after 1990", [(">", 1990)]),
        ("before the year 1990", [("<", 1990)]),
        ("in 1990", [("=", 1990)]),
        ("since 1990", [(">=", 1990)]),
        ("in the 1990s", [(">=", 1990), ("<", 2000)]),
        ("after 1990-05-01", [(">", date(1990, 5, 1))]),
    ],
)
def test_years_are_moments(said: str, tests: list[tuple[str, float]]) -> None:
    reading = taken(f"Which lakes were mapped {said}?")
    assert (compared(reading), texts(reading)) == (tests, ["mapped"])
    assert all(one.moment for condition in reading.conditions for one in condition.comparisons)


def test_a_number_before_a_noun_may_count_it() -> None:
    (more,) = taken("Who mapped more than 3 lakes?").conditions
    (deep,) = taken("Which lakes have a depth above 3?").conditions
    assert [one.counted for one in (*more.comparisons, *deep.comparisons)] == [True, False]


@pytest.mark.parametrize(("question", "tests"), [
    ("what four bays are in Big Lake?", []), ("what are three bays that border Big Lake?", []),
    ("which 2 bays touch Big Lake", []), ("what more than 3 bays touch Big Lake", [(">", 3)]),
    ("what bays of Big Lake have 4 piers", [("=", 4)]), ("what 1990 bays are in Big Lake", [("=", 1990)]),
    ("what are the four main bays of Big Lake?", []), ("what are the names of Big Lake's 3 bays", []),
    ("what bays of Big Lake have the 4 piers", []), ("what are the 4 deepest bays of Big Lake", []),
    ("name bays of Big Lake with 4 of the piers", [("=", 4)]),
    ("the bays of Big Lake that were the 1990 best", [("=", 1990)]),
])  # fmt: skip
def test_a_number_before_what_is_asked_for_compares_nothing(question: str, tests: list[tuple[str, int]]) -> None:
    assert compared(taken(question, "Big Lake")) == tests


@pytest.mark.parametrize(
    ("question", "measures", "most"),
    [
        ("What is the deepest lake?", (("max", "depth"),), 1),
        ("Which are the 3 deepest lakes?", (("max", "depth"),), 3),
        ("List the top 5 lakes by depth", (("max", "depth"),), 5),
        ("Which lake has the greatest depth?", (("max", "depth"),), 1),
        ("Which lake with the lowest water level is it?", (("min", "water level"),), 1),
        ("Who mapped the most lakes?", (("max", "mapped lakes"),), 1),
        ("What is the least expensive lake?", (("min", "price or cost"),), 1),
    ],
)
def test_the_greatest_and_the_least(question: str, measures: object, most: int) -> None:
    extreme = taken(question).extreme
    assert extreme is not None
    assert (extreme.measures, extreme.most) == (measures, most)


def test_totals_of_each_are_ranked() -> None:
    extreme = taken("List the top 2 mappers by total depth").extreme
    assert extreme is not None
    assert (extreme.measures, extreme.each) == ((("max", "depth"),), "sum")


def test_conditions_part_at_clauses_and_keep_what_they_leave_out() -> None:
    reading = taken("Which lakes were mapped by people and have no outflow but a dam?")
    assert texts(reading) == ["mapped by people", "outflow", "dam"]
    assert [one.negated for one in reading.conditions] == [False, True, False]


def test_texts_are_values_and_the_topic_is_marked() -> None:
    (quoted,) = taken("Which lakes have a motto that contains 'Deep Water'?").conditions
    assert quoted == Condition("motto", value="Deep Water", op="contains", clause="motto of [X]")
    (place,) = taken("Which lakes are in Upper Styria?").conditions
    assert (place.text, place.value) == ("", "Upper Styria")
    reading = taken("Which lakes did Ada Byron map?", "Ada Byron")
    assert [one.topic for one in reading.conditions] == [True]
    assert not reading.compares


def test_a_topic_that_is_a_number_is_compared_with_nothing() -> None:
    reading = taken("Which lakes were mapped in 1996 by Ada?", "1996")
    assert compared(reading) == []


@pytest.mark.parametrize(
    "question",
    [
        "Which lakes were mapped and named by the same person?",
        "Which people mapped the lakes they live at?",
        "Who mapped the deepest lake?",
        "What is the depth of the largest lake?",
        "Which lakes are in Bern or Uri?",
        "List the 1990 lakes",
        "What is a lake?",
        "Which lakes were mapped in the 2nd survey?",
        "Which lakes have a depth above 99999999999999999999?",
        "Which lakes were mapped after 1998-13-45?",
    ],
)
def test_what_no_plan_can_say_is_not_guessed(question: str) -> None:
    assert taken(question).unsure


@pytest.mark.parametrize(
    "question", ["Who mapped Toplitz?", "Can you name a mapper of Toplitz?", "do you know Toplitz"]
)
def test_a_plain_question_is_left_alone(question: str) -> None:
    reading = taken(question, "Toplitz")
    assert (reading.wants, reading.compares, reading.extreme) == ("answers", False, None)


@pytest.mark.parametrize(
    ("question", "measures", "most", "conditions"),
    [
        ("What is the largest bay of Big Lake?", "size or area or population", 1, ["bay of [X]"]),
        ("What are the 2 deepest bays of Big Lake?", "depth", 2, ["bays of [X]"]),
        ("deepest bay of Big Lake", "depth", 1, ["bay of [X]"]),
        ("What is the newest bay touching Big Lake?", "year or date released", 1, ["bay touching [X]"]),
        ("What is the earliest mapped bay of Big Lake?", "mapped year or date", 1, ["bay of [X]"]),
        ("Which bay of Big Lake was mapped first?", "mapped year date", 1, ["bay of [X]"]),
        ("Which bay of Big Lake has the largest width?", "width", 1, ["bay of [X]"]),
        ("Which is the largest width of Big Lake?", "width", 1, ["of [X]"]),
    ],
)
def test_a_noun_that_names_no_kind_is_not_what_is_compared(
    question: str, measures: str, most: int, conditions: list[str]
) -> None:
    start = question.find("Big Lake")
    reading = read(question, Lexicon(NOUNS, values={"width"}), (start, start + len("Big Lake")))
    assert reading.extreme
    assert not reading.unsure
    assert (reading.extreme.measures[0][1], reading.extreme.most, texts(reading)) == (measures, most, conditions)


@pytest.mark.parametrize("question", ["Who was the first?", "Which bay of Big Lake is not the deepest?"])
def test_what_is_no_greatest_of_anything_ranks_nothing(question: str) -> None:
    assert taken(question, "Big Lake" if "Big" in question else "").extreme is None


def test_clauses_after_an_unknown_noun_say_what_it_is() -> None:
    reading = taken("Which bays that touch Big Lake were mapped after 1990?", "Big Lake")
    assert (reading.noun, texts(reading), compared(reading)) == ("bays", ["touch [X]", "mapped"], [(">", 1990)])
    assert texts(taken("How many bays with Big Lake are deeper than 3?", "Big Lake")) == ["bays with [X]", ""]


@pytest.mark.parametrize(
    ("question", "conditions", "negated"),
    [
        ("bays of Big Lake without 'Otto'", ["bays of [X]", ""], [False, True]),
        ("bays of Big Lake except those mapped by 'Otto'", ["bays of [X]", "those mapped"], [False, True]),
        ("bays of Big Lake mapped by 'Otto'", ["bays of [X]", "mapped"], [False, False]),
    ],
)
def test_what_is_left_out_is_a_condition_of_its_own(question: str, conditions: list[str], negated: list[bool]) -> None:
    reading = taken(question, "Big Lake")
    assert (texts(reading), [one.negated for one in reading.conditions]) == (conditions, negated)


@pytest.mark.parametrize("said", ["4 m", "4m", "4"])
def test_units_are_no_words_of_what_is_compared(said: str) -> None:
    reading = read(f"Which lakes have a depth of more than {said}?", Lexicon(NOUNS, units={"m"}))
    assert (texts(reading), compared(reading)) == (["depth"], [(">", 4)])
    assert not reading.conditions[0].comparisons[0].counted


def test_an_adjective_says_by_itself_what_is_compared() -> None:
    (about, deeper) = taken("Which bays of Big Lake are deeper than 3?", "Big Lake").conditions
    assert (about.text, deeper.text, deeper.comparisons[0].adjective) == ("bays of [X]", "", "deepest")


@pytest.mark.parametrize("nobody", ["nobody", "no one", "nothing", "none", "no people"])
def test_what_is_done_to_nobody_is_not_done(nobody: str) -> None:
    (condition,) = taken(f"Which lakes are mapped by {nobody}?").conditions
    assert (condition.negated, condition.text.split()[0]) == (True, "mapped")


@pytest.mark.parametrize("question", ["Which lakes did nobody map?", "Which lakes did none of the people map?"])
def test_what_nobody_does_is_not_understood(question: str) -> None:
    assert taken(question).unsure


def test_how_many_others_have_is_compared_with_what_one_has() -> None:
    for words, op in (("more rivers than", ">"), ("fewer rivers than", "<"), ("as many rivers as", "=")):
        text = f"Which lakes have {words} Sihl?"
        start = text.index("Sihl")
        (condition,) = read(text, Lexicon(NOUNS), None, (start, start + 4)).conditions
        (comparison,) = condition.comparisons
        assert (comparison.op, comparison.value, comparison.counted) == (op, Bound.OTHER, True)


@pytest.mark.parametrize(
    ("question", "said", "way"),
    [
        ("Which lake did Ida Berg map first?", "did [X] map", "min"),
        ("Which lake has Ida Berg mapped most recently?", "has [X] mapped", "max"),
        ("Who mapped Ida Berg last?", "mapped [X]", "max"),
        ("What was the last lake that Ida Berg mapped?", "[X] mapped", "max"),
        ("Who was the first to map Ida Berg?", "mapped [X]", "min"),
    ],
)
def test_what_a_topic_did_first_is_by_when_it_was_done(question: str, said: str, way: str) -> None:
    reading = taken(question, "Ida Berg")
    assert reading.extreme is not None
    assert (texts(reading), reading.extreme.measures) == ([said], ((way, "mapped year date"),))
