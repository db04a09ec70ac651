"""A saved ranker of candidates: a folder that :mod:`kgqa_graphdb.train.rerank` wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kgqa_graphdb.documents import expanded
from kgqa_graphdb.encode import OnnxEncoder
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.models import STRICT, ModelCard, TrainingFigures, read_card_and_details, read_weights
from kgqa_graphdb.rerank.choice import FEATURES, Choice
from kgqa_graphdb.rerank.graphormer import GraphormerNetwork, GraphRanker
from kgqa_graphdb.rerank.sequences import SequenceRanker
from kgqa_graphdb.rerank.shown import GRAPHORMERS, Ranker, RankerKind

METHOD = "rerank"
FORMAT = 1
ONNX = "ranker.onnx"
TOKENIZER = "tokenizer.json"
GRAPHORMER = "graphormer.safetensors"
PARTS = (ONNX, TOKENIZER, GRAPHORMER)
"""Files that a model may have."""


@dataclass(frozen=True, slots=True)
class RerankDetails:
    """The method's own part of a model card.

    :ivar base: name or folder of the model that the ranker began as, of a graph network of the text encoder that it
        reads words with
    :ivar max_tokens: that a cross-encoder reads of question and sequence
    :ivar hops: of a path between topic and candidate at most
    :ivar candidates: distinct guesses that are ranked
    :ivar neighbours: entities next to the topics that are ranked, too
    :ivar highlight: the candidate is marked in its sequence
    :ivar subgraph: it reads subgraphs; if not, the candidate's name alone
    :ivar weights: of :data:`kgqa_graphdb.rerank.choice.FEATURES`
    :ivar bias: beside them
    :ivar ranker: what reads the candidates' subgraphs
    :ivar training: figures, for people; left out are questions without a right and a wrong candidate that are joined
        with their topics
    """

    __pydantic_config__ = STRICT

    base: str
    max_tokens: int
    hops: int
    candidates: int
    neighbours: int
    highlight: bool
    subgraph: bool
    weights: Mapping[str, float]
    bias: float
    ranker: RankerKind = "sequence"
    training: TrainingFigures = field(default_factory=TrainingFigures)

    @property
    def choice(self) -> Choice:
        """How a candidate is chosen.

        :raises UsageError: a weight is missing
        """
        if set(self.weights) != set(FEATURES):
            raise UsageError("the model's weights are not those of this version: train it again")
        return Choice(tuple(self.weights[name] for name in FEATURES), self.bias)


@dataclass(frozen=True, slots=True)
class RerankFiles:
    """What a folder holds."""

    ranker: Ranker
    details: RerankDetails
    choice: Choice
    card: ModelCard = field(default=ModelCard(METHOD, FORMAT), repr=False)


def read_model(folder: Path | str) -> RerankFiles:
    """Read a saved model; the ranker is loaded when first used.

    :raises UsageError: it is none, or one of another format, or a part of it is missing
    """
    card, details = read_card_and_details(folder, METHOD, FORMAT, RerankDetails)
    folder = expanded(folder)
    wanted = (GRAPHORMER,) if details.ranker in GRAPHORMERS else (ONNX, TOKENIZER)
    for name in wanted:
        if not (folder / name).is_file():
            raise UsageError(f"{folder} lacks {name}; train it again: kgqa train {METHOD}")
    ranker: Ranker
    if details.ranker in GRAPHORMERS:
        ranker = GraphRanker(GraphormerNetwork(read_weights(folder / GRAPHORMER)), OnnxEncoder(card.encoder))
    else:
        ranker = SequenceRanker(folder / ONNX, folder / TOKENIZER, details.max_tokens)
    return RerankFiles(ranker, details, details.choice, card)
