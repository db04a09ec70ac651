"""Candidates of a language model over Wikidata, re-ranked by their subgraphs, beside chance and no reranker.

    python benchmarks/rerank_candidates.py prepare --output FOLDER
    kgqa train rerank --graph wikidata --candidates FOLDER/train.csv --neighbours 100 --output MODEL
    python benchmarks/rerank_candidates.py ask --graph wikidata --questions FOLDER/test.csv --model MODEL
    python benchmarks/rerank_candidates.py shapes --graph wikidata --questions FOLDER/test.csv
    python benchmarks/rerank_candidates.py latency --graph wikidata --questions FOLDER/test.csv --model MODEL

``prepare`` parts simple questions with T5's fifty answers each by a fixed hash of the question: every third is for
test. Topics are written beside them where SimpleQuestions-Wikidata annotates the same question. ``ask`` answers the
test questions in several ways, with topics that are linked and that are given. A question is *in the graph* if a gold
answer lies within two hops of a topic; *first*, *any* and *reranked* are shares of these questions, which alone are
asked again: the first guess is right, any candidate is, the answer is. Of many questions the graph does not know the
topic, and what is linked is another; so those are shown apart of which the annotated topic is linked. ``shapes`` says
how the subgraphs of right and of wrong candidates differ, as table 3 of the paper does; ``latency`` what each stage of
an answer takes. The graph is that of ``benchmarks/wikidata_graph.py``.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from common import environment, percentile, wikidata_folder

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.evaluate.outcome import Outcome
from kgqa_graphdb.evaluate.run import evaluate
from kgqa_graphdb.evaluate.summary import Summary, summarise
from kgqa_graphdb.graph import keyed_entities
from kgqa_graphdb.questions import Pair, question_of, read_pairs, with_topics

THIRDS = 3
WAYS: tuple[tuple[str, dict[str, Any], bool], ...] = (
    ("no reranker", {"ranker": "first", "neighbours": 0}, False),
    ("chance", {"ranker": "random", "neighbours": 0}, False),
    ("text encoder, untrained", {"ranker": "similarity", "neighbours": 0}, False),
    ("trained", {"neighbours": 0}, True),
    ("trained, and neighbours", {}, True),
)
"""Name, settings, and whether a model is used."""


def is_test(question: str) -> bool:
    """Whether a question is for test: a third of them, the same each time."""
    return int(hashlib.sha256(question.strip().lower().encode()).hexdigest(), 16) % THIRDS == 0


def annotated_topics() -> dict[str, str]:
    """Question, in lower case → the Q id of its subject."""
    found = {}
    for path in sorted((wikidata_folder() / "questions" / "simplequestions-wikidata").glob("annotated_wd_data_*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            subject, _, _, question = line.split("\t")
            found[question.strip().lower()] = subject
    return found


def prepare(output: Path) -> None:
    """Write ``train.csv`` and ``test.csv``."""
    (source,) = (wikidata_folder() / "candidates").glob("*.csv")
    with source.open(encoding="utf-8-sig", newline="") as stream:
        head, *rows = csv.reader(stream)
    topics, place = annotated_topics(), head.index("question")
    output.mkdir(parents=True, exist_ok=True)
    for name, test in (("train", False), ("test", True)):
        with (output / f"{name}.csv").open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow([*head, "topics"])
            own = [row for row in rows if is_test(row[place]) == test]
            writer.writerows([*row, topics.get(row[place].strip().lower(), "")] for row in own)
        given = sum(row[place].strip().lower() in topics for row in own)
        print(f"{name}.csv: {len(own):,} questions, {given:,} with an annotated topic")


def cells(summary: Summary) -> str:
    """The figures of one way to answer, in percent with half of the 95 % interval."""
    found = []
    for metric in ("first", "any", "reranked"):
        low, high = summary.intervals[metric]
        found.append(f"{100 * summary.means[metric]:>6.1f} ± {50 * (high - low):.1f}")
    return "  ".join(found)


def ask(
    graph: str, questions: Path, model: Path | None, batch: int, source: str = "given", by_type: bool = False
) -> None:
    """Answer all questions in each way.

    :param source: of the candidates: given with the questions, or paths
    :param by_type: show the last way for each type of question, too
    """
    pairs = read_pairs(questions)
    annotated = annotated_names(graph, pairs)
    print(f"kgqa-graphdb {version('kgqa-graphdb')}, onnxruntime {version('onnxruntime')}; {questions}")
    print(f"{'':<40} {'first':>12}  {'any':>12}  {'reranked':>12}")
    for topics, some in (("linked", pairs), ("given", [pair for pair in pairs if pair.topics])):
        asked, there = list(some), len(some)
        for name, settings, trained in WAYS:
            if trained and model is None:
                continue
            options: dict[str, Any] = {"method": "rerank", "settings": {"source": source, **settings}}
            with KGQA.connect(graph, model=model if trained else None, **options) as kg:
                outcomes = evaluate(kg, asked, batch=batch, given_topics=topics == "given").outcomes
            if len(asked) == there:
                near = [one.candidates is not None and one.candidates.in_graph == 1 for one in outcomes]
                asked = [pair for pair, inside in zip(asked, near, strict=True) if inside]
                outcomes = [one for one, inside in zip(outcomes, near, strict=True) if inside]
                print(f"topics {topics}: {len(asked):,} of {there:,} questions are in the graph")
            print(f"{f'topics {topics}: {name}':<40} {cells(summarise(outcomes))}", flush=True)
            if topics == "linked":
                meant = [one for one, pair in zip(outcomes, asked, strict=True) if annotated[pair] & {*one.linked}]
                print_group("the annotated topic is linked", meant)
        if by_type:
            groups: defaultdict[str, list[Outcome]] = defaultdict(list)
            for outcome in outcomes:
                groups[outcome.type].append(outcome)
            for type_, own in sorted(groups.items()):
                print_group(type_, own)


def print_group(name: str, outcomes: Sequence[Outcome]) -> None:
    """Print the figures of some of the questions."""
    if any(one.candidates is not None and one.candidates.in_graph for one in outcomes):
        print(f"{f'  {name}, {len(outcomes):,} questions':<40} {cells(summarise(outcomes))}", flush=True)


def annotated_names(graph: str, pairs: Sequence[Pair]) -> dict[Pair, set[str]]:
    """The names of the topics that are annotated, of those that the graph has."""
    keys = list(dict.fromkeys(topic for pair in pairs for topic in pair.topics))
    with KGQA.connect(graph) as kg:
        found = {one.entity.id: one.entity.name for one in kg.perform(keyed_entities(kg.graph, keys))}
    return {pair: {found[topic] for topic in pair.topics if topic in found} for pair in pairs}


def latency(graph: str, questions: Path, model: Path | None, count: int) -> None:
    """Print what each stage takes of questions that are asked one by one, the second time they are asked."""
    pairs = with_topics(read_pairs(questions)[:count], given=False)
    stages: defaultdict[str, list[float]] = defaultdict(list)
    sizes = []
    with KGQA.connect(graph, method="rerank", model=model, settings={"neighbours": 0}) as kg:
        for pair in pairs:
            kg.ask(question_of(pair))
            reply = kg.ask(question_of(pair))
            if any(one.score is not None for one in reply.answer.candidates or ()):
                sizes.append(len(reply.answer.candidates or ()))
                for stage, took in reply.timings_ms.items():
                    stages[stage].append(took)
    print(environment())
    print(f"{len(sizes):,} of {len(pairs):,} questions have joined candidates, {statistics.fmean(sizes):.1f} each")
    for stage, all_ in stages.items():
        print(f"{stage:<12} median {statistics.median(all_):>7.1f} ms, 95 % within {percentile(all_, 0.95):>7.1f} ms")


def shapes(graph: str, questions: Path, hops: int) -> None:
    """Print the mean shape of the subgraphs of right and of wrong candidates."""
    from kgqa_graphdb.rerank.metrics import Shape, shape_of

    found: dict[bool, list[Shape]] = {True: [], False: []}
    for right, own in subgraphs(graph, with_topics(read_pairs(questions), given=False), hops):
        found[right].append(shape_of(own))
    for right, some in found.items():
        means = {name: statistics.fmean(getattr(one, name) for one in some) for name in Shape.__slots__}
        said = ", ".join(f"{name} {value:.2f}" for name, value in means.items())
        print(f"{'right' if right else 'wrong'}: {len(some):,} subgraphs: {said}")


def subgraphs(graph: str, pairs: Sequence[Pair], hops: int) -> Iterator[tuple[bool, Any]]:
    """Whether a candidate is right, and its subgraph, of all guesses that are joined with a topic."""
    from kgqa_graphdb.methods.rerank import Rerank, RerankSettings
    from kgqa_graphdb.mining import find_gold

    method = Rerank(RerankSettings(hops=hops))
    with KGQA.connect(graph) as kg:
        for pair in pairs:
            prepared = kg.perform(method.prepare(question_of(pair), kg.graph))
            gold = kg.perform(find_gold(pair.answers, kg.graph))
            for _, own in prepared.gathered.joined:
                yield own.candidate.element_id in gold.nodes, own


def main() -> None:
    """Prepare, ask, or describe."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", choices=("prepare", "ask", "shapes", "latency"))
    parser.add_argument("--output", type=Path, help="folder of the prepared files")
    parser.add_argument("--graph", default="wikidata")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--source", choices=("given", "paths"), default="given")
    parser.add_argument("--by-type", action="store_true", help="show each type of question, too")
    parser.add_argument("--hops", type=int, default=2)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--count", type=int, default=100, help="questions whose latency is measured")
    arguments = parser.parse_args()
    needed = "output" if arguments.what == "prepare" else "questions"
    if getattr(arguments, needed) is None:
        parser.error(f"{arguments.what} needs --{needed}")
    if arguments.what == "prepare":
        prepare(arguments.output)
    elif arguments.what == "ask":
        ask(arguments.graph, arguments.questions, arguments.model, arguments.batch, arguments.source, arguments.by_type)
    elif arguments.what == "latency":
        latency(arguments.graph, arguments.questions, arguments.model, arguments.count)
    else:
        shapes(arguments.graph, arguments.questions, arguments.hops)


if __name__ == "__main__":
    main()
