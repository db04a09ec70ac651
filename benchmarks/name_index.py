"""How quickly a local index over 1,000,000 names is made, how big it is, and how quickly it finds names.

    python benchmarks/name_index.py --names 1000000
    python benchmarks/name_index.py --names 1000000 --server

The names are those of ``link_scale.py``. Asked for are names as they are, with a letter changed, left out, doubled or
swapped, with the last word alone, and with their words the other way round; the searches are those that linking makes.
*Among*: a node of that name is among those found. With ``--server`` the graph of ``link_scale.py`` is written (and
kept; ``--drop`` takes it away), and its questions are linked twice: by Neo4j's full-text index and by the local one.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from common import environment, percentile
from link_scale import QUESTIONS, asked, checksum, made_names, measure, misspelled, write

from kgqa_graphdb import KGQA
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.language.folding import folded_text
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.managed import resolve_connection
from kgqa_graphdb.name_index import open_names
from kgqa_graphdb.name_index.store import Contents, NameIndex, NameWriter
from kgqa_graphdb.runtime import Neo4jIO, open_driver
from kgqa_graphdb.steps import run
from kgqa_graphdb.types import Question
from kgqa_loaders.drop import drop

BATCH = 20_000
DATABASE = "4:made:"
Search = list[str | int]


def make(names: Sequence[str], file: Path) -> tuple[NameIndex, float]:
    """The index over some names, and the seconds that it took."""
    started = time.perf_counter()
    contents = Contents("made", (len(names),), DATABASE)
    with NameWriter(file, DATABASE) as writer:
        for start in range(0, len(names), BATCH):
            some = names[start : start + BATCH]
            writer.add((f"{DATABASE}{number}", [name]) for number, name in enumerate(some, start=start))
        writer.finish(contents, len(names))
    seconds = time.perf_counter() - started
    index = NameIndex.open(file, contents)
    if index is None:
        sys.exit(f"{file} can't be read")
    return index, seconds


# ── searches, as linking makes them ──────────────────────────────────────────────────────────────────────────────────


def whole(name: str) -> list[Search]:
    """For a question that has the name in it."""
    words = list(dict.fromkeys(folded_text(QUESTIONS[0].format(name)).split()))
    content = [word for word in words if word not in ENGLISH.stop_words]
    return [[" ".join(words), 100], *([word, 6] for word in content)]


def fuzzy(name: str) -> list[Search]:
    """For a question whose names are misspelled."""
    words = folded_text(name).split()
    suspects = [word for word in words if len(word) > 3 and word not in ENGLISH.stop_words]
    edits = {word: f"{word}~{1 if len(word) < 6 else 2}" for word in suspects}
    others = [word for word in ("who", "founded", *words) if word not in edits]
    return [[" ".join([*edits.values(), *others]), 100], *([f"{word}~1", 6] for word in suspects)]


def last_word(name: str) -> list[Search]:
    """For a question that has a part of the name in it."""
    return [[folded_text(name).split()[-1], 100]]


def inverted(name: str) -> list[Search]:
    """For a question that has the name's words the other way round."""
    words = folded_text(name).split()[::-1]
    pairs: list[Search] = [[f"+{one} +{other}", 100] for one, other in pairwise(words)]
    return [*pairs, [" ".join(words), 100]]


def search(index: NameIndex, names: Sequence[str], count: int) -> None:
    """Measure searches, and print."""
    bearers = defaultdict(set)
    for number, name in enumerate(names):
        bearers[name].add(f"{DATABASE}{number}")
    choose = random.Random(7)
    groups: list[tuple[str, Callable[[str], list[Search]], bool]] = [
        ("as it is", whole, False),
        ("misspelled", fuzzy, True),
        ("its last word", last_word, False),
        ("its words reversed", inverted, False),
    ]
    print(f"{'searching, ms':<24}{'n':>6}{'median':>9}{'p95':>9}{'most':>9}{'among':>9}{'cpu':>7}")
    for title, searches, wrong in groups:
        spent: list[float] = []
        among, began = 0, time.process_time()
        for name in choose.sample(names, count):
            items = searches(misspelled(name, choose) if wrong else name)
            started = time.perf_counter()
            found = index.search([items])[0]
            spent.append((time.perf_counter() - started) * 1000)
            among += bool(bearers[name] & {node for nodes in found for node in nodes})
        cpu = (time.process_time() - began) * 1000 / count
        print(
            f"{title:<24}{count:>6}{percentile(spent, 0.5):>9.1f}{percentile(spent, 0.95):>9.1f}{max(spent):>9.1f}"
            f"{100 * among / count:>8.1f}%{cpu:>7.1f}"
        )


# ── beside Neo4j's ───────────────────────────────────────────────────────────────────────────────────────────────────


def rows(names: Sequence[str], graph: Graph, io: Neo4jIO, count: int) -> Iterator[str]:
    """Lines about linking on a graph."""
    linker = NameLinker()

    def link(text: str) -> list[str]:
        return [link.entity.id for link in run(linker.link(Question(text), graph), io)]

    for text in QUESTIONS * 4:  # plans, caches
        link(text.format(random.Random(text).choice(names)))
    for title, group in asked(names, count, 1).items():
        found = list(measure(link, group))
        spent = [row[0] for row in found]
        first, among = (100 * sum(row[place] for row in found) / len(found) for place in (1, 2))
        yield f"{title:<24}{percentile(spent, 0.5):>9.1f}{percentile(spent, 0.95):>9.1f}{first:>8.1f}%{among:>8.1f}%"


def beside_neo4j(names: Sequence[str], folder: Path, graph: str, count: int, *, drop_it: bool) -> None:
    """Link the same questions by Neo4j's index and by the local one, and print."""
    connection = resolve_connection()
    with open_driver(connection) as driver:
        record = driver.execute_query(
            "OPTIONAL MATCH (g:_KGQA_Graph {graph: $graph}) RETURN g.state AS state, g.checksum AS checksum",
            graph=graph,
            database_=connection.database,
        ).records[0]
        if (record["state"], record["checksum"]) != ("complete", checksum(names)):
            if record["state"]:
                drop(driver, graph, database=connection.database)
            print(f"wrote the graph in {write(driver, connection.database, graph, names):.0f} s")
        indexed = KGQA(driver, graph=graph, database=connection.database).graph
        with Neo4jIO(driver, connection.database) as io:
            started = time.perf_counter()
            bare = replace(indexed.mapping, fulltext="")
            names_of = run(open_names(bare, folder / "graph.names"), io)
            print(f"read and indexed from the graph in {time.perf_counter() - started:.1f} s")
            for title, one in (("Neo4j's index", indexed), ("the local index", Graph(bare, names=names_of))):
                print(f"{title + ': linking, ms':<24}{'median':>9}{'p95':>9}{'first':>9}{'among':>9}")
                for line in rows(names, one, io, count):
                    print(line)
        if drop_it:
            drop(driver, graph, database=connection.database)


def main() -> None:
    """Make the index, search it, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", type=int, default=1_000_000)
    parser.add_argument("--count", type=int, default=200, help="names to ask for, of each sort")
    parser.add_argument("--server", action="store_true", help="compare with Neo4j's full-text index, too")
    parser.add_argument("--graph", default="link_scale", help="name of the graph that --server writes")
    parser.add_argument("--drop", action="store_true", help="delete that graph afterwards")
    options = parser.parse_args()
    names = made_names(options.names)
    print(environment())
    with tempfile.TemporaryDirectory() as folder:
        index, seconds = make(names, Path(folder) / "made.names")
        print(f"{index.names:,} names: made in {seconds:.1f} s, {index.size / 1e6:.1f} MB")
        search(index, names, options.count)
        index.close()
        if options.server:
            beside_neo4j(names, Path(folder), options.graph, options.count, drop_it=options.drop)


if __name__ == "__main__":
    main()
