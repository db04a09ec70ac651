"""A saved model of step I: a folder that :mod:`kgqa_graphdb.train.gnn2r` wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kgqa_graphdb.documents import expanded
from kgqa_graphdb.encode import TokenEncoder
from kgqa_graphdb.gnn2r.graphs import Inverse
from kgqa_graphdb.gnn2r.network import StepOneNetwork
from kgqa_graphdb.models import STRICT, ModelCard, read_card_and_details, read_weights
from kgqa_graphdb.rank.model import QUESTION_ENCODER, model_encoder

METHOD = "gnn2r"
FORMAT = 1
WEIGHTS = "step-one.safetensors"
PARTS = (WEIGHTS, QUESTION_ENCODER)
"""Files and folders that a model may have."""


@dataclass(frozen=True, slots=True)
class StepOneTraining:
    """Figures of a training, for people.

    :ivar options: how it was trained
    :ivar questions: that were learned
    :ivar held_out: questions that it was judged by
    :ivar left_out: questions that could not be learned: without a topic, or without an answer in their subgraph
    :ivar metrics: on the questions held out
    :ivar history: step, loss and score of each evaluation
    """

    __pydantic_config__ = STRICT

    options: Mapping[str, float | str | bool | None] = field(default_factory=dict)
    questions: int = 0
    held_out: int = 0
    left_out: int = 0
    metrics: Mapping[str, float] = field(default_factory=dict)
    history: tuple[Mapping[str, float], ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class StepOneDetails:
    """The method's own part of a model card.

    :ivar hops: of the subgraphs that it learned on
    :ivar max_nodes: entities of those at most; 0: all
    :ivar layers: how often messages are passed
    :ivar inverse: how facts are walked from tail to head
    :ivar threshold: what is at most so many times as far from the question as the nearest entity is an answer, too
    :ivar alphabet: the characters that its encoder knows, where that is one of characters
    :ivar question_encoder: folder, in the model's own, of the encoder that was fine-tuned; empty: none was
    :ivar given_topics: it learned from the topics that pairs give, not from those that are linked
    """

    __pydantic_config__ = STRICT

    hops: int
    max_nodes: int
    layers: int
    inverse: Inverse
    threshold: float
    alphabet: str = ""
    question_encoder: str = ""
    given_topics: bool = False
    training: StepOneTraining = field(default_factory=StepOneTraining)


@dataclass(frozen=True, slots=True)
class StepOneFiles:
    """What a folder holds.

    :ivar encoder: reads questions and relations
    """

    encoder: TokenEncoder
    network: StepOneNetwork
    details: StepOneDetails
    card: ModelCard = field(default=ModelCard(METHOD, FORMAT), repr=False)


def read_details(folder: Path | str) -> tuple[ModelCard, StepOneDetails]:
    """The model card of a saved model, and its details.

    :raises UsageError: it is none, or one of another format, or a key of it is wrong
    """
    return read_card_and_details(folder, METHOD, FORMAT, StepOneDetails)


def read_model(folder: Path | str) -> StepOneFiles:
    """Read a saved model; its encoder is loaded when first used.

    :raises UsageError: it is none, or one of another format, or a part of it is missing
    """
    card, details = read_details(folder)
    folder = expanded(folder)
    weights = read_weights(folder / WEIGHTS)
    encoder = model_encoder(folder, card.encoder, details.alphabet, details.question_encoder, weights)
    return StepOneFiles(encoder, StepOneNetwork(weights, details.layers), details, card)
