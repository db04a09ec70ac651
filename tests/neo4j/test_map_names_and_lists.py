"""Graphs as other programs write them: lists of which some are empty, ids that are names, nodes that nothing names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.mapping import EntityKind
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
from kgqa_graphdb.survey import Choice, Proposal, propose, survey
from tests.neo4j.test_map import kgqa

GAUGES = ("Gauge", "Weir")
GAUGES_MAKE = """
CREATE (w:Weir {code: 'W-1', name: 'Upper Weir'})
WITH w UNWIND range(1, 12) AS i
CREATE (g:Gauge {code: 'G-' + toString(i), name: 'Gauge ' + toString(i),
                 tags: CASE WHEN i = 1 THEN [] ELSE ['wet', 'tag' + toString(i)] END,
                 channels: CASE WHEN i > 2 THEN [i, i * 10] ELSE [] END, checks: []})
CREATE (g)-[:WATCHES {shifts: CASE WHEN i = 1 THEN [] ELSE ['night', 'shift' + toString(i)] END}]->(w)
"""
SMITHS = ("__Entity__", "smith", "forge", "town")
SMITHS_MAKE = """
CREATE (ola:__Entity__:smith {id: 'Ola Brandvold', description: 'Ola Brandvold forges gates in a yard by the sea.'}),
       (rut:__Entity__:smith {id: "Rut O'Hara", description: 'She opened Grey Anvil after years of travel.'}),
       (anvil:__Entity__:forge {id: 'Grey Anvil', description: 'A forge that makes gates and hinges.'}),
       (cove:__Entity__:town {id: 'Pebble Cove', description: 'A town of fishers.'}),
       (ola)-[:WORKS_FOR]->(anvil), (rut)-[:FOUNDED]->(anvil), (anvil)-[:LOCATED_IN]->(cove)
"""
CALLS = ("Callout", "Mechanic", "Part")
CALLS_MAKE = """
CREATE (m:Mechanic {name: 'Tove Lind'}), (seal:Part {name: 'Rubber Seal'}), (valve:Part {name: 'Brass Valve'})
WITH m, seal, valve UNWIND range(1, 12) AS i
CREATE (m)-[:WENT_ON]->(c:Callout {id: i, place: 'Yard ' + toString(i / 2), reason: 'leak ' + toString(i % 5)}),
       (c)-[:NEEDED]->(seal), (c)-[:NEEDED]->(valve)
"""


def look(driver: neo4j.Driver, labels: tuple[str, ...]) -> Proposal:
    with Neo4jIO(driver) as io:
        return propose("written", run(survey(choice=Choice(labels=labels)), io))


def remove(driver: neo4j.Driver, labels: tuple[str, ...]) -> None:
    driver.execute_query("MATCH (n) WHERE any(l IN labels(n) WHERE l IN $labels) DETACH DELETE n", labels=labels)


def asked(driver: neo4j.Driver, proposal: Proposal, question: str) -> set[object]:
    with KGQA(driver, graph="written", mapping=proposal.mapping) as kg:
        reply = kg.ask(question)
    return {getattr(one.item, "value", one.item.name) for one in reply.answers}


# ── empty lists ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def gauges(driver: neo4j.Driver) -> Iterator[Proposal]:
    """The proposal for nodes and relationships of which the first has nothing in its lists."""
    driver.execute_query(GAUGES_MAKE)
    yield look(driver, GAUGES)
    remove(driver, GAUGES)


def test_an_empty_list_does_not_hide_the_lists_of_others(gauges: Proposal) -> None:
    relations = {relation.id for relation in gauges.mapping.relations}
    assert relations >= {"tags", "channels", "WATCHES.shifts"}
    assert "checks" not in relations
    assert [(one.holder, one.key) for one in gauges.left_out] == [("Gauge", "checks")]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What are the tags of Gauge 4?", {"wet", "tag4"}),
        ("What are the channels of Gauge 4?", {4, 40}),
        ("What are the tags of Gauge 1?", set()),
    ],
)
def test_lists_are_answered_where_some_are_empty(
    driver: neo4j.Driver, gauges: Proposal, question: str, expected: set[object]
) -> None:
    assert asked(driver, gauges, question) == expected


# ── ids that are names ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def smiths(driver: neo4j.Driver) -> Iterator[Proposal]:
    """The proposal for a graph that a language model made of texts, whose nodes have an id and a description."""
    driver.execute_query(SMITHS_MAKE)
    yield look(driver, SMITHS)
    remove(driver, SMITHS)


def test_an_id_that_reads_as_a_name_is_the_name_of_a_real_graphs_nodes(smiths: Proposal) -> None:
    assert {kind.label: kind for kind in smiths.mapping.entities} == {
        label: EntityKind(label, "id", ("id",)) for label in SMITHS
    }
    assert smiths.nameless == ()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who works for Grey Anvil?", {"Ola Brandvold"}),
        ("Who founded Grey Anvil?", {"Rut O'Hara"}),
        ("Where is Grey Anvil located?", {"Pebble Cove"}),
        ("What is the description of Pebble Cove?", {"A town of fishers."}),
    ],
)
def test_things_are_asked_for_and_answered_by_an_id_that_is_a_name(
    driver: neo4j.Driver, smiths: Proposal, question: str, expected: set[object]
) -> None:
    assert asked(driver, smiths, question) == expected


def test_a_reply_holds_nothing_that_is_not_mapped_and_its_cypher_returns_whole_nodes(
    driver: neo4j.Driver, smiths: Proposal
) -> None:
    relations = tuple(one for one in smiths.mapping.relations if one.kind == "edge")
    with KGQA(driver, graph="written", mapping=replace(smiths.mapping, relations=relations)) as kg:
        reply = kg.ask("Who founded Grey Anvil?")
        kept = kg.ask("What is the description of Pebble Cove?")
    assert kept.abstained
    assert "fishers" not in json.dumps(kept.to_dict())
    assert "description" not in json.dumps(reply.to_dict())
    assert reply.cypher is not None
    [row] = driver.execute_query(reply.cypher.text, dict(reply.cypher.parameters)).records
    assert row["answer"]["description"] == "She opened Grey Anvil after years of travel."  # as the guide says


# ── nodes that nothing names ─────────────────────────────────────────────────────────────────────────────────────────


def test_map_prints_which_labels_have_no_name_and_what_would_name_them(driver: neo4j.Driver, tmp_path: Path) -> None:
    driver.execute_query(CALLS_MAKE)
    try:
        done = kgqa("map", "--graph", "calls", "--labels", ",".join(CALLS), "--output", str(tmp_path / "calls.toml"))
    finally:
        remove(driver, CALLS)
    assert done.returncode == 0, done.stderr
    said = re.search(r"Nodes of Callout have no name; (.*?): Callout (\d+); (.*)", done.stdout)
    assert said, done.stdout
    by, number, cure = said.groups()
    assert by == "they can be asked for by their key, id"
    assert int(number) in range(1, 13)
    assert cure == 'under label = "Callout" write in the mapping: names = ["place"] (or: reason)'
    assert done.stdout.count("have no name") == 1
    assert "nothing outside that file is read. Neo4j Browser shows whole nodes" in done.stdout
