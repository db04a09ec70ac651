"""py2neo's connections are used through the official driver, and a proof becomes a py2neo subgraph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.errors import ConnectionFailedError, UsageError
from kgqa_graphdb.integrations.py2neo import connection_of
from kgqa_graphdb.managed import Connection
from kgqa_loaders.recognise import open_source
from kgqa_loaders.relations import read_relations
from kgqa_loaders.write import load

py2neo = pytest.importorskip("py2neo", reason="py2neo is not installed: pip install 'kgqa-graphdb[py2neo]'")

FACTS = """\
Mars\thas moon\tPhobos
Mars\thas moon\tDeimos
Phobos\tdiscovered by\tAsaph Hall
Phobos\tdiameter\t22
"""
RELATIONS = """\
[relations."diameter"]
kind = "property"
datatype = "integer"
"""


@pytest.fixture
def worlds(driver: neo4j.Driver, graph_name: str, tmp_path: Path) -> str:
    (tmp_path / "facts.tsv").write_text(FACTS, encoding="utf-8")
    (tmp_path / "relations.toml").write_text(RELATIONS, encoding="utf-8")
    source = open_source(str(tmp_path / "facts.tsv"), "tsv")
    load(driver, source, graph=graph_name, relations=read_relations(str(tmp_path / "relations.toml")))
    return graph_name


@pytest.fixture
def theirs(connection: Connection) -> Any:
    """A py2neo graph, as a program that uses py2neo has one."""
    return py2neo.Graph(connection.uri, auth=connection.auth, name=connection.database)


@pytest.fixture
def kg(theirs: Any, worlds: str) -> Iterator[KGQA]:
    with KGQA.from_py2neo(theirs, worlds) as opened:
        yield opened


def test_a_py2neo_connection_is_used_through_the_driver(theirs: Any, kg: KGQA) -> None:
    assert set(kg.ask("Which moons does [Mars] have?").names) == {"Phobos", "Deimos"}
    assert theirs.evaluate("RETURN 1") == 1  # theirs goes on working


def test_a_proof_is_a_subgraph(kg: KGQA, theirs: Any, worlds: str) -> None:
    reply = kg.ask("Which moons does [Mars] have?")
    subgraph = reply.to_py2neo()
    assert isinstance(subgraph, py2neo.Subgraph)
    assert {node["entity_id"] for node in subgraph.nodes} == {"Mars", "Phobos", "Deimos"}
    found = {(edge.start_node["name"], type(edge).__name__, edge.end_node["name"]) for edge in subgraph.relationships}
    assert found == {(fact.head.name, fact.relation.type, str(fact.tail.name)) for fact in reply.facts}
    # py2neo itself reads it back from what it wrote.
    copied = py2neo.Subgraph(subgraph.nodes, subgraph.relationships)
    label = f"Copy_{worlds}"
    for node in copied.nodes:
        node.add_label(label)
    transaction = theirs.begin()
    try:
        transaction.create(copied)
        count = transaction.run(f"MATCH (:`{label}` {{name: 'Mars'}})-[:`has moon`]->(m) RETURN count(m)").evaluate()
    finally:
        theirs.rollback(transaction)
    assert count == 2


def test_values_are_properties_of_their_node(kg: KGQA) -> None:
    [node] = kg.ask("What is the diameter of [Phobos]?").to_py2neo().nodes
    assert (node["name"], node["diameter"]) == ("Phobos", 22)


def test_an_abstention_is_an_empty_subgraph(kg: KGQA) -> None:
    subgraph = kg.ask("Who painted [Zorblax]?").to_py2neo()
    assert not subgraph.nodes
    assert not subgraph.relationships


def profile(uri: str) -> SimpleNamespace:
    return SimpleNamespace(
        service=SimpleNamespace(profile=SimpleNamespace(uri=uri, auth=("ann", "secret"))), name="facts"
    )


def test_address_credentials_and_database_are_taken_over() -> None:
    found = connection_of(profile("neo4j+s://graph.example.com:7687"))
    assert (found.uri, found.auth, found.database) == (
        "neo4j+s://graph.example.com:7687",
        ("ann", "secret"),
        "facts",
    )


def test_http_and_other_things_are_refused_with_the_cure() -> None:
    with pytest.raises(ConnectionFailedError, match="Bolt"):
        connection_of(profile("http://localhost:7474"))
    with pytest.raises(UsageError, match=r"py2neo\.Graph"):
        connection_of(object())
