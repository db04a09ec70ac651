"""Questions about what they describe instead of naming it, and for what is a topic's own, over a made riding stable."""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation

KINDS = ("Horse", "Lame", "Groom", "Stall", "Rider", "Trophy")
MAPPING = GraphMapping(
    graph="stables",
    entities=tuple(EntityKind(kind, "name", ("name",)) for kind in KINDS),
    relations=(
        make_relation("CARES_FOR", label="cares for", inverse="cared for by", heads=("Groom",), tails=("Horse",)),
        make_relation("STANDS_IN", label="stands in", heads=("Horse",), tails=("Stall",)),
        make_relation("RIDES", label="rides", inverse="ridden by", heads=("Rider",), tails=("Horse",)),
        make_relation("WON", label="won", heads=("Rider",), tails=("Trophy",)),
        make_relation("age", kind="property", heads=("Horse",)),
        make_relation("weight", kind="property", heads=("Horse",)),
        make_relation("year", kind="property", heads=("Trophy",)),
    ),
)
FACTS = """
CREATE (ina:Groom {name: 'Ina Bohm'}), (lars:Groom {name: 'Lars Edel'}), (mia:Groom {name: 'Mia Frost'}),
  (bolt:Horse {name: 'Bolt', age: 21, weight: 480}), (fig:Horse:Lame {name: 'Fig', age: 4, weight: 610}),
  (oat:Horse {name: 'Oat', age: 12, weight: 505}), (rye:Horse:Lame {name: 'Rye', age: 7, weight: 450}),
  (east:Stall {name: 'East Stall'}), (west:Stall {name: 'West Stall'}),
  (ina)-[:CARES_FOR]->(bolt), (ina)-[:CARES_FOR]->(oat), (lars)-[:CARES_FOR]->(fig), (mia)-[:CARES_FOR]->(rye),
  (bolt)-[:STANDS_IN]->(east), (fig)-[:STANDS_IN]->(west), (oat)-[:STANDS_IN]->(west), (rye)-[:STANDS_IN]->(east),
  (tess:Rider {name: 'Tess Vane'}), (ugo:Rider {name: 'Ugo Marsh'}),
  (tess)-[:RIDES]->(bolt), (tess)-[:RIDES]->(fig), (ugo)-[:RIDES]->(oat),
  (cup:Trophy {name: 'Autumn Cup', year: 2017}), (vase:Trophy {name: 'Silver Vase', year: 2021}),
  (bowl:Trophy {name: 'Old Bowl'}), (tess)-[:WON]->(cup), (ugo)-[:WON]->(vase), (ugo)-[:WON]->(bowl)
"""
ANSWERS = {
    "Who cares for the oldest horse?": {"Ina Bohm"},
    "Where does the heaviest horse stand?": {"West Stall"},
    "In which stall does the youngest horse stand?": {"West Stall"},
    "Who rides the oldest horse?": {"Tess Vane"},
    "Does Ina Bohm care for the oldest horse?": {True},
    "Does Mia Frost care for the oldest horse?": {False},
    "Who cares for lame horses?": {"Lars Edel", "Mia Frost"},
    "How old is the heaviest horse?": {4},
    "What does the oldest horse weigh?": {480},
    "Who cares for a horse ridden by Ugo Marsh?": {"Ina Bohm"},
    "When did Tess Vane win Autumn Cup?": {2017},
    "What year was Silver Vase won?": {2021},
    "Is Fig a lame horse?": {True},
}
UNANSWERED = [
    "When did Ugo Marsh win Old Bowl?",  # neither it nor the win has a date
    "When did Tess Vane win Silver Vase?",  # she did not
    "How old is Ina Bohm?",  # grooms have no age
    "How old is the groom of Fig?",  # and the horse's is none of theirs
    "Who cares for the oldest rider?",
]


@pytest.fixture(scope="module")
def kg(driver: neo4j.Driver, encoder: CachedEncoder) -> Iterator[KGQA]:
    driver.execute_query(FACTS)
    with KGQA(driver, graph="stables", mapping=MAPPING, encoder=encoder) as opened:
        yield opened
    driver.execute_query("MATCH (n) WHERE any(label IN labels(n) WHERE label IN $kinds) DETACH DELETE n", kinds=KINDS)


def test_what_is_described_is_found_first_and_the_question_is_about_that(kg: KGQA) -> None:
    found = {question: kg.ask(question) for question in ANSWERS}
    assert {
        question: {*reply.names} if reply.entities else {value.value for value in reply.values}
        for question, reply in found.items()
    } == ANSWERS


def test_nothing_of_another_is_an_answer(kg: KGQA) -> None:
    assert {question: kg.ask(question).names for question in UNANSWERED} == dict.fromkeys(UNANSWERED, ())
    assert "the graph has no date of" in kg.ask("When did Ugo Marsh win Old Bowl?").text


def test_the_proof_says_which_it_is_and_the_cypher_finds_both(kg: KGQA, driver: neo4j.Driver) -> None:
    reply = kg.ask("Who cares for the oldest horse?")
    facts = {(fact.head.name, fact.relation.id) for path in reply.paths for fact in path.facts}
    assert facts == {("Ina Bohm", "CARES_FOR"), ("Bolt", "age")}
    assert reply.cypher is not None
    records = driver.execute_query(reply.cypher.text, dict(reply.cypher.parameters)).records
    assert {record["answer"]["name"] for record in records} == {"Ina Bohm"}
    assert "oldest" not in reply.cypher.text
