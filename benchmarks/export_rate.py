"""How fast a graph comes out of Neo4j as columns: iterating ``session.run`` beside ``kgqa export``, in one go.

    kgqa load kb.txt --graph metaqa --relations metaqa
    python benchmarks/export_rate.py --graph metaqa

The driver's way is ``MATCH (h)-[r]->(t) RETURN h.entity_id, type(r), t.entity_id``, record by record, with the Rust
extension, into three lists; ours is the facts alone, as columns of numbers. The whole folder has keys and names of
entities, too; the driver's way with as much in it adds ``MATCH (n) RETURN n.entity_id, n.name``. Wall clock is what a
person waits; processor time, of this process and of the server, is what can be compared on a machine that does other
things, too.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from common import environment
from neo4j import Record

from kgqa_graphdb import KGQA
from kgqa_graphdb.export import ExportedGraph, export_graph
from kgqa_graphdb.export.read import FactReader, node_numbers, read_pages
from kgqa_graphdb.managed import ManagedServer
from kgqa_graphdb.runtime import EXPORT_LIMITS
from kgqa_graphdb.steps import Steps


@dataclass(frozen=True)
class Run:
    """What a way of reading took.

    :ivar facts: that were read
    :ivar seconds: wall clock
    :ivar cpu: processor seconds of this process
    :ivar server_cpu: processor seconds of the managed server; NaN of another one
    """

    facts: int
    seconds: float
    cpu: float
    server_cpu: float

    @property
    def rate(self) -> float:
        """Facts a second, by the wall clock."""
        return self.facts / self.seconds

    @property
    def cpu_us(self) -> float:
        """Processor microseconds a fact, of both sides."""
        return (self.cpu + self.server_cpu) / self.facts * 1e6


class Meter:
    """Measures this process and the managed server."""

    def __init__(self) -> None:
        pid = ManagedServer().status().pid
        self._server = psutil.Process(pid) if pid else None

    def _server_cpu(self) -> float:
        return sum(self._server.cpu_times()[:2]) if self._server else float("nan")

    def run(self, work: Callable[[], int]) -> Run:
        """Measure a way of reading, which gives how many facts it read."""
        wall, cpu, server = time.perf_counter(), time.process_time(), self._server_cpu()
        facts = work()
        return Run(facts, time.perf_counter() - wall, time.process_time() - cpu, self._server_cpu() - server)

    def fastest(self, work: Callable[[], int], repeat: int) -> Run:
        """The fastest of some runs, by the wall clock."""
        return min((self.run(work) for _ in range(repeat)), key=lambda run: run.seconds)


class Peak:
    """The most memory that this process holds while a block runs, in bytes."""

    def __enter__(self) -> Peak:
        self.bytes, self._done = 0, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        process = psutil.Process()
        while not self._done.wait(0.02):
            self.bytes = max(self.bytes, process.memory_info().rss)


def iterate(kg: KGQA, label: str, *, entities: bool = False) -> int:
    """The driver's way: all facts, and keys and names of all entities if they are wanted, record by record."""
    heads, relations, tails, keys, names = [], [], [], [], []
    facts = f"MATCH (h:`{label}`)-[r]->(t:`{label}`) RETURN h.entity_id, type(r), t.entity_id"
    for record in records(kg, facts):
        heads.append(record[0])
        relations.append(record[1])
        tails.append(record[2])
    for record in records(kg, f"MATCH (n:`{label}`) RETURN n.entity_id, n.name") if entities else ():
        keys.append(record[0])
        names.append(record[1])
    return len(heads)


def records(kg: KGQA, text: str) -> Iterator[Record]:
    """What a statement returns."""
    with kg._driver.session(database=kg.database) as session:
        yield from session.run(text)


def columns_alone(kg: KGQA) -> int:
    """Ours without keys and names: three columns of numbers."""

    def steps() -> Steps[int]:
        nodes = yield from node_numbers(kg.graph.mapping)
        reader = FactReader(kg.graph, nodes, [()], np.zeros(nodes.ids.size, np.int64))
        parts = []
        for pages in reader.pages():
            for answers in (yield from read_pages(pages)):
                page = reader.page(answers)
                parts.append((page.heads, page.relations, page.tails))
        return int(sum(part[0].size for part in parts))

    return kg.perform(steps())


def read_again(folder: Path) -> tuple[float, float]:
    """Edges a second of reading heads, relations and tails back into memory, and of reading facts by tail in order."""
    began = time.perf_counter()
    graph = ExportedGraph.open(folder)
    edges = [np.array(column) for column in (graph.head, graph.relation, graph.tail)]
    plain = edges[0].size / (time.perf_counter() - began)
    began = time.perf_counter()
    by_tail = np.array(graph.in_head), np.array(graph.in_fact), np.array(graph.in_start)
    return plain, by_tail[0].size / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="metaqa", help="a graph that kgqa loaded")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many runs counts")
    parser.add_argument("--json", type=Path, help="write all figures into this file")
    options = parser.parse_args()
    print(environment())
    print(f"neo4j {version('neo4j')}, neo4j-rust-ext {version('neo4j-rust-ext')}, numpy {version('numpy')}")
    with tempfile.TemporaryDirectory() as scratch, KGQA.connect(options.graph, limits=EXPORT_LIMITS) as kg:
        meter = Meter()  # of a server that runs: connecting may have started it
        folder, label = Path(scratch) / "export", str(kg.graph.mapping.label)
        with Peak() as peak:
            best = {
                "columns": meter.fastest(lambda: columns_alone(kg), options.repeat),
                "folder": meter.fastest(lambda: kg.perform(export_graph(kg.graph, folder)).facts, options.repeat),
            }
        best["records"] = meter.fastest(lambda: iterate(kg, label), options.repeat)
        best["records, all"] = meter.fastest(lambda: iterate(kg, label, entities=True), options.repeat)
        again = read_again(folder)
        entities = ExportedGraph.open(folder).num_entities
    print(f"graph {options.graph}: {entities:,} entities, {best['folder'].facts:,} facts")
    print(f"{'':<12} {'facts/s':>12} {'ratio':>6} {'cpu µs/fact':>12} {'ratio':>6}")
    bases = {"records": "records", "columns": "records", "records, all": "records, all", "folder": "records, all"}
    for name, beside in bases.items():
        run, base = best[name], best[beside]
        ratios = run.rate / base.rate, base.cpu_us / run.cpu_us
        print(f"{name:<12} {run.rate:>12,.0f} {ratios[0]:>6.1f} {run.cpu_us:>12.2f} {ratios[1]:>6.1f}")
    print(f"read again: {again[0]:,.0f} edges/s, by tail {again[1]:,.0f} edges/s")
    print(f"most memory of this process while exporting: {peak.bytes / 2**20:,.0f} MiB")
    if options.json:
        figures: dict[str, Any] = {name: vars(run) | {"rate": run.rate} for name, run in best.items()}
        figures |= {"read_again": again, "peak_bytes": peak.bytes}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
