"""How fast ``kgqa load --bulk`` is beside raw ``neo4j-admin import`` on ready-made CSV, and how much memory it takes.

    python benchmarks/load_scale.py --facts 10000000
    python benchmarks/load_scale.py --facts 0 --items 1000000

It makes an N-Triples file of about ``--facts`` triples and a Wikidata-like JSON dump of ``--items`` items
(:mod:`made_dumps`), both seeded, in a temporary folder (TMPDIR moves it; 10 M facts need 8 GB), and loads them into a
managed server of its own, which is removed at the end.

Sides: ``ours`` is :func:`kgqa_loaders.bulk.bulk_load` as shipped: reading the source, importing, constraint, full-text
index. ``raw`` is neo4j-admin's import of the same graph as one would write it by hand, ids as texts, followed by the
same constraint and index. ``raw, our files`` is its import of the CSV files that ours makes, which is the least that
any way through neo4j-admin takes. All sides have the same Java settings; each side's nodes and relationships are
counted.

Memory is the resident set of this process and the processes that it starts, sampled ten times a second; what pages they
share is counted twice. neo4j-admin's is given apart.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shlex
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import neo4j
import psutil
from common import environment
from made_dumps import write_csv, write_item_csv, write_items, write_triples

from kgqa_graphdb.managed import ManagedServer
from kgqa_loaders.bulk import bulk_files, bulk_load
from kgqa_loaders.recognise import open_source

MIB = 1 << 20
BYTES_PER_FACT = 800


@dataclass
class Memory:
    """Peaks in bytes, of our processes and of neo4j-admin."""

    ours: int = 0
    java: int = 0


@dataclass
class Run:
    """One run of a side.

    :ivar parts: name of a part → seconds
    :ivar cpu: name of a part → seconds of processor time, the server's left out: on a busy machine these say more
    """

    side: str
    nodes: int
    relationships: int
    memory: Memory
    parts: dict[str, float] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)

    @property
    def imported(self) -> float:
        """Seconds until the data was imported."""
        return self.parts.get("read", 0.0) + self.parts["import"]

    @property
    def total(self) -> float:
        """Seconds in all."""
        return sum(self.parts.values())


@contextmanager
def sampled() -> Iterator[Memory]:
    """Sample memory meanwhile."""
    memory, over = Memory(), threading.Event()
    me = psutil.Process()

    def sample() -> None:
        while not over.wait(0.1):
            ours = java = 0
            for process in (me, *me.children(recursive=True)):
                try:
                    size, name = process.memory_info().rss, process.name()
                except psutil.Error:
                    continue
                if "java" in name:
                    java += size
                else:
                    ours += size
            memory.ours, memory.java = max(memory.ours, ours), max(memory.java, java)

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield memory
    finally:
        over.set()
        thread.join()


def processor() -> float:
    """Seconds of processor time of this process and of those that it started and that have ended."""
    return sum(os.times()[:4])


def ours(server: ManagedServer, source: Path) -> Run:
    """As shipped, into an empty store."""
    server.remove()
    marks = [("read", time.perf_counter(), processor())]

    def stage(text: str, *_: object) -> None:
        name = {"Importing": "import", "Making indexes": "server and indexes"}.get(text)
        if name:
            marks.append((name, time.perf_counter(), processor()))

    with sampled() as memory:
        report = bulk_load(open_source(str(source)), graph="made", server=server, stage=stage)
    marks.append(("", time.perf_counter(), processor()))
    parts = {name: after - at for (name, at, _), (_, after, _) in itertools.pairwise(marks)}
    cpu = {name: after - at for (name, _, at), (_, _, after) in itertools.pairwise(marks)}
    run = Run("ours", report.entities, report.facts, memory, parts, cpu)
    server.stop()
    return run


def raw(server: ManagedServer, side: str, arguments: list[str], label: str) -> Run:
    """neo4j-admin's import of ready-made files, then constraint and index."""
    server.remove()
    with sampled() as memory:
        started, used = time.perf_counter(), processor()
        server.import_csv(arguments)
        imported, cpu = time.perf_counter(), {"import": processor() - used}
        connection = server.start()
        with neo4j.GraphDatabase.driver(connection.uri, auth=connection.auth) as driver:
            driver.execute_query(f"CREATE CONSTRAINT c FOR (n:`{label}`) REQUIRE n.entity_id IS UNIQUE")  # type: ignore[arg-type]
            driver.execute_query(
                f"CREATE FULLTEXT INDEX f FOR (n:`{label}`) ON EACH [n.name, n.aliases] "  # type: ignore[arg-type]
                "OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}"
            )
            driver.execute_query("CALL db.awaitIndexes(86400)")
            ended = time.perf_counter()
            nodes = driver.execute_query(f"MATCH (n:`{label}`) RETURN count(n)").records[0][0]  # type: ignore[arg-type]
            facts = driver.execute_query(f"MATCH (:`{label}`)-[r]->() RETURN count(r)").records[0][0]  # type: ignore[arg-type]
    server.stop()
    parts = {"import": imported - started, "server and indexes": ended - imported}
    return Run(side, nodes, facts, memory, parts, cpu)


def compare(sides: dict[str, Callable[[], Run]], repeat: int) -> None:
    """Run all sides, in turn, and print."""
    runs: list[Run] = []
    for turn in range(repeat):
        for name in list(sides) if turn % 2 == 0 else list(sides)[::-1]:
            run = sides[name]()
            runs.append(run)
            parts = ", ".join(f"{part} {seconds:.1f}" for part, seconds in run.parts.items())
            cpu = ", ".join(f"{part} {run.cpu[part]:.1f}" for part in ("read", "import") if part in run.cpu)
            print(
                f"  {run.side:<15} {run.total:7.1f} s ({parts}); processor ({cpu}); "
                f"memory: ours {run.memory.ours / MIB:,.0f} MiB, neo4j-admin {run.memory.java / MIB:,.0f} MiB; "
                f"{run.nodes:,} nodes, {run.relationships:,} relationships; "
                f"load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
    counted = {(run.nodes, run.relationships) for run in runs}
    if len(counted) > 1:
        sys.exit(f"the sides imported different graphs: {counted}")
    mine = [run for run in runs if run.side == "ours"]
    for side in sides:
        if side == "ours":
            continue
        theirs = [run for run in runs if run.side == side]
        until, whole = (
            statistics.median(pick(run) for run in mine) / statistics.median(pick(run) for run in theirs)
            for pick in (lambda run: run.imported, lambda run: run.total)
        )
        print(
            f"ours takes {until:.2f} times as long as {side} until imported, {whole:.2f} times with server and indexes"
        )
    print(f"peak memory of our processes: {max(run.memory.ours for run in mine) / MIB:,.0f} MiB")


def our_files(folder: Path, source: Path) -> list[str]:
    """The files that ours makes, as arguments of neo4j-admin."""
    report = bulk_files(open_source(str(source)), folder / "files", graph="made")
    return shlex.split(report.command)[5:]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--facts", type=int, default=10_000_000, help="triples of the N-Triples file; 0: leave it out")
    parser.add_argument("--items", type=int, default=0, help="items of the Wikidata-like dump; 0: leave it out")
    parser.add_argument("--repeat", type=int, default=1, help="turns, every other one in reverse order")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-own-files", action="store_true", help="leave out the import of our own files")
    options = parser.parse_args()
    needed = (options.facts + options.items * 20) * BYTES_PER_FACT
    free = shutil.disk_usage(tempfile.gettempdir()).free
    if free < needed:
        sys.exit(f"this needs {needed / 1e9:.0f} GB in {tempfile.gettempdir()}, which has {free / 1e9:.0f}; set TMPDIR")
    print(f"{environment()}; duckdb {version('duckdb')}; load average {os.getloadavg()[0]:.1f}")
    folder = Path(tempfile.mkdtemp(prefix="kgqa-scale-"))
    server = ManagedServer(folder / "home")
    print(f"Neo4j {server.version} Community")
    try:
        if options.facts:
            triples(server, folder, options)
        if options.items:
            wikidata(server, folder, options)
    finally:
        server.remove()
        shutil.rmtree(folder)


def triples(server: ManagedServer, folder: Path, options: argparse.Namespace) -> None:
    """N-Triples beside CSV made by hand."""
    source = folder / "made.nt"
    with source.open("w", encoding="utf-8") as file:
        lines = write_triples(options.facts, file, options.seed)
    write_csv(options.facts, folder, options.seed)
    print(f"N-Triples: {lines:,} triples, {source.stat().st_size / 1e6:,.0f} MB", flush=True)
    compare_all(server, folder, source, options)
    print(f"(triples a second: divide {lines:,} by the seconds)")


def wikidata(server: ManagedServer, folder: Path, options: argparse.Namespace) -> None:
    """A JSON dump beside CSV made by hand."""
    source = folder / "made.json"
    with source.open("w", encoding="utf-8") as file:
        count = write_items(options.items, file, options.seed)
    write_item_csv(options.items, folder, options.seed)
    print(f"Wikidata-like JSON: {count:,} items, {source.stat().st_size / 1e6:,.0f} MB", flush=True)
    compare_all(server, folder, source, options)


def compare_all(server: ManagedServer, folder: Path, source: Path, options: argparse.Namespace) -> None:
    """All sides of one graph; its files are removed."""
    by_hand = [f"--nodes={folder / 'nodes.csv'}", f"--relationships={folder / 'relationships.csv'}"]
    sides = {"raw": lambda: raw(server, "raw", by_hand, "KG_raw"), "ours": lambda: ours(server, source)}
    if not options.no_own_files:
        files = our_files(folder, source)
        sides["raw, our files"] = lambda: raw(server, "raw, our files", files, "KG_made")
    compare(sides, options.repeat)
    shutil.rmtree(folder / "files", ignore_errors=True)
    for path in (source, folder / "nodes.csv", folder / "relationships.csv"):
        path.unlink()


if __name__ == "__main__":
    main()
