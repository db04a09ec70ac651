"""``kgqa train rra``: from question-answer pairs to a predictor of relation paths in a folder."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kgqa_graphdb.encode.characters import CHARACTERS
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.models import ModelCard, claim_folder, write_model, write_weights
from kgqa_graphdb.rank.model import QUESTION_ENCODER
from kgqa_graphdb.rra.files import (
    FORMAT,
    METHOD,
    PARTS,
    WEIGHTS,
    PredictorDetails,
    PredictorFiles,
    PredictorTraining,
)
from kgqa_graphdb.rra.network import HOPS, STEPS, Classifier
from kgqa_graphdb.rra.predictor import PathPredictor, PredictRequest
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.data.sets import TrainingSet, make_sets
from kgqa_graphdb.train.loop import Fitted, train_model
from kgqa_graphdb.train.paths.make_reader import make_reader
from kgqa_graphdb.train.paths.readers import Reader
from kgqa_graphdb.train.paths.run import CHECKPOINT, FINE_TUNED_RATE, LAST_CHECKPOINT
from kgqa_graphdb.train.paths.save import lasting_name
from kgqa_graphdb.train.paths.train import check_count, check_torch, try_encoder
from kgqa_graphdb.train.reading import ReadingOptions
from kgqa_graphdb.train.rra.fit import Lesson, PredictorTrainer, codes_of, lessons_of
from kgqa_graphdb.train.settings import Source, Stage, Trained, Training
from kgqa_graphdb.types import Floats

log = logging.getLogger(__name__)
STEPS_AT_MOST = 2_000
"""Batches, where nobody says: 20 epochs of 6,000 questions; the paper's code stops early, too."""
JUDGED_PATHS = 3
_JUDGED_AT_ONCE = 64


class _Judged(NamedTuple):
    """How good a predictor is on questions, each 0..1."""

    hop_accuracy: float
    path_hits_at_1: float
    path_hits_at_k: float


def train_rra(source: Source, output: Path, *, training: Training, stage: Stage) -> Trained:
    """Train a predictor on the questions of a graph; the same call goes on where one was cut off.

    :raises UsageError: no path leads to any of the answers, or the folder holds something else
    :raises MissingExtraError: torch is not installed
    """
    check_torch()
    check_count(source)
    claim_folder(output, METHOD)
    try_encoder(training, output)
    (training_set,) = make_sets([source], output, replace(training, composed=0), stage)
    return train_on_set(training_set, output, training=training, stage=stage, again=not source.dev)


def train_on_set(
    training_set: TrainingSet, output: Path, *, training: Training, stage: Stage, again: bool = False
) -> Trained:
    """Train a predictor on what is learned from a graph: fit, judge, save.

    :param output: a folder that is there
    :param again: train on what was held out too, once it is known how long
    """
    one, schema = training_set, training_set.schema
    run = _Run(one, codes_of([*one.train, *one.asked], schema), output, training, stage)
    if not run.codes or not one.held_out:
        raise UsageError("there is nothing to train on, or to judge by: name a file of --questions with other wordings")
    fitted = run.fit(one.train, CHECKPOINT, "Training")
    judged = judge(run.predictor(fitted.weights), one.held_out)
    log.info("on held-out questions: %s", ", ".join(f"{name} {value:.4f}" for name, value in judged._asdict().items()))
    seconds, weights = fitted.seconds, fitted.weights
    if again:
        ended = run.fit(one.asked, LAST_CHECKPOINT, "Training on all", fitted.best_step)
        seconds, weights = seconds + ended.seconds, ended.weights
    mined = len(one.asked) / one.pairs if one.pairs else 0.0
    figures = PredictorTraining(
        options=asdict(run.options), questions=len(one.asked), held_out=len(one.held_out), mined=mined,
        metrics=judged._asdict(), history=tuple(fitted.history), seconds=round(seconds, 1),
    )  # fmt: skip
    run.save(weights, figures)
    return Trained(output, one.pairs, mined, judged.path_hits_at_1, fitted.best_step, seconds)


@dataclass
class _Run:
    """One training of a predictor.

    :ivar codes: of the steps, in the order of the classes
    """

    training_set: TrainingSet
    codes: tuple[str, ...]
    output: Path
    training: Training
    stage: Stage

    def __post_init__(self) -> None:
        steps = self.training.steps or STEPS_AT_MOST
        rate = FINE_TUNED_RATE if self.training.fine_tune else None
        options = ReadingOptions(steps=steps, seed=self.training.seed, encoder_rate=rate)
        self.options = replace(options, check=max(1, min(options.check, steps // 5)))
        one, training = self.training_set, self.training
        texts = _texts(lessons_of(one.train, one.schema, self.codes))
        self.reader: Reader = make_reader(
            training.encoder, texts, [texts[:1]], training.seed, fine_tune=training.fine_tune
        )

    def fit(self, items: Sequence[Item], checkpoint: str, name: str, steps: int | None = None) -> Fitted:
        """Train on questions.

        :param checkpoint: name of its file
        :param steps: batches, from the beginning and without judging; ``None``: as many as is best on held-out ones
        """
        lessons = lessons_of(items, self.training_set.schema, self.codes)
        if steps is not None:
            self.reader = self.reader.afresh(_texts(lessons))
        options = self.options if steps is None else replace(self.options, steps=steps)
        sizes = self._max_hops, len(self.codes)
        what = hashlib.sha256(repr((lessons, self.codes, self.reader.fingerprint)).encode()).hexdigest()
        judge = self._score if steps is None else None
        trainer = PredictorTrainer(lessons, self.reader, judge, options, sizes, what)
        return train_model(trainer, self.output / checkpoint, self.stage(name, options.steps))

    @property
    def _max_hops(self) -> int:
        return max(len(path) for item in self.training_set.asked for path in item.paths)

    def predictor(self, weights: Mapping[str, Floats]) -> PathPredictor:
        """The predictor of some weights."""
        encoder = self.reader.encoder(weights)
        files = PredictorFiles(encoder, self.codes, Classifier(weights, HOPS), Classifier(weights, STEPS))
        return PathPredictor(self.training_set.mapping, files, self.training_set.schema)

    def _score(self, weights: Mapping[str, Floats]) -> float:
        return judge(self.predictor(weights), self.training_set.held_out).path_hits_at_1

    def save(self, weights: Mapping[str, Floats], figures: PredictorTraining) -> None:
        """Write the folder that ``--model`` takes."""
        one, training = self.training_set, self.training
        encoder = self.reader.encoder(weights)
        details = PredictorDetails(
            self.codes, self.reader.alphabet, QUESTION_ENCODER if training.fine_tune else "", training.given_topics,
            figures,
        )  # fmt: skip
        card = ModelCard(
            METHOD, FORMAT, seed=training.seed, graphs={one.mapping.graph: one.fingerprint}, walk=one.walk,
            encoder=CHARACTERS if training.encoder == CHARACTERS else lasting_name(training.encoder, encoder.name),
            encoder_fingerprint=encoder.fingerprint, details=asdict(details),
        ).made_now()  # fmt: skip
        with write_model(self.output, card, PARTS) as part:
            write_weights(self.reader.keep(weights, part), part / WEIGHTS)
        for name in (CHECKPOINT, LAST_CHECKPOINT):
            (self.output / name).unlink(missing_ok=True)


def _texts(lessons: Sequence[Lesson]) -> list[str]:
    """What is read while lessons are learned, each once."""
    return list(dict.fromkeys(text for lesson in lessons for text in lesson.texts))


def judge(predictor: PathPredictor, items: Sequence[Item]) -> _Judged:
    """How good a predictor is on questions that it was not trained on; any of a question's best paths is right."""
    rows = []
    for start in range(0, len(items), _JUDGED_AT_ONCE):
        some = items[start : start + _JUDGED_AT_ONCE]
        requests = [PredictRequest(item.text, item.starts, None, JUDGED_PATHS) for item in some]
        for item, found in zip(some, predictor.predict(requests), strict=True):
            right = {path for path, weight in zip(item.paths, item.weights, strict=True) if weight == 1}
            paths = [path for path, _ in found.paths]
            rows.append(
                (found.hops in set(map(len, right)), bool(paths) and paths[0] in right, bool(right & set(paths)))
            )
    return _Judged(*(float(one) for one in np.array(rows, dtype=bool).mean(axis=0)))
