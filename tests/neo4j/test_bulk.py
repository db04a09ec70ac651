"""The bulk path gives the same graph as the online one: every node, relationship and meta node."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kgqa_graphdb.errors import LoadError, UsageError
from kgqa_graphdb.managed import ManagedServer
from kgqa_graphdb.types import Point
from kgqa_loaders.bulk import bulk_files, bulk_load
from kgqa_loaders.recognise import Many, open_source
from kgqa_loaders.records import (
    InMemorySource,
    Literal,
    LoadOptions,
    Named,
    Record,
    Reject,
    RelationNote,
    Source,
    Statement,
    Triple,
)
from kgqa_loaders.relations import parse_relations
from kgqa_loaders.write import load
from tests.unit.loaders.wikidata_samples import ISLAND, claim, dump_of, entity, item_value

pytestmark = [pytest.mark.neo4j, pytest.mark.skipif(os.name == "nt", reason="this system is not Linux or macOS")]
pytest.importorskip("duckdb")

RELATIONS = parse_relations(
    {
        "relations": {
            "length": {"kind": "property", "datatype": "float", "unit": "km"},
            "also called": {"kind": "alias"},
            "flows into": {"label": "mouth", "inverse": "tributaries"},
            "unheard of": {},
        }
    }
)
LINES = [
    "Oder\tflows into\tBaltic Sea", "Oder\tflows into\tBaltic Sea", "Warta\tflows into\tOder", "Oder\tlength\t866",
    "Warta\tlength\t808.2", "Warta\tlength\tlong", "Oder\talso called\tOdra", "Oder\talso called\tOder", "one column",
    "Oder\tflows into\t ", 'say "hi"\tflows into\ta,b;c', "",
    "  padded \tflows into\tPo", "Łódź\thas , \"odd\" type\t北京",
]  # fmt: skip
TRIPLES = """\
<http://e.org/a> <http://www.w3.org/2000/01/rdf-schema#label> "Anna"@en .
<http://e.org/a> <http://www.w3.org/2000/01/rdf-schema#label> "Ann"@en-GB .
<http://e.org/a> <http://www.w3.org/2000/01/rdf-schema#label> "Anne"@fr .
<http://e.org/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e.org/Person> .
<http://e.org/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e.org/Dancer%20x> .
<http://e.org/a> <http://e.org/knows> <http://e.org/b> .
<http://e.org/b> <http://e.org/knows> <http://e.org/a> .
<http://e.org/b> <http://e.org/knows> _:c .
<http://e.org/b> <http://e.org/age> "7"^^<http://www.w3.org/2001/XMLSchema#integer> .
<http://e.org/b> <http://e.org/age> "x"^^<http://www.w3.org/2001/XMLSchema#integer> .
<http://e.org/b> <http://e.org/motto> "two\\nlines, \\"quoted\\""@en .
<http://e.org/b> <http://e.org/motto> "unwanted"@de .
<http://e.org/b> <http://e.org/knows\\u00e9> <http://e.org/\\u00e9> .
<http://e.org/a> <http://e.org/born> "1990-02-03"^^<http://www.w3.org/2001/XMLSchema#date> .
broken
"""


def records() -> list[Record]:
    """What sources can say, in one list."""
    found: list[Record] = [
        Named("Q1", "Berlin", ("Berlino", "Spree-Athen"), ("City", "Capital"), "a city", rank=1),
        Named("Q1", "BERLIN", rank=1), Named("Q1", "Berlin", rank=0), Named("Q1", "Berlín", rank=3),
        Named("Q2", "", ("only alias",), ("City",)), Named("Q3", "Paris", (), (), "second", rank=2),
        Named("Q3", "Paris", (), (), "first", rank=1), Named("Q4"), Named("Q5", description="two\nlines\r, \"x\" \t"),
        Named("Q6", 'quo"te', ('a"b', "semi;colon", "com,ma"), ('La "bel" x', "A;B")), Named("", "nobody", line=7),
        Literal(1, "Q1", "population", 3_600_000), Literal(2, "Q1", "population", 3_700_000),
        Literal(3, "Q2", "population", 5), Literal(4, "Q3", "population", 2.5), Literal(5, "Q3", "population", 1),
        Literal(6, "Q4", "population", "many"), Literal(7, "Q4", "population", 7), Literal(8, "Q2", "open", True),
        Literal(9, "Q2", "open", False), Literal(10, "Q1", "founded", date(1237, 10, 28)),
        Literal(11, "Q3", "founded", date(300, 1, 1)), Literal(12, "Q3", "founded", date(52, 1, 1)),
        Literal(13, "Q1", "seen", datetime(2020, 1, 1, 10, 30, tzinfo=UTC)),
        Literal(14, "Q2", "seen", datetime(2020, 1, 1, 10, 30)),
        Literal(15, "Q2", "stamp", datetime(2020, 1, 1, 10, 30, 0, 5, tzinfo=UTC)),
        Literal(16, "Q2", "stamp", datetime(2019, 1, 1, tzinfo=UTC)), Literal(17, "Q1", "place", Point(13.4, 52.5)),
        Literal(18, "Q2", "place", Point(-1.5, 1e-7)), Literal(19, "Q2", "place", Point(2.0, 3.0)),
        Literal(20, "Q1", "motto", ""), Literal(21, "Q2", "motto", ""), Literal(22, "Q2", "motto", "b"),
        Literal(23, "Q2", "motto", 'a "q"\nb'), Literal(24, "Q1", "name", "a reserved key"),
        Literal(25, "Q1", "height", 1e-7), Literal(26, "Q2", "height", 1e22), Literal(27, "Q2", "height", -0.5),
        Literal(28, "Q1", "height", float("nan")), Literal(29, "Q1", "twins", "Pankow"),
        Triple(30, "Q1", "twins", "Q3"),
        Literal(31, "Q9", "population", 2**70), Triple(32, "Q1", "in", "Q9"), Triple(33, "Q1", "in", "Q9"),
        Statement(34, "Q1", "mayor", "Q6", {"since": date(2001, 1, 1), "terms": [1, 2]}, "s1"),
        Statement(35, "Q1", "mayor", "Q6", {"since": date(2011, 1, 1)}), Statement(36, "Q1", "mayor", "Q6", {}, "s2"),
        Statement(37, "Q1", "mayor", "Q6", {}),
        Statement(38, "Q1", "mayor", "Q4", {"statement_id": "x", "why": 'a,"b"'}),
        Statement(39, "Q1", "mayor", "Q6", {"since": date(2001, 1, 1), "terms": [3.5]}, "s1"),
        Statement(40, "Q3", "mayor", "Q6", {"where": Point(1.0, 2.0), "note": "two\nlines", "ok": True}),
        RelationNote("mayor", label="head of government", heads=("City",), tails=("Person",), rank=2),
        RelationNote("mayor", label="mayor of it", inverse="cities governed", rank=1, tails=("Human",)),
        RelationNote("region of", kind="edge", via=(">in", ">twins"), label="region"), RelationNote("in", kind="leg"),
        RelationNote("population", unit="people", description="how many live there"), Reject(50, "no good", "x\ty"),
    ]  # fmt: skip
    many: list[Record] = [Triple(100 + n, f"n{n % 37}", f"r{n % 5}", f"n{n * n % 41}") for n in range(400)]
    found += many
    random.Random(3).shuffle(found)
    return found


def source(folder: Path) -> Source:
    """Sources of several kinds."""
    (folder / "rivers.tsv").write_text("\n".join(LINES * 2), encoding="utf-8")
    (folder / "people.nt").write_text(TRIPLES * 2, encoding="utf-8")
    (folder / "items.json").write_bytes(dump_of(ISLAND, entity("Q7", claim("P31", item_value("Q200")))))
    files = [open_source(str(folder / "rivers.tsv"), "tsv")]
    files += [open_source(str(folder / name)) for name in ("people.nt", "items.json")]
    return Many("several", (*files, InMemorySource("records", records(), "0f")))


@pytest.fixture(scope="module")
def bulk_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ManagedServer]:
    server = ManagedServer(tmp_path_factory.mktemp("bulk") / "home")
    yield server
    server.remove()


def dump(driver: neo4j.Driver, graph: str) -> dict[str, list[Any]]:
    """A graph in a form that can be compared: nodes, relationships, meta nodes, schema."""

    def rows(statement: str) -> list[Any]:
        found = driver.execute_query(statement, graph=graph, database_="neo4j").records  # type: ignore[arg-type]
        return sorted((record.values() for record in found), key=repr)

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(item) for key, item in sorted(value.items())}
        if isinstance(value, list):
            return [plain(item) for item in value]
        return (type(value).__name__, str(value).replace(graph, "GRAPH") if isinstance(value, str) else repr(value))

    label = f"KG_{graph}"
    found = {
        "nodes": rows(
            f"MATCH (n:`{label}`) RETURN properties(n), COLLECT {{ UNWIND labels(n) AS l RETURN l ORDER BY l }}"
        ),
        "facts": rows(f"MATCH (h:`{label}`)-[r]->(t) RETURN h.entity_id, type(r), t.entity_id, properties(r)"),
        "graph": rows("MATCH (g:_KGQA_Graph {graph: $graph}) RETURN g {.*, loaded_at: null}"),
        "relations": rows("MATCH (r:_KGQA_Relation {graph: $graph}) RETURN properties(r)"),
        "constraints": rows(
            f"SHOW CONSTRAINTS YIELD * WHERE labelsOrTypes = ['{label}'] RETURN name, type, properties"
        ),
        "indexes": rows(
            f"SHOW INDEXES YIELD * WHERE labelsOrTypes = ['{label}'] RETURN name, type, state, properties, "
            "options.indexConfig['fulltext.analyzer']"
        ),
    }
    return {name: [plain(row) for row in some] for name, some in found.items()}


def test_bulk_and_online_give_the_same_graph(
    driver: neo4j.Driver, bulk_server: ManagedServer, graph_name: str, tmp_path: Path
) -> None:
    rejects = {way: tmp_path / f"{way}.tsv" for way in ("online", "bulk")}
    options = {
        way: LoadOptions(licence="CC0", rejects_path=path, workers=2, language="zh") for way, path in rejects.items()
    }
    online = load(driver, source(tmp_path), graph=graph_name, relations=RELATIONS, options=options["online"])
    bulk = bulk_load(
        source(tmp_path), graph="bulkgraph", relations=RELATIONS, options=options["bulk"], server=bulk_server
    )
    connection = bulk_server.connection()
    assert connection is not None
    with neo4j.GraphDatabase.driver(connection.uri, auth=connection.auth) as other:
        found, expected = dump(other, "bulkgraph"), dump(driver, graph_name)
    for part, rows in expected.items():
        assert sorted(map(repr, found[part])) == sorted(map(repr, rows)), part
    for key in ("entities", "facts", "literals", "relations", "rejected"):
        assert getattr(bulk, key) == getattr(online, key), key
    assert sorted(bulk.notes) == sorted(online.notes)
    assert f"\t{tmp_path / 'rivers.tsv'}: " in rejects["bulk"].read_text()
    assert sorted(rejects["bulk"].read_text().splitlines()) == sorted(rejects["online"].read_text().splitlines())
    with pytest.raises(LoadError, match="graphs bulkgraph"):
        bulk_load(source(tmp_path), graph="c", server=bulk_server)


def test_files_come_with_the_command_and_what_to_run_after_it(tmp_path: Path) -> None:
    report = bulk_files(
        source(tmp_path), tmp_path / "out", graph="g", relations=RELATIONS, options=LoadOptions(workers=1)
    )
    assert report.command.startswith("neo4j-admin database import full neo4j ")
    assert all(
        Path(path).is_file() for path in re.findall(r"--(?:nodes|relationships)=(?:[^=\s]*=)?(\S+)", report.command)
    )
    after = report.after.read_text()
    assert "CREATE CONSTRAINT" in after
    assert "state = 'complete'" in after
    with pytest.raises(UsageError, match="not empty"):
        bulk_files(source(tmp_path), tmp_path / "out", graph="g")
