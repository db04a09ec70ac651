"""A saved model of both steps: a folder that :mod:`kgqa_graphdb.train.gnn2r` wrote."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from kgqa_graphdb.documents import expanded
from kgqa_graphdb.encode import TokenEncoder
from kgqa_graphdb.gnn2r.graphs import Inverse
from kgqa_graphdb.gnn2r.networks import AnswerNetwork, NetworkKind, open_network
from kgqa_graphdb.gnn2r.patterns import Joining
from kgqa_graphdb.graph.connect import MAX_HOPS
from kgqa_graphdb.models import STRICT, ModelCard, TrainingFigures, read_card_and_details, read_weights
from kgqa_graphdb.rank.model import QUESTION_ENCODER, model_encoder

METHOD = "gnn2r"
FORMAT = 1
WEIGHTS = "step-one.safetensors"
STEP_TWO = "step-two"
"""Folder, in the model's own, of the sentence encoder of step II."""
STEP_TWO_WEIGHTS = "step-two.safetensors"
PARTS = (WEIGHTS, QUESTION_ENCODER, STEP_TWO)
"""Files and folders that a model may have."""


@dataclass(frozen=True, slots=True)
class StepTwoDetails:
    """What a model card says of step II.

    :ivar candidates: nearest entities of step I that patterns are looked for from
    :ivar joining: which paths join topics and candidates
    :ivar weight: what it counts, beside the likeness of the words, how near step I finds a pattern's candidate
    :ivar alphabet: the characters that its encoder knows, where that is one of characters
    :ivar question_encoder: folder, in its own, of the encoder; empty: its weights are among its own
    :ivar training: figures, for people; its metrics are those of both steps together, and left out are questions where
        no pattern leads to an answer
    """

    __pydantic_config__ = STRICT

    candidates: int
    joining: Joining
    weight: float = 0.0
    alphabet: str = ""
    question_encoder: str = ""
    training: TrainingFigures = field(default_factory=TrainingFigures)


@dataclass(frozen=True, slots=True)
class Gnn2rDetails:
    """The method's own part of a model card.

    :ivar hops: of the subgraphs that it learned on
    :ivar max_nodes: entities of those at most; 0: all
    :ivar layers: how often messages are passed
    :ivar inverse: how facts are walked from tail to head
    :ivar threshold: what is at most so many times as far from the question as the nearest entity is an answer, too
    :ivar alphabet: the characters that its encoder knows, where that is one of characters
    :ivar question_encoder: folder, in the model's own, of the encoder that was fine-tuned; empty: none was
    :ivar given_topics: it learned from the topics that pairs give, not from those that are linked
    :ivar path_hops: of paths that join topics and candidates at most; ``None``: as many as subgraphs have
    :ivar network: of step I
    :ivar training: figures, for people; left out are questions without a topic, or without an answer in their subgraph
    :ivar step_two: ``None``: only step I was trained
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
    path_hops: int | None = None
    network: NetworkKind = "gnn2r"
    training: TrainingFigures = field(default_factory=TrainingFigures)
    step_two: StepTwoDetails | None = None

    @property
    def longest_path(self) -> int:
        """Hops of the longest path that is looked for between a topic and a candidate."""
        return min(self.path_hops or self.hops, MAX_HOPS)


@dataclass(frozen=True, slots=True)
class Gnn2rFiles:
    """What a folder holds.

    :ivar encoder: reads questions and relations
    :ivar sentences: encodes questions and expressions for step II; ``None``: only step I was trained
    """

    encoder: TokenEncoder
    network: AnswerNetwork
    details: Gnn2rDetails
    card: ModelCard = field(default=ModelCard(METHOD, FORMAT), repr=False)
    sentences: TokenEncoder | None = None


def read_details(folder: Path | str) -> tuple[ModelCard, Gnn2rDetails]:
    """The model card of a saved model, and its details.

    :raises UsageError: it is none, or one of another format, or a key of it is wrong
    """
    return read_card_and_details(folder, METHOD, FORMAT, Gnn2rDetails)


def read_model(folder: Path | str) -> Gnn2rFiles:
    """Read a saved model; its encoder is loaded when first used.

    :raises UsageError: it is none, or one of another format, or a part of it is missing
    :raises MissingExtraError: its network is of PyTorch Geometric, which is not installed
    """
    card, details = read_details(folder)
    folder = expanded(folder)
    weights = read_weights(folder / WEIGHTS)
    encoder = model_encoder(folder, card.encoder, details.alphabet, details.question_encoder, weights)
    network = open_network(details.network, weights, details.layers)
    return Gnn2rFiles(encoder, network, details, card, _sentences(folder / STEP_TWO, card, details.step_two))


def _sentences(folder: Path, card: ModelCard, details: StepTwoDetails | None) -> TokenEncoder | None:
    if details is None:
        return None
    weights = read_weights(folder / STEP_TWO_WEIGHTS) if details.alphabet else {}
    return model_encoder(folder, card.encoder, details.alphabet, details.question_encoder, weights)
