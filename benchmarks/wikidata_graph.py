"""One Wikidata graph of what the data folder has of Wikidata, and what of it each source gave.

    python benchmarks/wikidata_graph.py                   # runs the kgqa load below, then counts
    python benchmarks/wikidata_graph.py --only-count

It is one command, with the folder that KGQA_DATA names before each source:

    kgqa load wikidata/wd50k/statements wikidata/labelled wikidata/subsets/literallywikidata \
        wikidata/subsets/InferWiki16k.zip --graph wikidata

Left out are the samples of formats (entitybase, opentapioca, kgtk, qwikidata, wikidata-query-rdf: a few entities each,
some of them made up), WD50K's ``triples`` (its statements without qualifiers), and, skipped while loading,
LiterallyWikidata's entity types (59,724 entities, most of which are in no other file) and InferWiki's wrong facts.

Entities that no source names go by their ids, and no question can mean them otherwise.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import LiteralString, cast

import neo4j
from common import environment, server_version

from kgqa_graphdb.catalog import GraphInfo, graphs, label_of
from kgqa_graphdb.managed import resolve_connection
from kgqa_graphdb.runtime import Neo4jIO, open_driver
from kgqa_graphdb.steps import run

SOURCES = ("wd50k/statements", "labelled", "subsets/literallywikidata", "subsets/InferWiki16k.zip")

_QUALIFIED = "any(key IN keys(r) WHERE key STARTS WITH 'P')"
COUNTS = {
    "entities": "MATCH (n:`<label>`) RETURN count(n)",
    "  with a name": "MATCH (n:`<label>`) WHERE n.name <> n.entity_id RETURN count(n)",
    "  with aliases": "MATCH (n:`<label>`) WHERE n.aliases IS NOT NULL RETURN count(n)",
    "  with a description": "MATCH (n:`<label>`) WHERE n.description IS NOT NULL RETURN count(n)",
    "facts": "MATCH (:`<label>`)-[r]->() RETURN count(r)",
    "  with qualifiers": f"MATCH (:`<label>`)-[r]->() WHERE {_QUALIFIED} RETURN count(r)",
    "  without, though there is one with qualifiers": f"""
        MATCH (h:`<label>`)-[r]->(t) WHERE {_QUALIFIED}
        WITH DISTINCT h, t, type(r) AS type
        MATCH (h)-[r]->(t) WHERE type(r) = type AND NOT {_QUALIFIED} RETURN count(r)""",
    "properties that hold values": """
        MATCH (n:`<label>`) UNWIND [key IN keys(n) WHERE key =~ 'P[0-9]+(_Q[0-9]+)?_*'] AS key RETURN count(key)""",
    "relations between entities": "MATCH (:`<label>`)-[r]->() RETURN count(DISTINCT type(r))",
}
"""What is counted → query."""


def sources() -> list[str]:
    """The paths of the sources; ends the program when one is not there."""
    folder = Path(os.environ.get("KGQA_DATA", "data")) / "wikidata"
    paths = [folder / source for source in SOURCES]
    if missing := [path for path in paths if not path.exists()]:
        sys.exit(f"there is no {missing[0]}: set KGQA_DATA to the folder that holds wikidata/{SOURCES[0]}")
    return list(map(str, paths))


def main() -> None:
    """Load the graph and print its counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="wikidata")
    parser.add_argument("--only-count", action="store_true", help="of a graph that is loaded already")
    options = parser.parse_args()
    if not options.only_count:
        command = ["kgqa", "load", *sources(), "--graph", options.graph, "--rejects", f"{options.graph}.rejects.tsv"]
        print("$", *command, flush=True)
        subprocess.run(command, check=True)
    connection = resolve_connection()
    with open_driver(connection) as driver, Neo4jIO(driver, connection.database) as io:
        known = {info.graph: info for info in run(graphs(), io)}
        if options.graph not in known:
            sys.exit(f"there is no graph {options.graph}; leave out --only-count")
        count(driver, known[options.graph], connection.database)
        print(environment(server_version(driver)))


def count(driver: neo4j.Driver, info: GraphInfo, database: str | None) -> None:
    """Print the counts of a graph, and of its sources."""
    for what, query in COUNTS.items():
        text = cast(LiteralString, query.replace("<label>", label_of(info.graph)))
        print(f"{driver.execute_query(text, database_=database).records[0][0]:>9,}  {what}")
    print(f"\n{'facts':>9} {'new':>9} {'qualified':>9} {'entities':>9} {'new':>9} {'values':>9} {'names':>9} "
          f"{'aliases':>9} {'descr.':>9}  source")  # fmt: skip
    for given in info.sources:
        numbers = (given.facts, given.new_facts, given.qualified, given.entities, given.new_entities, given.values,
                   given.named, given.aliased, given.described)  # fmt: skip
        print(" ".join(f"{number:>9,}" for number in numbers), f" {given.source.rpartition('/wikidata/')[2]}")


if __name__ == "__main__":
    main()
