"""A Cypher script becomes records by being run and undone on a real server."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb.errors import LoadError
from kgqa_graphdb.types import Point
from kgqa_loaders.cypher_script import CypherScript
from kgqa_loaders.drop import drop
from kgqa_loaders.records import Literal, Named, ReadOptions, Record, Reject, Statement, Triple
from kgqa_loaders.write import load

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
  name: 'Ann; // boss', born: 1970, tags: ['x', 'y'], home: point({longitude: 1, latitude: 2}),
  mast: point({longitude: 1, latitude: 2, height: 3}), seen: datetime('2020-07-02T00:00[Europe/Berlin]'), vector: [1, 2]
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
    assert values == {
        ("born", 1970), ("tags", "x"), ("tags", "y"), ("home", Point(1.0, 2.0)),
        ("mast", "{latitude:2.0, longitude:1.0, height:3.0}"), ("seen", datetime(2020, 7, 1, 22, tzinfo=UTC)),
    }  # fmt: skip
    assert Statement(0, "Ann; // boss", "BOSS_OF", "Ben", {"since": 2020, "on": date(2020, 1, 2)}) in records
    assert Triple(0, "Ben", "KNOWS", "Cleo") in records
    assert driver.execute_query("MATCH (n:ScriptedPerson) RETURN count(n)").records[0][0] == 0
    assert not driver.execute_query("SHOW CONSTRAINTS YIELD name WHERE name = 'scripted'").records


def test_nodes_of_one_name_get_ids_of_their_own(read: Read) -> None:
    books = "(:ScriptedBook {title: 'Kim'}), (:ScriptedBook {title: 'Kim'})"
    records = read(f"CREATE (:ScriptedFilm {{title: 'Kim'}}), {books}, (:Scripted)")
    ids = [record.entity_id for record in records if isinstance(record, Named)]
    assert ids == ["Kim #1", "Kim #2", "Kim (ScriptedFilm)", "Scripted #1"]


def test_nodes_without_a_name_are_called_as_a_mapping_calls_them(read: Read) -> None:
    script = """CREATE (:Scripted {title: 'Mr', surname: 'Ray'}), (:Scripted {title: 'Dr', surname: 'Lee'});
CREATE (:ScriptedFlight {scriptedFlightNumber: 'LH400'}), (:ScriptedInvoice {id: 501, net: 4});
CREATE (:ScriptedRoom {roomNumber: 7}), (:ScriptedRoom {roomNumber: 8}), (:ScriptedBill {id: 501, net: 4});
CREATE (:ScriptedItem {sku: 'SK-1', description: 'Blue pen'}), (:ScriptedItem {sku: 'SK-2', description: 'Red pen'})"""
    named = [record for record in read(script) if isinstance(record, Named)]
    names = {"Blue pen", "Lee", "Red pen", "Ray", "LH400", "501", "7", "8"}
    assert {record.name for record in named} == names
    twice = {"501 (ScriptedBill)", "501 (ScriptedInvoice)"}
    assert {record.entity_id for record in named} == (names - {"501"}) | twice


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


ATTACKS = (
    "MATCH (n) CREATE (:Scripted {name: n.name})",
    "MATCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "MATCH (`n`:`ScriptedSecret`) CREATE (:Scripted {name: n.name})",
    "MATCH (n:ScriptedSecret|Other) CREATE (:Scripted {name: n.name})",
    "MATCH (n IS ScriptedSecret WHERE n.name > '') CREATE (:Scripted {name: n.name})",
    "MATCH (n:!Nothing) CREATE (:Scripted {name: n.name})",
    "MATCH (n:!(Nothing&%)) CREATE (:Scripted {name: n.name})",
    "MATCH ()-[r]->(n) CREATE (:Scripted {name: n.name})",
    "MATCH (n)<--() CREATE (:Scripted {name: n.name})",
    "MATCH set = (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "MATCH p = ((n:ScriptedSecret)-->(m)){1,2} CREATE (:Scripted {name: [x IN n | x.name][0]})",
    "MATCH p = shortestPath((n:ScriptedSecret)-[*]->(m)) CREATE (:Scripted {name: m.name + n.name})",
    "MATCH ANY SHORTEST (n:ScriptedSecret)-->+(m) CREATE (:Scripted {name: m.name + n.name})",
    "WITH 1 AS as MATCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "WITH 1 AS on MATCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "WITH 1 AS match, 2 AS where MATCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "MERGE (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "MERGE (n:ScriptedSecret {pet: 'cat'}) SET n.name = coalesce(n.name, 'none')",
    "CREATE (:Scripted {name: COLLECT { MATCH (n:ScriptedSecret) RETURN n.name }[0]})",
    "CREATE (:Scripted {name: collect{MATCH (n) RETURN n.name}[0]})",
    "CREATE (:Scripted {name: [(n:ScriptedSecret)-->(m) | n.name][0]})",
    "CREATE (:Scripted {name: [p = (:ScriptedSecret)-->(m) | nodes(p)[0].name][0]})",
    "CREATE (:Scripted {name: [(n:ScriptedSecret)/**/-/**/[r]/* > */->(m) | n.name][0]})",
    "CREATE (:Scripted {name: [(n:ScriptedSecret)\u2014\u2014(m) | n.name][0]})",
    "CREATE (:Scripted {name: CASE WHEN EXISTS { (n:ScriptedSecret {name: 'swordfish'}) } THEN 'swordfish' END, a: 1})",
    "CREATE (:Scripted {name: CASE COUNT { (:ScriptedSecret) } WHEN 0 THEN 'none' ELSE 'swordfish' END})",
    "CREATE (:Scripted {name: CASE WHEN exists((:ScriptedSecret)-->()) THEN 'swordfish' ELSE 'none' END})",
    "CALL { MATCH (n:ScriptedSecret) RETURN n.name AS name } CREATE (:Scripted {name: name})",
    "WITH 1 AS x CALL (x) { MATCH (n:ScriptedSecret) RETURN n.name AS name } CREATE (:Scripted {name: name})",
    "FOREACH (x IN [1] | MERGE (n:ScriptedSecret {pet: 'cat'}) SET n.owner = 'me')",
    "CREATE (:Scripted {name: 'a'}) WITH 1 AS x MATCH (n:ScriptedSecret) SET n.owner = 'me'",
    "CREATE (a:Scripted) WITH 1 AS x CREATE (a) WITH 1 AS x MATCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "OPTIONAL MATCH (n:ScriptedSecret) CREATE (:Scripted {name: coalesce(n.name, 'none')})",
    "MATCH (n) WHERE elementId(n) STARTS WITH '4' CREATE (:Scripted {name: n.name})",
    "MATCH (n) WHERE id(n) >= 0 CREATE (:Scripted {name: n.name})",
    "MATCH (n:`_KGQA_Script`|ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "MATCH (n:$('ScriptedSecret')) CREATE (:Scripted {name: n.name})",
    "MATCH (n:$all(['ScriptedSecret'])) CREATE (:Scripted {name: n.name})",
    "M\\u0041TCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "CREATE (:Scripted {name: 'x\\u0027}) WITH 1 AS x MATCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name}) //'})",
    "CREATE (:Scripted {name: 'x\\u005cu0027}) WITH 1 AS x MATCH (n) CREATE (:Scripted {name: n.name}) //'})",
    "// a comment ends here\rMATCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "/* a */ MA/**/TCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "MATCH\u180e(n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "MATCH\x00(n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "WITH 1MATCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "CYPHER 5 MATCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "CYPHER runtime=slotted MATCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "PROFILE MATCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "USE neo4j MATCH (n:ScriptedSecret) CREATE (:Scripted {name: n.name})",
    "CALL { USE neo4j MATCH (n:ScriptedSecret) RETURN n.name AS name } CREATE (:Scripted {name: name})",
    "MATCH (n:ScriptedSecret) CALL (n) { CREATE (:Scripted {name: n.name}) } IN 2 TRANSACTIONS",
    "MATCH (n:ScriptedSecret) CALL (n) { CREATE (:Scripted {name: n.name}) } IN $x CONCURRENT TRANSACTIONS",
    "SHOW DATABASES YIELD name",
    "SHOW FUNCTIONS",
    "CALL db.labels() YIELD label CREATE (:Scripted {name: label})",
    "CALL `db`.`labels`() YIELD label CREATE (:Scripted {name: label})",
    "CALL dbms.listConfig() YIELD name CREATE (:Scripted {name: name})",
    "CALL/**/apoc.cypher.run('MATCH (n) RETURN n.name AS name', {}) YIELD value CREATE (:Scripted {name: value.name})",
    "CREATE (:Scripted {name: `apoc`.load.json('http://127.0.0.1/')})",
    "CREATE (:Scripted {name: genai.vector.encode('a', 'OpenAI', {token: 'x'})})",
    "CREATE (:Scripted {name: db.nameFromElementId('x')})",
    "CREATE USER mallory SET PASSWORD 'swordfish'",
    "CREATE OR REPLACE DATABASE neo4j",
    ":param x => COLLECT { MATCH (n:ScriptedSecret) RETURN n.name }\nCREATE (:Scripted {name: $x[0]})",
    ":param x => [(n:ScriptedSecret)-->() | n.name]\nCREATE (:Scripted {name: $x[0]})",
    ":param x => 1 AS value UNION MATCH (n:ScriptedSecret) RETURN n.name\nCREATE (:Scripted {name: $x})",
)


@pytest.fixture
def secret(driver: neo4j.Driver) -> Iterator[None]:
    """What another graph of the database holds."""
    driver.execute_query(
        "CREATE (:ScriptedSecret {name: 'swordfish', pet: 'cat'})-[:KNOWS]->(:ScriptedSecret {name: 'swordfish'})"
    )
    yield
    found = driver.execute_query("MATCH (n:ScriptedSecret) RETURN collect(properties(n)) AS all").records[0][0]
    driver.execute_query("MATCH (n:ScriptedSecret) DETACH DELETE n")
    assert sorted(found, key=len) == [{"name": "swordfish"}, {"name": "swordfish", "pet": "cat"}]


def read_or_refused(read: Read, script: str) -> str:
    """What comes of a script, and why it was refused."""
    try:
        return repr(read(script))
    except LoadError as error:
        return f"refused: {error}"


@pytest.mark.parametrize("script", ATTACKS)
@pytest.mark.usefixtures("secret")
def test_script_sees_no_node_of_another_graph(script: str, read: Read, driver: neo4j.Driver) -> None:
    found = read_or_refused(read, script)
    assert "'swordfish'" not in found.replace("THEN 'swordfish'", "")
    assert not driver.execute_query("MATCH (n:Scripted) RETURN n").records


@pytest.mark.parametrize(
    "script",
    [
        "LOAD CSV FROM 'ADDRESS' AS row CREATE (:Scripted {name: row[0]})",
        "LOAD/**/CSV FROM 'ADDRESS' AS row CREATE (:Scripted {name: row[0]})",
        "CREATE (:Scripted {name: 'a\\u0027}) WITH 1 AS x LOAD CSV FROM \\u0027ADDRESS\\u0027 AS r CREATE (:X) //'})",
        "L\\u004fAD CSV FROM 'ADDRESS' AS row CREATE (:Scripted {name: row[0]})",
        ":param x => COLLECT { LOAD CSV FROM 'ADDRESS' AS row RETURN row }\nCREATE (:Scripted {name: $x[0][0]})",
        ":param x => 1 AS value UNION LOAD CSV FROM 'ADDRESS' AS value RETURN value\nCREATE (:Scripted {name: 'a'})",
        "CREATE (:Scripted {name: COLLECT { LOAD CSV FROM 'ADDRESS' AS row RETURN row[0] }[0]})",
        "WITH 1 AS load LOAD\n//\nCSV FROM 'ADDRESS' AS row CREATE (:Scripted {name: row[0]})",
    ],
)
def test_script_fetches_nothing(script: str, read: Read, driver: neo4j.Driver, address: tuple[str, list[str]]) -> None:
    where, asked = address
    assert read_or_refused(read, script.replace("ADDRESS", where)).startswith("refused")
    with pytest.raises(neo4j.exceptions.Neo4jError, match="blocked"):  # and nor does what gets past the check
        driver.execute_query(f"LOAD CSV FROM '{where}' AS row RETURN row")
    assert asked == []


@pytest.fixture
def address() -> Iterator[tuple[str, list[str]]]:
    """The address of a web server on this machine, and what it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name is the library's
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"a\n")

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/names", asked
        server.shutdown()


def test_node_that_another_graph_has_alike_is_made_anew(read: Read, driver: neo4j.Driver) -> None:
    script = "MERGE (a:ScriptedThere {name: 'Ann'}) MERGE (b:ScriptedThere {name: 'Ben'}) MERGE (a)-[:KNOWS]->(b)"
    driver.execute_query("CREATE (:ScriptedThere {name: 'Ann'})-[:KNOWS]->(:ScriptedThere {name: 'Ben'})")
    try:
        records = read(f"{script};\n{script};")
    finally:
        driver.execute_query("MATCH (n:ScriptedThere) DETACH DELETE n")
    assert [record for record in records if isinstance(record, Triple)] == [Triple(0, "Ann", "KNOWS", "Ben")]
    assert [record.labels for record in records if isinstance(record, Named)] == [("ScriptedThere",)] * 2


@pytest.mark.parametrize(
    ("script", "facts"),
    [
        ("CREATE (a:S {name: 'a', v: (1+2)*3}), (b), (c:S&T {name: 'c'}) CREATE (a)-[:R]->(c)-[:R]->(a)", 2),
        ("UNWIND ['a', 'b'] AS name MERGE (x:S {name: name}) WITH collect(x) AS all UNWIND all AS y MATCH (z:S) "
         "WHERE z <> y AND NOT (z)-[:R]->(y) CREATE (y)-[:R]->(z)", 1),
        ("FOREACH (i IN range(1, 3) | CREATE (:S {name: toString(i)})-[:R]->(:T {name: 't' + i}))", 3),
        ("INSERT (:S {name: 'a'})-[:R]->(:T&U {name: 'b'});", 1),
        ("CREATE (:S:T {name: 'a'}); MATCH (x:S:T) CREATE (x)-[:R]->(:U:V {name: 'b'});", 1),
        ("CREATE (`x y`:`A B` {name: 'a'}) CREATE (`x y`)-[:R]->(`x y`)", 1),
        ("CREATE (a:S {name: 'a'}), (b:T {name: 'b'}); MATCH p = (a:S|T) MATCH (b:!S) CREATE (a)-[:R]->(b)", 2),
        ("CREATE (:S {name: 'a', at: datetime.truncate('day', datetime('2020-01-02T03:04:05Z')), "
         "far: point.distance(point({x: 1, y: 2}), point({x: 1, y: 3})) > (1)})-[:R]->(:S {name: 'b'})", 1),
        ("CREATE (:S {name: 'C:\\\\users\\u0041'})-[:R]->(:S {name: 'b'})", 1),
    ],
)  # fmt: skip
def test_script_finds_its_own_nodes(script: str, facts: int, read: Read) -> None:
    found = [record for record in read(script) if isinstance(record, Triple)]
    assert len({(fact.head, fact.tail) for fact in found}) >= facts


JOINED = "CREATE (:Scripted {name: 'new'});\n"


@pytest.mark.parametrize(
    "script",
    [
        JOINED + "MATCH (o:ScriptedSecret) CREATE (o)-[:KNOWS]->(:Scripted {name: 'lost'})",
        JOINED + "MATCH (o:ScriptedSecret), (n:Scripted) MERGE (n)-[:KNOWS]->(o)",
        JOINED + "MATCH (o:ScriptedSecret) SET o.owner = 'me'",
        JOINED + "MATCH (o:ScriptedSecret) REMOVE o.name // the end",
        JOINED + "CREATE (n:Scripted {name: 'more'}) WITH n MATCH (o:ScriptedSecret) CREATE (n)-[:KNOWS]->(o)",
        JOINED + "UNWIND ['a', 'b'] AS name MATCH (o:ScriptedSecret {name: name}) MERGE (o)-[:KNOWS]->(:Scripted)",
        JOINED + "CYPHER 5 MATCH (n:Scripted) MATCH (o:ScriptedSecret) CREATE (n)-[:KNOWS]->(o)",
        JOINED + "MATCH (o:ScriptedSecret) FOREACH (x IN [1] | CREATE (o)-[:KNOWS]->(:Scripted))",
    ],
)
@pytest.mark.usefixtures("secret")
def test_statement_that_joins_what_is_there_is_named(script: str, read: Read) -> None:
    rejects = [record for record in read(script) if isinstance(record, Reject)]
    assert [reject.line for reject in rejects] == [2]
    assert rejects[0].reason.startswith("statement 2 matched nothing: a script sees only what it made itself")
    assert "ScriptedSecret" in rejects[0].text


@pytest.mark.parametrize(
    "statement",
    [
        "MATCH (n:Scripted) MERGE (n)-[:KNOWS]->(n)", "MATCH (n:Scripted) SET n.name = 'new'", "MATCH (n) RETURN n",
        "MATCH (n:Scripted) OPTIONAL MATCH (n)-->(o:None) FOREACH (x IN CASE WHEN o IS NULL THEN [] ELSE [1] END | "
        "CREATE (:Scripted {name: 'none'}))", "MERGE (n:Scripted {name: 'new'}) ON MATCH SET n.seen = true",
        "MATCH (n:Nobody) RETURN n", "CYPHER 5 MATCH (n:Scripted) CREATE (n)-[:KNOWS]->(:Scripted {name: 'next'})",
    ],
)  # fmt: skip
def test_statement_that_finds_its_own_or_writes_nothing_is_none_of_those(statement: str, read: Read) -> None:
    records = read(f"{JOINED}{statement};\n{statement};")
    assert not [record for record in records if isinstance(record, Reject)]


def test_labels_of_a_node_are_those_that_the_script_gave(read: Read) -> None:
    records = read(
        "CREATE (n:S:T {name: 'a'}) SET n.all = labels(n), n.count = size(LABELS (n)), n.text = toString(labels(n)[0]);"
        "MATCH (n:S) SET n.none = [l IN `labels`(n) WHERE NOT l IN ['S', 'T'] | l] + labels(head([n])) // the end\n;"
        "MATCH (n:S) WITH labels(n) AS labels CREATE (:U {name: labels[0] + size(labels)}) RETURN labels(null)"
    )
    values = {(record.relation, record.value) for record in records if isinstance(record, Literal)}
    first = {value for relation, value in values if relation == "text"}
    assert first < {"S", "T"}  # the server orders labels as it likes
    assert values == {
        ("all", "S"), ("all", "T"), ("count", 2), ("none", "S"), ("none", "T"), *(("text", one) for one in first),
    }  # fmt: skip
    ids = {record.entity_id for record in records if isinstance(record, Named)}
    assert len(ids & {"S2", "T2"}) == 1  # the first of two labels, whichever it is
    assert "_KGQA" not in repr(records)


def test_statement_that_takes_too_long_is_stopped_and_named(driver: neo4j.Driver, tmp_path: Path) -> None:
    path = tmp_path / "made.cypher"
    endless = "UNWIND range(1, 1000000) AS x UNWIND range(1, 1000000) AS y WITH x WHERE x < 0 CREATE (:Scripted)"
    path.write_text(f"CREATE (:Scripted {{name: 'a'}});\n\n{endless};")
    options = ReadOptions(statement_time_s=0.5)
    source = CypherScript(path, "made.cypher", options, connect=connected(driver))  # type: ignore[arg-type]
    began = time.monotonic()
    with pytest.raises(LoadError, match=r"made\.cypher: line 3: statement 2 timed out: .* over 0\.5 s"):
        list(source.records())
    assert time.monotonic() - began < 60
    path.write_text("CREATE (:Scripted {name: 'a'});" * 3)
    assert len(list(source.records())) == 3  # each has its own time


def test_load_of_a_script_that_joins_what_is_there_says_so(read: Read, driver: neo4j.Driver, tmp_path: Path) -> None:
    path = tmp_path / "made.cypher"
    path.write_text(JOINED + "MATCH (o:ScriptedSecret) CREATE (o)-[:KNOWS]->(:Scripted {name: 'lost'})")
    try:
        source = CypherScript(path, "made.cypher", connect=connected(driver))  # type: ignore[arg-type]
        report = load(driver, source, graph="scripted")
        assert (report.entities, report.rejected) == (1, 1)
        assert "line 2 could not be loaded: statement 2 matched nothing" in " ".join(report.notes)
    finally:
        drop(driver, "scripted")


def test_script_that_never_ends_is_stopped(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgqa_loaders.cypher_script.SCRIPT_TIME_S", 1)
    began = time.monotonic()
    with pytest.raises(LoadError, match=r"timed out|terminated|timeout"):
        read("UNWIND range(1, 1000000) AS x UNWIND range(1, 1000000) AS y WITH x WHERE x < 0 CREATE (:Scripted)")
    assert time.monotonic() - began < 60


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
