"""How fast triples are loaded: ours, as shipped, against plain ``UNWIND … MERGE`` and two libraries' writers.

    python benchmarks/load_triples.py $KGQA_DATA/metaqa/kb.txt
    python benchmarks/made_graph.py --relations 300 --facts 1000000 > made.txt
    python benchmarks/load_triples.py made.txt --repeat 2

All sides load the same file into the same server, each into a graph of its own label with the same uniqueness
constraint: the first 100,000 facts to warm up, then all of them ``--repeat`` times, in both orders. Every result is
counted in the database. Reading the file is part of each side's time; ours also makes the full-text index, keeps its
ledger and works out which steps can follow which.

The server is the one that ``NEO4J_*`` variables name, else the managed one.

The libraries are neo4j-graphrag (``Neo4jWriter``) and langchain-neo4j (``add_graph_documents``). Both need APOC. On a
managed 5.26 server that has none:

    pip install neo4j-graphrag langchain-neo4j
    mvn dependency:copy -Dartifact=org.neo4j.procedure:apoc-core:5.26.0:jar:core -DoutputDirectory=.
    zip -q -d apoc-core-5.26.0-core.jar 'org/apache/commons/lang3/*'    # or 5.26.29 finds two versions of it
    mkdir -p HOME/plugins && mv apoc-core-5.26.0-core.jar HOME/plugins/
    echo 'dbms.security.procedures.unrestricted=apoc.*' >> HOME/conf/neo4j.conf

with the HOME that ``kgqa db status`` prints; then ``kgqa db stop``, ``kgqa db start``.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import neo4j

from kgqa_graphdb.errors import UnknownGraphError
from kgqa_graphdb.managed import Connection, resolve_connection
from kgqa_graphdb.queries import quote
from kgqa_graphdb.runtime import open_driver
from kgqa_loaders.batches import BATCH
from kgqa_loaders.drop import drop
from kgqa_loaders.recognise import open_source
from kgqa_loaders.records import Triple
from kgqa_loaders.write import load

WARM_UP = 100_000
GRAPH = "benchmark_ours"
PLAIN = "Benchmark_plain"
GRAPHRAG = "Benchmark_graphrag"
LANGCHAIN = "Benchmark_langchain"


def main() -> None:
    """Measure and print."""
    options = arguments()
    triples = list(dict.fromkeys(read(options.source)))
    print_header(options.source, len(triples))
    connection = resolve_connection()
    with open_driver(connection) as driver:
        print_server(driver, connection.database)
        sides: dict[str, Callable[[Path], float]] = {
            "ours": lambda path: ours(driver, path, connection.database),
            "plain UNWIND MERGE": lambda path: plain(driver, path, connection.database),
        }
        libraries: dict[str, tuple[str, Callable[[Path], float]]] = {
            "neo4j-graphrag Neo4jWriter": ("neo4j-graphrag", lambda path: graphrag(driver, path, connection.database)),
            "langchain-neo4j documents": ("langchain-neo4j", lambda path: langchain(driver, path, connection)),
        }
        for name, (package, side) in libraries.items():
            if reason := why_not(package, driver, connection.database):
                print(f"{name}: skipped: {reason}")
            else:
                sides[name] = side
        rates: dict[str, list[float]] = {name: [] for name in sides}
        try:
            with tempfile.TemporaryDirectory() as folder:
                few = Path(folder) / "few.txt"
                few.write_text("".join(f"{'|'.join(triple)}\n" for triple in triples[:WARM_UP]), encoding="utf-8")
                for turn in range(options.repeat + 1):
                    path, count = (options.source, len(triples)) if turn else (few, min(WARM_UP, len(triples)))
                    for name in list(sides) if turn % 2 else list(sides)[::-1]:
                        clear(driver, connection.database)
                        rate = count / (seconds := sides[name](path))
                        check(driver, name, count, connection.database)
                        word = f"turn {turn}" if turn else "warm-up"
                        print(f"  {word:<8} {name:<28} {seconds:7.2f} s {rate:10,.0f} facts/s", flush=True)
                        if turn:
                            rates[name].append(rate)
        finally:
            clear(driver, connection.database)
    print_result(rates)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    default = Path(os.environ.get("KGQA_DATA", ".")) / "metaqa" / "kb.txt"
    parser.add_argument("source", nargs="?", type=Path, default=default, help="file of head|relation|tail lines")
    parser.add_argument("--repeat", type=int, default=4, help="turns that count, half of them in each order")
    options = parser.parse_args()
    if not options.source.exists():
        sys.exit(f"there is no file {options.source}; give a file of head|relation|tail lines, or set KGQA_DATA")
    return options


def read(source: Path) -> Iterator[tuple[str, str, str]]:
    for record in open_source(str(source)).records():
        if isinstance(record, Triple):
            yield record.head, record.relation, record.tail


# ── the sides ────────────────────────────────────────────────────────────────────────────────────────────────────────


def ours(driver: neo4j.Driver, source: Path, database: str | None) -> float:
    """As ``kgqa load`` does it, but for starting Python."""
    started = time.perf_counter()
    load(driver, open_source(str(source)), graph=GRAPH, database=database)
    return time.perf_counter() - started


def plain(driver: neo4j.Driver, source: Path, database: str | None) -> float:
    """What most people write: rows grouped by relation type, MERGE for both ends and the relationship."""
    started = time.perf_counter()
    driver.execute_query(
        f"CREATE CONSTRAINT {PLAIN} IF NOT EXISTS FOR (n:{PLAIN}) REQUIRE n.entity_id IS UNIQUE", database_=database
    )
    groups: dict[str, list[list[str]]] = {}
    with source.open(encoding="utf-8") as lines:
        for line in lines:
            head, relation, tail = line.rstrip("\n").split("|")
            groups.setdefault(relation, []).append([head, tail])
    with driver.session(database=database) as session:
        for relation, rows in groups.items():
            text = (
                f"CYPHER 5 UNWIND $rows AS row MERGE (h:{PLAIN} {{entity_id: row[0]}}) "
                f"MERGE (t:{PLAIN} {{entity_id: row[1]}}) MERGE (h)-[:{quote(relation)}]->(t)"
            )
            for start in range(0, len(rows), BATCH):
                session.run(text, rows=rows[start : start + BATCH]).consume()  # type: ignore[arg-type]
    return time.perf_counter() - started


def graphrag(driver: neo4j.Driver, source: Path, database: str | None) -> float:
    """neo4j-graphrag's own writer, all in one graph document, in batches of our size."""
    import asyncio

    from neo4j_graphrag.components.kg_writer import Neo4jWriter
    from neo4j_graphrag.components.types import Neo4jGraph, Neo4jNode, Neo4jRelationship

    started = time.perf_counter()
    driver.execute_query(
        f"CREATE CONSTRAINT {GRAPHRAG} IF NOT EXISTS FOR (n:{GRAPHRAG}) REQUIRE n.entity_id IS UNIQUE",
        database_=database,
    )
    triples = list(dict.fromkeys(read(source)))
    ids = dict.fromkeys(end for head, _, tail in triples for end in (head, tail))
    graph = Neo4jGraph(
        nodes=[Neo4jNode(id=end, label=GRAPHRAG, properties={"entity_id": end}) for end in ids],
        relationships=[Neo4jRelationship(start_node_id=h, end_node_id=t, type=r) for h, r, t in triples],
    )
    writer = Neo4jWriter(driver, neo4j_database=database, batch_size=BATCH, clean_db=False)
    result = asyncio.run(writer.run(graph))
    seconds = time.perf_counter() - started
    if result.status != "SUCCESS":
        sys.exit(f"neo4j-graphrag reports {result.status}: {result.metadata}")
    return seconds


def langchain(driver: neo4j.Driver, source: Path, connection: Connection) -> float:
    """langchain-neo4j's own writer, a graph document for each batch of our size."""
    from langchain_neo4j import Neo4jGraph
    from langchain_neo4j.graphs.graph_document import GraphDocument, Node, Relationship

    graph = Neo4jGraph(
        connection.uri, connection.username, connection.password, connection.database, refresh_schema=False
    )
    started = time.perf_counter()
    driver.execute_query(
        f"CREATE CONSTRAINT {LANGCHAIN} IF NOT EXISTS FOR (n:{LANGCHAIN}) REQUIRE n.id IS UNIQUE",
        database_=connection.database,
    )
    triples = list(dict.fromkeys(read(source)))
    for start in range(0, len(triples), BATCH):
        batch = triples[start : start + BATCH]
        ends = dict.fromkeys(end for head, _, tail in batch for end in (head, tail))
        nodes = {end: Node(id=end, type=LANGCHAIN) for end in ends}
        facts = [Relationship(source=nodes[head], target=nodes[tail], type=name) for head, name, tail in batch]
        graph.add_graph_documents([GraphDocument(nodes=list(nodes.values()), relationships=facts)])
    return time.perf_counter() - started


def why_not(package: str, driver: neo4j.Driver, database: str | None) -> str:
    """Why a library can't be measured; empty when it can."""
    try:
        version(package)
    except ImportError:
        return f"it is not installed (pip install {package})"
    names = driver.execute_query(
        "SHOW PROCEDURES YIELD name WHERE name IN ['apoc.create.addLabels', 'apoc.merge.relationship'] RETURN name",
        database_=database,
    ).records
    return "" if len(names) == 2 else "the server has no APOC, without which it writes no relationship"


# ── checks and printing ──────────────────────────────────────────────────────────────────────────────────────────────


def check(driver: neo4j.Driver, name: str, expected: int, database: str | None) -> None:
    """Count what a side wrote.

    :raises SystemExit: it is not every fact once
    """
    labels = {"ours": f"KG_{GRAPH}", "plain UNWIND MERGE": PLAIN, "langchain-neo4j documents": LANGCHAIN}
    rows = driver.execute_query(
        f"MATCH (h:{labels.get(name, GRAPHRAG)})-[r]->(t) "  # type: ignore[arg-type]
        "RETURN count(r), count(DISTINCT [elementId(h), type(r), elementId(t)])",
        database_=database,
    ).records
    if list(rows[0]) != [expected, expected]:
        sys.exit(f"{name} wrote {rows[0][0]} facts, {rows[0][1]} of them distinct, instead of {expected}")


def clear(driver: neo4j.Driver, database: str | None) -> None:
    """Remove what the sides wrote."""
    with contextlib.suppress(UnknownGraphError):
        drop(driver, GRAPH, database=database)
    for label in (PLAIN, GRAPHRAG, LANGCHAIN):
        statement = f"MATCH (n:{label}) WITH n LIMIT 5000 DETACH DELETE n RETURN count(n) AS deleted"
        while driver.execute_query(statement, database_=database).records[0][0]:  # type: ignore[arg-type]
            pass
        driver.execute_query(f"DROP CONSTRAINT {label} IF EXISTS", database_=database)  # type: ignore[arg-type]


def print_header(source: Path, facts: int) -> None:
    packages = ", ".join(f"{name} {version(name)}" for name in ("kgqa-graphdb", "neo4j", "neo4j-rust-ext"))
    pages, page = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    print(f"{source.name}: {facts:,} distinct facts; batches of {BATCH:,}")
    print(f"{packages}, Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    load_average = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{os.cpu_count()} CPUs, {pages * page / 2**30:.0f} GiB; load average before: {load_average}")


def print_server(driver: neo4j.Driver, database: str | None) -> None:
    name, versions, edition = driver.execute_query(
        "CALL dbms.components() YIELD name, versions, edition RETURN name, versions, edition", database_=database
    ).records[0]
    print(f"{name} {versions[0]} {edition}")


def print_result(rates: dict[str, list[float]]) -> None:
    medians = {name: statistics.median(values) for name, values in rates.items()}
    print(f"median of {len(rates['ours'])} turns:")
    for name, rate in medians.items():
        ratio = "" if name == "ours" else f"   ours is {medians['ours'] / rate:.2f} times as fast"
        print(f"  {name:<28} {rate:10,.0f} facts/s{ratio}")


if __name__ == "__main__":
    main()
