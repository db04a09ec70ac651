"""The graphs that :mod:`compare_checkouts` asks and that ``kgqa load`` does not load: property graphs of the tests.

    KGQA_HOME=first python -m benchmarks.comparison_graphs --second second

Needs an empty managed server in ``second``, and another in ``first`` that may hold loaded graphs. Northwind as Neo4j's
guide loads it and the movies are written to ``second``; northwind with types and the reservoirs of
``tests/neo4j/test_operators.py`` to ``first``. A mapping is proposed while a graph is alone in ``second``, as in the
tests, and kept in ``graphs/NAME.toml`` of the home that holds the graph. ``KGQA_DATA`` names the folder of
``property-graphs/``.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import neo4j

from kgqa_graphdb import write_mapping
from kgqa_graphdb.managed import resolve_connection
from kgqa_graphdb.runtime import Neo4jIO, open_driver
from kgqa_graphdb.steps import run
from kgqa_graphdb.survey import propose, survey
from tests.neo4j.property_graphs import data_folder, northwind_tables, write_movies, write_northwind
from tests.neo4j.test_operators import CLOSED, LAKES, MAPPING, PHOTOGRAPHED, SURVEYED

Write = Callable[[neo4j.Driver], None]


def write_reservoirs(driver: neo4j.Driver) -> None:
    """Write the reservoirs and who surveyed and photographed them."""
    lakes = [
        {"name": name, "depth": depth, "openingDate": day, "canton": canton, "closed": "1" if name in CLOSED else "0"}
        for name, (depth, day, canton) in LAKES.items()
    ]
    driver.execute_query("UNWIND $lakes AS lake CREATE (r:Reservoir) SET r = lake", lakes=lakes)
    driver.execute_query("UNWIND $names AS name CREATE (:Surveyor {name: name})", names=list(SURVEYED))
    for type_, pairs in (("SURVEYED", SURVEYED), ("PHOTOGRAPHED", PHOTOGRAPHED)):
        for person, names in pairs.items():
            driver.execute_query(
                "MATCH (s:Surveyor {name: $person}), (r:Reservoir) WHERE r.name IN $names "
                f"CREATE (s)-[:{type_}]->(r)",
                person=person,
                names=list(names),
            )


@contextmanager
def opened(home: Path) -> Iterator[neo4j.Driver]:
    """A driver to a home's managed server, which is started if it does not run."""
    os.environ["KGQA_HOME"] = str(home)
    with open_driver(resolve_connection()) as driver:
        yield driver


def empty(driver: neo4j.Driver) -> None:
    """Delete all that a database holds, with its constraints and indexes."""
    driver.execute_query("MATCH (n) DETACH DELETE n")
    for what, listing in (("CONSTRAINT", "SHOW CONSTRAINTS"), ("INDEX", "SHOW INDEXES")):
        for row in driver.execute_query(f"{listing} YIELD name, type WHERE type <> 'LOOKUP' RETURN name").records:
            driver.execute_query(f"DROP {what} `{row['name']}`")


def main() -> None:
    """Write the graphs and their mappings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--second", type=Path, required=True, help="KGQA_HOME of the second server; it must be empty")
    options = parser.parse_args()
    first, second = Path(os.environ["KGQA_HOME"]).absolute(), options.second.absolute()
    tables, movies = northwind_tables(data_folder("northwind")), data_folder("movies")

    def typed(driver: neo4j.Driver) -> None:
        write_northwind(driver, tables, typed=True)

    graphs: dict[str, tuple[Path, Write]] = {
        "northwind_typed": (first, typed),
        "movies": (second, lambda driver: write_movies(driver, movies)),
        "northwind": (second, lambda driver: write_northwind(driver, tables, typed=False)),
    }
    with opened(second) as driver:
        if driver.execute_query("MATCH (n) RETURN count(n) AS nodes").records[0]["nodes"]:
            sys.exit(f"the server in {second} is not empty: name another folder")
        empty(driver)
        for name, (home, write) in graphs.items():
            write(driver)
            with Neo4jIO(driver) as io:
                write_mapping(propose(name, run(survey(), io)).mapping, home / "graphs" / f"{name}.toml")
            empty(driver)
        for home, write in graphs.values():
            if home == second:
                write(driver)
    with opened(first) as driver:
        typed(driver)
        write_reservoirs(driver)
    write_mapping(MAPPING, first / "graphs" / f"{MAPPING.graph}.toml")


if __name__ == "__main__":
    main()
