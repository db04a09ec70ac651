"""``kgqa train paths``: from question-answer pairs to a ranker of relation paths in a folder."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np

from kgqa_graphdb.encode import CHARACTERS, OnnxEncoder, locate_weights
from kgqa_graphdb.encode.bert import read_config
from kgqa_graphdb.errors import MissingExtraError, UsageError
from kgqa_graphdb.models import ModelCard, claim_folder, write_model, write_weights
from kgqa_graphdb.rank.calibration import Calibration
from kgqa_graphdb.rank.decoder import Decoder
from kgqa_graphdb.rank.model import (
    FORMAT,
    METHOD,
    PARTS,
    QUESTION_ENCODER,
    RERANKER,
    WEIGHTS,
    PathModelDetails,
    PathModelFiles,
    PathTraining,
)
from kgqa_graphdb.rank.rerank import PathReranker
from kgqa_graphdb.rank.trained import UNASKED_FIT, TrainedRanker, step_texts
from kgqa_graphdb.train.batches import Item
from kgqa_graphdb.train.courses import MIN_ITEMS, Course, Source, Stage, Training, make_courses, with_plain
from kgqa_graphdb.train.judge import (
    Judged,
    auroc,
    calibrated,
    calibration_error,
    judged,
    least_fit,
    loses,
    without_answers,
)
from kgqa_graphdb.train.made_schemas import MADE_COMPOSED, MADE_STEPS, made_courses
from kgqa_graphdb.train.plots import plot_training
from kgqa_graphdb.train.recombine import with_recombined
from kgqa_graphdb.types import Floats

log = logging.getLogger(__name__)

CHECKPOINT = "checkpoint.pt"
LAST_CHECKPOINT = "checkpoint-all.pt"
FINE_TUNED_RATE = 3e-5
"""Learning rate of an encoder that is fine-tuned."""
RERANK_BELOW = 0.97
"""F1 of the best paths on held-out questions from which on a reranker has nothing to gain."""
UNASKED_CALIBRATION = Calibration()
"""As they come: how often people's questions are answered rightly is not known."""
COMPOSED_WORTH = 0.25
"""What held-out composed questions count beside those of pairs: pairs alone are soon all right."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of a training.

    :ivar mined: share of the questions for which there is a path to an answer, 0..1
    :ivar held_out: mean F1, of the best path's, that the likeliest path has on held-out questions, 0..1; of several
        graphs the mean
    :ivar steps: batches after which nothing was gained any more
    """

    output: Path
    questions: int
    mined: float
    held_out: float
    steps: int
    seconds: float


def train_paths(sources: Sequence[Source], output: Path, *, training: Training, stage: Stage) -> Trained:
    """Train a ranker on the questions of some graphs; the same call goes on where one was cut off.

    :raises UsageError: no path leads to any of the answers, or the folder holds something else
    :raises MissingExtraError: torch is not installed
    """
    _torch()
    for source in sources:
        if source.pairs and len(source.pairs) < MIN_ITEMS:
            raise UsageError(
                f"{len(source.pairs)} questions of graph {source.kg.graph_name!r} are too few to learn from: "
                f"{MIN_ITEMS} are the least"
            )
    claim_folder(output, METHOD)
    _try_encoder(training, output)
    courses = make_courses(sources, output, training, stage)
    again = not any(source.dev for source in sources)
    return train_courses(courses, output, training=training, stage=stage, again=again)


def train_default(output: Path, *, training: Training, stage: Stage) -> Trained:
    """Train a ranker for graphs that nobody has seen, on schemas of many kinds; without a graph.

    :raises UsageError: the folder holds something else
    :raises MissingExtraError: torch is not installed
    """
    _torch()
    claim_folder(output, METHOD)
    _try_encoder(training, output)
    courses = made_courses(training, MADE_COMPOSED if training.composed is None else training.composed)
    training = replace(training, steps=training.steps or MADE_STEPS)
    return train_courses(courses, output, training=training, stage=stage, of_any_graph=True)


def train_courses(
    courses: Sequence[Course],
    output: Path,
    *,
    training: Training,
    stage: Stage,
    again: bool = False,
    of_any_graph: bool = False,
) -> Trained:
    """Train one ranker on what is learned from some graphs.

    :param output: a folder that is there
    :param again: where people asked, train on what was held out too, once it is known how long
    :param of_any_graph: it is for no graph more than for another; its weights are kept in half the size
    """
    from kgqa_graphdb.train.fit import Fit, Options
    from kgqa_graphdb.train.readers import make_reader
    from kgqa_graphdb.train.rerank import forget, train_reranker

    max_hops, encoder_rate = training.max_hops, FINE_TUNED_RATE if training.fine_tune else None
    options = Options(steps=training.batches(len(courses)), seed=training.seed, encoder_rate=encoder_rate)
    # In a long training fewer looks, so that the learning rate has time to fall before patience ends.
    options = replace(options, check=max(options.check, options.steps // 10))
    asked, pairs = sum(len(course.asked) for course in courses), sum(course.pairs for course in courses)
    as_asked = courses
    if training.encoder == CHARACTERS:
        courses = [with_plain(course, training.seed) for course in courses]
    courses = [with_recombined(course, training.seed, max_hops) for course in courses]

    lookouts = [course.lookout for course in courses]
    asked_relations = frozenset(name for course in courses if course.asked for name in course.mapping.by_id)

    def rankers(weights: Mapping[str, Floats], reranker: PathReranker | None = None) -> list[TrainedRanker]:
        model = PathModelFiles(reader.encoder(weights), Decoder(weights), asked=asked_relations, reranker=reranker)
        return [TrainedRanker(course.mapping, model, course.schema) for course in courses]

    def outcomes_of(each: Sequence[TrainedRanker], items: Sequence[Sequence[Item]]) -> list[list[Judged]]:
        parts = zip(each, items, lookouts, strict=True)
        return [judged(ranker, some, max_hops, lookout) for ranker, some, lookout in parts]

    def judge(weights: Mapping[str, Floats]) -> float:
        each = rankers(weights)
        asked_score = _score(outcomes_of(each, [course.held_out for course in courses]))
        made_score = _score(outcomes_of(each, [course.unseen for course in courses]))
        return asked_score + COMPOSED_WORTH * made_score if asked else made_score

    reader = make_reader(training.encoder, _texts(courses), [step_texts(course.schema) for course in courses],
                         training.seed, fine_tune=training.fine_tune)  # fmt: skip
    digested = [(one.train, one.composed, one.held_out, one.schema.steps) for one in courses]
    what = hashlib.sha256(repr((digested, reader.fingerprint)).encode()).hexdigest()
    fit = Fit(courses, reader, judge, options, what)
    fitted = fit.run(max_hops, output / CHECKPOINT, stage("Training", options.steps))
    held = [course.held_out for course in courses]
    held = held if any(held) else [course.unseen for course in courses]
    best = rankers(fitted.weights)
    outcomes = outcomes_of(best, held)
    weights, seconds, reranking = fitted.weights, fitted.seconds, None
    if asked and training.rerank and training.encoder != CHARACTERS and _score(outcomes) < RERANK_BELOW:
        shown = [course.train for course in as_asked]
        trial = train_reranker(best, shown, lookouts, training.encoder, max_hops, training.seed, stage, output)
        ranked_again = rankers(fitted.weights, trial.reranker)
        now = outcomes_of(ranked_again, held)
        log.info("F1 of the best paths on held-out questions %.4f, reranked %.4f", _score(outcomes), _score(now))
        if not loses(list(chain.from_iterable(outcomes)), list(chain.from_iterable(now))):
            best, outcomes, reranking = ranked_again, now, trial
        seconds += trial.seconds
    absent = outcomes_of(best, [without_answers(some) for some in held])
    if asked and again:
        whole = [with_recombined(course.whole(), training.seed, max_hops) for course in courses]
        options = replace(options, steps=fitted.best_step)
        log.info("once more with all questions, %d steps", options.steps)
        reader = reader.afresh(_texts(whole))
        last = Fit(whole, reader, None, options, what)
        ended = last.run(max_hops, output / LAST_CHECKPOINT, stage("Training on all", options.steps))
        weights, seconds = ended.weights, seconds + ended.seconds
        if reranking:
            shown = [course.asked for course in as_asked]
            reranking = train_reranker(
                rankers(weights), shown, lookouts, training.encoder, max_hops, training.seed, stage, output
            )
            seconds += reranking.seconds
    outcome, gone = list(chain.from_iterable(outcomes)), list(chain.from_iterable(absent))
    least = least_fit(outcome) if asked else UNASKED_FIT
    line = calibrated(outcome) if asked else UNASKED_CALIBRATION
    encoder = reader.encoder(weights)
    graphs = [] if of_any_graph else [course.mapping.graph for course in courses]
    prints = {} if of_any_graph else {course.mapping.graph: course.fingerprint for course in courses}
    relations = {name for course in courses for name in course.mapping.by_id} if graphs else ()
    mined, score = asked / pairs if pairs else 0.0, _score(outcomes)
    for name, some in zip(graphs, outcomes, strict=False):  # made-up schemas have no names worth telling
        log.info("graph %s: F1 of the best paths on held-out questions %.4f", name, _score([some]))
    card = ModelCard(
        METHOD, FORMAT, seed=training.seed, graphs=prints,
        # How paths are walked was chosen for a graph; of several each has its own.
        walk=courses[0].walk if len(graphs) == 1 else None,
        encoder=_lasting(training.encoder or os.environ.get("KGQA_ENCODER", ""), encoder.name),
        encoder_fingerprint=encoder.fingerprint,
    )  # fmt: skip
    details = PathModelDetails(
        least_fit=least, calibration=line, relations=frozenset(relations), asked_relations=asked_relations,
        alphabet=reader.alphabet, question_encoder=QUESTION_ENCODER if training.fine_tune else "",
        reranker=reranking is not None, max_hops=max_hops, given_topics=training.given_topics,
        training=PathTraining(
            options=asdict(options), paraphrase=training.paraphrase, questions=asked,
            composed=sum(len(course.made) for course in courses), held_out=len(outcome), mined=mined,
            metrics={"held_out_f1": score, **_believed(outcome, gone, line)},
            history=tuple(fitted.history), seconds=round(seconds, 1),
        ),
    )  # fmt: skip
    with writing(output, card, details) as part:
        kept = reader.keep(weights, part)
        if of_any_graph:
            kept = {name: value.astype(np.float16) for name, value in kept.items()}
        write_weights(kept, part / WEIGHTS)
        if reranking:
            reranking.keep(part / RERANKER)
    forget(output)
    plot_training(fitted.history, fitted.best_step, output)
    return Trained(output, pairs, mined, score, fitted.best_step, seconds)


def _texts(courses: Sequence[Course]) -> list[str]:
    """The questions that are trained on."""
    return [item.text for course in courses for item in (*course.train, *course.composed)]


def _score(outcomes: Sequence[Sequence[Judged]]) -> float:
    """Mean F1 of the graphs that have questions, 0..1; each counts alike. Without any 0."""
    means = [np.mean([one.score for one in some]) for some in outcomes if some]
    return float(np.mean(means)) if means else 0.0


def _torch() -> None:
    """See that torch is there.

    :raises MissingExtraError: it is not
    """
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(str(error.name), "train") from error


def _try_encoder(training: Training, output: Path) -> None:
    """See that the encoder is there and can be trained as was said: it must not come out after the mining only.

    :raises UsageError: it learns in any case, or would be replaced by what is learned from it
    :raises EncoderError: it can't be found or run, or it can't be fine-tuned
    """
    if training.encoder != CHARACTERS:
        OnnxEncoder(training.encoder).encode(["is it there?"])
    elif training.fine_tune:
        raise UsageError("--encoder characters is trained in any case: leave --fine-tune out")
    if training.fine_tune:
        source = locate_weights(training.encoder)
        read_config(source)
        if source == (output / QUESTION_ENCODER).resolve():
            raise UsageError(f"{source} would be replaced by what is learned from it; name another folder to write to")


def _lasting(asked: str, name: str) -> str:
    """An encoder's name as it is found from anywhere: that of a folder with the way to it."""
    folder = Path(asked).expanduser()
    return str(folder.resolve()) if asked and folder.is_dir() else name


def _believed(outcome: Sequence[Judged], absent: Sequence[Judged], line: Calibration) -> dict[str, float]:
    """How far probabilities can be believed: from how often answers are right, and where there is no answer."""
    right, told = np.array([one[:2] for one in outcome]).T
    found = {"ece_raw": calibration_error(told, right), "ece": calibration_error(line.of(told), right)}
    log.info("expected calibration error %(ece_raw).4f as it comes, %(ece).4f calibrated", found)
    if absent:
        found["auroc"] = auroc([one.fit for one in outcome], [one.fit for one in absent])
        log.info("AUROC of having an answer, against the same without the first steps to it: %.4f", found["auroc"])
    return found


@contextmanager
def writing(output: Path, card: ModelCard, details: PathModelDetails) -> Iterator[Path]:
    """A folder to write a ranker's files to; see :func:`kgqa_graphdb.models.write_model`."""
    with write_model(output, replace(card, details=asdict(details)).made_now(), PARTS) as part:
        yield part
    for name in (CHECKPOINT, LAST_CHECKPOINT):
        (output / name).unlink(missing_ok=True)
