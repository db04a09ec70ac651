"""General formats, loaded for real and counted on the server."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kgqa_graphdb.catalog import SourceCounts, graphs
from kgqa_graphdb.runtime import Neo4jIO
from kgqa_graphdb.steps import run
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


def test_sources_of_wikidata_become_one_graph_that_says_what_each_gave(
    driver: neo4j.Driver, graph_name: str, tmp_path: Path
) -> None:
    (tmp_path / "statements.txt").write_text("Q1,P17,Q2\nQ1,P50,Q3,P453,Q4\n")
    with zipfile.ZipFile(tmp_path / "inferred.zip", "w") as archive:
        archive.writestr("16k/train.txt", "Q1\tcountry\tQ2\nQ5\tcountry\tQ2\n")
        archive.writestr("16k/test_neg.txt", "Q5\tcountry\tQ1\t-1\n")
        archive.writestr("16k/ent_vocab.txt", "Q5\t\t1\t\tOld Mill\t\tOM\told mill in Farland\tOld Mill\n")
    named = tmp_path / "named"
    named.mkdir()
    (named / "labels.json").write_text('{"Q1": "Tall Mill", "Q9": "Nobody", "P17": "country", "P1082": "population"}')
    (named / "entity_aliases.txt").write_text("Q1\tTM, The Mill\n")
    (named / "numbers.txt").write_text('Q2\tP1082_Q199\t"+7000"^^<http://www.w3.org/2001/XMLSchema#decimal>\n')
    places = [str(tmp_path / "statements.txt"), str(named), str(tmp_path / "inferred.zip")]

    report = load(driver, open_sources(places).source, graph=graph_name)
    label = f"KG_{graph_name}"
    found = rows(
        driver, f"MATCH (n:{label}) RETURN n.entity_id, n.name, n.aliases, n.description, n.P1082 ORDER BY n.entity_id"
    )
    assert found == [
        ["Q1", "Tall Mill", ["TM", "The Mill"], None, None],
        ["Q2", "Q2", None, None, 7000],
        ["Q3", "Q3", None, None, None],
        ["Q5", "Old Mill", ["OM"], "old mill in Farland", None],
    ]
    facts = f"MATCH (h:{label})-[r]->(t) RETURN h.entity_id AS head, type(r) AS type, t.entity_id, r.P453"
    assert rows(driver, f"{facts} ORDER BY head, type") == [
        ["Q1", "P17", "Q2", None],
        ["Q1", "P50", "Q3", "Q4"],
        ["Q5", "P17", "Q2", None],
    ]
    given = [
        SourceCounts(places[0], facts=2, new_facts=2, qualified=1, entities=3, new_entities=3),
        SourceCounts(places[1], values=1, entities=1, named=1, aliased=1),
        SourceCounts(places[2], facts=2, new_facts=1, entities=3, new_entities=1, named=1, aliased=1, described=1),
    ]
    assert sorted(report.sources, key=lambda counts: places.index(counts.source)) == given
    again = load(driver, open_sources(places).source, graph=graph_name)
    assert (again.added_facts, again.changed_entities, again.sources) == (0, 0, report.sources)

    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.txt").write_text("Q5,P50,Q3\n")
    more = open_sources([str(tmp_path / "more"), places[0]]).source
    load(driver, more, graph=graph_name)
    with Neo4jIO(driver, None) as io:
        kept = {info.graph: info.sources for info in run(graphs(), io)}[graph_name]
    assert {counts.source for counts in kept} == {*places, str(tmp_path / "more")}
