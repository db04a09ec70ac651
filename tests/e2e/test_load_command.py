"""``kgqa load`` on sources of several kinds: what is recognised, a part of it, a dry run, ``--sync``, provenance."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kgqa_graphdb.managed import Connection
from tests.e2e.command import assert_one_line, document, kgqa

pytestmark = pytest.mark.neo4j

TURTLE = """@prefix ex: <http://example.org/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:orbits a rdf:Property ; rdfs:label "orbits"@en .
ex:mars rdfs:label "Mars"@en, "Mars (Planet)"@de ; a ex:Planet ; ex:orbits ex:sun ; ex:moons 2 .
ex:sun rdfs:label "Sun"@en .
ex:venus rdfs:label "Venus"@en ; a ex:Planet ; ex:orbits ex:sun ; ex:moons 0 .
ex:phobos rdfs:label "Phobos"@en ; ex:orbits ex:mars .
"""


@pytest.fixture
def graph(connection: Connection, driver: neo4j.Driver) -> Iterator[str]:
    name = f"cli{uuid.uuid4().hex[:10]}"
    yield name
    kgqa("drop", name, "--yes")


def names_in(driver: neo4j.Driver, graph: str) -> set[str]:
    return {row[0] for row in driver.execute_query(f"MATCH (n:`KG_{graph}`) RETURN n.name").records}  # type: ignore[arg-type]


def load(graph: str, *arguments: str | Path) -> dict[str, Any]:
    return document(kgqa("load", *arguments, "--graph", graph, "--json"))


@pytest.fixture
def turtle(tmp_path: Path) -> Path:
    pytest.importorskip("pyoxigraph")
    path = tmp_path / "planets.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return path


def test_turtle_is_recognised_loaded_and_asked(graph: str, turtle: Path) -> None:
    report = load(graph, turtle, "--licence", "CC0-1.0")
    assert (report["entities"], report["facts"], report["literals"], report["rejected"]) == (4, 3, 2, 0)
    answers = document(kgqa("ask", "what orbits the Sun?", "--graph", graph, "--json"))["answers"]
    assert {answer["name"] for answer in answers} == {"Mars", "Venus"}
    info = next(info for info in document(kgqa("graphs", "--json"))["graphs"] if info["graph"] == graph)
    assert (info["licence"], info["formats"], info["source"]) == ("CC0-1.0", ["rdf"], str(turtle))
    assert len(info["checksum"]) == 64


def test_dry_run_says_what_would_be_and_writes_nothing(graph: str, turtle: Path) -> None:
    found = document(kgqa("load", turtle, "--graph", graph, "--dry-run", "--json"))
    assert (found["entities"], found["facts"], found["literals"], found["complete"]) == (4, 3, 2, True)
    assert {relation["kind"] for relation in found["relations"]} == {"edge", "property"}
    assert graph not in {info["graph"] for info in document(kgqa("graphs", "--json"))["graphs"]}
    told = kgqa("load", turtle, "--graph", graph, "--dry-run")
    assert "Nothing was written" in told.stdout
    assert "Mars" in told.stdout


def test_part_around_a_seed_is_loaded(graph: str, turtle: Path, driver: neo4j.Driver) -> None:
    load(graph, turtle, "--seeds", "http://example.org/mars", "--hops", "1")
    assert names_in(driver, graph) == {"Mars", "Sun", "Phobos"}


def test_several_files_make_one_graph(graph: str, tmp_path: Path, driver: neo4j.Driver) -> None:
    (tmp_path / "people.csv").write_text("id:ID,name,born:int,:LABEL\n1,Ada,1815,Person\n2,Charles,1791,Person\n")
    (tmp_path / "knows.csv").write_text(":START_ID,:END_ID,since:int,:TYPE\n1,2,1833,KNOWS\n")
    report = load(graph, tmp_path / "people.csv", tmp_path / "knows.csv")
    assert (report["entities"], report["facts"], report["literals"]) == (2, 1, 4)
    again = load(graph, tmp_path)
    assert (again["added_entities"], again["added_facts"], again["added_literals"]) == (0, 0, 0)
    row = driver.execute_query(
        f"MATCH (a:Person:`KG_{graph}`)-[r:KNOWS]->(b) RETURN a.name, a.born, r.since, b.name"  # type: ignore[arg-type]
    ).records[0]
    assert row.values() == ["Ada", 1815, 1833, "Charles"]


def test_names_file_names_the_entities_of_any_source(graph: str, tmp_path: Path, driver: neo4j.Driver) -> None:
    (tmp_path / "facts.tsv").write_text("/m/1\t/film/director\t/m/2\n")
    (tmp_path / "names.tsv").write_text("/m/1\tMetropolis\n/m/2\tFritz Lang\n/m/3\tNobody\n")
    load(graph, tmp_path / "facts.tsv", "--names", tmp_path / "names.tsv")
    assert names_in(driver, graph) == {"Metropolis", "Fritz Lang"}


def test_sync_takes_away_what_the_source_no_longer_has(graph: str, tmp_path: Path, driver: neo4j.Driver) -> None:
    facts = tmp_path / "facts.txt"
    facts.write_text("Mars|orbits|Sun\nPluto|orbits|Sun\n")
    load(graph, facts)
    facts.write_text("Mars|orbits|Sun\n")
    report = load(graph, facts, "--sync")
    assert (report["removed_entities"], report["removed_facts"]) == (1, 1)
    assert names_in(driver, graph) == {"Mars", "Sun"}


def test_wrong_options_are_said_in_one_line(graph: str, tmp_path: Path) -> None:
    facts = tmp_path / "facts.txt"
    facts.write_text("Mars|orbits|Sun\n")
    assert_one_line(kgqa("load", facts, "--graph", graph, "--types", "lables"), 2, "labels, facts or both")
    assert_one_line(kgqa("load", facts, "--graph", graph, "--language", "zg"), 2, "'zg' is known; nearest: 'zh'")
    assert_one_line(kgqa("load", facts, "--graph", graph, "--seeds", "Saturn"), 1, "Saturn")
    assert_one_line(kgqa("load", facts, "--graph", graph, "--names", "none.tsv"), 1, "none.tsv")
