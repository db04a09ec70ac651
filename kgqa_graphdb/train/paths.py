"""``kgqa train paths``: from question-answer pairs to a ranker of relation paths in a folder."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from kgqa_graphdb.client import KGQA
from kgqa_graphdb.encode import CHARACTERS, OnnxEncoder
from kgqa_graphdb.errors import MissingExtraError, UsageError
from kgqa_graphdb.lm import TransformersModel
from kgqa_graphdb.questions import Pair, read_pairs, sampled
from kgqa_graphdb.rank.calibration import Calibration
from kgqa_graphdb.rank.decoder import Decoder
from kgqa_graphdb.rank.model import CONFIG, VERSION, WEIGHTS, PathModelFiles, read_about
from kgqa_graphdb.rank.question import TOPIC, read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.trained import TrainedRanker, step_texts
from kgqa_graphdb.train.batches import Item, items_of
from kgqa_graphdb.train.compose import compose
from kgqa_graphdb.train.examples import Example, mine
from kgqa_graphdb.train.judge import Judged, auroc, calibrated, calibration_error, judged, least_fit, without_answers
from kgqa_graphdb.train.paraphrase import PromptedParaphraser, reworded
from kgqa_graphdb.types import Floats, WalkRule

log = logging.getLogger(__name__)

HELD_OUT = 0.1
"""Share of the questions, by their wording, that is not trained on where no dev file is given."""
MAX_HELD_OUT = 1_000
MINED = "mined.jsonl"
MINED_DEV = "mined-dev.jsonl"
WORDINGS = "wordings.jsonl"
CHECKPOINT = "checkpoint.pt"
LAST_CHECKPOINT = "checkpoint-all.pt"
MIN_ITEMS = 20
COMPOSED = 12_000
PLAIN_SHARE = 0.05
UNASKED_FIT = 0.02
"""How likely a path at all must be where nobody has asked anything: composed questions are more regular than people's,
and say little of how likely a right path is. Of right answers to MetaQA's dev questions at least 95 in 100 have paths
that are more likely than that alone."""
UNASKED_CALIBRATION = Calibration()
"""As they come: how often people's questions are answered rightly is not known."""
COMPOSED_WORTH = 0.25
"""What held-out composed questions count beside those of pairs: pairs alone are soon all right."""
_LATIN = re.compile("[A-Za-z]")
Stage = Callable[[str, int], Callable[[int, int], None]]
"""Hears what begins and how many there are of it; gives what hears how many are done."""


@dataclass(frozen=True, slots=True)
class Training:
    """What a person says of a training.

    :ivar encoder: reads questions and the steps' words; see :func:`kgqa_graphdb.encode.locate_encoder`;
        :data:`kgqa_graphdb.encode.CHARACTERS`: one that is trained too
    :ivar steps: batches to train on at most
    :ivar composed: questions composed from the schema that are shown too; ``None``: see :func:`composed_count`
    :ivar max_hops: longest path that is looked for
    :ivar paraphrase: language model that says composed questions in other words, too; empty: none
    """

    encoder: str = ""
    steps: int = 2_000
    composed: int | None = None
    max_hops: int = 3
    seed: int = 0
    paraphrase: str = ""


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of a training.

    :ivar mined: share of the questions for which there is a path to an answer, 0..1
    :ivar held_out: mean F1, of the best path's, that the likeliest path has on held-out questions, 0..1
    :ivar steps: batches after which nothing was gained any more
    """

    output: Path
    questions: int
    mined: float
    held_out: float
    steps: int
    seconds: float


def train_paths(
    kg: KGQA,
    pairs: Sequence[Pair],
    output: Path,
    *,
    dev: Sequence[Pair] = (),
    training: Training,
    stage: Stage,
) -> Trained:
    """Train a ranker; the same call goes on where one was cut off.

    :param dev: held out; none: a tenth of the pairs, by their wording
    :raises UsageError: no path leads to any of the answers, or the folder holds something else
    :raises MissingExtraError: torch is not installed
    """
    try:
        from kgqa_graphdb.train.fit import Fit, Options
        from kgqa_graphdb.train.readers import make_reader
    except ImportError as error:
        raise MissingExtraError(str(error.name), "train") from error
    if pairs and len(pairs) < MIN_ITEMS:
        raise UsageError(f"{len(pairs)} questions are too few to learn from: {MIN_ITEMS} are the least")
    _claim(output)
    if training.encoder != CHARACTERS:
        OnnxEncoder(training.encoder).encode(["is it there?"])  # a wrong name must not come out after the mining
    mapping, max_hops = kg.graph.mapping, training.max_hops
    schema = Schema(mapping)
    shown = _shown(kg, schema, pairs, dev, output, training, stage)
    options = Options(steps=training.steps, seed=training.seed)

    def ranker(weights: Mapping[str, Floats]) -> TrainedRanker:
        model = PathModelFiles(reader.encoder(weights), Decoder(weights), 0.0, Calibration(), frozenset(), {})
        return TrainedRanker(mapping, model, schema)

    def judge(weights: Mapping[str, Floats]) -> float:
        network = ranker(weights)
        asked_score, made_score = (
            float(np.mean([one.score for one in judged(network, some, max_hops)])) if some else 0.0
            for some in (shown.held_out, shown.unseen)
        )
        return asked_score + COMPOSED_WORTH * made_score if shown.asked else made_score

    # An encoder that knows no words has to be told that those of a relation mean the relation.
    learns = training.encoder == CHARACTERS
    beside = plain_items(schema, len(shown.train), training.seed) if learns else []
    train = [*shown.train, *beside]
    questions = (item.text for item in (*train, *shown.composed))
    reader = make_reader(training.encoder, questions, step_texts(schema), training.seed)
    digested = (train, shown.composed, shown.held_out, schema.steps, reader.fingerprint)
    what = hashlib.sha256(repr(digested).encode()).hexdigest()
    fit = Fit(schema, reader, judge, options, what)
    fitted = fit.run(train, shown.composed, max_hops, output / CHECKPOINT, stage("Training", options.steps))
    best, held = ranker(fitted.weights), shown.held_out or shown.unseen
    outcome, absent = judged(best, held, max_hops), judged(best, without_answers(held), max_hops)
    weights, seconds = fitted.weights, fitted.seconds
    if shown.asked and not dev:  # what was held out is learned too, now that it is known how long to train
        again = replace(options, steps=fitted.best_step)
        log.info("once more with all questions, %d steps", again.steps)
        train = [*shown.asked, *beside]
        reader = reader.afresh(item.text for item in (*train, *shown.made))
        whole = Fit(schema, reader, None, again, what)
        last = whole.run(train, shown.made, max_hops, output / LAST_CHECKPOINT, stage("Training on all", again.steps))
        weights, seconds = last.weights, seconds + last.seconds
    score = float(np.mean([one.score for one in outcome]))
    least = least_fit(outcome) if shown.asked else UNASKED_FIT
    line = calibrated(outcome) if shown.asked else UNASKED_CALIBRATION
    encoder = reader.encoder(weights)
    save(output, weights, {
        "model": "paths", "version": VERSION, "kgqa-graphdb": version("kgqa-graphdb"),
        "encoder": _lasting(training.encoder or os.environ.get("KGQA_ENCODER", ""), encoder.name),
        "alphabet": reader.alphabet, "encoder_fingerprint": encoder.fingerprint, "max_hops": max_hops,
        "walk": shown.walk, "graph": mapping.graph, "relations": sorted(mapping.by_id), "options": asdict(options),
        "least_fit": least, "calibration": line,
        "questions": len(shown.asked), "composed": len(shown.made), "held_out": len(outcome), "mined": shown.mined,
        "paraphrase": training.paraphrase,
        "metrics": {"held_out_f1": score, **_believed(outcome, absent, line)},
        "history": fitted.history, "seconds": round(seconds, 1),
    })  # fmt: skip
    return Trained(output, len(pairs), shown.mined, score, fitted.best_step, seconds)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a training shows and what it holds out.

    :ivar asked: questions of pairs for which there is a path
    :ivar made: questions that nobody asked
    :ivar train: of ``asked`` what is not held out
    :ivar composed: of ``made`` what is not held out
    :ivar unseen: the others of ``made``
    :ivar mined: share of the pairs for which there is a path, 0..1
    :ivar walk: the walk rule that was chosen; ``None``: nobody asked
    """

    asked: list[Item]
    made: list[Item]
    train: list[Item]
    held_out: list[Item]
    composed: list[Item]
    unseen: list[Item]
    mined: float
    walk: WalkRule | None


def _shown(
    kg: KGQA,
    schema: Schema,
    pairs: Sequence[Pair],
    dev: Sequence[Pair],
    output: Path,
    training: Training,
    stage: Stage,
) -> _Shown:
    """Mine the pairs, compose questions, and hold some of both out.

    :raises UsageError: there is nothing to train on, or to hold out
    """
    graph, max_hops = kg.graph.mapping.graph, training.max_hops
    examples: list[Example] = []
    dev_examples: list[Example] = []
    walk: WalkRule | None = None
    count = composed_count(schema, beside_pairs=bool(pairs)) if training.composed is None else training.composed
    made = _composed(schema, count, training, output / WORDINGS, stage)
    if pairs:
        hear = stage("Mining", len(pairs))
        examples, walk = mine(kg, pairs, output / MINED, max_hops=max_hops, seed=training.seed, progress=hear)
    if dev:
        hear = stage("Mining dev", len(dev))
        dev_examples, _ = mine(kg, dev, output / MINED_DEV, walk=walk, max_hops=max_hops, progress=hear)
    asked, held = items_of(examples, schema), items_of(dev_examples, schema)
    if pairs and len(asked) < MIN_ITEMS:
        raise UsageError(
            f"only {len(asked)} of {len(examples):,} questions have a path of at most {max_hops} hops to an answer in "
            f"graph {graph!r}: are they of this graph? See kgqa evaluate --coverage"
        )
    if dev and not held:
        raise UsageError(f"no question to hold out has a path of at most {max_hops} hops to an answer")
    if not asked and not made:
        raise UsageError("there is nothing to train on: name a file of --questions, or let --composed be more than 0")
    train, held_out = _parted(asked, held, training.seed)
    composed, unseen = _parted(made, [], training.seed)
    if not held_out and not unseen:
        raise UsageError("all questions have one wording, so none can be held out: name others with --dev")
    mined = len(asked) / len(examples) if examples else 0.0
    log.info("walk rule: %s", walk or kg.graph.mapping.walk)
    log.info("%d questions, %.1f %% with a path to an answer; %d composed; %d held out",
             len(examples), 100 * mined, len(made), len(held_out or unseen))  # fmt: skip
    return _Shown(asked, made, train, held_out, composed, unseen, mined, walk)


def _lasting(asked: str, name: str) -> str:
    """An encoder's name as it is found from anywhere: that of a folder with the way to it."""
    folder = Path(asked).expanduser()
    return str(folder.resolve()) if asked and folder.is_dir() else name


def _claim(output: Path) -> None:
    """See that a folder may be written to.

    :raises UsageError: it may not, or holds something else
    """
    if (output / CONFIG).exists():
        read_about(output, any_version=True)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{output} can't be made: {error.strerror}; name another folder") from error


def plain_items(schema: Schema, beside: int, seed: int) -> list[Item]:
    """Questions that say a relation's words and nothing else, before and after the topic.

    :param beside: questions of pairs that they are shown with; they make up :data:`PLAIN_SHARE` as many
    """
    items = [
        Item(text, tuple(sorted({row, *schema.followers(row ^ 1).tolist()})), ((row,),), (1.0,), 1.0)
        for row, step in enumerate(schema.steps)
        if not step.inverse
        for text in _beside_topic(step.phrase)
    ]
    return random.Random(seed).choices(items, k=round(PLAIN_SHARE * beside)) if items else []


def _beside_topic(phrase: str) -> tuple[str, str]:
    """A topic and a relation's words; a space parts them where they are of Latin letters."""
    gap = " " if _LATIN.search(phrase) else ""
    topic = read_question(TOPIC).text
    return f"{topic}{gap}{phrase}", f"{phrase}{gap}{topic}"


def composed_count(schema: Schema, *, beside_pairs: bool) -> int:
    """How many questions to compose where nobody says: they are English.

    Beside pairs none where the words of most relations are in other letters; without pairs they are all there is.
    """
    latin = [bool(_LATIN.search(step.relation.phrase)) for step in schema.steps]
    return 0 if beside_pairs and sum(latin) * 2 < len(latin) else COMPOSED


def _composed(schema: Schema, count: int, training: Training, wordings: Path, stage: Stage) -> list[Item]:
    """Questions that nobody asked, and those that a language model has other words for once more."""
    asked = list(islice(compose(schema, training.seed, training.max_hops), count))
    if training.paraphrase:
        speaker = PromptedParaphraser(TransformersModel(training.paraphrase))
        asked += reworded(asked, speaker, wordings, training.seed, stage("Paraphrasing", count))
    return [
        Item(read_question(text, schema.vocabulary).text, starts, (path,), (1.0,), 1.0) for text, path, starts in asked
    ]


def read_samples(files: Sequence[Path], limit: int | None, seed: int) -> list[Pair]:
    """The pairs of some files, at most so many of each; ids say which file they are of where there are several."""
    found: list[Pair] = []
    for number, file in enumerate(files):
        pairs = sampled(read_pairs(file), limit, seed)
        found += [replace(pair, id=f"{number}/{pair.id}") for pair in pairs] if len(files) > 1 else pairs
    return found


def _parted(items: Sequence[Item], dev: Sequence[Item], seed: int) -> tuple[list[Item], list[Item]]:
    """Items to train on and to hold out; none of the wordings of one occurs in the other."""
    rng = random.Random(seed)
    if dev:
        held = list(dev)
        rest = list(items)
    else:
        texts = sorted({item.text for item in items})
        chosen = set(rng.sample(texts, max(1, round(HELD_OUT * len(texts))) if len(texts) > 1 else 0))
        held = [item for item in items if item.text in chosen]
        rest = [item for item in items if item.text not in chosen]
    return rest, rng.sample(held, min(MAX_HELD_OUT, len(held)))


def _believed(outcome: Sequence[Judged], absent: Sequence[Judged], line: Calibration) -> dict[str, float]:
    """How far probabilities can be believed: from how often answers are right, and where there is no answer."""
    right, told = np.array([one[:2] for one in outcome]).T
    found = {"ece_raw": calibration_error(told, right), "ece": calibration_error(line.of(told), right)}
    log.info("expected calibration error %(ece_raw).4f as it comes, %(ece).4f calibrated", found)
    if absent:
        found["auroc"] = auroc([one.fit for one in outcome], [one.fit for one in absent])
        log.info("AUROC of having an answer, against the same without the first steps to it: %.4f", found["auroc"])
    return found


def save(output: Path, weights: Mapping[str, Floats], about: Mapping[str, Any]) -> None:
    """Write the folder that ``--model`` takes."""
    from safetensors.numpy import save_file

    parts = {name: output / f"{name}.part" for name in (WEIGHTS, CONFIG)}
    save_file({name: np.ascontiguousarray(value) for name, value in weights.items()}, parts[WEIGHTS])
    parts[CONFIG].write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for name, part in parts.items():
        part.replace(output / name)
    for name in (CHECKPOINT, LAST_CHECKPOINT):
        (output / name).unlink(missing_ok=True)
