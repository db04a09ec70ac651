"""Graphs of a company that are made for the test: join nodes, values on nodes of their own, drift, reading only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest

from benchmarks.made_company import make_company, write_company
from benchmarks.map_survey import compare
from kgqa_graphdb import KGQA
from kgqa_graphdb.mapping import EntityKind, GraphMapping, read_mapping, write_mapping
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.survey import Drift, End, Join, Proposal, check_mapping, propose, survey
from tests.neo4j.test_map import kgqa

LABELS = ("Bakery", "Loaf", "Delivery", "DeliveryItem", "Whereabouts", "Kinship", "Baker")

MAKE = """
CREATE (rye:Loaf {loafId: 1, name: 'Dark Rye', price: 4.5}), (bun:Loaf {loafId: 2, name: 'Plain Bun', price: 0.8}),
       (oat:Loaf {loafId: 3, name: 'Oat Loaf', price: 3.9}),
       (mill:Bakery {name: 'Mill Lane', apiKey: 'k1'}), (dock:Bakery {name: 'Dock Street', apiKey: 'k2'}),
       (:Bakery {name: 'Old Oven', apiKey: 'k3'}),
       (mill)-[:HAS]->(:Whereabouts {street: '4 Mill Lane', town: 'Ely'}),
       (dock)-[:HAS]->(:Whereabouts {street: '9 Dock Street', town: 'Hull'}),
       (mill)-[:SENT]->(d1:Delivery {deliveryNumber: 7001, bakery: 'Mill Lane'}),
       (mill)-[:SENT]->(d2:Delivery {deliveryNumber: 7002, bakery: 'Mill Lane'}),
       (dock)-[:SENT]->(d3:Delivery {deliveryNumber: 7003, bakery: 'Dock Street'}),
       (d1)-[:HAS]->(:DeliveryItem {pieces: 30, note: 'sliced'})-[:FOR]->(rye),
       (d1)-[:HAS]->(:DeliveryItem {pieces: 80})-[:FOR]->(bun),
       (d2)-[:HAS]->(:DeliveryItem {pieces: 12})-[:FOR]->(oat),
       (d3)-[:HAS]->(:DeliveryItem {pieces: 25})-[:FOR]->(rye),
       (ann:Baker {name: 'Ann Hobb'}), (bob:Baker {name: 'Bob Hobb'}), (cat:Baker {name: 'Cat Reed'}),
       (ann)-[:WORKS_AT]->(mill), (bob)-[:WORKS_AT]->(dock), (cat)-[:WORKS_AT]->(dock),
       (ann)<-[:BETWEEN]-(:Kinship {closeness: 'sister'})-[:BETWEEN]->(bob),
       (cat)<-[:BETWEEN]-(:Kinship {closeness: 'cousin'})-[:BETWEEN]->(bob)
"""


def look(driver: neo4j.Driver) -> Proposal:
    """The proposal, without what other tests left in the database."""
    with Neo4jIO(driver) as io:
        found = propose("bakeries", run(survey(), io))
    kinds = tuple(kind for kind in found.mapping.entities if kind.label in LABELS)
    kept = {r.id for r in found.mapping.relations if {*r.heads, *r.tails} & set(LABELS)}
    relations = tuple(r for r in found.mapping.relations if r.id in kept or r.of in kept)
    left_out = tuple(one for one in found.left_out if one.holder in LABELS)
    joins = tuple(join for join in found.joins if join.label in LABELS)
    return Proposal(GraphMapping("bakeries", kinds, relations), joins, left_out)


@pytest.fixture(scope="module")
def bakeries(driver: neo4j.Driver) -> Iterator[Proposal]:
    driver.execute_query(MAKE)
    yield look(driver)
    driver.execute_query("MATCH (n) WHERE any(l IN labels(n) WHERE l IN $labels) DETACH DELETE n", labels=LABELS)


# ── the proposal ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_join_nodes_and_nodes_of_values_are_no_entities(bakeries: Proposal) -> None:
    assert {kind.label: kind for kind in bakeries.mapping.entities} == {
        "Baker": EntityKind("Baker", "name", ("name",)),
        "Bakery": EntityKind("Bakery", "name", ("name",)),
        "Delivery": EntityKind("Delivery", "deliveryNumber", ()),
        "Loaf": EntityKind("Loaf", "loafId", ("name",)),
    }
    assert {join.label: join for join in bakeries.joins} == {
        "DeliveryItem": Join("DeliveryItem", (End(">FOR", ("Loaf",)), End("<HAS", ("Delivery",))), ((0, 1),)),
        "Kinship": Join("Kinship", (End(">BETWEEN", ("Baker",)),), ((0, 0),)),
        "Whereabouts": Join("Whereabouts", (End("<HAS", ("Bakery",)),), ()),
    }


def test_what_is_walked_through_becomes_one_step_with_qualifiers(bakeries: Proposal) -> None:
    mapping = bakeries.mapping
    made = {r.id: (r.kind, r.heads, r.tails, [c[1:] for c in r.via]) for r in mapping.relations if r.via}
    legs = {r.id: r.type for r in mapping.relations if r.kind == "leg"}
    assert {kind for kind, *_ in made.values()} == {"edge", "property"}
    assert made["Delivery.Loaf"][:3] == ("edge", ("Delivery",), ("Loaf",))
    assert [legs[leg] for leg in made["Delivery.Loaf"][3]] == ["HAS", "FOR"]
    assert made["Baker.Baker"][:3] == ("edge", ("Baker",), ("Baker",))
    assert made["Whereabouts.town"][:2] == ("property", ("Bakery",))
    qualifiers = {(r.of, r.type) for r in mapping.relations if r.kind == "qualifier"}
    assert qualifiers >= {("Delivery.Loaf", "pieces"), ("Delivery.Loaf", "note"), ("Baker.Baker", "closeness")}


def test_secrets_and_copies_are_left_out_and_the_file_says_so(bakeries: Proposal, tmp_path: Path) -> None:
    assert {(one.holder, one.key) for one in bakeries.left_out} == {("Bakery", "apiKey"), ("Delivery", "bakery")}
    write_mapping(bakeries.mapping, tmp_path / "b.toml", tuple(map(str, bakeries.left_out)))
    write_mapping(bakeries.mapping, tmp_path / "b.toml", tuple(map(str, bakeries.left_out)))
    text = (tmp_path / "b.toml").read_text(encoding="utf-8")
    assert text.count("# Left out: Bakery.apiKey: its name says that it is secret") == 1
    assert read_mapping(tmp_path / "b.toml") == bakeries.mapping


# ── questions, read only ─────────────────────────────────────────────────────────────────────────────────────────────

QUESTIONS = [
    ("Which loaves are in delivery 7001?", {"Dark Rye", "Plain Bun"}),
    ("Which deliveries contain Dark Rye?", {"7001", "7003"}),
    ("How many pieces of Dark Rye were in delivery 7001?", {"30"}),
    ("How many pieces of Dark Rye were in delivery 7003?", {"25"}),
    ("In which town is Dock Street?", {"Hull"}),
    ("Which bakery sent delivery 7002?", {"Mill Lane"}),
    ("Who works at Dock Street?", {"Bob Hobb", "Cat Reed"}),
    ("What is the price of Oat Loaf?", {"3.9"}),
    ("What is the closeness of Ann Hobb and Bob Hobb?", {"sister"}),
]


@pytest.mark.parametrize(("question", "expected"), QUESTIONS)
def test_questions_over_join_nodes(driver: neo4j.Driver, bakeries: Proposal, question: str, expected: set[str]) -> None:
    with KGQA(driver, graph="bakeries", mapping=bakeries.mapping) as kg:
        reply = kg.ask(question)
    assert {str(getattr(one.item, "value", one.item.name)) for one in reply.answers} == expected, reply.text
    assert all(fact.head.name != fact.head.element_id for fact in reply.facts)


def state(driver: neo4j.Driver) -> object:
    """Counts of everything, and the tokens of the schema."""
    [row] = driver.execute_query(
        "MATCH (n) WHERE any(label IN labels(n) WHERE label IN $labels) "
        "RETURN count(n) AS nodes, sum(size(keys(n))) AS held, sum(COUNT { (n)-->() }) AS edges",
        labels=LABELS,
    ).records
    indexes = driver.execute_query(
        "SHOW INDEXES YIELD name, labelsOrTypes WHERE any(l IN labelsOrTypes WHERE l IN $l)", l=LABELS
    )
    return row.data(), [one["name"] for one in indexes.records]


def test_mapping_and_asking_write_nothing(driver: neo4j.Driver, bakeries: Proposal) -> None:
    before = state(driver)
    look(driver)
    with KGQA(driver, graph="bakeries", mapping=bakeries.mapping) as kg:
        kg.ask_many([question for question, _ in QUESTIONS[:4]])
    with Neo4jIO(driver) as io:
        run(check_mapping(bakeries.mapping, run(survey(), io)), io)
    assert state(driver) == before


# ── drift ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def drift(driver: neo4j.Driver, mapping: GraphMapping) -> list[Drift]:
    """What differs, but for what other tests leave in the database."""
    with Neo4jIO(driver) as io:
        found = run(check_mapping(mapping, run(survey(), io)), io)
    ours = {*LABELS, *(relation.type for relation in mapping.relations), "Croissant", "SELLS", "bakeries_names"}
    return [one for one in found if one.thing.split(".")[0] in ours]


def test_a_mapping_that_fits_shows_no_drift(driver: neo4j.Driver, bakeries: Proposal) -> None:
    assert drift(driver, bakeries.mapping) == []


def test_new_things_are_notes(driver: neo4j.Driver, bakeries: Proposal) -> None:
    driver.execute_query(
        "MATCH (b:Bakery {name: 'Mill Lane'}) SET b.opened = 1999 CREATE (b)-[:SELLS]->(:Croissant {name: 'Butter'})"
    )
    try:
        found = drift(driver, bakeries.mapping)
    finally:
        driver.execute_query("MATCH (c:Croissant) DETACH DELETE c")
        driver.execute_query("MATCH (b:Bakery) REMOVE b.opened")
    assert {(one.kind, one.thing) for one in found} == {
        ("new label", "Croissant"),
        ("new type", "SELLS"),
        ("new property", "Bakery.opened"),
    }
    assert not any(one.breaks for one in found)


@pytest.mark.parametrize(
    ("change", "undo", "kind", "thing"),
    [
        ("MATCH (n:Loaf) REMOVE n.price", None, "property gone", "Loaf.price"),
        ("MATCH (n:Loaf) REMOVE n.name", None, "name missing", "Loaf.name"),
        ("MATCH (n:Loaf) SET n.loafId = 1", None, "key repeats", "Loaf.loafId"),
        ("MATCH (n:Loaf {name: 'Oat Loaf'}) REMOVE n.loafId", None, "key missing", "Loaf.loafId"),
        ("MATCH (:Baker)-[r:WORKS_AT]->() DELETE r", None, "type gone", "WORKS_AT"),
        ("MATCH (n:DeliveryItem) REMOVE n.pieces", None, "property gone", "Delivery.Loaf.pieces"),
        ("MATCH (n:Loaf) REMOVE n:Loaf SET n:Whereabouts", None, "label gone", "Loaf"),
        ("MATCH (n:Loaf) REMOVE n:Loaf SET n:Whereabouts", None, "ends changed", "FOR"),
    ],
)
def test_what_the_mapping_relies_on_and_is_gone_is_reported(
    driver: neo4j.Driver, bakeries: Proposal, change: str, undo: None, kind: str, thing: str
) -> None:
    driver.execute_query(change)
    try:
        found = drift(driver, bakeries.mapping)
    finally:
        driver.execute_query("MATCH (n) WHERE any(l IN labels(n) WHERE l IN $labels) DETACH DELETE n", labels=LABELS)
        driver.execute_query(MAKE)
    assert (kind, thing) in {(one.kind, one.thing) for one in found if one.breaks}, found


def test_an_index_that_is_gone_is_reported(driver: neo4j.Driver, bakeries: Proposal) -> None:
    found = drift(driver, replace(bakeries.mapping, fulltext="bakeries_names"))
    assert [(one.kind, one.thing) for one in found] == [("index gone", "bakeries_names")]


def test_check_ends_with_1_and_a_named_error_when_something_is_gone(
    driver: neo4j.Driver, bakeries: Proposal, tmp_path: Path
) -> None:
    file = tmp_path / "bakeries.toml"
    write_mapping(bakeries.mapping, file)
    fits = kgqa("map", "--graph", "bakeries", "--check", "--json", "--output", str(file))
    assert fits.returncode == 0, fits.stderr
    assert json.loads(fits.stdout)["ok"]
    gone = replace(bakeries.mapping, entities=(*bakeries.mapping.entities, EntityKind("Pretzel", "id", ("name",))))
    write_mapping(gone, file)
    broken = kgqa("map", "--graph", "bakeries", "--check", "--json", "--output", str(file))
    assert broken.returncode == 1
    assert "no longer fits" in broken.stderr
    assert "Traceback" not in broken.stderr
    document = json.loads(broken.stdout)
    assert not document["ok"]
    assert {"label gone"} == {entry["kind"] for entry in document["drift"] if entry["breaks"]}
    missing = kgqa("map", "--graph", "nowhere", "--check", "--output", str(tmp_path / "absent.toml"))
    assert missing.returncode == 2


# ── a wide schema ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_schema_of_many_labels_and_types_is_read_right(driver: neo4j.Driver) -> None:
    company = make_company(labels=20, types=60, nodes=30)
    write_company(driver, company)
    try:
        with Neo4jIO(driver) as io:
            proposal = propose("made", run(survey(), io))
    finally:
        driver.execute_query(
            "MATCH (n) WHERE any(l IN labels(n) WHERE l IN $labels) DETACH DELETE n", labels=list(company.labels)
        )
    shares = compare(proposal, company)
    shares.pop("taken for join nodes wrongly")  # other tests have labels here
    assert all(right == whole for right, whole in (share.split(" / ") for share in shares.values())), shares
    assert not {join.label for join in proposal.joins} & set(company.names)
