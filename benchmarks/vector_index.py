"""What a vector index takes: to make, to keep up to date, and to ask.

    kgqa load $KGQA_DATA/metaqa/kb.txt --graph metaqa
    python benchmarks/vector_index.py --graph metaqa

Makes the index of a loaded graph (embedding, writing, filling it), runs the same again (nothing to do), and measures
linking, by one process, one question at a time: names that stand in the question, with the index and before it was
there, and descriptions that no name fits, which take an embedding of each stretch of the question and a search. The
index is removed at the end.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence

from common import environment, percentile

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder, OnnxEncoder
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.managed import resolve_connection
from kgqa_graphdb.runtime import Neo4jIO, open_driver
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Question
from kgqa_loaders.vectors import index_vectors, remove_vectors

THINGS = "small tall quiet rainy northern forgotten wooden golden hollow crooked".split()
KINDS = "harbour lighthouse orchard viaduct glacier tapestry almanac quarry ferry observatory".split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="metaqa")
    parser.add_argument("--count", type=int, default=100, help="questions of each sort")
    options = parser.parse_args()
    connection = resolve_connection()
    encoder = OnnxEncoder()
    with open_driver(connection) as driver:
        version = driver.execute_query("CALL dbms.components() YIELD versions RETURN versions[0] AS v").records[0]["v"]
        print(environment(version))

        def linking(title: str, questions: Sequence[str]) -> None:
            graph = KGQA(driver, graph=options.graph, database=connection.database).graph
            linker = NameLinker()
            spent = []
            with Neo4jIO(driver, connection.database, CachedEncoder(encoder)) as io:
                for number, text in enumerate([*questions[:20], *questions]):
                    started = time.perf_counter()
                    run(linker.link(Question(text + " ?" * (number >= 20)), graph), io)
                    if number >= 20:
                        spent.append((time.perf_counter() - started) * 1000)
            print(f"{title:<44} median {percentile(spent, 0.5):6.1f} ms, p95 {percentile(spent, 0.95):6.1f} ms")

        graph = KGQA(driver, graph=options.graph, database=connection.database).graph
        label = graph.mapping.entities[0].label
        rows = driver.execute_query(f"MATCH (n:`{label}`) RETURN n.name AS name ORDER BY name").records
        choose = random.Random(0)
        named = [f"who knows {row['name']}" for row in choose.sample(rows, min(options.count, len(rows)))]
        described = [
            f"which {choose.choice(KINDS)} stands beside the {choose.choice(THINGS)} {choose.choice(KINDS)}"
            for _ in range(options.count)
        ]
        linking("names, no vector index", named)
        linking("descriptions, no vector index", described)
        report = index_vectors(driver, graph.mapping, encoder, database=connection.database)
        print(
            f"{report.embedded:,} of {report.entities:,} entities embedded and indexed in {report.seconds:.1f} s "
            f"({report.embedded / report.seconds:,.0f} a second), {report.vectors.dimension} numbers each"
        )
        again = index_vectors(driver, graph.mapping, encoder, database=connection.database)
        print(f"the same again: {again.embedded:,} embedded in {again.seconds:.1f} s")
        linking("names, with a vector index", named)
        linking("descriptions, with a vector index", described)
        remove_vectors(driver, graph.mapping, database=connection.database)


if __name__ == "__main__":
    main()
