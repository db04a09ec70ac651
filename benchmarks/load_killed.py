"""Kills a load at random moments, runs the same command again each time, and compares what is stored.

    python benchmarks/load_killed.py --times 20

A made source of entities, values and statements is loaded once without a hitch. Then, for each round, ``kgqa load`` is
killed (SIGKILL) at a random moment, started again, and every node and relationship is compared with those of the first
load. The server is the one that ``NEO4J_*`` variables name, else the managed one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import neo4j
from common import environment

from kgqa_graphdb.errors import UnknownGraphError
from kgqa_graphdb.managed import resolve_connection
from kgqa_graphdb.runtime import open_driver
from kgqa_loaders.drop import drop

KGQA = Path(sysconfig.get_path("scripts")) / "kgqa"
GRAPH = "benchmark_killed"


def main() -> None:
    """Kill, load again, compare, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--times", type=int, default=20, help="how often to kill")
    parser.add_argument("--entities", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    choose = random.Random(options.seed)
    connection = resolve_connection()
    print(environment())
    same = 0
    with tempfile.TemporaryDirectory() as folder, open_driver(connection) as driver:
        source = make_source(Path(folder) / "facts.jsonl", options.entities, choose)
        with suppress(UnknownGraphError):
            drop(driver, GRAPH, database=connection.database)  # what an earlier run left
        started = time.perf_counter()
        begins = first_written(load(source), driver, connection.database) - started
        whole = time.perf_counter() - started
        expected, size = digest(driver, connection.database)
        print(f"a whole load: {whole:.1f} s, {size[0]:,} entities, {size[1]:,} facts")
        for number in range(1, options.times + 1):
            moment, whole = killed(source, driver, connection.database, choose, (begins, whole))
            there = digest(driver, connection.database)[1]
            if load(source).wait():
                sys.exit("the second load failed")
            found = digest(driver, connection.database)[0]
            same += found == expected
            print(
                f"  {number:>2}: was killed after {moment:5.2f} s with {there[0]:,} entities and {there[1]:,} facts; "
                f"loaded again: {'the same graph' if found == expected else 'ANOTHER GRAPH'}",
                flush=True,
            )
        drop(driver, GRAPH, database=connection.database)
    print(f"{same} of {options.times} ended with the same graph")
    sys.exit(same != options.times)


def killed(
    source: Path, driver: neo4j.Driver, database: str | None, choose: random.Random, between: tuple[float, float]
) -> tuple[float, float]:
    """Load into nothing and kill that at a random moment; the moment, and how long a whole load took last.

    :param between: when something was first written, and when the load had ended
    """
    begins, whole = between
    while True:
        drop(driver, GRAPH, database=database)
        moment = choose.uniform(begins, whole)
        process, started = load(source), time.perf_counter()
        try:
            if process.wait(moment):
                sys.exit("a load failed")
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return moment, whole
        whole = time.perf_counter() - started  # it had ended: that is no kill


def first_written(process: subprocess.Popen[bytes], driver: neo4j.Driver, database: str | None) -> float:
    """Wait for the end of a load into nothing; the time when the graph was first there."""
    first = 0.0
    while process.poll() is None:
        if (
            not first
            and driver.execute_query(
                "MATCH (m:_KGQA_Graph {graph: $graph}) RETURN m", {"graph": GRAPH}, database_=database
            ).records
        ):
            first = time.perf_counter()
        time.sleep(0.02)
    if process.returncode:
        sys.exit("a load failed")
    return first or time.perf_counter()


def make_source(path: Path, entities: int, choose: random.Random) -> Path:
    """JSON lines: named entities with values and classes, facts, and statements with qualifiers."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(entities):
            node = {
                "id": f"n{number}",
                "name": f"entity {number}",
                "labels": [f"Class{number % 7}"],
                "size": number % 99,
            }
            file.write(json.dumps(node) + "\n")
        for _ in range(2 * entities):
            head, tail = choose.randrange(entities), choose.randrange(entities)
            fact = {"head": f"n{head}", "relation": f"relation {choose.randrange(20)}", "tail": f"n{tail}"}
            if choose.random() < 0.3:
                fact |= {"since": choose.randrange(1900, 2020)}  # type: ignore[dict-item]
            file.write(json.dumps(fact) + "\n")
    return path


def load(source: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([KGQA, "load", source, "--graph", GRAPH, "--json"], stdout=subprocess.DEVNULL)


def digest(driver: neo4j.Driver, database: str | None) -> tuple[str, tuple[int, int]]:
    """A hash of every entity, fact and meta node with all their properties, and the numbers of entities and facts."""
    statements = (
        f"MATCH (n:KG_{GRAPH}) RETURN labels(n), properties(n)",
        f"MATCH (h:KG_{GRAPH})-[r]->(t) RETURN h.entity_id, type(r), t.entity_id, properties(r)",
        f"MATCH (m:_KGQA_Relation {{graph: '{GRAPH}'}}) RETURN properties(m)",
        f"MATCH (m:_KGQA_Graph {{graph: '{GRAPH}'}}) RETURN m {{.*, loaded_at: null, load: null, batch: null}}",
    )
    summed = hashlib.sha256()
    counts = []
    for statement in statements:
        records = driver.execute_query(statement, database_=database).records  # type: ignore[arg-type]
        rows = sorted(json.dumps(record.values(), sort_keys=True, default=str) for record in records)
        counts.append(len(rows))
        summed.update("\n".join(rows).encode())
    return summed.hexdigest(), (counts[0], counts[1])


if __name__ == "__main__":
    main()
