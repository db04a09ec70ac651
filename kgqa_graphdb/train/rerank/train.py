"""``kgqa train rerank``: from questions with candidates to a ranker of their subgraphs, in a folder."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kgqa_graphdb.catalog import graph_fingerprint
from kgqa_graphdb.encode import locate_weights
from kgqa_graphdb.errors import EncoderError, UsageError
from kgqa_graphdb.methods.rerank import Rerank, RerankSettings
from kgqa_graphdb.models import ModelCard, claim_folder, write_model
from kgqa_graphdb.plots import plot_training
from kgqa_graphdb.questions import with_topics
from kgqa_graphdb.rerank.choice import FEATURES, Choice, fit_choice, with_scores
from kgqa_graphdb.rerank.files import FORMAT, METHOD, ONNX, PARTS, TOKENIZER, RerankDetails, TrainingFigures
from kgqa_graphdb.rerank.sequences import SequenceRanker, SequenceRequest
from kgqa_graphdb.train.data.sets import MIN_ITEMS, parted
from kgqa_graphdb.train.loop import train_model
from kgqa_graphdb.train.paths.run import CHECKPOINT
from kgqa_graphdb.train.paths.train import check_count, check_torch
from kgqa_graphdb.train.rerank.cases import Case, read_cases
from kgqa_graphdb.train.settings import Source, Stage, Trained, Training
from kgqa_graphdb.types import Floats

if TYPE_CHECKING:
    from sentence_transformers.cross_encoder import CrossEncoder

    from kgqa_graphdb.train.rerank.fit import RankOptions

log = logging.getLogger(__name__)
CASES = "cases.jsonl"
MAX_HELD_OUT = 600
"""Cases: the weights of the choice are learned on them, too."""


@dataclass(frozen=True, slots=True)
class RankSettings:
    """What a person says of the training beside :class:`Training`.

    :ivar candidates: distinct guesses that are ranked at most
    :ivar neighbours: entities next to the topics that are ranked, too, at most
    :ivar hops: of a path between topic and candidate at most
    :ivar highlight: the candidate is marked in its sequence
    :ivar subgraph: subgraphs are read, not the candidates' names alone
    :ivar max_tokens: of question and sequence
    """

    candidates: int = 50
    neighbours: int = 0
    hops: int = 2
    highlight: bool = True
    subgraph: bool = True
    max_tokens: int = 128


def train_rerank(source: Source, output: Path, *, training: Training, settings: RankSettings, stage: Stage) -> Trained:
    """Train a ranker on questions of a graph with candidates; the same call goes on where one was cut off.

    :raises UsageError: of too few questions a right and a wrong candidate are joined with the topics, or the folder
        holds something else
    :raises EncoderError: the model to begin with can't be found or read
    :raises MissingExtraError: torch or sentence-transformers is not installed
    """
    check_torch()
    check_count(source)
    claim_folder(output, METHOD)
    name = source.kg.graph_name
    pairs, dev = (with_topics(some, given=training.given_topics) if some else [] for some in (source.pairs, source.dev))
    method = Rerank(RerankSettings(candidates=settings.candidates, neighbours=settings.neighbours, hops=settings.hops))
    cases = read_cases(
        source.kg, [*pairs, *dev], method, output / CASES, highlight=settings.highlight, subgraph=settings.subgraph,
        progress=stage(f"Joining candidates in {name}", len(pairs) + len(dev)),
    )  # fmt: skip
    asked, kept = cases[: len(pairs)], cases[len(pairs) :]
    learned, held_out = (asked, kept[:MAX_HELD_OUT]) if dev else parted(asked, training.seed, MAX_HELD_OUT)
    teaching = [case for case in learned if case.teaches]
    if len(teaching) < MIN_ITEMS:
        raise UsageError(
            f"of {len(teaching)} of {len(pairs):,} questions a right and a wrong candidate are joined with a topic in "
            f"graph {name!r}, and at least {MIN_ITEMS} are needed. Are the questions of this graph? More candidates "
            "come with --neighbours"
        )
    log.info("graph %s: %d of %d questions to learn, %d held out, %.1f candidates each",
             name, len(teaching), len(learned), len(held_out), _mean_size(teaching))  # fmt: skip
    graph = {source.kg.graph.mapping.graph: source.kg.perform(graph_fingerprint(source.kg.graph.mapping))}
    return _Run(teaching, held_out, len(learned), training, settings, output).train(graph, stage)


@dataclass
class _Run:
    """One training.

    :ivar asked: questions that were not held out
    """

    cases: Sequence[Case]
    held_out: Sequence[Case]
    asked: int
    training: Training
    settings: RankSettings
    output: Path

    def train(self, graphs: dict[str, str], stage: Stage) -> Trained:
        """Train, judge and save."""
        from kgqa_graphdb.train.rerank.fit import RankTrainer
        from kgqa_graphdb.train.rerank.save import save_ranker

        options, model = self._options(), open_base(self.training.encoder)
        what = hashlib.sha256(repr(self.settings).encode())
        for case in (*self.cases, *self.held_out):
            what.update(repr((case.id, case.text, case.sequences, case.right)).encode())
        judged = [case for case in self.held_out if case.teaches]
        trainer = RankTrainer(
            model, self.cases, judged, (lambda scores: hits(judged, scores)) if judged else None, options,
            self.settings.max_tokens, what.hexdigest(),
        )  # fmt: skip
        fitted = train_model(trainer, self.output / CHECKPOINT, stage("Training the ranker", options.steps))
        trainer.put(fitted.weights)
        staged = self.output / "ranker.part"
        staged.mkdir(exist_ok=True)
        save_ranker(model, staged)
        ranker = SequenceRanker(staged / ONNX, staged / TOKENIZER, self.settings.max_tokens)
        choice, metrics = self._chosen(ranker.scores, judged)
        log.info("on held-out questions: %s", ", ".join(f"{key} {value:.4f}" for key, value in metrics.items()))
        figures = TrainingFigures(
            options=asdict(options), questions=len(self.cases), held_out=len(judged),
            left_out=self.asked - len(self.cases), metrics=metrics, history=tuple(fitted.history),
            seconds=round(fitted.seconds, 1),
        )  # fmt: skip
        settings = self.settings
        details = RerankDetails(
            self.training.encoder, settings.max_tokens, settings.hops, settings.candidates, settings.neighbours,
            settings.highlight, settings.subgraph, dict(zip(FEATURES, choice.weights, strict=True)), choice.bias,
            figures,
        )  # fmt: skip
        card = ModelCard(METHOD, FORMAT, seed=self.training.seed, graphs=graphs, details=asdict(details)).made_now()
        with write_model(self.output, card, PARTS) as part:
            for file in PARTS:
                (staged / file).rename(part / file)
        staged.rmdir()
        plot_training(fitted.history, fitted.best_step, self.output)
        return Trained(
            self.output, self.asked, len(self.cases) / self.asked, metrics.get("hits_at_1", 0.0), fitted.best_step,
            fitted.seconds,
        )  # fmt: skip

    def _options(self) -> RankOptions:
        from kgqa_graphdb.train.rerank.fit import RankOptions

        options = RankOptions(seed=self.training.seed)
        steps = self.training.steps or options.steps
        return RankOptions(seed=self.training.seed, steps=steps, check=max(1, min(options.check, steps // 4 or 1)))

    def _chosen(
        self, scores_of: Callable[[Sequence[SequenceRequest]], list[Floats]], judged: Sequence[Case]
    ) -> tuple[Choice, dict[str, float]]:
        """How a candidate is chosen, and how good that is on held-out questions, each half learning from the other."""
        cases = [case for case in self.held_out if case.sequences] or self.cases
        scores = scores_of([SequenceRequest(case.text, case.sequences) for case in cases])
        features = [with_scores(case.features, own) for case, own in zip(cases, scores, strict=True)]
        found: dict[str, list[float]] = {"hits_at_1": [], "ranker": [], "first": []}
        for half in (0, 1):
            shown = [place for place in range(len(cases)) if place % 2 != half]
            own = _fitted(cases, features, shown)
            for place in range(half, len(cases), 2):
                case = cases[place]
                if case.teaches or any(case.right):
                    found["hits_at_1"].append(float(case.right[int(np.argmax(own.probabilities(features[place])))]))
                    found["ranker"].append(float(case.right[int(np.argmax(scores[place]))]))
                    found["first"].append(float(case.right[0]))
        metrics = {name: float(np.mean(values)) for name, values in found.items() if values}
        return _fitted(cases, features, range(len(cases))), metrics


def _fitted(cases: Sequence[Case], features: Sequence[Floats], places: Sequence[int]) -> Choice:
    if not len(places):
        return Choice((1.0, *[0.0] * (len(FEATURES) - 1)))
    rows = np.concatenate([features[place] for place in places])
    return fit_choice(rows, [right for place in places for right in cases[place].right])


def hits(cases: Sequence[Case], scores: Sequence[Floats]) -> float:
    """The share of cases whose candidate of the highest score is right, 0..1."""
    return float(np.mean([case.right[int(np.argmax(own))] for case, own in zip(cases, scores, strict=True)]))


def open_base(name: str) -> CrossEncoder:
    """A cross-encoder that begins with the weights of a model.

    :param name: a folder or a hub id; empty: the usual text encoder
    :raises EncoderError: it can't be found or read
    """
    from sentence_transformers.cross_encoder import CrossEncoder

    folder = name or str(locate_weights(name))
    try:
        return CrossEncoder(folder, num_labels=1, device="cpu")
    except (OSError, ValueError, KeyError) as error:
        raise EncoderError(f"{folder} can't be read as a cross-encoder: {error}") from error


def _mean_size(cases: Sequence[Case]) -> float:
    return float(np.mean([len(case.sequences) for case in cases]))
