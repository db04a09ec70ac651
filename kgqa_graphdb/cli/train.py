"""``kgqa train``: make the answers better from questions whose answers are known."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from kgqa_graphdb.cli.app import INTERRUPTED, app
from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.interrupt import interruptible
from kgqa_graphdb.cli.output import GraphName, JsonFlag, emit_json, print_status, say, stages
from kgqa_graphdb.cli.train_options import Encoder, GivenTopics, Limit, MappingFile, ModelFolder, Questions, Seed

if TYPE_CHECKING:
    from kgqa_graphdb.train.settings import Stage, Trained

T = TypeVar("T")
TrainedT = TypeVar("TrainedT", bound="Trained")
EXAMPLES = """
Examples:

  kgqa train paths --graph metaqa --questions qa_train.txt --output model

  kgqa train paths --graph metaqa --questions qa_train.txt --dev qa_dev.txt --limit 5000 --output model

  kgqa train paths --graph metaqa --synthetic --output model        from the relations' names alone

  kgqa train paths -q metaqa=qa_train.txt -q pq2=PQ-2H.txt --limit 2000 --output model        on several graphs at once

  kgqa train paths -q metaqa=qa_train.txt --graph own --synthetic --output model       nobody has asked own yet

  kgqa train paths --graph metaqa --questions qa_train.txt --fine-tune --output model        the encoder learns, too

  kgqa train paths --graph zjqa --questions train.txt --encoder characters --output model        in any language

  kgqa train paths --graph metaqa --synthetic --paraphrase path/to/a/language/model --output model

  kgqa ask "who directed [Inception]?" --graph metaqa --model model

Only the questions and their answers are used. A training that was cut off goes on with the same command. It needs the
extra: pip install 'kgqa-graphdb[train]'.
"""
DEFAULT_EXAMPLES = """
Example:

  kgqa train default --output model
"""
RRA_EXAMPLES = """
Examples:

  kgqa train rra --graph metaqa --questions qa_dev.txt --output model

  kgqa train rra --graph zjqa --questions train.txt --dev valid.txt --encoder characters --output model

  kgqa evaluate --graph metaqa --questions qa_test.txt --method rra --model model --set reader=none

Only the questions and their answers are used: relation paths are mined from them. A training that was cut off goes on
with the same command. It needs the extra: pip install 'kgqa-graphdb[train]'.
"""
trainer = typer.Typer(help="Train a method on questions whose answers are known.", no_args_is_help=True)
app.add_typer(trainer, name="train")


def files_of(named: Sequence[str], graphs: Sequence[str], option: str) -> dict[str, list[Path]]:
    """The files of each graph.

    :param named: ``FILE`` or ``GRAPH=FILE``; what is a file as it stands is one, whatever is in its name
    :param graphs: what ``--graph`` says: a file without a graph is of the only one
    :raises UsageError: nobody says which graph a file is of
    """
    from kgqa_graphdb.documents import expanded
    from kgqa_graphdb.errors import UsageError

    found: dict[str, list[Path]] = {}
    for text in named:
        name, equals, rest = text.partition("=")
        if not equals or Path(text).is_file():
            name, rest = graphs[0] if len(graphs) == 1 else "", text
        if not name:
            raise UsageError(f"which graph are the questions in {rest} of? Say: {option} GRAPH={rest}")
        found.setdefault(name, []).append(expanded(rest))
    return found


@trainer.command("paths", epilog=EXAMPLES)
def train_paths(
    output: ModelFolder,
    graph: Annotated[
        list[str] | None,
        typer.Option("--graph", "-g", help="Name of the graph; may be repeated with --synthetic.", show_default=False),
    ] = None,
    questions: Annotated[
        list[str] | None,
        typer.Option(
            "--questions",
            "-q",
            metavar="[GRAPH=]FILE",
            help="File of questions and answers; may be repeated. GRAPH= says which graph they are of, where it is "
            "not that of --graph.",
            show_default=False,
        ),
    ] = None,
    synthetic: Annotated[
        bool,
        typer.Option(
            "--synthetic", help="Of graphs without --questions: train on ones composed from the graph's relations."
        ),
    ] = False,
    dev: Annotated[
        list[str] | None,
        typer.Option(
            "--dev", metavar="[GRAPH=]FILE", help="Questions to hold out.", show_default="a tenth of the others"
        ),
    ] = None,
    limit: Limit = None,
    given_topics: GivenTopics = False,
    encoder: Encoder = "",
    fine_tune: Annotated[
        bool,
        typer.Option(
            "--fine-tune",
            help="Train the encoder that reads questions, too: slower, and the folder holds it.",
        ),
    ] = False,
    rerank: Annotated[
        bool,
        typer.Option(
            "--rerank/--no-rerank",
            help="Train a reranker of the likeliest paths on --questions, too, and keep it unless held-out ones lose.",
        ),
    ] = True,
    steps: Annotated[
        int | None,
        typer.Option(
            "--steps",
            min=1,
            help="Batches to train on at most.",
            show_default="2000, and 600 for each further graph",
        ),
    ] = None,
    composed: Annotated[
        int | None,
        typer.Option(
            "--composed",
            min=0,
            help="Questions composed from a graph's relations, in English, to train on too; shared out where there are "
            "--questions of several.",
            show_default="12000; beside --questions 0 where most relations have no Latin letters",
        ),
    ] = None,
    paraphrase: Annotated[
        str,
        typer.Option(
            "--paraphrase",
            help="Language model that says composed questions in other words, too: a folder or a hub id.",
            show_default="none",
        ),
    ] = "",
    seed: Seed = 0,
    mapping: MappingFile = None,
    json: JsonFlag = False,
) -> None:
    """Train the ranker of relation paths, which the method paths uses."""
    from kgqa_graphdb.client import KGQA
    from kgqa_graphdb.errors import UsageError
    from kgqa_graphdb.train.data.sets import read_samples
    from kgqa_graphdb.train.log import logged
    from kgqa_graphdb.train.paths.train import train_paths as train
    from kgqa_graphdb.train.settings import Source, Training

    if not questions and not synthetic:
        raise UsageError("name a file of --questions, or train without any: --synthetic")
    files, dev_files = files_of(questions or [], graph or [], "--questions"), files_of(dev or [], graph or [], "--dev")
    graphs = list(dict.fromkeys((*(graph or []), *files, *dev_files)))
    if not graphs:
        raise UsageError("name the graph: --graph NAME")
    unasked = [name for name in graphs if name not in files]
    if unasked and not synthetic:
        raise UsageError(
            f"there are no questions of graph {unasked[0]!r}: name a file, --questions {unasked[0]}=FILE, or let them "
            "be composed: --synthetic"
        )
    if synthetic and not unasked:
        raise UsageError("--synthetic is for graphs without --questions; composed ones are shown beside those anyway")
    if mapping and len(graphs) > 1:
        raise UsageError("--mapping is of one graph; of several the mappings are those that kgqa map has written")
    samples = [[read_samples(some.get(name, []), limit, seed) for some in (files, dev_files)] for name in graphs]
    training = Training(
        encoder=encoder, fine_tune=fine_tune, rerank=rerank, steps=steps, composed=composed,
        given_topics=given_topics, seed=seed, paraphrase=paraphrase,
    )  # fmt: skip

    def work(stage: Stage) -> Trained:
        connection = open_connection()
        with ExitStack() as stack:
            opened = [
                stack.enter_context(KGQA.connect(name, connection=connection, mapping=mapping)) for name in graphs
            ]
            stack.enter_context(logged(output))
            sources = [Source(kg, pairs, kept) for kg, (pairs, kept) in zip(opened, samples, strict=True)]
            return train(sources, output, training=training, stage=stage)

    run_training(work, output, json=json)


@trainer.command("default", epilog=DEFAULT_EXAMPLES)
def train_default(
    output: ModelFolder,
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, help="Batches to train on at most.", show_default="8000")
    ] = None,
    composed: Annotated[
        int | None, typer.Option("--composed", min=1, help="Questions to compose.", show_default="24000")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the schemas, of their questions, of the training.")] = 0,
    json: JsonFlag = False,
) -> None:
    """Train a ranker for graphs that nobody has seen, on questions composed from schemas of many kinds."""
    from kgqa_graphdb.train.log import logged
    from kgqa_graphdb.train.paths.train import train_default as train
    from kgqa_graphdb.train.settings import Training

    training = Training(steps=steps, composed=composed, seed=seed)

    def work(stage: Stage) -> Trained:
        with logged(output):
            return train(output, training=training, stage=stage)

    run_training(work, output, json=json)


@trainer.command("rra", epilog=RRA_EXAMPLES)
def train_rra(
    output: ModelFolder,
    graph: GraphName,
    questions: Questions,
    dev: Annotated[
        list[Path] | None,
        typer.Option("--dev", help="Questions to hold out; may be repeated.", show_default="a tenth of the others"),
    ] = None,
    limit: Limit = None,
    given_topics: GivenTopics = False,
    encoder: Encoder = "",
    fine_tune: Annotated[
        bool, typer.Option("--fine-tune", help="Train the encoder, too, as the paper does: slower.")
    ] = False,
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, help="Batches to train on at most.", show_default="2000")
    ] = None,
    seed: Seed = 0,
    mapping: MappingFile = None,
    json: JsonFlag = False,
) -> None:
    """Train the predictor of relation paths, which the method rra uses."""
    from kgqa_graphdb.client import KGQA
    from kgqa_graphdb.documents import expanded
    from kgqa_graphdb.train.data.sets import read_samples
    from kgqa_graphdb.train.log import logged
    from kgqa_graphdb.train.rra.train import train_rra as train
    from kgqa_graphdb.train.settings import Source, Training

    pairs, kept = (read_samples([expanded(one) for one in files or ()], limit, seed) for files in (questions, dev))
    training = Training(encoder=encoder, fine_tune=fine_tune, steps=steps, given_topics=given_topics, seed=seed)

    def work(stage: Stage) -> Trained:
        with KGQA.connect(graph, connection=open_connection(), mapping=mapping) as kg, logged(output):
            return train(Source(kg, pairs, kept), output, training=training, stage=stage)

    run_training(work, output, judged="the likeliest relation path is right in {:.1%} of the questions", json=json)


_JUDGED = "the likeliest path has F1 {:.1%} of the best one's"


def run_training(
    work: Callable[[Stage], TrainedT],
    output: Path,
    *,
    mined: str = "have a path to an answer",
    judged: str = _JUDGED,
    more: Callable[[TrainedT], str] = lambda made: "",
    use: str = "--model ",
    json: bool,
) -> None:
    """Train, and say what came of it.

    :param mined: what is said of the questions that can be learned
    :param judged: what is said of the score on held-out questions
    :param more: what is said after that
    :param use: what stands before the folder where it is used
    """
    made = run_stages(work, output)
    if json:
        emit_json(asdict(made))
        return
    if made.mined:
        say(f"{made.mined:.1%} of {made.questions:,} questions {mined}.")
    say(f"On what was held out {judged.format(made.held_out)}{more(made)}.")
    say(f"{made.steps:,} steps in {made.seconds:,.0f} s. Use it with: {use}{made.output}")


def run_stages(work: Callable[[Stage], T], output: Path) -> T:
    """Run what takes long, with its progress; interrupted, it says where to go on from."""
    # Threads that spin while they wait make training thirty times slower on a machine that others use too.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        with stages() as stage:
            return interruptible(lambda: work(stage))
    except KeyboardInterrupt:
        print_status(f"kgqa: interrupted; what was done is in {output}. The same command goes on from there.")
        os._exit(INTERRUPTED)  # at once: a thread is left behind
