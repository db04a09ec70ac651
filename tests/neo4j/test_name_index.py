"""A graph whose names are in a local index, as its database has none: typos, parts, and indexes that no longer fit."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.catalog import loaded_mapping
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation, write_mapping
from kgqa_graphdb.name_index import fill, forget_names, names_file, open_names
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from tests.neo4j.test_map import kgqa

LABELS = ("Potter", "Bowl")
MAKE = """
CREATE (ana:Potter {potterId: 'P-2001', firstName: 'Anastasia', lastName: 'Ferreira', born: 1961}),
       (zoe:Potter {potterId: 'P-2002', firstName: 'Zoé', lastName: 'Müller-Quint', born: 1984}),
       (sun:Bowl {code: 'BW-1041', name: 'Sunken Lantern', price: 34.5}),
       (moss:Bowl {code: 'BW-1042', name: 'Moss and Mortar of the Northern Shore', price: 12.0}),
       (ana)-[:THREW]->(sun), (zoe)-[:THREW]->(moss)
"""
MAPPING = GraphMapping(
    "potters",
    (
        EntityKind("Bowl", "code", ("name",)),
        EntityKind("Potter", "potterId", ("firstName", "lastName"), ("lastName",)),
    ),
    (
        make_relation("THREW", label="threw", inverse="thrown by", heads=("Potter",), tails=("Bowl",)),
        make_relation("price", kind="property", label="price", heads=("Bowl",)),
        make_relation("born", kind="property", label="born", heads=("Potter",)),
    ),
)


@pytest.fixture
def file(driver: neo4j.Driver, tmp_path: Path) -> Iterator[Path]:
    """The mapping file of a small graph."""
    driver.execute_query(MAKE)
    write_mapping(MAPPING, tmp_path / "potters.toml")
    yield tmp_path / "potters.toml"
    driver.execute_query("MATCH (n) WHERE any(l IN labels(n) WHERE l IN $labels) DETACH DELETE n", labels=LABELS)


def asked(driver: neo4j.Driver, file: Path, question: str) -> set[str]:
    with KGQA(driver, graph="potters", mapping=file) as kg:
        return {str(getattr(one.item, "value", one.item.name)) for one in kg.ask(question).answers}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the price of Sunken Lantern?", {"34.5"}),
        ("What is the price of Sunken Lantren?", {"34.5"}),
        ("What is the price of Sunkn Lantern?", {"34.5"}),
        ("What is the price of Moss and Mortar?", {"12.0"}),
        ("When was Ferreira born?", {"1961"}),
        ("When was Anastasia Ferrera born?", {"1961"}),
        ("When was Ferreira Anastasia born?", {"1961"}),
        ("When was Ferreira, Anastasia born?", {"1961"}),
        ("Which bowl did Müller-Quint Zoé throw?", {"Moss and Mortar of the Northern Shore"}),
        ("Which bowl did Ferrera Anastasia throw?", {"Sunken Lantern"}),
        ("When was zoe muller quint born?", {"1984"}),
        ("What is the price of BW-1041?", {"34.5"}),
        ("Which bowls did P-2002 throw?", {"Moss and Mortar of the Northern Shore"}),
        ("What is the price of Golden Kettle?", set()),
    ],
)
def test_names_are_found_misspelled_in_part_inverted_and_by_key(
    driver: neo4j.Driver, file: Path, question: str, expected: set[str]
) -> None:
    assert asked(driver, file, question) == expected
    assert names_file(file).is_file()


def test_names_are_found_by_python_as_they_are_in_neo4j(driver: neo4j.Driver, file: Path) -> None:
    with KGQA(driver, graph="potters", mapping=file) as kg:
        found = kg.perform(kg.graph.find(["sunken lantern", "Anastasia Ferreira", "Lantern", "BW-1042"]))
    assert {name: [one.id for one in some] for name, some in found.items()} == {
        "sunken lantern": ["BW-1041"],
        "Anastasia Ferreira": ["P-2001"],
        "Lantern": [],
        "BW-1042": ["BW-1042"],
    }


def test_what_comes_goes_and_is_renamed_is_seen(driver: neo4j.Driver, file: Path) -> None:
    assert asked(driver, file, "What is the price of Sunken Lantren?") == {"34.5"}
    before = names_file(file).stat().st_ino
    assert asked(driver, file, "What is the price of Sunken Lantren?") == {"34.5"}
    assert names_file(file).stat().st_ino == before
    driver.execute_query("CREATE (:Bowl {code: 'BW-1043', name: 'Copper Heron', price: 7.5})")
    assert asked(driver, file, "What is the price of Coper Heron?") == {"7.5"}
    assert names_file(file).stat().st_ino != before
    driver.execute_query("MATCH (b:Bowl {code: 'BW-1043'}) DELETE b")
    assert asked(driver, file, "What is the price of Copper Heron?") == set()
    driver.execute_query("MATCH (b:Bowl {code: 'BW-1041'}) SET b.name = 'Risen Lamp'")
    assert asked(driver, file, "What is the price of Risen Lamp?") == {"34.5"}
    assert asked(driver, file, "What is the price of Sunken Lantern?") == set()


def test_other_names_in_the_mapping_are_other_names(driver: neo4j.Driver, file: Path) -> None:
    assert asked(driver, file, "When was Ferreira born?") == {"1961"}
    write_mapping(replace(MAPPING, entities=(MAPPING.entities[0], EntityKind("Potter", None, ("firstName",)))), file)
    assert asked(driver, file, "When was Anastasa born?") == {"1961"}


@pytest.mark.parametrize("content", [b"", b"no database at all", None])
def test_a_damaged_or_missing_index_is_made_anew(driver: neo4j.Driver, file: Path, content: bytes | None) -> None:
    assert asked(driver, file, "What is the price of Sunken Lantren?") == {"34.5"}
    if content is None:
        names_file(file).unlink()
    else:
        names_file(file).write_bytes(content)
    assert asked(driver, file, "What is the price of Sunken Lantren?") == {"34.5"}
    with sqlite3.connect(names_file(file)) as connection:
        assert connection.execute("SELECT count(*) FROM entry").fetchone() == (10,)


def test_where_no_index_can_be_kept_every_node_is_looked_at_and_that_is_said(
    driver: neo4j.Driver, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (file.parent / "taken").write_text("a file, no folder")
    with Neo4jIO(driver) as io:
        assert run(open_names(MAPPING, file.parent / "taken" / "x.names"), io) is None
    assert "every node is looked at instead" in caplog.text
    with KGQA(driver, graph="potters", mapping=MAPPING) as kg:
        assert kg.graph.names is None
        assert [one.item.value for one in kg.ask("What is the price of Sunken Lantern?").answers] == [34.5]


def test_nothing_is_written_to_the_database(driver: neo4j.Driver, file: Path) -> None:
    def state() -> object:
        rows = driver.execute_query(
            "MATCH (n) WHERE any(l IN labels(n) WHERE l IN $l) RETURN n ORDER BY id(n)", l=LABELS
        )
        indexes = driver.execute_query(
            "SHOW INDEXES YIELD name, labelsOrTypes WHERE 'Bowl' IN labelsOrTypes RETURN name"
        )
        return [dict(row["n"]) for row in rows.records], indexes.records

    before = state()
    assert asked(driver, file, "What is the price of Sunken Lantren?") == {"34.5"}
    assert state() == before


def test_a_graph_with_too_many_nodes_goes_without(
    driver: neo4j.Driver, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fill, "MAX_NODES", 3)
    with KGQA(driver, graph="potters", mapping=file) as kg:
        assert kg.graph.names is None
    assert not names_file(file).exists()


def test_who_asks_as_somebody_else_keeps_no_names(driver: neo4j.Driver, file: Path) -> None:
    with KGQA(driver, graph="potters", mapping=file, session_options={"auth": ("nobody", "x")}) as kg:
        assert kg._options.as_other_user
    assert not names_file(file).exists()


def test_a_label_that_comes_second_does_not_list_a_node_again(driver: neo4j.Driver, file: Path) -> None:
    driver.execute_query("MATCH (p:Potter {potterId: 'P-2001'}) SET p:Bowl")
    with Neo4jIO(driver) as io:
        names = run(open_names(MAPPING, names_file(file)), io)
    assert names is not None
    assert names.nodes == 4


def test_a_loaded_graph_without_a_full_text_index_has_one_too(driver: neo4j.Driver, space: str, tmp_path: Path) -> None:
    with Neo4jIO(driver) as io:
        mapping = replace(run(loaded_mapping(space), io), fulltext="")
        names = run(open_names(mapping, tmp_path / "space.names"), io)
        assert names is not None
        found = names.search([[["apolo~1 11", 5], ["armstrnog~2", 5]]])[0]
    names_of = {
        row["id"]: row["name"]
        for row in driver.execute_query("MATCH (n:Entity) RETURN elementId(n) AS id, n.name AS name").records
    }
    assert [names_of[some[0]] for some in found] == ["Apollo 11", "Neil Armstrong"]


# ── the command line ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_map_makes_it_ask_uses_it_and_drop_deletes_it(driver: neo4j.Driver, file: Path) -> None:
    mapped = kgqa("map", "--graph", "pottery", "--labels", "Potter,Bowl", "--json")
    assert mapped.returncode == 0, mapped.stderr
    document = json.loads(mapped.stdout)
    kept = Path(document["names_index"]["file"])
    assert (document["names_index"]["names"], document["names_index"]["bytes"]) == (10, kept.stat().st_size)
    assert {one["label"]: one["examples"] for one in document["entities"]}["Potter"] == [
        "Anastasia Ferreira",
        "Zoé Müller-Quint",
    ]
    asked = kgqa("ask", "Which bowl did Anastasa Ferreira throw?", "--graph", "pottery")
    assert "Sunken Lantern" in asked.stdout, asked.stderr
    shown = kgqa("map", "--graph", "pottery", "--labels", "Potter,Bowl", "--force")
    assert "in an index on this machine (10 names, 0." in shown.stdout
    unknown = kgqa("map", "--graph", "pottery", "--labels", "Poter", "--force")
    assert unknown.returncode == 2
    assert "nearest: 'Potter'" in unknown.stderr
    assert kgqa("map", "--graph", "pottery", "--labels", "Potter").returncode == 2
    dropped = kgqa("drop", "pottery")
    assert dropped.returncode == 0, dropped.stderr
    assert not kept.exists()


def test_forgetting_names_that_are_not_kept_is_nothing(tmp_path: Path) -> None:
    forget_names(tmp_path / "nowhere.toml")
