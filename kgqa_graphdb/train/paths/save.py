"""Writes the folder of a trained ranker, which ``--model`` takes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from kgqa_graphdb.documents import expanded
from kgqa_graphdb.models import ModelCard, write_model, write_weights
from kgqa_graphdb.rank.model import (
    FORMAT,
    METHOD,
    PARTS,
    QUESTION_ENCODER,
    RERANKER,
    WEIGHTS,
    PathModelDetails,
    PathTraining,
)
from kgqa_graphdb.train.paths.calibrate import Trust
from kgqa_graphdb.train.paths.run import CHECKPOINT, LAST_CHECKPOINT, Final, PathRun


@contextmanager
def writing(output: Path, card: ModelCard, details: PathModelDetails) -> Iterator[Path]:
    """A folder to write a ranker's files to; see :func:`kgqa_graphdb.models.write_model`."""
    with write_model(output, replace(card, details=asdict(details)).made_now(), PARTS) as part:
        yield part
    for name in (CHECKPOINT, LAST_CHECKPOINT):
        (output / name).unlink(missing_ok=True)


def save_ranker(
    output: Path, run: PathRun, final: Final, trust: Trust, figures: PathTraining, *, of_any_graph: bool
) -> None:
    """Write what was trained.

    :param of_any_graph: it is for no graph more than for another; its weights are kept in half the size
    """
    training, sets = run.training, [] if of_any_graph else run.as_asked
    encoder = run.reader.encoder(final.weights)
    card = ModelCard(
        METHOD, FORMAT, seed=training.seed, graphs={one.mapping.graph: one.fingerprint for one in sets},
        # How paths are walked was chosen for a graph; of several each has its own.
        walk=sets[0].walk if len(sets) == 1 else None,
        encoder=lasting_name(training.encoder or os.environ.get("KGQA_ENCODER", ""), encoder.name),
        encoder_fingerprint=encoder.fingerprint,
    )  # fmt: skip
    details = PathModelDetails(
        least_fit=trust.least_fit, calibration=trust.calibration,
        relations=frozenset(name for one in sets for name in one.mapping.by_id), asked_relations=run.asked_relations,
        alphabet=run.reader.alphabet, question_encoder=QUESTION_ENCODER if training.fine_tune else "",
        reranker=final.reranking is not None, max_hops=training.max_hops, given_topics=training.given_topics,
        training=figures,
    )  # fmt: skip
    with writing(output, card, details) as part:
        weights = run.reader.keep(final.weights, part)
        if of_any_graph:
            weights = {name: value.astype(np.float16) for name, value in weights.items()}
        write_weights(weights, part / WEIGHTS)
        if final.reranking:
            final.reranking.keep(part / RERANKER)


def lasting_name(asked: str, name: str) -> str:
    """An encoder's name as it is found from anywhere: that of a folder with the way to it."""
    folder = expanded(asked)
    return str(folder.resolve()) if asked and folder.is_dir() else name
