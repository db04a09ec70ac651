"""``kgqa train paths``: from question-answer pairs to a ranker of relation paths in a folder."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from kgqa_graphdb.encode import CHARACTERS, OnnxEncoder, locate_weights
from kgqa_graphdb.encode.bert import read_config
from kgqa_graphdb.errors import MissingExtraError, UsageError
from kgqa_graphdb.models import claim_folder
from kgqa_graphdb.plots import plot_training
from kgqa_graphdb.rank.model import (
    METHOD,
    QUESTION_ENCODER,
    PathTraining,
)
from kgqa_graphdb.train.data.made_schemas import MADE_COMPOSED, MADE_STEPS, made_sets
from kgqa_graphdb.train.data.sets import MIN_ITEMS, TrainingSet, make_sets
from kgqa_graphdb.train.paths.calibrate import calibrate
from kgqa_graphdb.train.paths.judge import mean_score
from kgqa_graphdb.train.settings import Source, Stage, Trained, Training

log = logging.getLogger(__name__)


def train_paths(sources: Sequence[Source], output: Path, *, training: Training, stage: Stage) -> Trained:
    """Train a ranker on the questions of some graphs; the same call goes on where one was cut off.

    :raises UsageError: no path leads to any of the answers, or the folder holds something else
    :raises MissingExtraError: torch is not installed
    """
    check_torch()
    for source in sources:
        check_count(source)
    claim_folder(output, METHOD)
    try_encoder(training, output)
    sets = make_sets(sources, output, training, stage)
    again = not any(source.dev for source in sources)
    return train_on_sets(sets, output, training=training, stage=stage, again=again)


def train_default(output: Path, *, training: Training, stage: Stage) -> Trained:
    """Train a ranker for graphs that nobody has seen, on schemas of many kinds; without a graph.

    :raises UsageError: the folder holds something else
    :raises MissingExtraError: torch is not installed
    """
    check_torch()
    claim_folder(output, METHOD)
    try_encoder(training, output)
    sets = made_sets(training, MADE_COMPOSED if training.composed is None else training.composed)
    training = replace(training, steps=training.steps or MADE_STEPS)
    return train_on_sets(sets, output, training=training, stage=stage, of_any_graph=True)


def train_on_sets(
    sets: Sequence[TrainingSet],
    output: Path,
    *,
    training: Training,
    stage: Stage,
    again: bool = False,
    of_any_graph: bool = False,
) -> Trained:
    """Train one ranker on what is learned from some graphs: fit, select, calibrate, save.

    :param output: a folder that is there
    :param again: where people asked, train on what was held out too, once it is known how long
    :param of_any_graph: it is for no graph more than for another; its weights are kept in half the size
    """
    from kgqa_graphdb.train.paths.rerank import forget
    from kgqa_graphdb.train.paths.run import Final, PathRun
    from kgqa_graphdb.train.paths.save import save_ranker

    run = PathRun(sets, output, training, stage)
    fitted = run.fit()
    selected = run.select(fitted.weights)
    final = run.fit_on_all(fitted, selected) if run.asked and again else Final(fitted.weights, selected.reranking)
    seconds = fitted.seconds + selected.seconds + final.seconds
    trust = calibrate(selected.outcomes, selected.absent, asked=bool(run.asked))
    score = mean_score(selected.outcomes)
    if not of_any_graph:  # made-up schemas have no names worth noting
        for one, some in zip(sets, selected.outcomes, strict=True):
            log.info("graph %s: F1 of the best paths on held-out questions %.4f", one.mapping.graph, mean_score([some]))
    pairs = sum(one.pairs for one in sets)
    mined = run.asked / pairs if pairs else 0.0
    figures = PathTraining(
        options=asdict(final.options or run.options), paraphrase=training.paraphrase, questions=run.asked,
        composed=sum(len(one.made) for one in sets), held_out=sum(map(len, selected.outcomes)), mined=mined,
        metrics={"held_out_f1": score, **trust.metrics}, history=tuple(fitted.history), seconds=round(seconds, 1),
    )  # fmt: skip
    save_ranker(output, run, final, trust, figures, of_any_graph=of_any_graph)
    forget(output)
    plot_training(fitted.history, fitted.best_step, output)
    return Trained(output, pairs, mined, score, fitted.best_step, seconds)


def check_count(source: Source) -> None:
    """See that there are questions enough, if there are any.

    :raises UsageError: there are fewer than :data:`MIN_ITEMS`
    """
    if source.pairs and len(source.pairs) < MIN_ITEMS:
        raise UsageError(
            f"{len(source.pairs)} questions of graph {source.kg.graph_name!r} are too few to learn from: "
            f"{MIN_ITEMS} are the least"
        )


def check_torch() -> None:
    """See that torch is there.

    :raises MissingExtraError: it is not
    """
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(str(error.name), "train") from error


def try_encoder(training: Training, output: Path, *, fine_tunes: bool = False) -> None:
    """See that the encoder is there and can be trained as was said: it must not come out after the mining only.

    :param fine_tunes: a copy of it is fine-tuned even where nobody says so, unless it is one of characters
    :raises UsageError: it learns in any case, or would be replaced by what is learned from it
    :raises EncoderError: it can't be found or run, or it can't be fine-tuned
    """
    if training.encoder != CHARACTERS:
        OnnxEncoder(training.encoder).encode(["is it there?"])
    elif training.fine_tune:
        raise UsageError("--encoder characters is trained in any case: leave --fine-tune out")
    if training.fine_tune or (fine_tunes and training.encoder != CHARACTERS):
        source = locate_weights(training.encoder)
        read_config(source)
        if source == (output / QUESTION_ENCODER).resolve():
            raise UsageError(f"{source} would be replaced by what is learned from it; name another folder to write to")
