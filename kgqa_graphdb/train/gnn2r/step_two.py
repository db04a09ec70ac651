"""Trains step II: candidates of step I, patterns and votes, the sentence encoder, and how good both steps are."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from kgqa_graphdb.encode.characters import CHARACTERS, WEIGHTS_PREFIX
from kgqa_graphdb.gnn2r.files import STEP_TWO, STEP_TWO_WEIGHTS, StepTwoDetails
from kgqa_graphdb.gnn2r.patterns import Joining
from kgqa_graphdb.gnn2r.ranker import StepTwo
from kgqa_graphdb.models import TrainingFigures, write_weights
from kgqa_graphdb.plots import plot_training
from kgqa_graphdb.rank.model import QUESTION_ENCODER
from kgqa_graphdb.train.data.sets import some_of
from kgqa_graphdb.train.gnn2r.cases import Case, CaseMaker, LossKind, best_walk, best_weight, chosen_f1
from kgqa_graphdb.train.gnn2r.lessons import Topics
from kgqa_graphdb.train.loop import Fitted, train_model
from kgqa_graphdb.train.paths.make_reader import make_reader
from kgqa_graphdb.train.paths.readers import Reader
from kgqa_graphdb.train.settings import Stage, Training
from kgqa_graphdb.types import Floats, WalkRule

log = logging.getLogger(__name__)
CHECKPOINT = "checkpoint-two.pt"
STEPS_AT_MOST = 600
"""Batches, where nobody says."""
TUNED_RATE, CHARACTER_RATE = 1e-4, 2e-3
"""Learning rates: of an encoder that knows words, and of one that begins with nothing. The paper's code has 8e-6, for
far more batches."""
LAYERS = 3
"""Of the encoder that learn, from the last; what is below is computed once for each expression."""
WALKS: tuple[WalkRule, ...] = ("free", "no_backtrack")
"""Walk rules to choose from; of those that are nearly as good the first, which bars no pattern that was found."""
MAX_QUESTIONS = 2_000
"""That patterns are looked for to learn from, a random sample of more: it is done after some hundred batches of 12."""
SAMPLED = 150
"""Questions that the walk rule is chosen on."""
JUDGED = 150
"""Held-out questions that weights are judged by while they are trained; their expressions are many."""


@dataclass(frozen=True, slots=True)
class StepTwoSettings:
    """What a person says of the training of step II.

    :ivar candidates: nearest entities of step I that patterns are looked for from; the paper has 5 to 25
    :ivar joining: which paths join topics and candidates
    :ivar loss: see :class:`kgqa_graphdb.train.gnn2r.fit_two.StepTwoOptions`
    :ivar margin: by which the right expression must be more similar, in triplets
    :ivar shortest: see :class:`kgqa_graphdb.train.gnn2r.fit_two.StepTwoOptions`
    :ivar steps: batches at most; 0: the sentence encoder stays as it comes
    """

    candidates: int = 10
    joining: Joining = "walks"
    loss: LossKind = "contrast"
    margin: float = 0.2
    shortest: bool = False
    steps: int = STEPS_AT_MOST


@dataclass(frozen=True, slots=True)
class FittedTwo:
    """What came of the training of step II.

    :ivar walk: the walk rule under which patterns are executed
    """

    fitted: Fitted
    reader: Reader
    details: StepTwoDetails
    walk: WalkRule

    def save(self, part: Path) -> None:
        """Write the sentence encoder to a model's folder."""
        folder = part / STEP_TWO
        folder.mkdir()
        weights = self.reader.keep(self.fitted.weights, folder)
        if self.details.alphabet:
            write_weights(weights, folder / STEP_TWO_WEIGHTS)


def train_step_two(
    maker: CaseMaker,
    learned: Sequence[Topics],
    held_out: Sequence[Topics],
    output: Path,
    *,
    training: Training,
    settings: StepTwoSettings,
    stage: Stage,
) -> FittedTwo | None:
    """Train step II; ``None``: no question has a pattern that leads to an answer and one that does not."""
    learned = some_of(learned, training.seed, MAX_QUESTIONS)
    walk = _walk_rule(maker, learned, stage)
    name = maker.kg.graph_name
    cases = maker.make(learned, walk, stage(f"Finding patterns in {name}", len(learned)), learn=True)
    kept = maker.make(held_out, walk, stage("Finding patterns of held-out questions", len(held_out)), learn=False)
    return fit_cases(cases, kept, walk, output, training=training, settings=settings, stage=stage)


def fit_cases(
    cases: Sequence[Case],
    held_out: Sequence[Case],
    walk: WalkRule,
    output: Path,
    *,
    training: Training,
    settings: StepTwoSettings,
    stage: Stage,
) -> FittedTwo | None:
    """Train the sentence encoder on cases; ``None``: none has a pattern that leads to an answer and another.

    :param walk: the walk rule that their patterns were executed under
    :param output: a folder that is there
    """
    teaching = [case for case in cases if 0 < case.positives().size < len(case.expressions)]
    mean = np.mean([len(case.expressions) for case in cases] or [0])
    log.info("step II: walk rule %s, %d of %d questions to learn, %.0f expressions each; %d held out",
             walk, len(teaching), len(cases), mean, len(held_out))  # fmt: skip
    if not teaching:
        return None
    run = _Run(teaching, held_out, training, settings)
    fitted = run.fit(output, stage)
    weight, metrics = run.judged(fitted.weights)
    log.info("step II, on held-out questions, weight of nearness %g: %s", weight,
             ", ".join(f"{key} {value:.4f}" for key, value in metrics.items()))  # fmt: skip
    figures = TrainingFigures(
        options=asdict(run.options), questions=len(teaching), held_out=len(held_out),
        left_out=len(cases) - len(teaching), metrics=metrics, history=tuple(fitted.history),
        seconds=round(fitted.seconds, 1),
    )  # fmt: skip
    details = StepTwoDetails(
        settings.candidates, settings.joining, weight, run.reader.alphabet,
        "" if run.reader.alphabet else QUESTION_ENCODER, figures,
    )  # fmt: skip
    return FittedTwo(fitted, run.reader, details, walk)


def _walk_rule(maker: CaseMaker, learned: Sequence[Topics], stage: Stage) -> WalkRule:
    """The rule under which the best patterns of the first questions are best."""
    some = learned[:SAMPLED]
    progress = stage("Choosing the walk rule", len(some))
    found = [(rule, maker.make(some, rule, progress, learn=True)) for rule in WALKS]
    return best_walk(found)


@dataclass
class _Run:
    """One training of step II."""

    cases: Sequence[Case]
    held_out: Sequence[Case]
    training: Training
    settings: StepTwoSettings

    def __post_init__(self) -> None:
        from kgqa_graphdb.train.gnn2r.fit_two import StepTwoOptions

        training, settings = self.training, self.settings
        options = StepTwoOptions(
            steps=settings.steps, seed=training.seed, loss=settings.loss, margin=settings.margin,
            shortest=settings.shortest, rate=CHARACTER_RATE if training.encoder == CHARACTERS else TUNED_RATE,
        )  # fmt: skip
        self.options = replace(options, check=max(1, min(options.check, settings.steps // 4)))
        texts = list(dict.fromkeys(text for case in self.cases for text in (case.text, *case.expressions)))
        self.reader: Reader
        if training.encoder == CHARACTERS:
            self.reader = make_reader(training.encoder, texts, [texts[:1]], training.seed)
        else:
            from kgqa_graphdb.train.paths.finetuned import FineTunedReader

            self.reader = FineTunedReader(training.encoder, [texts[:1]], LAYERS)
        like = StepTwo(self.reader.encoder(self._untrained())).similarities([case.request for case in self.cases])
        self.cases = [case.by_likeness(own) for case, own in zip(self.cases, like, strict=True)]

    def _untrained(self) -> dict[str, Floats]:
        from kgqa_graphdb.train.checkpoint import arrays_of

        return arrays_of(self.reader.network.state_dict(prefix=WEIGHTS_PREFIX))

    def fit(self, output: Path, stage: Stage) -> Fitted:
        """Train until nothing is gained."""
        from kgqa_graphdb.train.gnn2r.fit_two import StepTwoTrainer

        if not self.options.steps:
            return Fitted(self._untrained())
        what = hashlib.sha256(self.reader.fingerprint.encode())
        for case in (*self.cases, *self.held_out):
            what.update(f"{case.id} {case.text} {case.expressions} {case.votes}".encode())
        judge = self._score if self.held_out else None
        trainer = StepTwoTrainer(self.cases, self.reader, judge, self.options, what.hexdigest())
        fitted = train_model(trainer, output / CHECKPOINT, stage("Training step II", self.options.steps))
        plot_training(fitted.history, fitted.best_step, output, name="training-two.svg")
        return fitted

    def _score(self, weights: Mapping[str, Floats]) -> float:
        cases = some_of(self.held_out, self.training.seed, JUDGED)
        return float(np.mean(chosen_f1(cases, self._similarities(weights, cases))))

    def judged(self, weights: Mapping[str, Floats]) -> tuple[float, dict[str, float]]:
        """The best weight of nearness on held-out questions, and F1 there: with it, without, of the best pattern."""
        cases = self.held_out
        if not cases:
            return 0.0, {}
        alike = self._similarities(weights, cases)
        weight = best_weight(cases, alike)
        best = [max(own.f1 for own in case.votes) for case in cases]
        found = {"f1": chosen_f1(cases, alike, weight), "f1_of_words": chosen_f1(cases, alike), "best_f1": best}
        return weight, {name: float(np.mean(values)) for name, values in found.items()}

    def _similarities(self, weights: Mapping[str, Floats], cases: Sequence[Case]) -> list[Floats]:
        return StepTwo(self.reader.encoder(weights)).similarities([case.request for case in cases])
