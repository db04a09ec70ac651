"""What is said of a relationship is of the very one that was walked; what counts is counted or not answered at all."""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from tests.unit.rank.graphs import HAS_ENCODER

pytestmark = [
    pytest.mark.neo4j,
    pytest.mark.skipif(not HAS_ENCODER, reason="the text encoder is not installed"),
]

KINDS = ("Gardener", "Plot", "Chore", "Crate", "Herb", "Grocer")
MAPPING = GraphMapping(
    graph="allotments",
    entities=tuple(EntityKind(kind, "name", ("name",)) for kind in KINDS),
    relations=(
        make_relation("TENDED", label="tended", heads=("Gardener",), tails=("Plot",)),
        make_relation("TENDED.since", label="since", kind="qualifier", type="since", of="TENDED"),
        make_relation("TENDED.hours", label="hours", kind="qualifier", type="hours", of="TENDED"),
        make_relation("DOES", label="does", heads=("Gardener",), tails=("Chore",)),
        make_relation("CONCERNS", label="concerns", heads=("Chore",), tails=("Plot",)),
        make_relation("Chore.hours", label="hours", type="hours", kind="property", heads=("Chore",)),
        make_relation("state", kind="property", heads=("Chore",)),
        make_relation("PACKED", label="packed", heads=("Gardener",), tails=("Crate",)),
        make_relation("BOUGHT", label="bought", heads=("Grocer",), tails=("Crate",)),
        make_relation("HOLDS", label="holds", heads=("Crate",), tails=("Herb",)),
        make_relation("HOLDS.bunches", label="bunches", kind="qualifier", type="bunches", of="HOLDS"),
        make_relation("weight", kind="property", heads=("Crate",)),
    ),
)
FACTS = """
CREATE (a:Gardener {name: 'Ada Moss'}), (b:Gardener {name: 'Bo Fern'}), (c:Gardener {name: 'Cy Reed'}),
  (n:Plot {name: 'North Bed'}), (s:Plot {name: 'South Bed'}), (w:Plot {name: 'West Bed'}),
  (a)-[:TENDED {since: 2014, hours: 12}]->(n), (a)-[:TENDED {since: 2021, hours: 30}]->(s),
  (b)-[:TENDED {since: 2020, hours: 6}]->(n), (b)-[:TENDED {since: 2012, hours: 1}]->(n),
  (c)-[:TENDED {since: 2009, hours: 2}]->(w), (c)-[:TENDED {since: 2023, hours: 4}]->(n),
  (d1:Chore {name: 'C-1', hours: 20, state: 'pending'}), (d2:Chore {name: 'C-2', hours: 2, state: 'finished'}),
  (a)-[:DOES]->(d1), (a)-[:DOES]->(d2), (d1)-[:CONCERNS]->(n), (d2)-[:CONCERNS]->(s),
  (k1:Crate {name: 'K-1', weight: 5}), (k2:Crate {name: 'K-2', weight: 7}), (k3:Crate {name: 'K-3', weight: 9}),
  (b)-[:PACKED]->(k1), (b)-[:PACKED]->(k2), (c)-[:PACKED]->(k3),
  (g:Grocer {name: 'Lund Foods'}), (h:Grocer {name: 'Vik Store'}),
  (g)-[:BOUGHT]->(k1), (h)-[:BOUGHT]->(k2), (h)-[:BOUGHT]->(k3),
  (m:Herb {name: 'Mint'}), (t:Herb {name: 'Thyme'}),
  (k1)-[:HOLDS {bunches: 3}]->(m), (k2)-[:HOLDS {bunches: 4}]->(m), (k2)-[:HOLDS {bunches: 1}]->(t),
  (k3)-[:HOLDS {bunches: 8}]->(t)
"""
ANSWERS = {
    "Who has tended North Bed since 2019?": {"Bo Fern", "Cy Reed"},
    "How many gardeners tended North Bed before 2015?": {2},
    "How many gardeners tended North Bed for more than 10 hours?": {1},
    "Which plots did Ada Moss tend after 2018?": {"South Bed"},
    "How many gardeners tended North Bed between 2013 and 2018?": {1},
    "How many gardeners tended a plot between 2013 and 2018?": {1},
    "How many gardeners did not tend North Bed before 2013?": {2},
    "Which crates hold Mint with bunches above 3?": {"K-2"},
    "How many finished chores concern North Bed?": {0},
    "Which pending chores does Ada Moss do?": {"C-1"},
    "How many crates did Bo Fern pack for Vik Store?": {1},
    "How many crates packed by Bo Fern hold Mint?": {2},
    "Did Ada Moss tend North Bed before 2015?": {True},
    "Did Ada Moss tend South Bed before 2015?": {False},
    "Did Bo Fern tend North Bed after 2019?": {True},
    "Did Cy Reed tend North Bed before 2015?": {False},
    "Was North Bed tended by Cy Reed in 2023?": {True},
    "Did Ada Moss tend West Bed before 2015?": {False},
    "Did Ada Moss or Cy Reed tend North Bed before 2013?": {False},
    "Did Bo Fern or Cy Reed tend North Bed before 2013?": {True},
    "Did Ada Moss and Cy Reed tend North Bed before 2015?": {False},
    "When did Ada Moss tend North Bed?": {2014},
    "Who tended North Bed first?": {"Bo Fern"},
    "Which gardener tended North Bed most recently?": {"Cy Reed"},
    "Who was the last to tend North Bed?": {"Cy Reed"},
    "Which plot did Cy Reed tend first?": {"West Bed"},
    "What was the last plot that Ada Moss tended?": {"South Bed"},
    "What is the total bunches of Thyme?": {9},
    "What is the total bunches of crates?": {16},
    "Which gardener packed the highest total weight?": {"Bo Fern"},
}
UNANSWERED = (
    "Which finished chores concern North Bed?",
    "Which chores done by Ada Moss are finished?",
    "Sum the weight of all crates but those of Vik Store",
    "Did Bo Fern pack K-1 before 2015?",
    "Which crate did Bo Fern pack first?",
)


@pytest.fixture(scope="module")
def kg(driver: neo4j.Driver) -> Iterator[KGQA]:
    driver.execute_query(FACTS)
    with KGQA(driver, graph="allotments", mapping=MAPPING) as opened:
        yield opened
    driver.execute_query("MATCH (n) WHERE any(label IN labels(n) WHERE label IN $kinds) DETACH DELETE n", kinds=KINDS)


def test_a_condition_is_of_what_was_walked_and_all_that_is_named_counts(kg: KGQA) -> None:
    found = {}
    for question in ANSWERS:
        reply = kg.ask(question)
        found[question] = {*reply.names} if reply.entities else {value.value for value in reply.values}
    assert found == ANSWERS


def test_what_is_not_understood_is_no_list(kg: KGQA) -> None:
    assert {question: kg.ask(question).names for question in UNANSWERED} == dict.fromkeys(UNANSWERED, ())


def test_what_was_done_first_is_by_the_relationship_with_the_topic_alone(kg: KGQA, driver: neo4j.Driver) -> None:
    reply = kg.ask("Who tended North Bed last?")
    facts = {(fact.head.name, dict(fact.qualifiers).get("since")) for path in reply.paths for fact in path.facts}
    assert (reply.names, facts) == (("Cy Reed",), {("Cy Reed", 2023)})
    assert reply.cypher is not None
    records = driver.execute_query(reply.cypher.text, dict(reply.cypher.parameters)).records
    assert {(record["answer"]["name"], record["value"]) for record in records} == {("Cy Reed", 2023)}
    assert "'first'" in kg.ask("Which crate did Bo Fern pack first?").text


def test_the_proof_and_the_cypher_show_only_relationships_of_which_the_condition_holds(
    kg: KGQA, driver: neo4j.Driver
) -> None:
    reply = kg.ask("Who has tended North Bed since 2019?")
    facts = [fact for path in reply.paths for fact in path.facts]
    since = {(fact.head.name, dict(fact.qualifiers)["since"]) for fact in facts}
    assert since == {("Bo Fern", 2020), ("Cy Reed", 2023)}
    assert reply.cypher is not None
    records = driver.execute_query(reply.cypher.text, dict(reply.cypher.parameters)).records
    walked = {edge["since"] for record in records for path in record["facts"] for edge in path.relationships}
    assert walked == {2020, 2023}
