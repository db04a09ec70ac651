"""``kgqa train gnn2r``: from question-answer pairs to a network that finds answers in subgraphs, and to an encoder that
chooses the pattern behind them, in a folder."""

from __future__ import annotations

import hashlib
import logging
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path

from kgqa_graphdb.catalog import graph_fingerprint
from kgqa_graphdb.client import KGQA
from kgqa_graphdb.encode.characters import CHARACTERS
from kgqa_graphdb.errors import ExportError, MissingExtraError, UsageError
from kgqa_graphdb.export import ExportedGraph, SubgraphSettings
from kgqa_graphdb.export.named import relation_words
from kgqa_graphdb.export.words import told_apart
from kgqa_graphdb.gnn2r.files import FORMAT, METHOD, PARTS, WEIGHTS, Gnn2rDetails
from kgqa_graphdb.gnn2r.graphs import Inverse
from kgqa_graphdb.gnn2r.networks import NetworkKind, open_network
from kgqa_graphdb.gnn2r.reasoner import StepOne
from kgqa_graphdb.models import ModelCard, TrainingFigures, claim_folder, write_model, write_weights
from kgqa_graphdb.plots import plot_training
from kgqa_graphdb.questions import with_topics
from kgqa_graphdb.rank.model import QUESTION_ENCODER
from kgqa_graphdb.train.data.sets import MAX_HELD_OUT, MIN_ITEMS, parted, some_of
from kgqa_graphdb.train.gnn2r.cases import CaseMaker
from kgqa_graphdb.train.gnn2r.judge import Judged, best_threshold, distances_of, hits_at_1, mean_f1
from kgqa_graphdb.train.gnn2r.lessons import MAX_HOPS, Lesson, Topics, enough_hops, lessons_of, linked_pairs
from kgqa_graphdb.train.gnn2r.step_two import CHECKPOINT as STEP_TWO_CHECKPOINT
from kgqa_graphdb.train.gnn2r.step_two import FittedTwo, StepTwoSettings, train_step_two
from kgqa_graphdb.train.loop import Fitted, train_model
from kgqa_graphdb.train.paths.make_reader import make_reader
from kgqa_graphdb.train.paths.readers import Reader
from kgqa_graphdb.train.paths.run import CHECKPOINT, FINE_TUNED_RATE
from kgqa_graphdb.train.paths.save import lasting_name
from kgqa_graphdb.train.paths.train import check_count, check_torch, try_encoder
from kgqa_graphdb.train.settings import Source, Stage, Trained, Training
from kgqa_graphdb.types import Floats

log = logging.getLogger(__name__)
STEPS_AT_MOST = 2_000
"""Batches, where nobody says."""
EXPORT = "export"
"""Folder, in the model's own, that the graph is exported to where nobody names another."""


@dataclass(frozen=True, slots=True)
class StepOneSettings:
    """What a person says of the training of step I beside :class:`Training`.

    :ivar export: folder of the exported graph; ``None``: it is exported to the model's folder
    :ivar hops: of the subgraphs; ``None``: as few as reach nearly all answers that 3 reach
    :ivar max_nodes: entities of a subgraph at most; 0: all
    :ivar path_hops: of paths that join topics and candidates at most; ``None``: as many as subgraphs have, at most 4
    :ivar margin: by which answers must be nearer than all else
    :ivar inverse: how facts are walked from tail to head
    :ivar network: of step I
    :ivar step_two: ``None``: step I alone is trained
    """

    export: Path | None = None
    hops: int | None = None
    max_nodes: int = 500
    path_hops: int | None = None
    margin: float = 1.0
    inverse: Inverse = "apart"
    network: NetworkKind = "gnn2r"
    step_two: StepTwoSettings | None = None


@dataclass(frozen=True, slots=True)
class TrainedSteps(Trained):
    """What came of a training of both steps; ``held_out`` is step I's Hits@1.

    :ivar step_two: step II was trained, too
    :ivar held_out_two: mean F1 on held-out questions of the patterns that step II chooses, 0..1; ``None``: it was not
        trained, or no held-out question has a pattern
    """

    step_two: bool
    held_out_two: float | None


@dataclass(frozen=True, slots=True)
class LessonSet:
    """What is learned from a graph.

    :ivar subgraphs: how they were cut
    :ivar left_out: why questions are not learned, and how many are for that reason
    :ivar pairs: how many were looked at
    :ivar linked: what step II learns from, with questions that teach step I nothing
    :ivar linked_held_out: what it is judged by
    """

    exported: ExportedGraph
    subgraphs: SubgraphSettings
    train: Sequence[Lesson]
    held_out: Sequence[Lesson]
    left_out: Counter[str] = field(default_factory=Counter)
    pairs: int = 0
    linked: Sequence[Topics] = ()
    linked_held_out: Sequence[Topics] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Words of the relations: from head to tail, then from tail to head."""
        return relation_words(told_apart(self.exported.manifest.relations))


def train_gnn2r(
    source: Source, output: Path, *, training: Training, settings: StepOneSettings, stage: Stage
) -> TrainedSteps:
    """Train both steps on the questions of a graph; the same call goes on where one was cut off.

    :raises UsageError: too few questions have an answer in their subgraph, or the folder holds something else
    :raises ExportError: the exported graph is of another graph, or the graph has changed since
    :raises MissingExtraError: torch or PyTorch Geometric is not installed
    """
    check_torch()
    check_pyg()
    check_count(source)
    claim_folder(output, METHOD)
    try_encoder(training, output, fine_tunes=settings.step_two is not None)
    exported = exported_for(source.kg, output, settings.export, stage)
    lessons = make_lessons(source, exported, training, settings, stage)
    graph = {source.kg.graph.mapping.graph: source.kg.perform(graph_fingerprint(source.kg.graph.mapping))}

    def step_two(step_one: StepOne) -> FittedTwo | None:
        if settings.step_two is None:
            return None
        maker = CaseMaker(
            source.kg, exported, step_one, lessons.subgraphs, settings.inverse, settings.step_two.candidates,
            settings.step_two.joining, settings.path_hops or lessons.subgraphs.hops,
        )  # fmt: skip
        return train_step_two(
            maker, lessons.linked, lessons.linked_held_out, output, training=training, settings=settings.step_two,
            stage=stage,
        )  # fmt: skip

    return train_on_lessons(
        lessons, output, graph, training=training, settings=settings, stage=stage, step_two=step_two
    )


def check_pyg() -> None:
    """See that PyTorch Geometric is there.

    :raises MissingExtraError: it is not
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of what it calls in torch
            import torch_geometric  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(str(error.name), "gnn") from error


def exported_for(kg: KGQA, output: Path, given: Path | None, stage: Stage) -> ExportedGraph:
    """The exported graph; to the model's own folder it is exported anew where it may have changed.

    :param output: the model's folder
    :param given: the folder of an exported graph; ``None``: the model's own
    :raises ExportError: what is given is none, or of another graph, or the graph has changed since
    """
    if given is not None:
        return kg.open_export(given)
    goes_on = any((output / name).exists() for name in (CHECKPOINT, STEP_TWO_CHECKPOINT))
    if goes_on or kg.graph.mapping.owned:  # of a graph that was not loaded, changes are not noticed
        with suppress(ExportError):
            return kg.open_export(output / EXPORT)
    return kg.export(output / EXPORT, progress=stage(f"Exporting {kg.graph_name}", 0))


def make_lessons(
    source: Source, exported: ExportedGraph, training: Training, settings: StepOneSettings, stage: Stage
) -> LessonSet:
    """Link the questions, cut their subgraphs, and hold some out.

    :raises UsageError: too few have an answer in their subgraph
    """
    pairs, dev = (with_topics(some, given=training.given_topics) if some else [] for some in (source.pairs, source.dev))
    name = source.kg.graph_name
    linked = linked_pairs(source.kg, exported, [*pairs, *dev], stage(f"Linking {name}", len(pairs) + len(dev)))
    subgraphs = SubgraphSettings(hops=settings.hops or MAX_HOPS, max_nodes=settings.max_nodes)
    if settings.hops is None:
        subgraphs = replace(subgraphs, hops=enough_hops(exported, linked[: len(pairs)], subgraphs))
    progress = stage(f"Cutting subgraphs of {subgraphs.hops} hops", len(linked))
    asked, left_out = lessons_of(exported, linked[: len(pairs)], subgraphs, settings.inverse, progress)
    kept, not_kept = lessons_of(exported, linked[len(pairs) :], subgraphs, settings.inverse)
    left_out += not_kept
    reasons = ", ".join(f"{count} for {reason}" for reason, count in left_out.most_common()) or "none"
    if len(asked) < MIN_ITEMS or (dev and not kept):
        raise UsageError(
            f"only {len(asked)} of {len(pairs):,} questions can be learned ({len(kept)} of {len(dev):,} to hold out);"
            f" left out: {reasons}. Are they of graph {name!r}?"
        )
    train, held_out = (
        (asked, some_of(kept, training.seed, MAX_HELD_OUT)) if dev else parted(asked, training.seed, MAX_HELD_OUT)
    )
    if not held_out:
        raise UsageError("all questions have one wording, so none can be held out: name others with --dev")
    log.info("graph %s, %d hops, %d entities at most: %d questions to learn, %d held out; left out: %s",
             name, subgraphs.hops, subgraphs.max_nodes, len(train), len(held_out), reasons)  # fmt: skip
    kept_ids, kept_texts = {lesson.id for lesson in held_out}, {lesson.text for lesson in held_out}
    shown = linked[: len(pairs)] if dev else [one for one in linked if one.text not in kept_texts]
    judged = [one for one in linked[len(pairs) if dev else 0 :] if one.pair.id in kept_ids]
    return LessonSet(exported, subgraphs, train, held_out, left_out, len(linked), shown, judged)


def train_on_lessons(
    lessons: LessonSet,
    output: Path,
    graph: Mapping[str, str],
    *,
    training: Training,
    settings: StepOneSettings,
    stage: Stage,
    step_two: Callable[[StepOne], FittedTwo | None] = lambda step_one: None,
) -> TrainedSteps:
    """Train on lessons: fit, judge, choose the threshold, save.

    :param output: a folder that is there
    :param graph: name and fingerprint of the graph
    :param step_two: trains step II on what step I finds
    """
    run = _Run(lessons, output, training, settings)
    fitted = run.fit(stage)
    step_one = run.step_one(fitted.weights)
    distances = distances_of(step_one, lessons.held_out)
    threshold = best_threshold(lessons.held_out, distances)
    judged = Judged(hits_at_1(lessons.held_out, distances), mean_f1(lessons.held_out, distances, threshold))
    log.info("on held-out questions, threshold %.2f: %s", threshold,
             ", ".join(f"{name} {value:.4f}" for name, value in judged._asdict().items()))  # fmt: skip
    learned = lessons.pairs - lessons.left_out.total()
    figures = TrainingFigures(
        options=asdict(run.options), questions=len(lessons.train) + len(lessons.held_out),
        held_out=len(lessons.held_out),
        left_out=lessons.left_out.total(), metrics=judged._asdict(), history=tuple(fitted.history),
        seconds=round(fitted.seconds, 1),
    )  # fmt: skip
    plot_training(fitted.history, fitted.best_step, output)
    second = step_two(step_one)
    run.save(fitted, threshold, figures, graph, second)
    share = learned / lessons.pairs if lessons.pairs else 0.0
    seconds = fitted.seconds + (second.fitted.seconds if second else 0.0)
    return TrainedSteps(
        output, lessons.pairs, share, judged.hits_at_1, fitted.best_step, seconds, second is not None,
        second.details.training.metrics.get("f1") if second else None,
    )  # fmt: skip


@dataclass
class _Run:
    """One training of step I."""

    lessons: LessonSet
    output: Path
    training: Training
    settings: StepOneSettings

    def __post_init__(self) -> None:
        from kgqa_graphdb.train.gnn2r.fit import StepOneOptions

        training, settings = self.training, self.settings
        steps = training.steps or STEPS_AT_MOST
        options = StepOneOptions(
            steps=steps, seed=training.seed, encoder_rate=FINE_TUNED_RATE if training.fine_tune else None,
            margin=settings.margin, inverse=settings.inverse, network=settings.network,
        )  # fmt: skip
        self.options = replace(options, check=max(1, min(options.check, steps // 5)))
        texts = list(dict.fromkeys(lesson.text for lesson in self.lessons.train))
        self.reader: Reader = make_reader(
            training.encoder, texts, [self.lessons.words], training.seed, fine_tune=training.fine_tune
        )

    def fit(self, stage: Stage) -> Fitted:
        """Train until nothing is gained."""
        from kgqa_graphdb.train.gnn2r.fit import StepOneTrainer

        lessons, hops = self.lessons, self.lessons.subgraphs.hops
        what = hashlib.sha256(f"{self.reader.fingerprint} {hops} {lessons.words}".encode())
        for lesson in chain(lessons.train, lessons.held_out):
            what.update(f"{lesson.id} {lesson.text} {lesson.golds}".encode())
            for column in (lesson.answers, lesson.graph.sender, lesson.graph.relation, lesson.graph.receiver):
                what.update(column.tobytes())
        trainer = StepOneTrainer(
            lessons.train, lessons.words, self.reader, self._score, self.options, hops, what.hexdigest()
        )
        return train_model(trainer, self.output / CHECKPOINT, stage("Training", self.options.steps))

    def step_one(self, weights: Mapping[str, Floats]) -> StepOne:
        """Step I with some weights."""
        network = open_network(self.options.network, weights, self.options.layers)
        return StepOne(network, self.reader.encoder(weights), self.lessons.exported.manifest.relations)

    def _score(self, weights: Mapping[str, Floats]) -> float:
        return hits_at_1(self.lessons.held_out, distances_of(self.step_one(weights), self.lessons.held_out))

    def save(
        self,
        fitted: Fitted,
        threshold: float,
        figures: TrainingFigures,
        graph: Mapping[str, str],
        step_two: FittedTwo | None,
    ) -> None:
        """Write the folder that ``--model`` takes."""
        training, subgraphs = self.training, self.lessons.subgraphs
        encoder = self.reader.encoder(fitted.weights)
        details = Gnn2rDetails(
            hops=subgraphs.hops, max_nodes=subgraphs.max_nodes, layers=self.options.layers,
            inverse=self.options.inverse, network=self.options.network, threshold=threshold,
            alphabet=self.reader.alphabet,
            question_encoder=QUESTION_ENCODER if training.fine_tune else "", given_topics=training.given_topics,
            path_hops=self.settings.path_hops, training=figures, step_two=step_two.details if step_two else None,
        )  # fmt: skip
        card = ModelCard(
            METHOD, FORMAT, seed=training.seed, graphs=dict(graph),
            encoder=CHARACTERS if training.encoder == CHARACTERS else lasting_name(training.encoder, encoder.name),
            encoder_fingerprint=encoder.fingerprint, walk=step_two.walk if step_two else None, details=asdict(details),
        ).made_now()  # fmt: skip
        with write_model(self.output, card, PARTS) as part:
            write_weights(self.reader.keep(fitted.weights, part), part / WEIGHTS)
            if step_two:
                step_two.save(part)
        for checkpoint in (CHECKPOINT, STEP_TWO_CHECKPOINT):
            (self.output / checkpoint).unlink(missing_ok=True)
