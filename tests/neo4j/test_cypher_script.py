"""A Cypher script becomes records by being run and undone on a real server."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_graphdb.types import Point
from kgqa_loaders.cypher_script import CypherScript
from kgqa_loaders.records import Literal, Named, Record, Statement, Triple

pytestmark = pytest.mark.neo4j

Read = Callable[[str], list[Record]]


def connected(driver: neo4j.Driver) -> Callable[[], object]:
    @contextmanager
    def connect() -> Iterator[tuple[neo4j.Driver, None]]:
        yield driver, None

    return connect


@pytest.fixture
def read(driver: neo4j.Driver, tmp_path: Path) -> Read:
    def records(script: str) -> list[Record]:
        path = tmp_path / "made.cypher"
        path.write_text(script)
        return list(CypherScript(path, "made.cypher", connect=connected(driver)).records())  # type: ignore[arg-type]

    return records


def test_script_gives_what_it_creates(read: Read, driver: neo4j.Driver) -> None:
    script = """:begin
CREATE CONSTRAINT scripted IF NOT EXISTS FOR (p:ScriptedPerson) REQUIRE p.name IS UNIQUE;
:param since => 2020;
CREATE (a:ScriptedPerson:Boss {
  name: 'Ann; // boss', born: 1970, tags: ['x', 'y'], home: point({longitude: 1, latitude: 2})
})
CREATE (b:ScriptedPerson {name: "Ben"}) /* ; */
CREATE (a)-[:BOSS_OF {since: $since, on: date('2020-01-02')}]->(b);
MATCH (b:ScriptedPerson {name: 'Ben'}) MERGE (b)-[:KNOWS]->(:ScriptedPerson {name: 'Cleo'}) // the end
;
:commit
"""
    records = read(script)
    assert records == read(script)
    assert Named("Ann; // boss", "Ann; // boss", labels=("Boss", "ScriptedPerson")) in records
    values = {(record.relation, record.value) for record in records if isinstance(record, Literal)}
    assert values == {("born", 1970), ("tags", "x"), ("tags", "y"), ("home", Point(1.0, 2.0))}
    qualifiers = {"since": 2020, "on": date(2020, 1, 2)}
    assert Statement(0, "Ann; // boss", "BOSS_OF", "Ben", qualifiers) in records
    assert Triple(0, "Ben", "KNOWS", "Cleo") in records
    assert driver.execute_query("MATCH (n:ScriptedPerson) RETURN count(n)").records[0][0] == 0
    assert not driver.execute_query("SHOW CONSTRAINTS YIELD name WHERE name = 'scripted'").records


def test_nodes_of_one_name_get_ids_of_their_own(read: Read) -> None:
    books = "(:ScriptedBook {title: 'Kim'}), (:ScriptedBook {title: 'Kim'})"
    records = read(f"CREATE (:ScriptedFilm {{title: 'Kim'}}), {books}, (:Scripted)")
    ids = [record.entity_id for record in records if isinstance(record, Named)]
    assert ids == ["Kim #1", "Kim #2", "Kim (ScriptedFilm)", "Scripted #1"]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("CREATE (:A);\nLOAD CSV FROM 'file:///x' AS row CREATE (:B)", "line 2 reads a file"),
        ("MATCH (n) DETACH DELETE n;", "line 1 deletes"),
        ("CALL dbms.listConfig() YIELD name CREATE (:A {name: name})", "calls a procedure"),
        ("CREATE (:A {x: apoc.create.uuid()})", "needs APOC"),
        ("CREATE (:A);\nCREATE (:B", "made.cypher: line 2: "),
        (":source other.cypher\nCREATE (:A)", "':source' can't be followed"),
        ("DROP DATABASE neo4j", "manages the server"),
        ("UNWIND [1, 0] AS x CREATE (:A {x: 1 / x})", "by zero"),
    ],
)
def test_script_that_cannot_be_loaded_says_why(script: str, said: str, read: Read) -> None:
    with pytest.raises(LoadError, match=r"made\.cypher") as caught:
        read(script)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_words_in_texts_and_comments_are_no_commands(read: Read) -> None:
    records = read("CREATE (:Scripted {name: 'LOAD CSV; DELETE', `DELETE`: 1}) // CALL dbms.x()")
    assert [record.entity_id for record in records if isinstance(record, Named)] == ["LOAD CSV; DELETE"]


def test_script_that_joins_what_is_there_is_refused(read: Read, driver: neo4j.Driver) -> None:
    driver.execute_query("CREATE (:ScriptedThere {name: 'old'})")
    try:
        with pytest.raises(LoadError, match="kgqa map"):
            read("MATCH (o:ScriptedThere) CREATE (o)-[:KNOWS]->(:Scripted {name: 'new'})")
    finally:
        driver.execute_query("MATCH (n:ScriptedThere) DETACH DELETE n")


@pytest.mark.data
def test_films_of_the_public_example_are_all_there(driver: neo4j.Driver) -> None:
    folder = os.environ.get("KGQA_DATA")
    path = Path(folder or ".") / "property-graphs" / "movies" / "movies.cypher"
    if not folder or not path.exists():
        pytest.skip(f"no {path}: set KGQA_DATA to the folder that holds property-graphs/movies")
    records = list(CypherScript(path, "movies", connect=connected(driver)).records())  # type: ignore[arg-type]
    labels = Counter(record.labels for record in records if isinstance(record, Named))
    assert labels == {("Movie",): 38, ("Person",): 133}
    facts = Counter(record.relation for record in records if isinstance(record, Triple | Statement))
    text = path.read_text()
    assert facts == {type_: text.count(f"[:{type_}") for type_ in facts}
    assert sum(facts.values()) == text.count("]->(")
