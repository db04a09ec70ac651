"""General formats, loaded for real and counted on the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import neo4j
import pytest

from kgqa_loaders.recognise import open_sources
from kgqa_loaders.write import load
from tests.unit.loaders.samples import EDGES_CSV, JSON_FACTS, JSON_NODES, NODES_CSV, TURTLE

pytestmark = pytest.mark.neo4j

CASES: dict[str, tuple[list[bytes], set[str], set[tuple[str, str, str]]]] = {
    "csv": (
        [NODES_CSV, EDGES_CSV],
        {'Ann "Annie" As', "Ben, the younger", "Cleo"},
        {("Person:1", "BOSS_OF", "Person:2"), ("Person:1", "BOSS_OF", "Person:3"), ("Person:2", "KNOWS", "Person:3")},
    ),
    "jsonl": (
        [JSON_NODES, JSON_FACTS],
        {"Ann As", "Ben", "cleo"},
        {("ann", "boss of", "ben"), ("ben", "knows", "cleo")},
    ),
    "rdf": (
        [TURTLE],
        {"Ann", "Mill", "somebody"},
        {("http://acme.example/ann", "worksFor (acme.example/)", "http://acme.example/mill")},
    ),
}


def rows(driver: neo4j.Driver, query: str) -> list[list[Any]]:
    return [list(record) for record in driver.execute_query(query).records]  # type: ignore[arg-type]


@pytest.mark.parametrize("format", CASES)
def test_files_become_the_graph_that_they_say(
    format: str, driver: neo4j.Driver, graph_name: str, tmp_path: Path
) -> None:
    contents, names, facts = CASES[format]
    paths = [tmp_path / f"part{number}" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    opened = open_sources(list(map(str, paths)))
    assert set(opened.formats) == {format}
    report = load(driver, opened.source, graph=graph_name)
    again = load(driver, opened.source, graph=graph_name)
    label = f"KG_{graph_name}"
    assert {row[0] for row in rows(driver, f"MATCH (n:{label}) RETURN n.name")} == names
    found = rows(driver, f"MATCH (h:{label})-[r]->(t) RETURN h.entity_id, type(r), t.entity_id, r.since")
    assert {(head, type_, tail) for head, type_, tail, _ in found if not head.startswith("_:")} == facts
    assert any(since is not None for *_, since in found)
    assert report.rejected == 0
    assert (again.added_entities, again.added_facts, again.added_literals) == (0, 0, 0)
