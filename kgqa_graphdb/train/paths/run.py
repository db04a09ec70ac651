"""One training of a ranker: it is fitted, and a reranker is selected if it gains something."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from kgqa_graphdb.encode import CHARACTERS
from kgqa_graphdb.rank.decoder import Decoder
from kgqa_graphdb.rank.model import PathModelFiles
from kgqa_graphdb.rank.rerank import PathReranker
from kgqa_graphdb.rank.trained import TrainedRanker, step_texts
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.train.data.recombine import with_recombined
from kgqa_graphdb.train.data.sets import TrainingSet, with_plain
from kgqa_graphdb.train.loop import Fitted, train_model
from kgqa_graphdb.train.paths.fit import Options, PathTrainer
from kgqa_graphdb.train.paths.judge import Judged, judged, loses, mean_score, without_answers
from kgqa_graphdb.train.paths.make_reader import make_reader
from kgqa_graphdb.train.paths.rerank import Reranking, train_reranker
from kgqa_graphdb.train.settings import Stage, Training
from kgqa_graphdb.types import Floats

log = logging.getLogger(__name__)

CHECKPOINT = "checkpoint.pt"
LAST_CHECKPOINT = "checkpoint-all.pt"
FINE_TUNED_RATE = 3e-5
"""Learning rate of an encoder that is fine-tuned."""
RERANK_BELOW = 0.97
"""F1 of the best paths on held-out questions from which on a reranker has nothing to gain."""
COMPOSED_WORTH = 0.25
"""What held-out composed questions count beside those of pairs: pairs alone are soon all right."""


@dataclass(frozen=True, slots=True)
class Selected:
    """What is kept of the trainings, and how it does on held-out questions.

    :ivar outcomes: of each graph
    :ivar absent: of the same questions without the steps that answer them
    :ivar reranking: the reranker; ``None``: it is not kept, or none was trained
    :ivar seconds: that the reranker took
    """

    outcomes: Sequence[Sequence[Judged]]
    absent: Sequence[Sequence[Judged]]
    reranking: Reranking | None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Final:
    """The weights that are saved.

    :ivar options: how they were trained, where that differs from the first training
    :ivar seconds: that they took beside the first training
    """

    weights: Mapping[str, Floats]
    reranking: Reranking | None
    options: Options | None = None
    seconds: float = 0.0


class PathRun:
    """One training of a ranker on what is learned from some graphs.

    :param output: folder for checkpoints
    :ivar asked: questions of pairs that it learns from, of all graphs
    :ivar asked_relations: ids of the relations of the graphs that have such questions
    :ivar reader: reads questions and the steps' words
    """

    def __init__(self, sets: Sequence[TrainingSet], output: Path, training: Training, stage: Stage) -> None:
        self.as_asked, self.output, self.training, self.stage = sets, output, training, stage
        encoder_rate = FINE_TUNED_RATE if training.fine_tune else None
        options = Options(steps=training.batches(len(sets)), seed=training.seed, encoder_rate=encoder_rate)
        # In a long training fewer evaluations, so that the learning rate has time to fall before patience ends.
        self.options = replace(options, check=max(options.check, options.steps // 10))
        self.asked = sum(len(one.asked) for one in sets)
        self.asked_relations = frozenset(name for one in sets if one.asked for name in one.mapping.by_id)
        plain = [with_plain(one, training.seed) for one in sets] if training.encoder == CHARACTERS else sets
        self._plain = plain
        self.sets = [with_recombined(one, training.seed, training.max_hops) for one in plain]
        self._probers = [one.prober for one in sets]
        held_out = [one.held_out for one in sets]
        self.held_out = held_out if any(held_out) else [one.unseen for one in sets]
        self.reader = make_reader(training.encoder, _texts(self.sets), [step_texts(one.schema) for one in self.sets],
                                  training.seed, fine_tune=training.fine_tune)  # fmt: skip
        digested = [(one.train, one.composed, one.held_out, one.schema.steps) for one in self.sets]
        self._what = hashlib.sha256(repr((digested, self.reader.fingerprint)).encode()).hexdigest()

    def fit(self) -> Fitted:
        """Train the network on what is not held out."""
        trainer = PathTrainer(
            self.sets, self.reader, self._judge, self.options, self.training.max_hops, self._what
        )  # fmt: skip
        return train_model(trainer, self.output / CHECKPOINT, self.stage("Training", self.options.steps))

    def select(self, weights: Mapping[str, Floats]) -> Selected:
        """See how weights do on what is held out, and keep a reranker unless those questions lose by it."""
        best, training = self._rankers(weights), self.training
        outcomes, reranking, seconds = self._outcomes(best, self.held_out), None, 0.0
        before = mean_score(outcomes)
        if self.asked and training.rerank and training.encoder != CHARACTERS and before < RERANK_BELOW:
            trial = self._train_reranker(best, [one.train for one in self.as_asked])
            reranked = self._rankers(weights, trial.reranker)
            now = self._outcomes(reranked, self.held_out)
            log.info("F1 of the best paths on held-out questions %.4f, reranked %.4f", before, mean_score(now))
            if not loses(list(chain.from_iterable(outcomes)), list(chain.from_iterable(now))):
                best, outcomes, reranking = reranked, now, trial
            seconds = trial.seconds
        absent = self._outcomes(best, [without_answers(some) for some in self.held_out])
        return Selected(outcomes, absent, reranking, seconds)

    def fit_on_all(self, fitted: Fitted, selected: Selected) -> Final:
        """Train once more on all questions, as long as was best."""
        whole = [with_recombined(one.whole(), self.training.seed, self.training.max_hops) for one in self._plain]
        options = replace(self.options, steps=fitted.best_step)
        log.info("once more with all questions, %d steps", options.steps)
        self.reader = self.reader.afresh(_texts(whole))
        trainer = PathTrainer(whole, self.reader, None, options, self.training.max_hops, self._what)
        ended = train_model(trainer, self.output / LAST_CHECKPOINT, self.stage("Training on all", options.steps))
        if not selected.reranking:
            return Final(ended.weights, None, options, ended.seconds)
        rankers = self._rankers(ended.weights)
        reranking = self._train_reranker(rankers, [one.asked for one in self.as_asked])
        return Final(ended.weights, reranking, options, ended.seconds + reranking.seconds)

    def _judge(self, weights: Mapping[str, Floats]) -> float:
        """How good weights are on held-out questions of pairs and composed ones."""
        rankers = self._rankers(weights)
        made = mean_score(self._outcomes(rankers, [one.unseen for one in self.as_asked]))
        if not self.asked:
            return made
        return mean_score(self._outcomes(rankers, [one.held_out for one in self.as_asked])) + COMPOSED_WORTH * made

    def _rankers(self, weights: Mapping[str, Floats], reranker: PathReranker | None = None) -> list[TrainedRanker]:
        """A ranker for each graph."""
        encoder = self.reader.encoder(weights)
        model = PathModelFiles(encoder, Decoder(weights), asked=self.asked_relations, reranker=reranker)
        return [TrainedRanker(one.mapping, model, one.schema) for one in self.as_asked]

    def _outcomes(self, rankers: Sequence[TrainedRanker], items: Sequence[Sequence[Item]]) -> list[list[Judged]]:
        """What each graph's ranker says of its questions."""
        parts = zip(rankers, items, self._probers, strict=True)
        return [judged(ranker, some, self.training.max_hops, prober) for ranker, some, prober in parts]

    def _train_reranker(self, rankers: Sequence[TrainedRanker], items: Sequence[Sequence[Item]]) -> Reranking:
        training = self.training
        return train_reranker(
            rankers, items, self._probers, training.encoder, training.max_hops, training.seed, self.stage, self.output
        )


def _texts(sets: Sequence[TrainingSet]) -> list[str]:
    """The questions that are trained on."""
    return [item.text for one in sets for item in (*one.train, *one.composed)]
