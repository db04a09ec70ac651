"""A parsed question as JSON: what is written is read as it was, and nothing else is read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kgqa_graphdb.errors import ConfigError, UnknownRelationError
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.parse import EnglishParser, Lexicon, ParsedQuestion
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.parse.parsed import Bound, Comparison, Condition, Extreme, Same
from tests.neo4j.demo_questions import Facts, compared, joined, left_out, whether

QUESTIONS = Path(__file__).parents[2] / "neo4j" / "questions"
NORTHWIND = GraphMapping(
    graph="northwind",
    entities=tuple(
        EntityKind(label, "name", ("name",))
        for label in ("Product", "Category", "Supplier", "Customer", "Order", "Employee", "Shipper")
    ),
    relations=(
        make_relation("SUPPLIES", heads=("Supplier",), tails=("Product",)),
        make_relation("PART_OF", heads=("Product",), tails=("Category",)),
        make_relation("PURCHASED", heads=("Customer",), tails=("Order",)),
        make_relation("SOLD", heads=("Employee",), tails=("Order",)),
        make_relation("ORDERS", heads=("Order",), tails=("Product",)),
        *(
            make_relation(name, kind="property", heads=(label,))
            for label, name in (
                ("Product", "unitPrice"), ("Product", "unitsInStock"), ("Product", "reorderLevel"),
                ("Product", "discontinued"), ("Order", "freight"), ("Order", "orderDate"), ("Order", "shipCountry"),
                ("Employee", "hireDate"), ("Customer", "country"), ("Customer", "city"),
            )
        ),
    ),
)  # fmt: skip
MOVIES = GraphMapping(
    graph="movies",
    entities=(EntityKind("Person", "name", ("name",)), EntityKind("Movie", "title", ("title",))),
    relations=(
        *(
            make_relation(name, heads=("Person",), tails=("Movie",))
            for name in ("ACTED_IN", "DIRECTED", "PRODUCED", "WROTE", "REVIEWED")
        ),
        make_relation("FOLLOWS", heads=("Person",), tails=("Person",)),
        make_relation("born", kind="property", heads=("Person",)),
        make_relation("released", kind="property", heads=("Movie",)),
    ),
)
SPACE = GraphMapping(
    graph="space",
    entities=(EntityKind("KG_space", "entity_id", ("name",)),),
    relations=tuple(make_relation(name) for name in sorted({relation for _, relation, _ in Facts.read().triples})),
)
_NAMES = re.compile(r"(?<=[a-z] )[A-Z]\w+(?: [A-Z0-9]\w*)*")


def questions() -> Iterator[tuple[GraphMapping, str]]:
    """The questions of the tests, each with the mapping of its graph."""
    for path in sorted(QUESTIONS.glob("*.jsonl")):
        mapping = MOVIES if path.name.startswith("movies") else NORTHWIND
        for line in path.read_text(encoding="utf-8").splitlines():
            yield mapping, json.loads(line)["question"]
    for group in (left_out, joined, compared, whether):
        for question in group(Facts.read()):
            yield SPACE, question


def parsed(mapping: GraphMapping, question: str) -> Iterator[ParsedQuestion]:
    """A question parsed without a topic, with one, and with one that others are compared with."""
    parser, lexicon = EnglishParser(), Lexicon.of(mapping)
    named = [found.span() for found in _NAMES.finditer(question)]
    yield parser.parse(question, lexicon)
    for span in named[:1]:
        yield parser.parse(question, lexicon, span)
    for span in named[-1:]:
        yield parser.parse(question, lexicon, None, span)


def test_every_question_is_read_as_it_was_written() -> None:
    every = [(mapping, one) for mapping, question in questions() for one in parsed(mapping, question)]
    for mapping, one in every:
        assert ParsedQuestion.from_json(one.to_json(), mapping) == one
    conditions = [condition for _, one in every for condition in one.conditions]
    assert any(one.kind and one.kind.by for _, one in every)
    assert any(one.extreme and one.extreme.within for _, one in every)
    assert any(one.per for _, one in every)
    assert any(one.same for one in conditions)
    assert any(test.value is Bound.OTHER for one in conditions for test in one.comparisons)


ALL = ParsedQuestion(
    wants="median",
    measure="price",
    kind=Kind("Person", NORTHWIND.step(">SOLD")),
    noun="sellers",
    conditions=(
        Condition(
            "hired [X]",
            (Comparison(">", date(1993, 1, 2), moment=True), Comparison("<", 5.0, counted=True, adjective="oldest")),
            "Bergen", "starts", "sum", negated=True, topic=True, unclear=True,
            within=ParsedQuestion(noun="orders"), mean_of="freight", attributive=True,
            same=Same(("sold", "sent"), "order"), label="Person", clause="[X] hired the most people",
        ),
        Condition("", (Comparison("=", Bound.MEAN), Comparison("=", 5))),
    ),
    extreme=Extreme(
        (("max", "price"), ("min", "age")), 3, "mean", bottom=True, within=ParsedQuestion(unsure=True), clause="of [X]"
    ),
    unsure=True,
    per="year",
    tests=(Comparison(">=", 2),),
    clause="how many orders did [X] place",
)  # fmt: skip


def test_every_field_is_written() -> None:
    again = ParsedQuestion.from_json(ALL.to_json(), NORTHWIND)
    assert again == ALL
    assert [type(one.value) for one in again.conditions[0].comparisons] == [date, float]
    assert json.loads(ParsedQuestion().to_json()) == {"version": 1}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"version": 2}, "version 2 is not 1; parse the question anew"),
        ({"want": "count"}, "there is no 'want'; nearest: 'wants'"),
        ({"wants": "medain"}, r"parsed question\.wants: 'medain' must be one of .*; nearest: 'median'"),
        ({"unsure": 1}, r"parsed question\.unsure: 1 is no bool"),
        ({"kind": {}}, r"parsed question\.kind: 'label' is missing"),
        ({"kind": "Person"}, r"parsed question\.kind: 'Person' is no Kind"),
        ({"conditions": {}}, r"parsed question\.conditions: {} is no list"),
        ({"conditions": [{}]}, r"parsed question\.conditions\[0\]: 'text' is missing"),
        ({"tests": [{"op": "<", "value": "9"}]}, r"tests\[0\]\.value: '9' is none of int, float, date"),
        ({"tests": [{"op": "<", "value": {"date": "1990"}}]}, r"tests\[0\]\.value: .* is no date"),
        ({"extreme": {"measures": [["max"]]}}, r"extreme\.measures\[0\]: \['max'\] must have 2 items"),
        ({"extreme": {"measures": [["most", "price"]]}}, r"measures\[0\]\[0\]: 'most' must be one of max, min"),
    ],
)  # fmt: skip
def test_what_is_no_parsed_question_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ParsedQuestion.from_json(json.dumps({"version": 1} | changed), NORTHWIND)


@pytest.mark.parametrize(
    ("text", "message"), [("{", "is not valid JSON"), ("[]", "'version' is missing"), ("{}", "'version'")]
)
def test_what_is_not_written_by_it_is_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ParsedQuestion.from_json(text, NORTHWIND)


def test_a_kind_by_a_relation_of_another_graph_is_refused() -> None:
    with pytest.raises(UnknownRelationError):
        ParsedQuestion.from_json(ALL.to_json(), MOVIES)
