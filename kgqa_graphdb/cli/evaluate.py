"""``kgqa evaluate`` and ``kgqa compare``: how good the answers are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgqa_graphdb.cli.app import INTERRUPTED, app
from kgqa_graphdb.cli.asking import (
    AbstainBelow,
    Asking,
    LanguageModelName,
    LanguageModelSettings,
    Mapping,
    Method,
    MethodSettings,
    Model,
    Readings,
)
from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.interrupt import interruptible
from kgqa_graphdb.cli.output import GraphName, JsonFlag, emit_json, print_status, progress, say

if TYPE_CHECKING:
    from kgqa_graphdb.evaluate.compare import Comparison
    from kgqa_graphdb.evaluate.outcome import Outcome
    from kgqa_graphdb.evaluate.run import Run
    from kgqa_graphdb.evaluate.summary import Summary

EXAMPLES = """
Examples:

  kgqa evaluate --graph metaqa --questions qa_test.txt --limit 500 --output run.jsonl

  kgqa evaluate --graph metaqa --questions qa_test.txt --batch 64 --json

  kgqa evaluate --graph webqsp --questions WebQSP.test.json --given-topics

  kgqa evaluate --graph metaqa --questions qa_test.txt --report out          needs the extra: report

  kgqa evaluate --graph wikidata --candidates guesses.csv --method rerank --model model

MetaQA, PathQuestion, ZJQA, WebQSP, ComplexWebQuestions, SimpleQuestions on Wikidata, QALD, WikiWebQuestions and Mintaka
are recognised by their content, as are lines of JSON: {"question": "…", "answers": ["…"], "topics": […], "type": "…",
"candidates": […]}, and tables with the columns question, target, answer_0, answer_1 and so on.
With --output every answer can be looked up, and a run that was cut off goes on where it ended.
"""
COMPARE_EXAMPLES = """
Example:

  kgqa compare before.jsonl after.jsonl
"""


@app.command(epilog=EXAMPLES)
def evaluate(
    graph: GraphName,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", "-q", help="File of questions with their answers.", show_default=False),
    ] = None,
    candidates: Annotated[
        Path | None,
        typer.Option(
            "--candidates",
            help="File of questions with candidates for their answers, for the method rerank; beside --questions: of "
            "those only.",
            show_default=False,
        ),
    ] = None,
    method: Method = "paths",
    settings: MethodSettings = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Ask a random sample of so many questions.", show_default="all")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the sample and of the intervals.")] = 0,
    batch: Annotated[int, typer.Option("--batch", min=1, help="Ask so many questions side by side.")] = 1,
    perturb: Annotated[
        bool, typer.Option("--perturb", help="Ask each question in lower case, with typos and in other guises too.")
    ] = False,
    given_topics: Annotated[
        bool, typer.Option("--given-topics", help="Tell which entities a question is about, where the file says.")
    ] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write a line of JSON per question.")] = None,
    coverage: Annotated[
        bool, typer.Option(help="Look for paths to the gold answers too: could they have been found?")
    ] = True,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write a report with plots into this folder, as HTML and Markdown.")
    ] = None,
    model: Model = None,
    language_model: LanguageModelName = None,
    language_model_set: LanguageModelSettings = None,
    readings: Readings = None,
    abstain_below: AbstainBelow = None,
    mapping: Mapping = None,
    json: JsonFlag = False,
) -> None:
    """Ask questions whose answers are known, and say how many answers are right."""
    from importlib.metadata import version

    from kgqa_graphdb.client import KGQA
    from kgqa_graphdb.evaluate.run import evaluate as ask_all
    from kgqa_graphdb.evaluate.summary import by_group, summarise
    from kgqa_graphdb.questions import perturbed, read_asked, sampled

    asking = Asking(method, model, language_model, mapping, settings, readings, abstain_below, language_model_set)
    options = asking.client_options()
    pairs = sampled(read_asked(questions, candidates), limit, seed)
    if perturb:
        pairs = list(perturbed(pairs, seed))

    try:
        with progress(f"Asking {graph}", total=len(pairs)) as bar:

            def work() -> Run:
                connection = open_connection()
                with KGQA.connect(graph, connection=connection, **options) as kg:
                    return ask_all(
                        kg,
                        pairs,
                        batch=batch,
                        output=output,
                        coverage=coverage,
                        given_topics=given_topics,
                        progress=bar,
                    )

            done = interruptible(work)
    except KeyboardInterrupt:
        print_status(
            f"kgqa: interrupted; what was asked is in {output}. The same command goes on from there."
            if output
            else "kgqa: interrupted; with --output FILE the next run could go on from there."
        )
        os._exit(INTERRUPTED)  # at once: threads that read are left behind
    outcomes, rate = done.outcomes, done.asked / done.seconds if done.seconds else 0.0
    total, groups = summarise(outcomes, seed=seed), by_group(outcomes, seed=seed)
    if report:
        from kgqa_graphdb.evaluate.report import write_report

        about = {
            "graph": graph,
            "questions": ", ".join(one.name for one in (questions, candidates) if one),
            "method": done.by,
            "asked": f"{len(outcomes):,}" + (f", of a random sample (seed {seed})" if limit is not None else ""),
            "topics": "given" if given_topics else "linked",
            "questions a second": f"{rate:,.1f}" + (f", {total.batch:,} side by side" if total.batch > 1 else ""),
            "kgqa-graphdb": version("kgqa-graphdb"),
        }
        made = write_report(report, f"Answers of {graph}", about, outcomes, total, groups)
        print_status(f"The report is in {made}")
    if json:
        emit_json({
            **total.to_dict(),
            "by": {name: group.to_dict() for name, group in groups.items()},
            "questions_per_s": round(rate, 2),
        })  # fmt: skip
    else:
        _show(total, groups, rate)


def _show(total: Summary, groups: dict[str, Summary], rate: float) -> None:
    heads = f"{'questions':>9} {'Hits@1':>15} {'F1':>15} {'exact':>6} {'RoG hit':>7} {'abstained':>9} {'errors':>6}"
    say(f"{'':<28} {heads}")
    for name, one in {"all": total, **groups}.items():
        cells = [f"{name[:28]:<28} {one.questions:>9,}"]
        for metric in ("hits_at_1", "f1"):
            low, high = one.intervals.get(metric, (0.0, 0.0))
            half = (high - low) / 2
            cells.append(f"{f'{one.means[metric]:.1%} ± {half:.1%}':>15}" if one.means else f"{'–':>15}")
        cells += [f"{one.means[key]:>{width}.1%}" if one.means else f"{'–':>{width}}"
                  for key, width in (("exact_match", 6), ("rog_hit", 7))]  # fmt: skip
        say(" ".join([*cells, f"{one.abstained:>9,} {one.errors:>6,}"]))
    if total.latency_ms:
        p50, p95 = total.latency_ms["p50"], total.latency_ms["p95"]
        took = f"{p50:,.0f} ms at the median and {p95:,.0f} ms at p95"
        if total.batch > 1:
            say(f"\n{rate:,.1f} questions/s, {total.batch:,} side by side; a question's share of that time was {took}.")
        else:
            say(f"\n{rate:,.1f} questions/s; a question took {took}.")
    if "coverage" in total.means:
        say(
            f"A path from a linked topic leads to a gold answer in {total.means['coverage']:.1%} of the questions; the "
            f"best single paths would give F1 {total.means['best_path_f1']:.1%}."
        )
    if "proof_f1" in total.means:
        precision, recall, f1 = (total.means[f"proof_{name}"] for name in ("precision", "recall", "f1"))
        say(f"Proofs against gold chains: precision {precision:.1%}, recall {recall:.1%}, F1 {f1:.1%}.")
    if "answer_in_subgraph" in total.means:
        known = [f"{words} {total.means[name]:.1%}" for name, words in _RETRIEVAL if name in total.means]
        say(f"Of what was retrieved: {', '.join(known)}.")
    if "in_graph" in total.means:
        known = [f"{words} {total.means[name]:.1%}" for name, words in _CANDIDATES if name in total.means]
        say(f"Of the questions {', '.join(known)}.")
    if "ungrounded" in total.means:
        share = total.means["ungrounded"]
        say(f"Of the names that the language model gave, {share:.1%} stand outside the facts that it was shown.")
    say("Hits@1 is strict, ties by expectation; ± is half of the 95 % bootstrap interval.")


_RETRIEVAL = (
    ("hop_accuracy", "number of hops right"), ("path_hits_at_1", "best relation path right"),
    ("path_hits_at_k", "any of them right"), ("answer_in_subgraph", "a gold answer in the sample"),
    ("answers_in_subgraph", "gold answers in it"),
)  # fmt: skip


_CANDIDATES = (
    ("linked", "with a linked topic"), ("in_graph", "in the graph"), ("first", "of these the first guess right"),
    ("any", "any candidate"), ("reranked", "the answer"),
)  # fmt: skip


@app.command(epilog=COMPARE_EXAMPLES)
def compare(
    first: Annotated[Path, typer.Argument(help="What kgqa evaluate --output wrote before.")],
    second: Annotated[Path, typer.Argument(help="What it wrote afterwards.")],
    json: JsonFlag = False,
) -> None:
    """Compare two runs over the same questions: won, lost, and whether that may be chance."""
    from dataclasses import asdict

    from kgqa_graphdb.evaluate.compare import compare as compared
    from kgqa_graphdb.evaluate.outcome import read_outcomes

    before, after = list(read_outcomes(first)), list(read_outcomes(second))
    found = compared(before, after)
    if json:
        emit_json(asdict(found))
        return
    _show_comparison(found, {outcome.id: outcome for outcome in after})


_SHOWN = 10
"""Questions of each kind, at most."""


def _show_comparison(found: Comparison, after: dict[str, Outcome]) -> None:
    say(f"{found.questions:,} questions that both answered; {found.left_out:,} left out.\n")
    say(f"{'':<12} {'before':>7} {'after':>7} {'won':>6} {'lost':>6} {'sign test':>10} {'permutation':>12}")
    for one in found.metrics:
        say(
            f"{one.metric:<12} {one.first:>7.1%} {one.second:>7.1%} {one.won:>6,} {one.lost:>6,} "
            f"{f'p = {one.sign_p:.3f}':>10} {f'p = {one.permutation_p:.3f}':>12}"
        )
    for word, ids in (("Won", found.won), ("Lost", found.lost)):
        if ids:
            say(f"\n{word}:")
            for id_ in ids[:_SHOWN]:
                say(f"  {after[id_].question}")
            if len(ids) > _SHOWN:
                say(f"  … and {len(ids) - _SHOWN:,} more")
