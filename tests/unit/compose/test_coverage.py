"""Whether a plan says all that a question says."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import pytest

from kgqa_graphdb.compose.coverage import Coverage
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.plan import Aggregate, Combine, Every, Follow, Group, Plan
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.steps import Embed, Request, run
from kgqa_graphdb.types import Entity, Link, Step

PLACED = make_relation("PLACED", label="placed", heads=("Nurse",), tails=("SupplyOrder",))
TOTAL = make_relation("total", kind="property", heads=("SupplyOrder",))
DAY = make_relation("orderDate", label="order date", kind="property", heads=("SupplyOrder",))
AGE = make_relation("age", kind="property", heads=("Nurse",))
STATUS = make_relation("status", kind="property", heads=("SupplyOrder",))
MAPPING = GraphMapping(
    graph="ward",
    entities=(EntityKind("Nurse", "name", ("name",)), EntityKind("SupplyOrder", "name", ("name",))),
    relations=(PLACED, TOTAL, DAY, AGE, STATUS),
)
EVA = Entity("1", "Eva Horn", ("Nurse",), element_id="e1")
ORDERS, NURSES = Every("SupplyOrder"), Every("Nurse")
OF_EVA = Follow(EVA, (Step(PLACED),))


class Words:
    """Embeds words so that no two are alike."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}

    def perform(self, requests: Sequence[Request[Any]]) -> list[Any]:
        return [self._vectors(one) for one in requests if isinstance(one, Embed)]

    def _vectors(self, request: Embed) -> Any:
        return np.eye(256, dtype=np.float32)[[self.rows.setdefault(text, len(self.rows)) for text in request.texts]]


def lacking(question: str, plan: Plan) -> str:
    start = question.find("Eva Horn")
    links = [Link(start, start + len("Eva Horn"), EVA, 1.0)] if start >= 0 else []
    word: str = run(Coverage(question, links, PathRanker(MAPPING)).lacking(plan), Words())
    return word


def test_what_says_all_lacks_nothing() -> None:
    count = Aggregate("count", OF_EVA)
    assert lacking("How many orders did Eva Horn place?", count) == ""
    assert lacking("How many supply orders were placed by Eva Horn in total?", count) == ""
    assert (
        lacking("What is the sum of the totals of Eva Horn's orders?", Aggregate("sum", OF_EVA, (Step(TOTAL),))) == ""
    )
    old = Aggregate(">", NURSES, (Step(AGE),), 40)
    assert lacking("Which nurses are more than 40 years old?", old) == ""
    assert lacking("Which nurses are older than 40?", old) == ""
    assert lacking("Who is the oldest nurse?", Aggregate("max", NURSES, (Step(AGE),))) == ""
    assert lacking("How many orders are there in each year?", Group(ORDERS, (Step(DAY),), years=True)) == ""
    shipped = Aggregate("count", Aggregate("=", ORDERS, (Step(STATUS),), "shipped"))
    assert lacking("How many shipped orders are there?", shipped) == ""


DEAREST = Aggregate("max", ORDERS, (Step(TOTAL),), most=3)
BUSIEST = Aggregate("max", NURSES, (Step(PLACED),), most=3)


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("Identify the 3 orders with the highest total.", DEAREST),
        ("What are the top 3 orders based on their total?", DEAREST),
        ("Which 3 orders have the highest total value?", DEAREST),
        ("Show details of the 3 orders with the highest total.", DEAREST),
        ("Which 3 nurses placed orders most frequently?", BUSIEST),
        ("Which are the 3 nurses with the most orders listed?", BUSIEST),
        ("Which nurses have an age specified as 40?", Aggregate("=", NURSES, (Step(AGE),), 40)),
    ],
)
def test_words_that_say_nothing_more_are_not_lacking(question: str, plan: Plan) -> None:
    assert lacking(question, plan) == ""


@pytest.mark.parametrize(
    ("question", "plan", "word"),
    [
        ("What is the value of the 3 orders with the highest total?", DEAREST, "value"),
        ("What do the 3 orders with the highest total determine?", DEAREST, "determine"),
        ("Which 3 orders have the highest total of listed goods?", DEAREST, "listed"),
        ("Which nurses older than 40 are frequently ill?", Aggregate(">", NURSES, (Step(AGE),), 40), "frequently"),
        ("How many orders based in Berlin are there?", Aggregate("count", ORDERS), "based"),
    ],
)
def test_the_same_words_are_lacking_where_they_say_something(question: str, plan: Plan, word: str) -> None:
    assert lacking(question, plan) == word


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("How many urgent orders did Eva Horn place?", "urgent"),
        ("How many orders did Eva Horn place in Berlin?", "berlin"),
        ("How many orders did Eva Horn place in 2017?", "2017"),
        ("How many orders did Eva Horn place on 15 August 2017?", "2017-08-15"),
        ("How many orders did Eva Horn not place?", "not"),
        ("How many orders did Eva Horn place per ward?", "per"),
        ("What is the average number of orders Eva Horn placed?", "average"),
        ("How many of the largest orders did Eva Horn place?", "largest"),
        ("How many orders did Eva Horn place with more than 3 items?", "more"),
    ],
)
def test_a_count_lacks_what_would_narrow_it(question: str, word: str) -> None:
    assert lacking(question, Aggregate("count", OF_EVA)) == word


def test_a_topic_that_is_not_in_the_plan_lacks() -> None:
    total = Aggregate("sum", ORDERS, (Step(TOTAL),))
    assert lacking("What is the total amount of Eva Horn's orders?", total) == "eva"


def test_years_and_days_are_found_in_the_moments_that_they_became() -> None:
    later = Aggregate(">=", ORDERS, (Step(DAY),), date(2018, 1, 1))
    assert lacking("Which orders were placed after 2017?", later) == ""
    assert lacking("Which orders were placed since 1 January 2018?", later) == ""
    assert lacking("Which orders were placed after 2012?", later) == "2012"


def test_what_neither_counts_nor_compares_is_left_to_the_ranker() -> None:
    assert lacking("Which urgent orders did Eva Horn place?", OF_EVA) == ""
    assert lacking("Which urgent orders did Eva Horn place?", Combine("and", (OF_EVA, ORDERS))) == ""
