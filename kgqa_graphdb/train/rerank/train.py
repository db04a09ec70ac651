"""``kgqa train rerank``: from questions with candidates to a ranker of their subgraphs, in a folder."""

from __future__ import annotations

import hashlib
import logging
import shutil
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from kgqa_graphdb.catalog import graph_fingerprint
from kgqa_graphdb.client import KGQA
from kgqa_graphdb.encode import OnnxEncoder
from kgqa_graphdb.errors import MissingExtraError, UsageError
from kgqa_graphdb.methods.rerank import Rerank, RerankSettings, relation_words_of
from kgqa_graphdb.models import ModelCard, TrainingFigures, claim_folder, write_model
from kgqa_graphdb.plots import plot_training
from kgqa_graphdb.questions import Pair, with_topics
from kgqa_graphdb.rerank.choice import FEATURES
from kgqa_graphdb.rerank.files import FORMAT, METHOD, PARTS, RerankDetails
from kgqa_graphdb.rerank.shown import RankerKind, RelationWords
from kgqa_graphdb.train.data.sets import MIN_ITEMS, parted
from kgqa_graphdb.train.loop import train_model
from kgqa_graphdb.train.paths.run import CHECKPOINT
from kgqa_graphdb.train.paths.save import lasting_name
from kgqa_graphdb.train.paths.train import check_count, check_torch
from kgqa_graphdb.train.rerank.cases import Case, read_cases
from kgqa_graphdb.train.rerank.choose import choose
from kgqa_graphdb.train.settings import Source, Stage, Trained, Training
from kgqa_graphdb.types import Floats

if TYPE_CHECKING:
    from kgqa_graphdb.train.rerank.fit import RankOptions, Scorer

log = logging.getLogger(__name__)
CASES = "cases.jsonl"
GRAPHORMER_STEPS = 3_000
"""Batches: it learns from nothing, and a batch of it is cheap."""
JUDGED = 100
"""Cases that weights are judged by while they are trained; each may have hundreds of candidates."""
MAX_HELD_OUT = 600
"""Cases, where no file of held-out questions is given. The weights of the choice are learned on them, too."""


@dataclass(frozen=True, slots=True)
class RankSettings:
    """What a person says of the training beside :class:`Training`.

    :ivar candidates: distinct guesses that are ranked at most
    :ivar neighbours: entities next to the topics that are ranked, too, at most
    :ivar hops: of a path between topic and candidate at most
    :ivar highlight: the candidate is marked in its sequence
    :ivar subgraph: subgraphs are read, not the candidates' names alone
    :ivar max_tokens: of question and sequence
    :ivar ranker: what reads the candidates' subgraphs; of these settings highlight, subgraph and max_tokens are for
        sequences alone
    :ivar rate: the highest learning rate; ``None``: one that suits the ranker
    :ivar guesser: name of the language model that guesses where a question comes with no candidates; empty: none
    :ivar guessing: how it does
    """

    candidates: int = 50
    neighbours: int = 0
    hops: int = 2
    highlight: bool = True
    subgraph: bool = True
    max_tokens: int = 128
    ranker: RankerKind = "sequence"
    rate: float | None = None
    guesser: str = ""
    guessing: RerankSettings = field(default_factory=RerankSettings)

    def __post_init__(self) -> None:
        if self.ranker != "sequence" and not (self.highlight and self.subgraph):
            raise UsageError(f"a {self.ranker} reads no sequences: leave --no-highlight and --no-subgraph out")


def train_rerank(source: Source, output: Path, *, training: Training, settings: RankSettings, stage: Stage) -> Trained:
    """Train a ranker on questions of a graph with candidates; the same call goes on where one was cut off.

    :raises UsageError: of too few questions a right and a wrong candidate are joined with the topics, or the folder
        holds something else
    :raises EncoderError: the model to begin with can't be found or read
    :raises MissingExtraError: torch, or what the ranker needs beside it, is not installed
    """
    _check_installed(settings.ranker)
    check_count(source)
    claim_folder(output, METHOD)
    name = source.kg.graph_name
    pairs, dev = (with_topics(some, given=training.given_topics) if some else [] for some in (source.pairs, source.dev))
    cases = joined_cases(source.kg, [*pairs, *dev], output, settings, stage)
    asked, kept = cases[: len(pairs)], cases[len(pairs) :]
    learned, held_out = (asked, kept) if dev else parted(asked, training.seed, MAX_HELD_OUT)
    teaching = check_teaching(learned, name)
    log.info("graph %s: %d of %d questions to learn, %d held out, %.1f candidates each",
             name, len(teaching), len(learned), len(held_out), _mean_size(teaching))  # fmt: skip
    graph = {source.kg.graph.mapping.graph: source.kg.perform(graph_fingerprint(source.kg.graph.mapping))}
    words = relation_words_of(source.kg.graph.mapping)
    return _Run(teaching, held_out, len(learned), training, settings, output, words).train(graph, stage)


def joined_cases(kg: KGQA, pairs: Sequence[Pair], output: Path, settings: RankSettings, stage: Stage) -> list[Case]:
    """The cases of questions, which are kept in the folder of the model.

    :raises UsageError: it holds those of other questions or settings
    """
    source: Literal["given", "any"] = "given" if settings.neighbours and not settings.guesser else "any"
    how = replace(
        settings.guessing, source=source, candidates=settings.candidates, neighbours=settings.neighbours,
        hops=settings.hops,
    )  # fmt: skip
    return read_cases(
        kg, pairs, Rerank(how), output / CASES, highlight=settings.highlight, subgraph=settings.subgraph,
        guesser=settings.guesser, progress=stage(f"Joining candidates in {kg.graph_name}", len(pairs)),
    )  # fmt: skip


def check_teaching(cases: Sequence[Case], graph: str) -> list[Case]:
    """The cases that teach something.

    :raises UsageError: they are too few
    """
    teaching = [case for case in cases if case.teaches]
    if len(teaching) < MIN_ITEMS:
        raise UsageError(
            f"of {len(teaching)} of {len(cases):,} questions a right and a wrong candidate are joined with a topic in "
            f"graph {graph!r}, and at least {MIN_ITEMS} are needed. Are the questions of this graph? More candidates "
            "come with --neighbours"
        )
    return teaching


def _check_installed(ranker: RankerKind) -> None:
    check_torch()
    try:
        if ranker == "sequence":
            import sentence_transformers  # noqa: F401
        else:
            with warnings.catch_warnings():  # of torch, about what PyTorch Geometric does with it
                warnings.simplefilter("ignore")
                import torch_geometric  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(str(error.name), "train" if ranker == "sequence" else "gnn") from error


@dataclass
class _Run:
    """One training.

    :ivar asked: questions that were not held out
    :ivar words: of the graph's relations
    """

    cases: Sequence[Case]
    held_out: Sequence[Case]
    asked: int
    training: Training
    settings: RankSettings
    output: Path
    words: RelationWords

    def train(self, graphs: dict[str, str], stage: Stage) -> Trained:
        """Train, judge and save."""
        from kgqa_graphdb.train.rerank.fit import RankTrainer

        options, encoder = self._options(), self._encoder()
        what = hashlib.sha256(repr((self.settings, self.training.encoder, sorted(self.words.items()))).encode())
        for case in (*self.cases, *self.held_out):
            what.update(repr((case.id, case.text, case.sequences, case.graphs, case.right)).encode())
        judged = [case for case in self.held_out if case.teaches]
        shown = judged[:JUDGED]
        trainer = RankTrainer(
            lambda: self._scorer(encoder), self.cases, shown,
            (lambda scores: hits(shown, scores)) if shown else None, options, what.hexdigest(),
        )  # fmt: skip
        fitted = train_model(trainer, self.output / CHECKPOINT, stage("Training the ranker", options.steps))
        trainer.put(fitted.weights)
        staged = self.output / "ranker.part"
        shutil.rmtree(staged, ignore_errors=True)
        staged.mkdir()
        ranker = trainer.scorer.save(staged)
        choice, metrics = choose([case for case in self.held_out if case.sequences] or self.cases, ranker, self.words)
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
            settings.ranker, figures,
        )  # fmt: skip
        card = ModelCard(
            METHOD, FORMAT, seed=self.training.seed, graphs=graphs,
            encoder=lasting_name(self.training.encoder, encoder.name) if encoder else "",
            encoder_fingerprint=encoder.fingerprint if encoder else "", details=asdict(details),
        ).made_now()  # fmt: skip
        with write_model(self.output, card, PARTS) as part:
            for file in list(staged.iterdir()):
                file.rename(part / file.name)
        staged.rmdir()
        plot_training(fitted.history, fitted.best_step, self.output)
        return Trained(
            self.output, self.asked, len(self.cases) / self.asked, metrics.get("hits_at_1", 0.0), fitted.best_step,
            fitted.seconds,
        )  # fmt: skip

    def _options(self) -> RankOptions:
        from kgqa_graphdb.train.rerank.fit import RankOptions

        usual = RankOptions(seed=self.training.seed)
        if self.settings.ranker != "sequence":
            usual = replace(usual, steps=GRAPHORMER_STEPS, check=GRAPHORMER_STEPS // 10, questions=16, rate=1e-3)
        steps, rate = self.training.steps or usual.steps, self.settings.rate or usual.rate
        return replace(usual, steps=steps, rate=rate, check=max(1, min(usual.check, steps // 4 or 1)))

    def _encoder(self) -> OnnxEncoder | None:
        """What a graph network reads words with; ``None``: a cross-encoder reads them itself."""
        return None if self.settings.ranker == "sequence" else OnnxEncoder(self.training.encoder)

    def _scorer(self, encoder: OnnxEncoder | None) -> Scorer:
        if encoder is None:
            from kgqa_graphdb.train.rerank.cross_encoder import CrossEncoderScorer

            return CrossEncoderScorer(self.training.encoder, self.settings.max_tokens)
        from kgqa_graphdb.train.rerank.graphs import GraphScorer

        reads_question = self.settings.ranker == "graphormer-question"
        return GraphScorer([*self.cases, *self.held_out], self.words, encoder, reads_question=reads_question)


def hits(cases: Sequence[Case], scores: Sequence[Floats]) -> float:
    """The share of cases whose candidate of the highest score is right, 0..1."""
    return float(np.mean([case.right[int(np.argmax(own))] for case, own in zip(cases, scores, strict=True)]))


def _mean_size(cases: Sequence[Case]) -> float:
    return float(np.mean([len(case.sequences) for case in cases]))
