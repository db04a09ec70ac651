"""``kgqa train gnn2r``: the two steps of the method gnn2r."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kgqa_graphdb.cli.db import open_connection
from kgqa_graphdb.cli.output import GraphName, JsonFlag
from kgqa_graphdb.cli.train import run_training, trainer
from kgqa_graphdb.cli.train_options import Encoder, GivenTopics, Limit, MappingFile, ModelFolder, Questions, Seed

if TYPE_CHECKING:
    from kgqa_graphdb.train.gnn2r.train import TrainedSteps
    from kgqa_graphdb.train.settings import Stage

GNN2R_EXAMPLES = """
Examples:

  kgqa train gnn2r --graph pq2 --questions train.txt --dev dev.txt --given-topics --output model

  kgqa train gnn2r --graph metaqa --questions qa_dev.txt --export metaqa-export --nodes 500 --output model

  kgqa ask "which nationality is [Bach] 's couple ?" --graph pq2 --method gnn2r --model model

Only the questions and their answers are used. The graph is exported to the model's folder first, unless --export names
one that kgqa export wrote. A training that was cut off goes on with the same command. It needs two extras: pip install
'kgqa-graphdb[train,gnn]'.
"""


@trainer.command("gnn2r", epilog=GNN2R_EXAMPLES)
def train_gnn2r(
    output: ModelFolder,
    graph: GraphName,
    questions: Questions,
    dev: Annotated[
        list[Path] | None,
        typer.Option("--dev", help="Questions to hold out; may be repeated.", show_default="a tenth of the others"),
    ] = None,
    limit: Limit = None,
    given_topics: GivenTopics = False,
    export: Annotated[
        Path | None,
        typer.Option("--export", help="Folder that kgqa export wrote.", show_default="export, in the model's folder"),
    ] = None,
    hops: Annotated[
        int | None,
        typer.Option(
            "--hops",
            min=1,
            help="Of the questions' subgraphs.",
            show_default="as few as reach nearly all answers, at most 3",
        ),
    ] = None,
    nodes: Annotated[
        int, typer.Option("--nodes", min=0, help="Entities of a subgraph at most, by personalised PageRank; 0: all.")
    ] = 500,
    path_hops: Annotated[
        int | None,
        typer.Option(
            "--path-hops",
            min=1,
            max=4,
            help="Of the paths that join topics and candidates at most.",
            show_default="as many as subgraphs have, at most 4",
        ),
    ] = None,
    inverse: Annotated[
        Literal["apart", "same", "none"],
        typer.Option(
            "--inverse",
            help="How facts are walked from tail to head: as relations of their own (apart), as the same relation, as "
            "in the paper (same), or not at all (none).",
        ),
    ] = "apart",
    network: Annotated[
        Literal["gnn2r", "attention", "walker", "ungated", "plain"],
        typer.Option(
            "--network",
            help="What finds answers in subgraphs: the paper's network (gnn2r), graph attention over relations "
            "(attention), walks along the relations that the question asks for (walker), or the paper's without gates "
            "(ungated) and without attention, too (plain).",
        ),
    ] = "gnn2r",
    margin: Annotated[
        float, typer.Option("--margin", min=0.01, help="By which answers must be nearer to the question than all else.")
    ] = 1.0,
    step_two: Annotated[
        bool,
        typer.Option(
            "--step-two/--no-step-two", help="Train the encoder that chooses among patterns of the graph, too."
        ),
    ] = True,
    candidates: Annotated[
        int,
        typer.Option("--candidates", min=1, max=100, help="Nearest entities that step II looks for patterns from."),
    ] = 10,
    joining: Annotated[
        str,
        typer.Option(
            "--joining",
            help="Which paths join topics and candidates: walks, simple (the paper's) or shortest (GNN2R-fast).",
        ),
    ] = "walks",
    loss_two: Annotated[
        Literal["contrast", "triplet"],
        typer.Option(
            "--loss-two",
            help="What step II learns by: the contrast of all questions and patterns of a batch, or triplets of a "
            "question, a right and a wrong pattern (the paper).",
        ),
    ] = "contrast",
    margin_two: Annotated[
        float,
        typer.Option(
            "--margin-two", min=0.01, help="In triplets: by which the right pattern must be more similar to a question."
        ),
    ] = 0.2,
    shortest_votes: Annotated[
        bool,
        typer.Option(
            "--shortest-votes",
            help="Of patterns that answer a question as well only the shortest are right (the paper).",
        ),
    ] = False,
    encoder: Encoder = "",
    fine_tune: Annotated[bool, typer.Option("--fine-tune", help="Train step I's encoder, too: slower.")] = False,
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, help="Batches of step I at most.", show_default="2000")
    ] = None,
    steps_two: Annotated[
        int, typer.Option("--steps-two", min=0, help="Batches of step II at most; 0: the text encoder as it comes.")
    ] = 600,
    seed: Seed = 0,
    mapping: MappingFile = None,
    json: JsonFlag = False,
) -> None:
    """Train the graph neural network and the sentence encoder that the method gnn2r uses."""
    from kgqa_graphdb.client import KGQA
    from kgqa_graphdb.documents import expanded
    from kgqa_graphdb.gnn2r.patterns import joining_of
    from kgqa_graphdb.train.data.sets import read_samples
    from kgqa_graphdb.train.gnn2r.step_two import StepTwoSettings
    from kgqa_graphdb.train.gnn2r.train import StepOneSettings
    from kgqa_graphdb.train.gnn2r.train import train_gnn2r as train
    from kgqa_graphdb.train.log import logged
    from kgqa_graphdb.train.settings import Source, Training

    pairs, kept = (read_samples([expanded(one) for one in files or ()], limit, seed) for files in (questions, dev))
    training = Training(encoder=encoder, fine_tune=fine_tune, steps=steps, given_topics=given_topics, seed=seed)
    second = StepTwoSettings(candidates, joining_of(joining), loss_two, margin_two, shortest_votes, steps_two)
    settings = StepOneSettings(
        expanded(export) if export else None, hops, nodes, path_hops, margin, inverse,
        network=network, step_two=second if step_two else None,
    )  # fmt: skip

    def work(stage: Stage) -> TrainedSteps:
        with KGQA.connect(graph, connection=open_connection(), mapping=mapping) as kg, logged(output):
            return train(Source(kg, pairs, kept), output, training=training, settings=settings, stage=stage)

    run_training(
        work, output, mined="have an answer in their subgraph", judged="the nearest entity is an answer to {:.1%}",
        more=of_step_two if step_two else lambda made: "", json=json,
    )  # fmt: skip


def of_step_two(made: TrainedSteps) -> str:
    """What is said of step II, where it was wanted."""
    if not made.step_two:
        return "; step II was not trained: no question has a path that leads to an answer and one that does not"
    if made.held_out_two is None:
        return "; no question that was held out has a path for step II to choose"
    return f"; the patterns that step II chooses have F1 {made.held_out_two:.1%}"
