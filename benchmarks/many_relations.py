"""How long a graph of very many relations takes to load, and its first and second question.

    python -m benchmarks.many_relations [--relations 20000] [--facts 3]

The server is the one that kgqa uses otherwise; the graph is dropped at the end. Vectors are kept in a new folder:
the first question embeds what it needs. Time is that of the calls, without starting Python.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

from benchmarks.common import environment
from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder, OnnxEncoder
from kgqa_graphdb.managed import resolve_connection
from kgqa_graphdb.runtime import open_driver
from kgqa_loaders.drop import drop
from kgqa_loaders.recognise import open_source
from kgqa_loaders.write import load

GRAPH = "many_relations"
WORDS = (
    "alpha beta gamma delta river mountain city person film book road bridge order item price owner maker member part "
    "region unit"
).split()


def write_facts(path: Path, relations: int, facts: int) -> None:
    """Triples of so many relations, each of so many facts, between a quarter as many entities."""
    choose = random.Random(1)
    with path.open("w", encoding="utf-8") as file:
        for number in range(relations):
            relation = f"{WORDS[number % len(WORDS)]}_{WORDS[number // len(WORDS) % len(WORDS)]}_{number}"
            for _ in range(facts):
                head, tail = (f"Thing {choose.randrange(max(2, relations // 4))}" for _ in range(2))
                file.write(f"{head}\t{relation}\t{tail}\n")


def main() -> None:
    """Load, ask twice, print the seconds of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--relations", type=int, default=20_000)
    parser.add_argument("--facts", type=int, default=3, help="of each relation")
    options = parser.parse_args()
    print(environment())
    with tempfile.TemporaryDirectory() as name, open_driver(connection := resolve_connection()) as driver:
        path = Path(name) / "facts.txt"
        write_facts(path, options.relations, options.facts)
        began = time.perf_counter()
        report = load(driver, open_source(str(path)), graph=GRAPH, database=connection.database)
        print(f"load               {time.perf_counter() - began:8.2f} s  {report.relations:,} relations")
        encoder = CachedEncoder(OnnxEncoder(), folder=Path(name) / "vectors")
        began = time.perf_counter()
        with KGQA.connect(graph=GRAPH, encoder=encoder) as kg:
            for place in ("first", "second"):
                kg.ask(f"what is the gamma delta of Thing {len(place)}?")
                print(f"{place + ' question':18} {time.perf_counter() - began:8.2f} s")
                began = time.perf_counter()
        drop(driver, GRAPH, database=connection.database)


if __name__ == "__main__":
    main()
