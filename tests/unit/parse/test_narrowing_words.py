"""Second labels, labels of several words, properties called as totals are, ages and days, as questions have them."""

from __future__ import annotations

from datetime import date

import pytest

from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.parse import Lexicon, ParsedQuestion
from kgqa_graphdb.parse.read import read

LABELS = ("Customer", "Premium", "SalesOrder", "OrderLine", "FilmActor", "StageActor", "Patient")
MAPPING = GraphMapping(
    graph="shop",
    entities=tuple(EntityKind(label, "name", ("name",)) for label in LABELS),
    relations=(
        make_relation("PLACED", label="placed", heads=("Customer", "Premium"), tails=("SalesOrder",)),
        make_relation("total", kind="property", heads=("SalesOrder",)),
        make_relation("amount", kind="property", heads=("SalesOrder",)),
        make_relation("average", kind="property", heads=("SalesOrder",)),
        make_relation("age", kind="property", heads=("Patient",)),
    ),
)
LEXICON = Lexicon.of(MAPPING)


def taken(question: str, topic: str = "") -> ParsedQuestion:
    start = question.find(topic) if topic else -1
    return read(question, LEXICON, (start, start + len(topic)) if start >= 0 else None)


def compared(parsed: ParsedQuestion) -> list[tuple[str, str, object]]:
    return [(one.text, test.op, test.value) for one in parsed.conditions for test in one.comparisons]


def test_a_label_is_called_by_its_last_word_where_only_one_ends_so() -> None:
    assert {noun: LEXICON.nouns[noun].label for noun in ("order", "orders", "sales orders", "line")} == {
        "order": "SalesOrder", "orders": "SalesOrder", "sales orders": "SalesOrder", "line": "OrderLine",
    }  # fmt: skip
    assert not {"actor", "actors"} & {*LEXICON.nouns}, "two labels end so"


@pytest.mark.parametrize(
    ("question", "kind", "labels", "negated"),
    [
        ("How many premium customers are there?", "Customer", ["Premium"], False),
        ("Which customers are premium?", "Customer", ["Premium"], False),
        ("Which customers are not premium customers?", "Customer", ["Premium"], True),
        ("How many premiums are there?", "Premium", [], False),
        ("How many customers are there?", "Customer", [], False),
    ],
)
def test_a_second_label_narrows(question: str, kind: str, labels: list[str], negated: bool) -> None:
    parsed = taken(question)
    assert parsed.kind
    assert parsed.kind.label == kind
    assert [one.label for one in parsed.conditions if one.label] == labels
    assert any(one.negated for one in parsed.conditions) == negated


@pytest.mark.parametrize("asked", ["premium", "a premium customer", "a premium"])
def test_whether_the_topic_carries_a_label(asked: str) -> None:
    (one,) = taken(f"Is Ada Bloom {asked}?", "Ada Bloom").conditions
    assert one.label == "Premium"


@pytest.mark.parametrize(
    ("question", "wants", "measure", "topic"),
    [
        ("What is the total amount of Ada Bloom's orders?", "sum", "amount", True),
        ("What is the total of the orders of Ada Bloom?", "sum", "total", True),
        ("What is the average total of orders?", "mean", "total", False),
        ("What is the sum of the totals of all orders?", "sum", "totals", False),
        ("What is the average of the orders?", "mean", "average", False),
        ("How many orders of Ada Bloom are there?", "count", "", True),
    ],
)
def test_what_is_summed_up_of_what(question: str, wants: str, measure: str, topic: bool) -> None:
    parsed = taken(question, "Ada Bloom")
    assert parsed.kind
    assert (parsed.wants, parsed.measure, parsed.kind.label) == (wants, measure, "SalesOrder")
    assert any(one.topic for one in parsed.conditions) == topic


@pytest.mark.parametrize("word", ["total", "amount", "average"])
def test_a_property_may_be_called_as_a_total_is(word: str) -> None:
    assert compared(taken(f"Which orders have a {word} above 15?")) == [(word, ">", 15)]
    extreme = taken(f"Which order has the highest {word}?").extreme
    assert extreme
    assert (extreme.measures, extreme.each) == ((("max", word),), "")


@pytest.mark.parametrize(
    ("said", "tests"),
    [
        ("older than 40", [("", ">", 40)]),
        ("older than 40 years", [("", ">", 40)]),
        ("younger than the age of 40", [("", ">", 40)]),
        ("40 or older", [("", ">=", 40)]),
        ("40 years or younger", [("", ">=", 40)]),
        ("over 40 years old", [("age", ">", 40)]),
        ("under the age of 40", [("age", "<", 40)]),
        ("aged between 30 and 40", [("age", ">=", 30), ("age", "<=", 40)]),
    ],
)
def test_ages_are_said_in_many_ways(said: str, tests: list[tuple[str, str, object]]) -> None:
    parsed = taken(f"Which patients are {said}?")
    assert compared(parsed) == tests
    word = "youngest" if "younger" in said else "oldest" if "old" in said and "years old" not in said else ""
    assert {test.adjective for one in parsed.conditions for test in one.comparisons} == {word}


@pytest.mark.parametrize(
    ("said", "tests"),
    [
        ("on 15 August 2017", [("=", date(2017, 8, 15))]),
        ("before August 15, 2017", [("<", date(2017, 8, 15))]),
        ("in August 2017", [(">=", date(2017, 8, 1)), ("<=", date(2017, 8, 31))]),
        ("until 2017", [("<=", 2017)]),
        ("by the end of 2017", [("<=", 2017)]),
        ("from 2017 onwards", [(">=", 2017)]),
        ("during 2017", [("=", 2017)]),
    ],
)
def test_days_and_years_are_compared_with(said: str, tests: list[tuple[str, object]]) -> None:
    assert [(op, value) for _, op, value in compared(taken(f"Which orders were placed {said}?"))] == tests


def test_a_parsed_question_with_a_label_goes_through_json() -> None:
    parsed = taken("How many premium customers are there?")
    assert ParsedQuestion.from_json(parsed.to_json(), MAPPING) == parsed
