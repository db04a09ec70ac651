"""Public files made of Wikidata in Neo4j: the graph holds what the files say."""

from __future__ import annotations

import bz2
import json
import os
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kgqa_loaders.recognise import open_sources
from kgqa_loaders.records import ReadOptions
from kgqa_loaders.write import LoadReport, load

pytestmark = [pytest.mark.neo4j, pytest.mark.data]

FOLDER = Path(os.environ.get("KGQA_DATA", "data")) / "wikidata"


def loaded(driver: neo4j.Driver, graph: str, name: str, **options: Any) -> LoadReport:
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"no {path}: set KGQA_DATA to the folder that holds wikidata/{name}")
    source = open_sources([str(path)], options=ReadOptions(**options)).source
    return load(driver, source, graph=graph)


def value(driver: neo4j.Driver, graph: str, query: str) -> Any:
    """The one value that a query about a graph gives; ``$(label)`` in it is the graph's label."""
    records, _, _ = driver.execute_query(query.replace("$(label)", f"`KG_{graph}`"), graph=graph)
    return records[0][0]


def test_a_dump_of_634_items(driver: neo4j.Driver, graph_name: str) -> None:
    report = loaded(driver, graph_name, "opentapioca/short_stream.json.bz2")
    lines = bz2.decompress((FOLDER / "opentapioca/short_stream.json.bz2").read_bytes()).splitlines()
    items = [json.loads(line) for line in lines if line]  # some stand there twice, as they were edited
    facts, tails, qualified = set(), set(), set()
    for item in items:
        for group in item["claims"].values():
            best = "preferred" if any(statement["rank"] == "preferred" for statement in group) else "normal"
            for statement in group:
                snak = statement["mainsnak"]
                if snak.get("datavalue", {}).get("type") == "wikibase-entityid" and statement["rank"] == best:
                    tail = snak["datavalue"]["value"]["id"]
                    fact = (item["id"], snak["property"], tail)
                    tails.add(tail)
                    if statement.get("qualifiers"):
                        qualified.add((*fact, statement["id"]))
                    else:
                        facts.add(fact)
    not_value = "WHERE NOT n:Value"
    assert value(driver, graph_name, f"MATCH (n:$(label)) {not_value} RETURN count(n)") == len(
        {item["id"] for item in items} | tails
    )
    links = f"MATCH (:$(label))-[r]->(n:$(label)) {not_value} AND r.statement_id "
    assert value(driver, graph_name, links + "IS NULL RETURN count(r)") == len(facts)
    assert value(driver, graph_name, links + "IS NOT NULL RETURN count(r)") == len(qualified)
    assert value(driver, graph_name, "MATCH (n:$(label)) RETURN count(n)") == report.entities
    assert value(driver, graph_name, "MATCH (:$(label))-[r]->() RETURN count(r)") == report.facts
    named = "MATCH (n:$(label)) WHERE NOT n:Value AND n.name <> n.entity_id RETURN count(n)"
    in_english = {item["id"] for item in items if "en" in item["labels"] or "enwiki" in item["sitelinks"]}
    assert value(driver, graph_name, named) == len(in_english)
    assert report.rejected == 3  # statements that say that there is no value


def test_an_entity_with_its_property_and_its_values(driver: neo4j.Driver, graph_name: str) -> None:
    loaded(driver, graph_name, "entitybase/rdf/ttl/Q42.ttl")
    born = "MATCH (n:$(label) {entity_id: 'Q42'}) RETURN toString(n.P569)"
    assert value(driver, graph_name, born) == "1952-03-11"
    assert value(driver, graph_name, "MATCH (n:$(label) {entity_id: 'Q42'}) RETURN n.P2048_Q11573") == 1.96
    spouse = "MATCH (:$(label) {entity_id: 'Q42'})-[r:P26]->(n) RETURN [toString(r.P580), n.name]"
    assert value(driver, graph_name, spouse) == ["1991-11-25", "Jane Belson"]
    note = "MATCH (m:_KGQA_Relation {graph: $graph}) WHERE m.relation = 'P26' RETURN m.label"
    assert value(driver, graph_name, note) == "spouse"
    height = note.replace("P26", "P2048_Q11573").replace("m.label", "[m.label, m.unit]")
    assert value(driver, graph_name, height) == ["height", "m"]


def test_second_load_changes_nothing(driver: neo4j.Driver, graph_name: str) -> None:
    loaded(driver, graph_name, "entitybase/json/entities/Q1.json", references=True, ranks="all")
    again = loaded(driver, graph_name, "entitybase/json/entities/Q1.json", references=True, ranks="all")
    assert (again.added_entities, again.added_facts, again.added_literals) == (0, 0, 0)
