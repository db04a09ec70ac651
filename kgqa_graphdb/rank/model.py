"""A saved ranker of relation paths: a folder that :mod:`kgqa_graphdb.train` wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kgqa_graphdb.documents import expanded
from kgqa_graphdb.encode import CHARACTERS, CharacterEncoder, OnnxEncoder, TokenEncoder, TunedEncoder
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.models import STRICT, ModelCard, read_card_and_details, read_weights, validated
from kgqa_graphdb.rank.calibration import Calibration
from kgqa_graphdb.rank.decoder import Decoder
from kgqa_graphdb.rank.memory import Asked, Memory
from kgqa_graphdb.rank.rerank import LEARNED, Learned, PathReranker
from kgqa_graphdb.types import Floats

METHOD = "paths"
FORMAT = 5
"""Version of the details and the files. Up to 4 there was no card; see :mod:`kgqa_graphdb.rank.convert`."""
WEIGHTS = "decoder.safetensors"
QUESTION_ENCODER = "encoder"
"""Folder, in the model's own, of the encoder that was fine-tuned to read questions."""
RERANKER = "reranker"
"""Folder, in the model's own, of what ranks the proposed paths again, if anything does."""
PARTS = (WEIGHTS, QUESTION_ENCODER, RERANKER)
"""Files and folders that a model may have."""
RERANKER_CONFIG = "config.json"
RERANKER_WEIGHTS = "reranker.safetensors"
MEMORY = "memory"
"""Among the reranker's weights the vectors of the questions that it remembers."""


@dataclass(frozen=True, slots=True)
class PathTraining:
    """Figures of a training, for people.

    :ivar options: how it was trained
    :ivar paraphrase: language model that said composed questions in other words; empty: none
    :ivar questions: of pairs, for which there is a path
    :ivar composed: questions composed from schemas
    :ivar held_out: questions that it was judged by
    :ivar mined: share of the pairs for which there is a path to an answer, 0..1
    :ivar metrics: on the questions held out
    :ivar history: step, loss and, where something is held out, its score, of each evaluation
    """

    __pydantic_config__ = STRICT

    options: Mapping[str, float | None] = field(default_factory=dict)
    paraphrase: str = ""
    questions: int = 0
    composed: int = 0
    held_out: int = 0
    mined: float = 0.0
    metrics: Mapping[str, float] = field(default_factory=dict)
    history: tuple[Mapping[str, float], ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class PathModelDetails:
    """The method's own part of a model card.

    :ivar least_fit: where it is less likely that there is any path at all, there is no answer
    :ivar calibration: makes probabilities of paths those of right answers
    :ivar relations: ids of the relations that it was trained on; none: of no graph in particular
    :ivar asked_relations: ids of the relations of graphs whose question-answer pairs it was trained on
    :ivar alphabet: the characters that its encoder knows, where that is one of characters
    :ivar question_encoder: folder, in the model's own, of the encoder that was fine-tuned; empty: none was
    :ivar reranker: the folder has a reranker
    :ivar max_hops: longest path that was looked for
    :ivar given_topics: it learned from the topics that pairs give, not from those that are linked
    """

    __pydantic_config__ = STRICT

    least_fit: float
    calibration: Calibration
    asked_relations: frozenset[str]
    relations: frozenset[str] = frozenset()
    alphabet: str = ""
    question_encoder: str = ""
    reranker: bool = False
    max_hops: int = 3
    given_topics: bool = False
    training: PathTraining = field(default_factory=PathTraining)


@dataclass(frozen=True, slots=True)
class RerankerConfig:
    """What a reranker's folder holds beside its weights.

    :ivar encoder: folder, in the reranker's own, of its encoder; empty: it reads with the ranker's
    :ivar codes: of the steps that have vectors of their own
    :ivar paths: codes of the steps of the paths that have
    :ivar asked_paths: codes of the steps of the paths that it remembers questions of
    :ivar asked: which questions asked for which of them
    """

    __pydantic_config__ = STRICT

    encoder: str
    codes: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
    asked_paths: tuple[tuple[str, ...], ...]
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class PathModelFiles:
    """What a folder holds.

    :ivar encoder: reads questions and the steps' words
    :ivar least_fit: where it is less likely that there is any path at all, there is no answer
    :ivar calibration: makes probabilities of paths those of right answers
    :ivar relations: ids of the relations that it was trained on
    :ivar asked: ids of the relations of graphs whose question-answer pairs it was trained on
    :ivar card: the model card
    :ivar reranker: ranks proposed paths again; ``None``: none was trained, or held-out questions lost by it
    """

    encoder: TokenEncoder
    decoder: Decoder
    least_fit: float = 0.0
    calibration: Calibration = field(default_factory=Calibration)
    relations: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    card: ModelCard = field(default=ModelCard(METHOD, FORMAT), repr=False)
    reranker: PathReranker | None = None


def read_details(folder: Path | str) -> tuple[ModelCard, PathModelDetails]:
    """The model card of a saved ranker, and its details.

    :raises UsageError: it is none, or one of another format, or a key of it is wrong
    """
    return read_card_and_details(folder, METHOD, FORMAT, PathModelDetails)


def read_model(folder: Path | str) -> PathModelFiles:
    """Read a saved ranker; its encoder is loaded when first used.

    :raises UsageError: it is none, or one of another format, or a part of it is missing
    """
    card, details = read_details(folder)
    folder = expanded(folder)
    weights = read_weights(folder / WEIGHTS)
    encoder = model_encoder(folder, card.encoder, details.alphabet, details.question_encoder, weights)
    return PathModelFiles(
        encoder=encoder,
        decoder=Decoder(weights),
        least_fit=details.least_fit,
        calibration=details.calibration,
        relations=details.relations,
        asked=details.asked_relations,
        card=card,
        reranker=read_reranker(folder / RERANKER, encoder) if details.reranker else None,
    )


def read_reranker(folder: Path, encoder: TokenEncoder) -> PathReranker:
    """What ranks proposed paths again.

    :param encoder: the ranker's, which it reads with if it has none of its own
    :raises UsageError: a part of it is missing, or it was made by an older version
    """
    weights = read_weights(folder / RERANKER_WEIGHTS)
    if MEMORY not in weights:
        raise UsageError(f"{folder / RERANKER_WEIGHTS} was made by an older version of kgqa; train it again")
    path = folder / RERANKER_CONFIG
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} can't be read: {error}; train it again") from error
    config = validated(RerankerConfig, text, path)
    learned = Learned(config.codes, config.paths, *(weights[f"learned.{name}.weight"] for name in LEARNED))
    memory = Memory(weights[MEMORY], config.asked_paths, config.asked)
    return PathReranker(_tuned(folder / config.encoder) if config.encoder else encoder, weights, learned, memory)


def _tuned(folder: Path) -> OnnxEncoder:
    """An encoder that was fine-tuned; nothing is loaded yet.

    :raises UsageError: it is not there
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is missing, the encoder that was fine-tuned; train it again")
    return OnnxEncoder(str(folder))


def model_encoder(
    folder: Path, name: str, alphabet: str, question_encoder: str, weights: Mapping[str, Floats]
) -> TokenEncoder:
    """What a trained model reads questions and the steps' words with; nothing is loaded yet.

    :param name: of the encoder, as the card has it
    :param alphabet: the characters that it knows, where it is one of characters
    :param question_encoder: folder, in the model's own, of the encoder that was fine-tuned; empty: none was
    :param weights: the model's, among which are those of an encoder of characters
    :raises UsageError: the fine-tuned encoder is not in the folder
    """
    if name == CHARACTERS:
        return CharacterEncoder(alphabet, weights)
    words = OnnxEncoder(name)
    return TunedEncoder(words, _tuned(folder / question_encoder).encode_tokens) if question_encoder else words
