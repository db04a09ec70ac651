"""Saved queries and style for Neo4j Browser, of a graph that was loaded and of one that was not."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from io import BytesIO

import neo4j
import pytest

from kgqa_graphdb.integrations.browser import BrowserKit, browser_kit, style, write_queries, write_style
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from tests.neo4j.graphs import make_graph, remove_graph

TRIPLES = [
    ("Marlo's Gate", "built.by", "Ann \\ Quint"),
    ("Old Mill", "built.by", "Ann \\ Quint"),
    ("Ann \\ Quint", "lives in", "Tarn"),
]


def kit_of(driver: neo4j.Driver, mapping: GraphMapping) -> BrowserKit:
    with Neo4jIO(driver) as io:
        return run(browser_kit(mapping), io)


def rows(driver: neo4j.Driver, kit: BrowserKit, name: str) -> list[neo4j.Record]:
    [query] = [query for query in kit.queries if query.name == name]
    return driver.execute_query(query.text).records


def test_every_saved_query_runs_as_it_is(driver: neo4j.Driver, graph_name: str) -> None:
    made = make_graph(driver, graph_name, TRIPLES)
    try:
        kit = kit_of(driver, made.mapping)
        found = {query.name: len(driver.execute_query(query.text).records) for query in kit.queries}
        entity = rows(driver, kit, "An entity and its facts")
    finally:
        remove_graph(driver, made)
    assert found["Picture of the schema, one fact of each relation"] == 2
    assert found["Most connected entities"] == 4
    assert found["An entity and its facts"] == 3  # of the one with the most facts
    assert found["Facts between two entities"] == 1
    assert found["Find a name, misspelled or not"] >= 1
    assert {record["facts"].start_node["name"] for record in entity} == {"Ann \\ Quint"}


def test_the_style_has_names_as_captions_and_colours_for_classes(driver: neo4j.Driver, graph_name: str) -> None:
    made = make_graph(driver, graph_name, TRIPLES)
    try:
        driver.execute_query(f"MATCH (n:`{made.mapping.label}` {{name: 'Old Mill'}}) SET n:`Building.Old`")
        rules = kit_of(driver, made.mapping).style
    finally:
        remove_graph(driver, made)
    own, building = rules[f"node.{made.mapping.label}"], rules["node.Building\\.Old"]
    assert own["caption"] == "{name}"
    assert own["color"] != building["color"]
    assert rules["relationship.lives in"]["color"] != rules["relationship.built\\.by"]["color"]
    assert list(rules).index("node.Building\\.Old") > list(rules).index(f"node.{made.mapping.label}")


def test_a_graph_that_was_not_loaded_has_its_labels_and_names(driver: neo4j.Driver, graph_name: str) -> None:
    person, town = f"{graph_name}_Person", f"{graph_name}_Town"
    mapping = GraphMapping(
        graph=graph_name,
        entities=(EntityKind(person, "id", ("first", "last")), EntityKind(town, None, ("name",))),
        relations=(replace(make_relation("LIVES_IN"), heads=(person,), tails=(town,)),),
    )
    driver.execute_query(
        f"CREATE (:`{person}` {{id: 1, first: 'Ann', last: 'Quint'}})-[:LIVES_IN]->(:`{town}` {{name: 'Tarn'}})"
    )
    try:
        kit = kit_of(driver, mapping)
        found = {query.name: len(driver.execute_query(query.text).records) for query in kit.queries}
    finally:
        driver.execute_query(f"MATCH (n:`{person}`|`{town}`) DETACH DELETE n")
    assert kit.style[f"node.{person}"]["caption"] == "{first} {last}"
    assert kit.style[f"node.{person}"]["color"] != kit.style[f"node.{town}"]["color"]
    assert found == {
        "Picture of the schema, one fact of each relation": 1,
        f"{person}: Most connected entities": 1,
        f"{town}: Most connected entities": 1,
    }


def test_files_hold_all_graphs_and_are_the_same_each_time(driver: neo4j.Driver, graph_name: str) -> None:
    made = make_graph(driver, graph_name, TRIPLES)
    try:
        kits = [kit_of(driver, made.mapping), replace(kit_of(driver, made.mapping), graph="other")]
    finally:
        remove_graph(driver, made)
    assert write_queries(kits) == write_queries(kits)
    with zipfile.ZipFile(BytesIO(write_queries(kits))) as archive:
        folders = {name.split("/")[0] for name in archive.namelist()}
        assert folders == {graph_name, "other"}
        assert all(name.endswith(".cypher") for name in archive.namelist())
        assert archive.read(archive.namelist()[0]).decode().startswith("// ")
    rules = json.loads(write_style(kits))
    assert rules["node"]
    assert all(isinstance(value, str) for rule in rules.values() for value in rule.values())


@pytest.mark.parametrize("count", [1, 3_000])
def test_colours_do_not_run_out(count: int) -> None:
    mapping = GraphMapping(
        "many", (EntityKind("A", "id", ("name",)),), tuple(make_relation(f"r{n}") for n in range(count))
    )
    rules = style(mapping)
    assert len(rules) == count + 1
    assert len({rule["color"] for rule in rules.values()}) >= min(count, 500)
