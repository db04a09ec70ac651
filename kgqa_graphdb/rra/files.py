"""A saved predictor of relation paths: a folder that :mod:`kgqa_graphdb.train.rra` wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kgqa_graphdb.documents import expanded
from kgqa_graphdb.encode import TokenEncoder
from kgqa_graphdb.models import STRICT, ModelCard, read_card_and_details, read_weights
from kgqa_graphdb.rank.model import QUESTION_ENCODER, model_encoder
from kgqa_graphdb.rra.network import HOPS, STEPS, Classifier

METHOD = "rra"
FORMAT = 1
WEIGHTS = "predictor.safetensors"
PARTS = (WEIGHTS, QUESTION_ENCODER)
"""Files and folders that a model may have."""


@dataclass(frozen=True, slots=True)
class PredictorTraining:
    """Figures of a training, for people.

    :ivar options: how it was trained
    :ivar questions: for which there is a path
    :ivar held_out: questions that it was judged by
    :ivar mined: share of the pairs for which there is a path to an answer, 0..1
    :ivar metrics: on the questions held out
    :ivar history: step, loss and, where something is held out, its score, of each evaluation
    """

    __pydantic_config__ = STRICT

    options: Mapping[str, float | None] = field(default_factory=dict)
    questions: int = 0
    held_out: int = 0
    mined: float = 0.0
    metrics: Mapping[str, float] = field(default_factory=dict)
    history: tuple[Mapping[str, float], ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class PredictorDetails:
    """The method's own part of a model card.

    :ivar codes: of the steps that it tells apart, in the order of its classes
    :ivar alphabet: the characters that its encoder knows, where that is one of characters
    :ivar question_encoder: folder, in the model's own, of the encoder that was fine-tuned; empty: none was
    :ivar given_topics: it learned from the topics that pairs give, not from those that are linked
    """

    __pydantic_config__ = STRICT

    codes: tuple[str, ...]
    alphabet: str = ""
    question_encoder: str = ""
    given_topics: bool = False
    training: PredictorTraining = field(default_factory=PredictorTraining)


@dataclass(frozen=True, slots=True)
class PredictorFiles:
    """What a folder holds.

    :ivar encoder: reads questions, alone and with the steps that were taken
    :ivar codes: of the steps, in the order of the classes
    :ivar hops: says how many hops a question has; class 0 is one
    :ivar steps: says which step comes next
    :ivar card: the model card
    """

    encoder: TokenEncoder
    codes: tuple[str, ...]
    hops: Classifier
    steps: Classifier
    card: ModelCard = field(default=ModelCard(METHOD, FORMAT), repr=False)


def read_details(folder: Path | str) -> tuple[ModelCard, PredictorDetails]:
    """The model card of a saved predictor, and its details.

    :raises UsageError: it is none, or one of another format, or a key of it is wrong
    """
    return read_card_and_details(folder, METHOD, FORMAT, PredictorDetails)


def read_model(folder: Path | str) -> PredictorFiles:
    """Read a saved predictor; its encoder is loaded when first used.

    :raises UsageError: it is none, or one of another format, or a part of it is missing
    """
    card, details = read_details(folder)
    folder = expanded(folder)
    weights = read_weights(folder / WEIGHTS)
    encoder = model_encoder(folder, card.encoder, details.alphabet, details.question_encoder, weights)
    return PredictorFiles(encoder, details.codes, Classifier(weights, HOPS), Classifier(weights, STEPS), card)
