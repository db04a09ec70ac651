"""Whether a graph among 50 in one database is loaded, asked and dropped as fast as one that is alone there.

    python benchmarks/many_graphs.py --graphs 50

All graphs have the same facts; some names are the same in all, the others end with the graph's number. One graph is
loaded, asked and dropped alone; then 49 others are loaded beside it and the same is done again, in rounds, with more
rounds alone at the end. Printed: median seconds of each and the ratio among : alone, by the clock and in processor time
of server and client, which other programs on the machine do not change. Asserted: every link and every answer is of the
asked graph, a name of another graph is not found, and the others' counts stay what they were.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import neo4j
from common import cpu_seconds, environment
from made_graph import made_graph

from kgqa_graphdb import KGQA
from kgqa_graphdb.catalog import graphs as read_graphs
from kgqa_graphdb.client import default_encoder
from kgqa_graphdb.managed import resolve_connection
from kgqa_graphdb.runtime import Neo4jIO, open_driver
from kgqa_graphdb.steps import run
from kgqa_loaders.drop import drop
from kgqa_loaders.recognise import open_source
from kgqa_loaders.write import load

PREFIX = "many_"
SHARED = 200
"""Names that every graph has."""


@dataclass
class Times:
    """Seconds of each thing done, by the clock and of the processor; of asking for each round."""

    clock: dict[str, list[float]] = field(default_factory=lambda: {"load": [], "ask": [], "drop": []})
    cpu: dict[str, list[float]] = field(default_factory=lambda: {"load": [], "ask": [], "drop": []})


@dataclass(frozen=True)
class Bench:
    """What all steps need."""

    driver: neo4j.Driver
    database: str | None
    folder: Path
    facts: int
    questions: int
    encoder: object
    cpu: Callable[[], float]

    def file(self, number: int) -> Path:
        """The facts of a graph, written once; its own names end with its number."""
        path = self.folder / f"{PREFIX}{number}.txt"
        if not path.exists():
            graph = made_graph(relations=20, facts=self.facts, entities=self.facts // 2, seed=0)
            order = sorted({end for head, _, tail in graph.facts for end in (head, tail)})
            random.Random(0).shuffle(order)
            shared = set(order[:SHARED])

            def own(name: str) -> str:
                return name if name in shared else f"{name} {number}x"

            lines = (f"{own(head)}|{relation}|{own(tail)}\n" for head, relation, tail in graph.facts)
            path.write_text("".join(lines), encoding="utf-8")
        return path

    def load(self, number: int) -> float:
        """Load a graph; seconds."""
        source = open_source(str(self.file(number)), "triples")
        started = time.perf_counter()
        load(self.driver, source, graph=f"{PREFIX}{number}", database=self.database)
        return time.perf_counter() - started

    def drop(self, number: int) -> float:
        """Drop a graph; seconds."""
        started = time.perf_counter()
        drop(self.driver, f"{PREFIX}{number}", database=self.database)
        return time.perf_counter() - started

    def ask(self, number: int) -> float:
        """Ask a graph about names that all have and names of its own; seconds, checks left out."""
        spent = 0.0
        graph = f"{PREFIX}{number}"
        kg = KGQA(self.driver, graph=graph, database=self.database, encoder=self.encoder)
        facts = [line.rstrip("\n").split("|") for line in self.file(number).read_text(encoding="utf-8").splitlines()]
        asked = random.Random(number).sample(facts, self.questions)
        kg.ask("who is it?")
        label = f"KG_{graph}"
        for head, relation, _ in asked:
            question = f"what is the {relation.replace('_', ' ')} of [{head}]?"
            started = time.perf_counter()
            reply = kg.ask(question)
            spent += time.perf_counter() - started
            elements = [link.entity.element_id for link in reply.answer.links]
            elements += [entity.element_id for entity in reply.entities]
            rows = self.driver.execute_query(
                "UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id "
                "RETURN collect(DISTINCT $label IN labels(n)) AS own",
                ids=elements,
                label=label,
                database_=self.database,
            ).records
            assert elements, f"{head!r} is not found in {graph}"
            assert rows[0]["own"] == [True], f"{question}: something of another graph than {graph}"
        other = next(head for head, _, _ in facts if head.endswith("x")).rsplit(" ", 1)[0]
        links = kg.ask(f"what is the {facts[0][1]} of [{other} {number + 1}x]?").answer.links
        assert not any(link.entity.name.endswith(f" {number + 1}x") for link in links)
        return spent

    def round(self, number: int, times: Times) -> None:
        """Load, ask and drop a graph."""
        for name, work in (("load", self.load), ("ask", self.ask), ("drop", self.drop)):
            began = self.cpu()
            times.clock[name].append(work(number))
            times.cpu[name].append(self.cpu() - began)

    def counts(self) -> dict[str, tuple[int | None, int | None]]:
        """Entities and facts of each graph, counted in the database."""
        with Neo4jIO(self.driver, self.database) as io:
            names = [info.graph for info in run(read_graphs(), io) if info.graph.startswith(PREFIX)]
        found = {}
        for name in names:
            text = f"MATCH (n:`KG_{name}`) RETURN count(n), sum(COUNT {{ (n)-->() }})"
            [row] = self.driver.execute_query(text, database_=self.database).records
            found[name] = (row[0], row[1])
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=50)
    parser.add_argument("--facts", type=int, default=10_000, help="facts of each graph")
    parser.add_argument("--rounds", type=int, default=5, help="rounds alone, and as many among the others")
    parser.add_argument("--questions", type=int, default=40, help="questions a round")
    options = parser.parse_args()
    connection = resolve_connection()
    with open_driver(connection) as driver, tempfile.TemporaryDirectory() as folder:
        bench = Bench(
            driver,
            connection.database,
            Path(folder),
            options.facts,
            options.questions,
            default_encoder(),
            cpu_seconds(),
        )
        version = driver.execute_query("CALL dbms.components() YIELD versions RETURN versions[0] AS v").records[0]["v"]
        print(environment(version))
        for name in bench.counts():
            bench.drop(int(name.removeprefix(PREFIX)))
        measured, others = 0, range(1, options.graphs)
        bench.round(measured, Times())  # warms everything up
        alone, among = Times(), Times()
        for _ in range((options.rounds + 1) // 2):
            bench.round(measured, alone)
        first, *_, last = [bench.load(number) for number in others]
        print(f"loading the others: the first {first:.2f} s, the last {last:.2f} s")
        before = bench.counts()
        for _ in range(options.rounds):
            bench.round(measured, among)
        assert bench.counts() == before, "the other graphs changed"
        dropped = [bench.drop(number) for number in others]
        print(f"dropping the others: the first {dropped[0]:.2f} s, the last {dropped[-1]:.2f} s")
        for _ in range(options.rounds - (options.rounds + 1) // 2):
            bench.round(measured, alone)
        assert not bench.counts(), "something is left"
    print(
        f"graphs of {options.facts:,} facts, {options.questions} questions a round; medians of {options.rounds} rounds"
    )
    print(f"{'':<24}{'alone':>10}{f'among {options.graphs}':>12}{'ratio':>8}")
    for clock in ("clock", "cpu"):
        for name in ("load", "ask", "drop"):
            one, many = (statistics.median(getattr(times, clock)[name]) for times in (alone, among))
            print(f"{f'{name}, s by {clock}':<24}{one:>10.3f}{many:>12.3f}{many / one:>8.2f}")


if __name__ == "__main__":
    main()
