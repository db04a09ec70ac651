"""A small dump in Freebase's dialect, written by us: classes, both of a mirrored pair, mediators walked as one step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb.catalog import loaded_mapping
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Entity
from kgqa_loaders.recognise import open_sources
from kgqa_loaders.subset import Subset, subset
from kgqa_loaders.write import LoadReport, load

FACTS = """
m.0film|type.object.type|film.film
m.0film|type.object.name|"The Blue Tower"@en
m.0film|film.film.starring|m.0role
m.0role|film.performance.film|m.0film
m.0role|film.performance.actor|m.0ann
m.0ann|film.actor.film|m.0role
m.0role|film.performance.since|"1999"
m.0ann|type.object.name|"Ann Lee"@en
m.0ann|type.object.type|film.actor
m.0bo|type.object.name|"Bo Ray"@en
m.0bo|type.object.type|people.person
m.0ann|people.person.spouse_s|m.0tie
m.0bo|people.person.spouse_s|m.0tie
m.0tie|people.marriage.spouse|m.0ann
m.0tie|people.marriage.spouse|m.0bo
film.performance|freebase.type_hints.mediator|"true"
people.marriage|freebase.type_hints.mediator|"true"
film.film.starring|type.property.schema|film.film
film.film.starring|type.property.expected_type|film.performance
film.performance.film|type.property.schema|film.performance
film.performance.film|type.property.expected_type|film.film
film.film.starring|type.property.reverse_property|film.performance.film
film.actor.film|type.property.schema|film.actor
film.actor.film|type.property.expected_type|film.performance
film.performance.actor|type.property.schema|film.performance
film.performance.actor|type.property.expected_type|film.actor
film.performance.actor|type.property.master_property|film.actor.film
film.performance.since|type.property.schema|film.performance
film.performance.since|type.property.expected_type|type.datetime
people.person.spouse_s|type.property.schema|people.person
people.person.spouse_s|type.property.expected_type|people.marriage
people.marriage.spouse|type.property.schema|people.marriage
people.marriage.spouse|type.property.expected_type|people.person
people.person.spouse_s|type.property.reverse_property|people.marriage.spouse
"""
NS = "http://rdf.freebase.com/ns/"


@pytest.fixture
def dump(tmp_path: Path) -> str:
    lines = []
    for fact in FACTS.strip().split("\n"):
        head, relation, tail = fact.split("|")
        lines.append(f"<{NS}{head}>\t<{NS}{relation}>\t{tail if tail[0] == chr(34) else f'<{NS}{tail}>'}\t.")
    path = tmp_path / "dump.nt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def load_it(driver: neo4j.Driver, graph_name: str, dump: str) -> Callable[[Subset], LoadReport]:
    def load_part(part: Subset) -> LoadReport:
        return load(driver, subset(open_sources([dump]).source, part), graph=graph_name)

    return load_part


def follow(driver: neo4j.Driver, graph: str, topic: str, *codes: str) -> set[object]:
    """What a path leads to: ids of entities, or values."""
    with Neo4jIO(driver) as io:
        mapping: GraphMapping = run(loaded_mapping(graph), io)
        plan = Follow(_entity(driver, graph, topic), tuple(mapping.step(code) for code in codes))
        nodes = run(Graph(mapping).execute(plan), io).nodes
    return {node.id if isinstance(node, Entity) else node.value for node in nodes}


def _entity(driver: neo4j.Driver, graph: str, id_: str) -> Entity:
    query = f"MATCH (n:`KG_{graph}` {{entity_id: $id}}) RETURN elementId(n) AS element"
    (row,) = driver.execute_query(query, id=id_).records
    return Entity(id_, id_, element_id=row["element"])


def test_a_mirrored_pair_is_stored_once_and_types_are_labels(
    driver: neo4j.Driver, graph_name: str, load_it: Callable[[Subset], LoadReport]
) -> None:
    report = load_it(Subset())
    assert (report.entities, report.facts, report.literals, report.rejected) == (5, 4, 1, 0)
    rows = driver.execute_query(
        f"MATCH (n:`KG_{graph_name}`:`film.film`) RETURN n.entity_id AS id, n.name AS name"
    ).records
    assert [row.values() for row in rows] == [["m.0film", "The Blue Tower"]]


@pytest.mark.parametrize(
    ("topic", "codes", "found"),
    [
        ("m.0film", ("<film.actor.film..film.performance.film",), {"m.0ann"}),
        ("m.0ann", (">film.actor.film..film.performance.film",), {"m.0film"}),
        ("m.0film", (">film.film.starring..film.performance.since",), {1999}),
        ("m.0ann", (">people.person.spouse_s..people.marriage.spouse",), {"m.0bo"}),
        ("m.0bo", (">film.film.starring..film.performance.since",), set()),
        (
            "m.0bo",
            ("<film.actor.film..film.performance.film", ">film.film.starring..film.performance.since"),
            set(),
        ),
        (
            "m.0film",
            ("<film.actor.film..film.performance.film", ">people.person.spouse_s..people.marriage.spouse"),
            {"m.0bo"},
        ),
    ],
)
def test_a_mediator_is_walked_as_one_step(
    driver: neo4j.Driver,
    graph_name: str,
    load_it: Callable[[Subset], LoadReport],
    topic: str,
    codes: tuple[str, ...],
    found: set[object],
) -> None:
    load_it(Subset())
    assert follow(driver, graph_name, topic, *codes) == found


def test_a_part_is_loaded_with_the_names_of_what_is_in_it(
    driver: neo4j.Driver, graph_name: str, load_it: Callable[[Subset], LoadReport]
) -> None:
    report = load_it(Subset(domains=("people",)))
    assert (report.entities, report.facts) == (3, 2)
    rows = driver.execute_query(f"MATCH (n:`KG_{graph_name}`) RETURN n.name AS name ORDER BY name").records
    assert [row["name"] for row in rows] == ["Ann Lee", "Bo Ray", "m.0tie"]
