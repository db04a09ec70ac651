"""Questions that count, compare, rank and leave out, over a small graph that kgqa did not load."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import neo4j
import pytest
from neo4j.graph import Node, Path

from kgqa_graphdb import KGQA
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.types import Entity
from tests.unit.rank.graphs import HAS_ENCODER

pytestmark = [
    pytest.mark.neo4j,
    pytest.mark.skipif(not HAS_ENCODER, reason="the text encoder is not installed"),
]

LAKES = {
    "Grimsel": (100, date(1932, 6, 1), "Bern"), "Oberaar": (90, date(1953, 8, 1), "Bern"),
    "Emosson": (180, date(1975, 9, 1), "Wallis"), "Dixence": (227, date(1961, 9, 22), "Wallis"),
    "Sihl": (23, date(1937, 5, 1), "Schwyz"),
}  # fmt: skip
CLOSED = ("Grimsel", "Emosson")
SURVEYED = {"Anna Kern": ("Grimsel", "Oberaar", "Sihl"), "Beat Moser": ("Sihl",), "Carla Frei": ("Dixence", "Emosson")}
PHOTOGRAPHED = {"Anna Kern": ("Grimsel", "Dixence"), "Beat Moser": ("Oberaar",), "Carla Frei": ("Emosson",)}
MAPPING = GraphMapping(
    graph="reservoirs",
    entities=(EntityKind("Reservoir", "name", ("name",)), EntityKind("Surveyor", "name", ("name",))),
    relations=(
        make_relation("SURVEYED", label="surveyed", heads=("Surveyor",), tails=("Reservoir",)),
        make_relation("PHOTOGRAPHED", label="photographed", heads=("Surveyor",), tails=("Reservoir",)),
        make_relation("depth", kind="property", heads=("Reservoir",), unit="m"),
        make_relation("closed", kind="property", heads=("Reservoir",)),
        make_relation("openingDate", label="opening date", kind="property", heads=("Reservoir",)),
        make_relation("canton", kind="property", heads=("Reservoir",)),
    ),
)


@pytest.fixture(scope="module")
def kg(driver: neo4j.Driver) -> Iterator[KGQA]:
    for name, (depth, opened, canton) in LAKES.items():
        driver.execute_query(
            "CREATE (:Reservoir {name: $name, depth: $depth, openingDate: $opened, canton: $canton, closed: $closed})",
            name=name, depth=depth, opened=opened, canton=canton, closed="1" if name in CLOSED else "0",
        )  # fmt: skip
    for person, surveyed in SURVEYED.items():
        driver.execute_query(
            "CREATE (s:Surveyor {name: $name}) WITH s MATCH (r:Reservoir) WHERE r.name IN $lakes "
            "CREATE (s)-[:SURVEYED]->(r)",
            name=person, lakes=list(surveyed),
        )  # fmt: skip
        driver.execute_query(
            "MATCH (s:Surveyor {name: $name}), (r:Reservoir) WHERE r.name IN $lakes CREATE (s)-[:PHOTOGRAPHED]->(r)",
            name=person, lakes=list(PHOTOGRAPHED[person]),
        )  # fmt: skip
    with KGQA(driver, graph="reservoirs", mapping=MAPPING) as kg:
        yield kg
    driver.execute_query("MATCH (n:Reservoir|Surveyor) DETACH DELETE n")


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("How many reservoirs are there?", ["5"]),
        ("How many reservoirs did Anna Kern survey?", ["3"]),
        ("What is the deepest reservoir?", ["Dixence"]),
        ("Which are the 2 deepest reservoirs?", ["Dixence", "Emosson"]),
        ("What is the deepest reservoir that Anna Kern surveyed?", ["Grimsel"]),
        ("Which reservoirs have a depth of more than 150?", ["Dixence", "Emosson"]),
        ("Which reservoirs have a depth between 50 and 100?", ["Grimsel", "Oberaar"]),
        ("Which reservoirs were opened before 1940?", ["Grimsel", "Sihl"]),
        ("Which reservoirs opened in the 1950s?", ["Oberaar"]),
        ("Which reservoirs are in the canton Wallis?", ["Dixence", "Emosson"]),
        ("Who surveyed the most reservoirs?", ["Anna Kern"]),
        ("Which surveyors surveyed at least 2 reservoirs?", ["Anna Kern", "Carla Frei"]),
        ("Which reservoirs were not surveyed by Anna Kern?", ["Dixence", "Emosson"]),
        ("Which reservoirs did Beat Moser or Carla Frei survey?", ["Dixence", "Emosson", "Sihl"]),
        ("What is the average depth of reservoirs?", ["124.0 m"]),
        ("Which surveyor has the greatest total depth of reservoirs?", ["Carla Frei"]),
        ("Which surveyor has the greatest median depth of reservoirs?", ["Carla Frei"]),
        ("Did Anna Kern survey Sihl?", ["yes"]),
        ("Did Beat Moser survey Dixence?", ["no"]),
        ("Which reservoirs have a depth of more than 900?", []),
        # narrowed measures
        ("Who surveyed the most reservoirs opened after 1950?", ["Carla Frei"]),
        ("Who surveyed the most reservoirs with a depth below 101?", ["Anna Kern"]),
        ("Which surveyors surveyed at least 2 reservoirs in the canton Bern?", ["Anna Kern"]),
        ("Which surveyors surveyed less than 2 reservoirs opened after 1950?", ["Anna Kern", "Beat Moser"]),
        ("Which surveyor surveyed the most closed reservoirs?", ["Anna Kern", "Carla Frei"]),
        ("Who surveyed the most photographed reservoirs?", ["Anna Kern", "Carla Frei"]),
        ("Which reservoirs are closed?", ["Emosson", "Grimsel"]),
        # one entity twice
        ("Who surveyed and photographed the same reservoir?", ["Anna Kern", "Carla Frei"]),
        ("Which reservoirs were surveyed and photographed by the same surveyor?", ["Emosson", "Grimsel"]),
        ("Which surveyors photographed a reservoir that they also surveyed?", ["Anna Kern", "Carla Frei"]),
        ("Who surveyed and photographed the same reservoir in the canton Bern?", ["Anna Kern"]),
        # comparisons with others
        ("Which reservoirs have a greater depth than Grimsel?", ["Dixence", "Emosson"]),
        ("Which reservoirs were opened before Dixence?", ["Grimsel", "Oberaar", "Sihl"]),
        ("Which reservoirs are in the same canton as Emosson?", ["Dixence"]),
        ("Which reservoirs have a depth above the average?", ["Dixence", "Emosson"]),
        ("Which surveyors surveyed more reservoirs than Beat Moser?", ["Anna Kern", "Carla Frei"]),
        ("Was Sihl opened before Emosson?", ["yes"]),
        # groups
        ("How many reservoirs are there per canton?", ["Bern", "Schwyz", "Wallis"]),
        ("Which cantons have more than 1 reservoir?", ["Bern", "Wallis"]),
        ("Which canton has the fewest reservoirs?", ["Schwyz"]),
        ("In which year were the most reservoirs opened?", ["1932", "1937", "1953", "1961", "1975"]),
        ("How many reservoirs did each surveyor survey?", ["Anna Kern", "Beat Moser", "Carla Frei"]),
        ("What is the average depth of reservoirs per canton?", ["Bern", "Schwyz", "Wallis"]),
        ("What is the median depth of reservoirs per canton?", ["Bern", "Schwyz", "Wallis"]),
    ],
)
def test_answers_and_what_replays_them(kg: KGQA, driver: neo4j.Driver, question: str, answers: list[str]) -> None:
    reply = kg.ask(question)
    assert sorted(reply.names) == answers, reply.text
    if reply.cypher is None:
        assert not answers
        return
    found = driver.execute_query(reply.cypher.text, dict(reply.cypher.parameters)).records
    told = {row["answer"]["name"] if isinstance(row["answer"], Node) else row["answer"] for row in found}
    expected = {getattr(one.item, "value", one.item.name) for one in reply.answers}
    assert told == expected
    nodes = {name for row in found for name in _names_in(row["facts"])}
    assert {end.name for fact in reply.facts for end in (fact.head, fact.tail) if isinstance(end, Entity)} <= nodes


def _names_in(facts: list[Node | Path]) -> set[str]:
    return {node["name"] for one in facts for node in ([one] if isinstance(one, Node) else one.nodes)}


@pytest.mark.parametrize(
    ("question", "amounts"),
    [
        ("How many reservoirs did each surveyor survey?", {"Anna Kern": 3, "Carla Frei": 2, "Beat Moser": 1}),
        ("How many reservoirs are there per canton?", {"Bern": 2, "Schwyz": 1, "Wallis": 2}),
        ("What is the average depth of reservoirs per canton?", {"Bern": 95, "Schwyz": 23, "Wallis": 203.5}),
        ("What is the median depth of reservoirs per canton?", {"Bern": 95, "Schwyz": 23, "Wallis": 203.5}),
        ("How many reservoirs opened after 1940 did each surveyor survey?", {"Carla Frei": 2, "Anna Kern": 1}),
    ],
)
def test_what_is_grouped_is_told_with_its_number(kg: KGQA, question: str, amounts: dict[str, float]) -> None:
    reply = kg.ask(question)
    entries = reply.to_dict()["answers"]
    assert {one["name"]: one["amount"] for one in entries} == amounts
    assert all(f"{name} ({amount}" in reply.text for name, amount in amounts.items())


def test_the_median_is_of_all_values(kg: KGQA, driver: neo4j.Driver) -> None:
    reply = kg.ask("What is the median depth of reservoirs?")
    ((value,), (proof,)) = reply.values, reply.paths
    assert (value.value, value.unit, proof.text) == (100, "m", "the median of the depth of the reservoirs")
    assert {fact.tail.name for fact in proof.facts} == {f"{depth} m" for depth, _, _ in LAKES.values()}
    assert reply.cypher
    rows = driver.execute_query(reply.cypher.text, dict(reply.cypher.parameters)).records
    assert {row["answer"] for row in rows} == {100}


def test_facts_of_a_narrowed_measure_are_of_what_it_is_narrowed_to(kg: KGQA) -> None:
    reply = kg.ask("Who surveyed the most reservoirs opened after 1950?")
    assert reply.answer.proof[0].item.amounts[0].value == 2
    surveyed = {fact.tail.name for fact in reply.facts if fact.relation.id == "SURVEYED"}
    opened = {fact.head.name for fact in reply.facts if fact.relation.id == "openingDate"}
    assert surveyed == opened == {"Dixence", "Emosson"}


def test_the_greatest_come_in_their_order_and_with_what_proves_them(kg: KGQA) -> None:
    reply = kg.ask("Which are the 3 deepest reservoirs?")
    assert reply.names == ("Dixence", "Emosson", "Grimsel")
    assert {fact.tail.name for fact in reply.facts} == {"227 m", "180 m", "100 m"}
    assert "greatest depth" in reply.text


@pytest.mark.parametrize(
    "question",
    [
        "Is the canton of Sihl Schwyz or Uri?",
        "Is the canton of Sihl flat or Schwyz?",
        "Was Sihl surveyed by Carla Frei or somebody else?",
    ],
)
def test_which_of_two_is_no_yes_or_no(kg: KGQA, question: str) -> None:
    assert not {"yes", "no"} & {*kg.ask(question).names}


@pytest.mark.parametrize(
    "question",
    [
        "Which reservoirs were surveyed and opened by the same surveyor?",
        "Which reservoirs have a depth above the average of their canton?",
        "Who surveyed the most reservoirs with a sluice?",
        "How many reservoirs are there per dam?",
    ],
)
def test_a_question_that_is_not_understood_is_not_answered_by_half_of_it(kg: KGQA, question: str) -> None:
    assert kg.ask(question).abstained
