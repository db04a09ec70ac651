"""A graph that kgqa did not load: what is proposed for it, that nothing is written, and that it can be asked."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest
from neo4j.graph import Node as DriverNode

from kgqa_graphdb import KGQA
from kgqa_graphdb.mapping import EntityKind, GraphMapping, read_mapping, write_mapping
from kgqa_graphdb.mapping.next_steps import NextByLabel
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.survey import names_index, propose_mapping, survey

LABELS = ("Boardgame", "Designer", "Game Club", "Purchase")
OURS = "any(label IN labels(n) WHERE label IN $labels)"

MAKE = """
CREATE (bay:Boardgame {sku: 101, title: 'Lantern Bay', price: 34.5, launched: date('2019-05-04')}),
       (ticket:Boardgame {sku: 102, title: "Captain's Ticket", price: 29.0, launched: date('2021-10-01')}),
       (moss:Boardgame {sku: 103, title: 'Moss & Mortar', price: 41.0}),
       (untitled:Boardgame {sku: 105, price: 5.0}),
       (ana:Designer {firstName: 'Ana', lastName: 'Ferreira', born: 1961}),
       (zoe:Designer {firstName: 'Zoé', lastName: 'Müller', born: 1984, vector: [0.5, 0.25], _kgqa_vector_of: 'x'}),
       (lone:Designer {lastName: 'Okafor', born: 1990}),
       (club:`Game Club` {code: 'GC-7', name: 'Tuesday Table'}),
       (other:`Game Club` {code: 'GC-8', name: 'Harbour Players'}),
       (p1:Purchase {purchaseId: 9001, paid: true}),
       (p2:Purchase {purchaseId: 9002, paid: false}),
       (ana)-[:DESIGNED {year: 2018}]->(bay), (zoe)-[:DESIGNED {year: 2020}]->(ticket),
       (zoe)-[:DESIGNED {year: 2017}]->(moss), (lone)-[:DESIGNED]->(untitled),
       (club)-[:`PLAY``S`]->(bay), (club)-[:`PLAY``S`]->(ticket), (other)-[:`PLAY``S`]->(moss),
       (club)-[:ORDERED]->(p1), (other)-[:ORDERED]->(p2),
       (p1)-[:CONTAINS {copies: 3, remarks: ['gift', 'fragile']}]->(bay),
       (p1)-[:CONTAINS {copies: 1}]->(moss),
       (p2)-[:CONTAINS {copies: 8}]->(bay)
"""


@pytest.fixture(scope="module")
def shop(driver: neo4j.Driver) -> Iterator[GraphMapping]:
    """A shop of board games, as somebody else's database holds it, and the mapping proposed for it."""
    driver.execute_query(MAKE)
    driver.execute_query("CREATE CONSTRAINT boardgame_sku FOR (n:Boardgame) REQUIRE n.sku IS UNIQUE")
    yield propose(driver)
    driver.execute_query("DROP CONSTRAINT boardgame_sku")
    driver.execute_query(f"MATCH (n) WHERE {OURS} DETACH DELETE n", labels=LABELS)
    driver.execute_query("DROP INDEX shop_kgqa_names IF EXISTS")


def propose(driver: neo4j.Driver) -> GraphMapping:
    """The proposal, without what other tests left in the database."""
    with Neo4jIO(driver) as io:
        found = propose_mapping("shop", run(survey(), io))
    kinds = tuple(kind for kind in found.entities if kind.label in LABELS)
    relations = tuple(r for r in found.relations if {*r.heads, *r.tails} & set(LABELS) or r.kind == "qualifier")
    return GraphMapping("shop", kinds, relations, fulltext=found.fulltext)


def state(driver: neo4j.Driver) -> tuple[object, ...]:
    """Everything of the shop, and the schema."""
    nodes = driver.execute_query(
        f"MATCH (n) WHERE {OURS} RETURN labels(n) AS l, properties(n) AS p ORDER BY elementId(n)", labels=LABELS
    ).records
    edges = driver.execute_query(
        f"MATCH (n)-[r]->() WHERE {OURS} RETURN type(r) AS t, properties(r) AS p ORDER BY elementId(r)", labels=LABELS
    ).records
    schema = [
        # Loaded graphs of other tests come and go.
        driver.execute_query(f"SHOW {what} YIELD name WHERE NOT name STARTS WITH 'KG_' RETURN name").records
        for what in ("INDEXES", "CONSTRAINTS")
    ]
    return ([row.data() for row in nodes], [row.data() for row in edges], schema)


# ── the proposal ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_keys_and_names_are_found(shop: GraphMapping) -> None:
    assert {kind.label: kind for kind in shop.entities} == {
        "Boardgame": EntityKind("Boardgame", "sku", ("title",)),
        "Designer": EntityKind("Designer", None, ("firstName", "lastName"), ("lastName",)),
        "Game Club": EntityKind("Game Club", "code", ("name",)),
        "Purchase": EntityKind("Purchase", "purchaseId", ()),
    }


def test_relationship_types_join_the_labels_that_they_join(shop: GraphMapping) -> None:
    ends = {r.type: (r.heads, r.tails) for r in shop.relations if r.kind == "edge"}
    assert ends == {
        "DESIGNED": (("Designer",), ("Boardgame",)),
        "PLAY`S": (("Game Club",), ("Boardgame",)),
        "ORDERED": (("Game Club",), ("Purchase",)),
        "CONTAINS": (("Purchase",), ("Boardgame",)),
    }


def test_other_properties_are_relations_and_vectors_are_left_out(shop: GraphMapping) -> None:
    held = {r.type: r.heads for r in shop.relations if r.kind == "property" and set(r.heads) <= set(LABELS)}
    assert held == {
        "born": ("Designer",),
        "launched": ("Boardgame",),
        "paid": ("Purchase",),
        "price": ("Boardgame",),
        "sku": ("Boardgame",),  # a key that people ask for, beside a name
        "code": ("Game Club",),
    }


def test_properties_of_relationships_are_qualifiers_of_their_type(shop: GraphMapping) -> None:
    held = {r.id: r.of for r in shop.relations if r.kind == "qualifier" and r.of in ("CONTAINS", "DESIGNED")}
    assert held == {
        "CONTAINS.copies": "CONTAINS",
        "CONTAINS.remarks": "CONTAINS",
        "DESIGNED.year": "DESIGNED",
    }


def test_what_follows_a_step_is_what_its_labels_allow(shop: GraphMapping) -> None:
    after = NextByLabel(shop)
    assert set(after["<DESIGNED"]) == {">DESIGNED", ">born", ">DESIGNED.year"}
    assert set(after[">ORDERED"]) == {"<ORDERED", ">CONTAINS", ">paid"}


def test_looking_writes_nothing(driver: neo4j.Driver, shop: GraphMapping) -> None:
    before = state(driver)
    propose(driver)
    with KGQA(driver, graph="shop", mapping=shop) as kg:
        kg.ask("Who designed Lantern Bay?")
    assert state(driver) == before


def test_mapping_file_round_trips(shop: GraphMapping, tmp_path: Path) -> None:
    write_mapping(shop, tmp_path / "shop.toml")
    assert read_mapping(tmp_path / "shop.toml") == shop


# ── questions ────────────────────────────────────────────────────────────────────────────────────────────────────────


QUESTIONS = [
    ("Who designed Lantern Bay?", {"Ana Ferreira"}),
    ("who designed captain's ticket", {"Zoé Müller"}),
    ("What is the price of Moss & Mortar?", {41.0}),
    ("When was zoe muller born?", {1984}),
    ("Which board games did Ferreira design?", {"Lantern Bay"}),
    ("Who designed 105?", {"Okafor"}),
    ("Which board games were designed by the designer of Captain's Ticket?", {"Moss & Mortar"}),
    ("How many copies of Lantern Bay did purchase 9002 contain?", {8}),
    ("Who ordered purchase 9001?", {"Tuesday Table"}),
    ("What does purchase 9001 contain?", {"Lantern Bay", "Moss & Mortar"}),
]


@pytest.fixture(scope="module", params=["by scan", "by index"])
def kg(request: pytest.FixtureRequest, driver: neo4j.Driver, shop: GraphMapping) -> Iterator[KGQA]:
    fulltext = ""
    if request.param == "by index":
        driver.execute_query(names_index("shop_kgqa_names", shop.entities).text)
        driver.execute_query("CALL db.awaitIndexes(60)")
        fulltext = propose(driver).fulltext or "shop_kgqa_names"
    with KGQA(
        driver, graph="shop", mapping=GraphMapping("shop", shop.entities, shop.relations, fulltext=fulltext)
    ) as it:
        yield it


@pytest.mark.parametrize(("question", "expected"), QUESTIONS)
def test_questions_are_answered_and_their_cypher_returns_the_same(
    driver: neo4j.Driver, kg: KGQA, question: str, expected: set[object]
) -> None:
    reply = kg.ask(question)
    assert {getattr(node.item, "value", node.item.name) for node in reply.answers} == expected, reply.text
    assert reply.cypher is not None
    rows = driver.execute_query(reply.cypher.text, dict(reply.cypher.parameters)).records
    replayed = {
        answer.element_id if isinstance(answer, DriverNode) else answer for answer in (r["answer"] for r in rows)
    }
    assert replayed == {getattr(n.item, "element_id", None) or n.item.value for n in reply.answers}


# ── the command line ─────────────────────────────────────────────────────────────────────────────────────────────────


def kgqa(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from kgqa_graphdb.cli import main; main()", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_map_ask_graphs_and_drop_work_together(driver: neo4j.Driver, shop: GraphMapping) -> None:
    before = state(driver)
    mapped = kgqa("map", "--graph", "boardshop", "--json")
    assert mapped.returncode == 0, mapped.stderr
    document = json.loads(mapped.stdout)
    file = Path(document["file"])
    assert {entry["label"] for entry in document["entities"]} >= set(LABELS)
    assert read_mapping(file).graph == "boardshop"

    again = kgqa("map", "--graph", "boardshop")
    assert again.returncode == 2
    assert "corrections" in again.stderr

    listed = json.loads(kgqa("graphs", "--json").stdout)["graphs"]
    assert [(info["owned"], info["entities"]) for info in listed if info["graph"] == "boardshop"] == [(False, None)]

    asked = kgqa("ask", "Who designed Lantern Bay?", "--graph", "boardshop")
    assert "Ana Ferreira" in asked.stdout, asked.stderr

    dropped = kgqa("drop", "boardshop")
    assert dropped.returncode == 0, dropped.stderr
    assert not file.exists()
    assert state(driver) == before


def test_an_index_is_made_when_asked_and_corrections_stay(
    driver: neo4j.Driver, shop: GraphMapping, tmp_path: Path
) -> None:
    file = tmp_path / "club.toml"
    write_mapping(GraphMapping("club", shop.entities[:1], shop.relations[:1]), file)
    try:
        done = kgqa("map", "--graph", "club", "--index", "--output", str(file), "--json")
        assert done.returncode == 0, done.stderr
        indexes = driver.execute_query("SHOW INDEXES YIELD name, labelsOrTypes WHERE name = 'club_kgqa_names' RETURN *")
        assert [row["labelsOrTypes"] for row in indexes.records] == [[shop.entities[0].label]]
        kept = read_mapping(file)
        assert (kept.entities, kept.relations, kept.fulltext) == (
            shop.entities[:1],
            shop.relations[:1],
            "club_kgqa_names",
        )
    finally:
        driver.execute_query("DROP INDEX club_kgqa_names IF EXISTS")


def test_a_loaded_graph_is_not_mapped(driver: neo4j.Driver, shop: GraphMapping) -> None:
    driver.execute_query(
        "CREATE (:_KGQA_Graph {graph: 'maploaded', entities: 0, facts: 0, source: '', licence: '', loaded_at: '', "
        "state: 'complete'})"
    )
    try:
        refused = kgqa("map", "--graph", "maploaded")
    finally:
        driver.execute_query("MATCH (n:_KGQA_Graph {graph: 'maploaded'}) DELETE n")
    assert refused.returncode == 2
    assert "loaded" in refused.stderr
