"""Keys that entities of several labels share, as tables that count from 1 do, name the right entity of an export."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.export import ExportedGraph
from kgqa_graphdb.gnn2r.subgraphs import entities_of, numbers_of
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.mining.exported import gold_numbers
from kgqa_graphdb.questions import Gold

MAPPING = GraphMapping(
    graph="numbered",
    entities=tuple(EntityKind(label, "id", ("name",)) for label in ("NumberedShip", "NumberedPort", "NumberedCrew")),
    relations=(make_relation("NUMBERED_CALLS_AT"), make_relation("NUMBERED_SAILS_ON")),
)


@pytest.fixture
def client(driver: neo4j.Driver) -> Iterator[KGQA]:
    """Two ships, ports and sailors, each kind counted from 1."""
    driver.execute_query("""
        UNWIND range(1, 2) AS id
        CREATE (s:NumberedShip {id: id, name: 'Ship ' + id})-[:NUMBERED_CALLS_AT]->
               (:NumberedPort {id: id, name: 'Port ' + id}),
               (:NumberedCrew {id: id, name: 'Sailor ' + id})-[:NUMBERED_SAILS_ON]->(s)""")
    yield KGQA(driver, graph="numbered", mapping=MAPPING)
    driver.execute_query("MATCH (n:NumberedShip|NumberedPort|NumberedCrew) DETACH DELETE n")


@pytest.fixture
def exported(client: KGQA, tmp_path: Path) -> ExportedGraph:
    return client.export(tmp_path / "out")


def test_a_number_stands_for_the_entity_of_its_label_and_back(client: KGQA, exported: ExportedGraph) -> None:
    numbers = list(range(exported.num_entities))
    found = client.perform(entities_of(exported, numbers, client.graph))
    assert [one.name if one else "" for one in found] == exported.names.take(numbers)
    assert sorted(exported.names) == ["Port 1", "Port 2", "Sailor 1", "Sailor 2", "Ship 1", "Ship 2"]
    assert [numbers_of(exported, one) for one in found if one] == [[number] for number in numbers]


def test_a_gold_answer_with_a_shared_id_is_the_one_of_its_name(exported: ExportedGraph) -> None:
    def called(gold: Gold) -> list[str]:
        return sorted(exported.names.take(gold_numbers(exported, gold)))

    assert called(Gold("2", "Port 2")) == ["Port 2"]
    assert called(Gold("2")) == called(Gold("2", "Quay 2")) == ["Port 2", "Sailor 2", "Ship 2"]
    assert called(Gold(name="Sailor 1")) == ["Sailor 1"]
