"""How long the phases of GNN2R take, those of the paper's table III and one more: executing the chosen pattern.

    kgqa train gnn2r --graph pq3 --questions train.txt --dev dev.txt --given-topics --output model
    python benchmarks/gnn2r_latency.py --graph pq3 --questions test.txt --model model --count 100

One process, one question at a time. Each question is asked three times: first with an encoder that has met no
expression (cold), then twice more, of which the last counts (warm). The paper's figures, on a graphics card and for
WebQSP: 22.1, 5.7, 3.4, 160.1, 0.3, 28.7, and 222.1 ms in all.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np
from common import environment, percentile, process_seconds

from kgqa_graphdb import KGQA
from kgqa_graphdb.errors import KgqaError, UsageError
from kgqa_graphdb.export import ExportedGraph, SubgraphSettings
from kgqa_graphdb.export.named import relation_infos
from kgqa_graphdb.export.walks import Walks
from kgqa_graphdb.export.words import phrases_of
from kgqa_graphdb.gnn2r.asked import asked_question
from kgqa_graphdb.gnn2r.expressions import expression, wh_word
from kgqa_graphdb.gnn2r.files import Gnn2rFiles, StepTwoDetails, read_model
from kgqa_graphdb.gnn2r.graphs import QuestionGraph
from kgqa_graphdb.gnn2r.patterns import Joining, candidate_patterns, joining_of
from kgqa_graphdb.gnn2r.ranker import RankRequest, StepTwo
from kgqa_graphdb.gnn2r.reasoner import ReasonRequest, StepOne
from kgqa_graphdb.gnn2r.subgraphs import question_subgraph
from kgqa_graphdb.link import NameLinker
from kgqa_graphdb.methods.linked import link_topics
from kgqa_graphdb.questions import Pair, read_pairs
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.types import Question, Scored

PHASES = (
    "question and subgraph", "network", "candidates", "patterns", "expressions", "similarity", "execution", "total"
)  # fmt: skip
T = TypeVar("T")


@dataclass
class Clock:
    """Milliseconds of each phase of one question."""

    spent: dict[str, float] = field(default_factory=dict)

    def run(self, phase: str, work: Callable[[], T]) -> T:
        """Do something, and note how long it took."""
        started = time.perf_counter()
        found = work()
        took = (time.perf_counter() - started) * 1000
        self.spent[phase] = self.spent.get(phase, 0.0) + took
        self.spent["total"] = self.spent.get("total", 0.0) + took
        return found


@dataclass
class Phases:
    """Answers questions as the method does, phase by phase."""

    kg: KGQA
    files: Gnn2rFiles
    details: StepTwoDetails
    joining: Joining
    source: ExportedGraph | None

    def __post_init__(self) -> None:
        self.relations = relation_infos(self.kg.graph.mapping)
        self.vocabulary = Schema(self.kg.graph.mapping).vocabulary
        self.phrases = phrases_of(self.relations)
        self.step_one = StepOne.of(self.files, self.relations)
        self.walks = Walks(self.source) if self.source else None

    def answer(self, question: Question, step_two: StepTwo) -> tuple[dict[str, float], int, int]:
        """Milliseconds of each phase, entities of the subgraph, and expressions."""
        kg, graph, details, clock = self.kg, self.kg.graph, self.files.details, Clock()
        hops = details.longest_path
        linked = clock.run("question and subgraph", lambda: kg.perform(link_topics(NameLinker(), question, graph)))
        if not linked.links:
            raise UsageError("no topic")
        asked = asked_question(linked.question.text, linked.links, self.vocabulary)
        settings = SubgraphSettings(hops=details.hops, max_nodes=details.max_nodes)
        subgraph = clock.run(
            "question and subgraph",
            lambda: kg.perform(question_subgraph(graph, asked.entities, settings, self.source)),
        )
        own = clock.run(
            "question and subgraph", lambda: QuestionGraph.of(subgraph.index, len(self.relations), details.inverse)
        )
        [distances] = clock.run("network", lambda: self.step_one.distances([ReasonRequest(asked.text, own)]))
        order = np.argsort(distances, kind="stable")[: self.details.candidates]
        named = clock.run("candidates", lambda: kg.perform(subgraph.named(order, graph)))
        candidates = [Scored(one, 1 / (1 + place)) for place, one in enumerate(named) if one is not None]
        patterns = clock.run(
            "patterns",
            lambda: kg.perform(candidate_patterns(asked, candidates, graph, hops, self.joining, self.walks)),
        )
        if not patterns.ranked:
            raise UsageError("no path")
        wh = wh_word(asked.text)
        texts = clock.run(
            "expressions", lambda: tuple(expression(wh, one.item.sides, self.phrases) for one in patterns.ranked)
        )
        [alike] = clock.run("similarity", lambda: step_two.similarities([RankRequest(asked.text, texts)]))
        best = patterns.ranked[int(np.argmax(alike))].item
        clock.run("execution", lambda: kg.perform(graph.execute(best.plan)))
        return clock.spent, subgraph.index.nodes.size, len(set(texts))


def show(title: str, rows: list[dict[str, float]]) -> None:
    """Median, mean and p95 of each phase."""
    print(f"\n{title}, {len(rows)} questions: median, mean, p95 in ms")
    for phase in PHASES:
        values = [row.get(phase, 0.0) for row in rows]
        print(f"  {phase:24}{percentile(values, 0.5):9.1f}{np.mean(values):9.1f}{percentile(values, 0.95):9.1f}")


def main() -> None:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--joining", default="", help="walks, simple or shortest; as in training where left out")
    parser.add_argument(
        "--export", type=Path, help="folder that kgqa export wrote: subgraphs and walks are taken from it"
    )
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    files = read_model(options.model)
    if files.details.step_two is None or files.sentences is None:
        parser.error("the model has step I alone")
    pairs: list[Pair] = read_pairs(options.questions)
    pairs = random.Random(options.seed).sample(pairs, min(options.count, len(pairs)))
    with KGQA.connect(options.graph, method="gnn2r", model=options.model) as kg:
        source = kg.open_export(options.export) if options.export else None
        joining = joining_of(options.joining) if options.joining else files.details.step_two.joining
        phases = Phases(kg, files, files.details.step_two, joining, source)
        warm_encoder = StepTwo(files.sentences)
        cold, warm, nodes, expressions = [], [], [], []
        clocks, processor = process_seconds(), list[list[float]]()
        for pair in pairs:
            question = Question(pair.question, topics=pair.topics)
            try:
                first, size, count = phases.answer(question, StepTwo(files.sentences))
                phases.answer(question, warm_encoder)
                before = [clock() for clock in clocks]
                last, _, _ = phases.answer(question, warm_encoder)
                processor.append([(clock() - own) * 1000 for clock, own in zip(clocks, before, strict=True)])
            except KgqaError as error:
                print(f"left out: {pair.question}: {error}")
                continue
            cold.append(first)
            warm.append(last)
            nodes.append(size)
            expressions.append(count)
    print(environment())
    print(f"{np.mean(nodes):.0f} entities in a subgraph, {np.mean(expressions):.0f} expressions a question, {joining}")
    show("no expression met before", cold[1:])
    show("expressions met before", warm[1:])
    ours, server = np.mean(processor[1:], axis=0)
    print(f"  processor time, mean: {ours:.1f} ms here, {server:.1f} ms in Neo4j")


if __name__ == "__main__":
    main()
