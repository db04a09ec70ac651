"""``kgqa train``: make the answers better from questions whose answers are known."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from kgqa_graphdb.cli.app import INTERRUPTED, app
from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.interrupt import interruptible
from kgqa_graphdb.cli.output import GraphName, JsonFlag, emit_json, say, stages, tell

EXAMPLES = """
Examples:

  kgqa train paths --graph metaqa --questions qa_train.txt --output model

  kgqa train paths --graph metaqa --questions qa_train.txt --dev qa_dev.txt --limit 5000 --output model

  kgqa train paths --graph metaqa --synthetic --output model        from the relations' names alone

  kgqa train paths --graph zjqa --questions train.txt --encoder characters --output model        in any language

  kgqa train paths --graph metaqa --synthetic --paraphrase path/to/a/language/model --output model

  kgqa ask "who directed [Inception]?" --graph metaqa --model model

Only the questions and their answers are used. A training that was cut off goes on with the same command. It needs the
extra: pip install 'kgqa-graphdb[train]'.
"""
trainer = typer.Typer(help="Train a method on questions whose answers are known.", no_args_is_help=True)
app.add_typer(trainer, name="train")


@trainer.command("paths", epilog=EXAMPLES)
def train_paths(
    graph: GraphName,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the model.")],
    questions: Annotated[
        list[Path] | None, typer.Option("--questions", "-q", help="File of questions and answers; may be repeated.")
    ] = None,
    synthetic: Annotated[
        bool, typer.Option("--synthetic", help="Without questions: train on ones composed from the graph's relations.")
    ] = False,
    dev: Annotated[
        list[Path] | None, typer.Option("--dev", help="Questions to hold out.", show_default="a tenth of the others")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, help="Train on a random sample of so many of each file.", show_default="all"),
    ] = None,
    encoder: Annotated[
        str,
        typer.Option(
            "--encoder",
            help="Text encoder: a folder or a hub id; characters: a small one trained from your questions alone, for "
            "languages that the usual one does not know.",
            show_default="the usual one",
        ),
    ] = "",
    steps: Annotated[int, typer.Option("--steps", min=1, help="Batches to train on at most.")] = 2_000,
    composed: Annotated[
        int | None,
        typer.Option(
            "--composed",
            min=0,
            help="Questions composed from the graph's relations, in English, to train on too.",
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
    seed: Annotated[int, typer.Option("--seed", help="Of the sample, of what is held out, of the training.")] = 0,
    mapping: Annotated[
        Path | None, typer.Option("--mapping", help="Mapping file of a graph that kgqa did not load.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Train the ranker of relation paths, which the method paths uses."""
    from kgqa_graphdb.client import KGQA
    from kgqa_graphdb.errors import UsageError
    from kgqa_graphdb.train.log import logged
    from kgqa_graphdb.train.paths import Trained, Training, read_samples
    from kgqa_graphdb.train.paths import train_paths as train

    if questions and synthetic:
        raise UsageError("--synthetic is training without --questions; composed questions are shown beside them anyway")
    if not questions and not synthetic:
        raise UsageError("name a file of --questions, or train without any: --synthetic")
    # Threads that spin while they wait make training thirty times slower on a machine that others use too.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    pairs, held = (read_samples(files or [], limit, seed) for files in (questions, dev))
    training = Training(encoder=encoder, steps=steps, composed=composed, seed=seed, paraphrase=paraphrase)
    try:
        with stages() as stage:

            def work() -> Trained:
                with KGQA.connect(graph, connection=open_connection(), mapping=mapping) as kg, logged(output):
                    return train(kg, pairs, output, dev=held, training=training, stage=stage)

            made = interruptible(work)
    except KeyboardInterrupt:
        tell(f"kgqa: interrupted; what was done is in {output}. The same command goes on from there.")
        os._exit(INTERRUPTED)  # at once: a thread is left behind
    if json:
        emit_json(asdict(made))
        return
    if made.questions:
        say(f"{made.mined:.1%} of {made.questions:,} questions have a path to an answer.")
    say(f"On held-out questions the likeliest path has F1 {made.held_out:.1%} of the best one's.")
    say(f"{made.steps:,} steps in {made.seconds:,.0f} s. Use it with: --model {made.output}")
