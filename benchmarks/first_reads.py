"""What the first walk over a relation takes: a read for one item, planned alone, against the same for each of several.

    python -m benchmarks.first_reads [--relations 200] [--home FOLDER]

Neo4j plans a statement when it sees it first, and a hop has a statement of its own for each relation. The server is one
of its own, warmed by half as many hops of either kind; then both kinds take turns, each time with another relation.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import neo4j

from benchmarks.common import environment, own_server, server_version
from kgqa_graphdb.compile import hop_statement
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.mapping.hops import Hop
from kgqa_graphdb.types import Relation, Statement

KIND = EntityKind("KG_made", "entity_id", ("name",))


def statements(count: int) -> list[Statement]:
    """A hop over each of so many relations."""
    relations = tuple(Relation(f"r{number}", f"r{number}", "", "") for number in range(count))
    mapping = GraphMapping("made", (KIND,), relations, label="KG_made", owned=True)
    steps = [mapping.step(f">r{number}") for number in range(count)]
    return [hop_statement(mapping, Hop(step, mapping.legs(step)), 100, ordered=False) for step in steps]


def run(driver: neo4j.Driver, hops: Sequence[Statement], node: str) -> dict[str, list[float]]:
    """Seconds of each read, in turns alone and as one of several."""
    took: dict[str, list[float]] = {"alone": [], "each": []}
    with driver.session(default_access_mode=neo4j.READ_ACCESS) as session:
        for number, hop in enumerate(hops):
            kind = "alone" if number % 2 else "each"
            text = hop.alone if kind == "alone" else hop.text
            began = time.perf_counter()
            session.run(neo4j.Query(text), {**hop.parameters, "items": [[node]]}).consume()  # type: ignore[arg-type]
            took[kind].append(time.perf_counter() - began)
    return took


def main() -> None:
    """Make a node, warm the server, read, print both medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--relations", type=int, default=200)
    parser.add_argument("--home", type=Path, help="where the server's folder is made; default: a temporary one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, own_server(options.home or Path(folder)) as driver:
        print(environment(server_version(driver)))
        node = driver.execute_query("MERGE (n:KG_made {entity_id: 'a'}) RETURN elementId(n)").records[0][0]
        hops = statements(2 * options.relations)
        run(driver, hops[: options.relations], node)
        took = run(driver, hops[options.relations :], node)
    each, alone = (median(took[kind]) * 1000 for kind in ("each", "alone"))
    print(f"one of several {each:6.1f} ms\nalone          {alone:6.1f} ms\nratio          {each / alone:6.2f}")


if __name__ == "__main__":
    main()
