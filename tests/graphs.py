"""Graphs of tests: the demo graph loaded, and whatever a test left taken away."""

from __future__ import annotations

from typing import Any

import neo4j

from kgqa_graphdb import demo
from kgqa_loaders.recognise import open_source
from kgqa_loaders.relations import read_relations
from kgqa_loaders.write import load


def load_demo(driver: neo4j.Driver, graph: str) -> None:
    """Load the demo graph under a name."""
    load(driver, open_source(str(demo.FACTS_FILE)), graph=graph, relations=read_relations(demo.RELATIONS_FILE))


def remove(driver: neo4j.Driver, name: str, *, unless: str = "false") -> None:
    """Delete all graphs whose names begin so, whatever state they are in, with constraints and indexes.

    :param unless: which of those stay, as Cypher
    """
    label = f"KG_{name}"
    labels = "CALL db.labels() YIELD label AS found WHERE found STARTS WITH $label RETURN found"
    for record in driver.execute_query(labels, label=label).records:
        driver.execute_query(f"MATCH (n:`{record['found']}`) DETACH DELETE n")
    notes = "MATCH (m:_KGQA_Graph|_KGQA_Relation) WHERE m.graph STARTS WITH $name DETACH DELETE m"
    driver.execute_query(notes, name=name)
    drop_schema(driver, f"name STARTS WITH $label AND NOT {unless}", label=label)


def drop_schema(driver: neo4j.Driver, which: str, **parameters: Any) -> None:
    """Drop constraints and indexes.

    :param which: as Cypher, of their names and types
    """
    for kind, listing in (("CONSTRAINT", "SHOW CONSTRAINTS"), ("INDEX", "SHOW INDEXES")):
        found = driver.execute_query(f"{listing} YIELD name, type WHERE {which} RETURN name", parameters)
        for record in found.records:
            driver.execute_query(f"DROP {kind} `{record['name']}` IF EXISTS")
