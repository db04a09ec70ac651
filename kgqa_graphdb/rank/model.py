"""A saved ranker of relation paths: a folder that :mod:`kgqa_graphdb.train` wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kgqa_graphdb.encode import CHARACTERS, CharacterEncoder, OnnxEncoder, TokenEncoder, TunedEncoder
from kgqa_graphdb.errors import MissingExtraError, UsageError
from kgqa_graphdb.rank.calibration import Calibration
from kgqa_graphdb.rank.decoder import Decoder
from kgqa_graphdb.rank.memory import Asked, Memory
from kgqa_graphdb.rank.rerank import LEARNED, Learned, PathReranker
from kgqa_graphdb.types import Floats

CONFIG = "config.json"
WEIGHTS = "decoder.safetensors"
QUESTION_ENCODER = "encoder"
"""Folder, in the model's own, of the encoder that was fine-tuned to read questions."""
RERANKER = "reranker"
"""Folder, in the model's own, of what ranks the proposed paths again, if anything does."""
RERANKER_CONFIG = "config.json"
RERANKER_WEIGHTS = "reranker.safetensors"
MEMORY = "memory"
"""Among the reranker's weights the vectors of the questions that it remembers."""
VERSION = 4
_CURE = "kgqa train paths makes one"


@dataclass(frozen=True, slots=True)
class PathModelFiles:
    """What a folder holds.

    :ivar encoder: reads questions and the steps' words
    :ivar least_fit: where it is less likely that there is any path at all, there is no answer
    :ivar calibration: makes probabilities of paths those of right answers
    :ivar relations: ids of the relations that it was trained on
    :ivar asked: ids of the relations of graphs whose question-answer pairs it was trained on
    :ivar about: the whole ``config.json``
    :ivar reranker: ranks proposed paths again; ``None``: none was trained, or held-out questions lost by it
    """

    encoder: TokenEncoder
    decoder: Decoder
    least_fit: float = 0.0
    calibration: Calibration = field(default_factory=Calibration)
    relations: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    about: Mapping[str, Any] = field(default_factory=dict, repr=False)
    reranker: PathReranker | None = None


def read_about(folder: Path | str, *, any_version: bool = False) -> dict[str, Any]:
    """The ``config.json`` of a saved ranker.

    :param any_version: one of another version will do, as when it is to be written anew
    :raises UsageError: it is none, or one of another version
    """
    folder = Path(folder).expanduser()
    path = folder / CONFIG
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{folder} is no trained model: it has no {CONFIG}; {_CURE}") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} can't be read: {error}; {_CURE}") from error
    if not isinstance(about, dict) or about.get("model") != "paths":
        raise UsageError(f"{folder} is no model of the method paths; {_CURE}")
    if about.get("version") != VERSION and not any_version:
        raise UsageError(f"{folder} was made by another version of kgqa ({about.get('version')}); train it again")
    return about


def read_model(folder: Path | str) -> PathModelFiles:
    """Read a saved ranker; its encoder is loaded when first used.

    :raises UsageError: it is none, or one of another version, or a part of it is missing
    """
    about = read_about(folder)
    folder = Path(folder).expanduser()
    weights = _weights(folder / WEIGHTS)
    encoder = _encoder(folder, about, weights)
    return PathModelFiles(
        encoder=encoder,
        decoder=Decoder(weights),
        least_fit=float(about["least_fit"]),
        calibration=Calibration(*about["calibration"]),
        relations=frozenset(about.get("relations", ())),
        asked=frozenset(about["asked_relations"]),
        about=about,
        reranker=read_reranker(folder / RERANKER, encoder) if about.get("reranker") else None,
    )


def _weights(file: Path) -> dict[str, Floats]:
    """Weights of a file.

    :raises UsageError: it can't be read
    :raises MissingExtraError: safetensors is not installed
    """
    try:
        from safetensors.numpy import load_file
    except ImportError as error:
        raise MissingExtraError("safetensors", "local") from error
    try:
        held = load_file(file)
    except Exception as error:  # safetensors raises nothing more precise
        raise UsageError(f"{file} can't be read: {error}; train it again") from error
    return {name: value.astype(np.float32, copy=False) for name, value in held.items()}


def read_reranker(folder: Path, encoder: TokenEncoder) -> PathReranker:
    """What ranks proposed paths again.

    :param encoder: the ranker's, which it reads with if it has none of its own
    :raises UsageError: a part of it is missing, or it was made by an older version
    """
    weights = _weights(folder / RERANKER_WEIGHTS)
    if MEMORY not in weights:
        raise UsageError(f"{folder / RERANKER_WEIGHTS} was made by an older version of kgqa; train it again")
    try:
        about = json.loads((folder / RERANKER_CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder / RERANKER_CONFIG} can't be read: {error}; train it again") from error
    learned = Learned(about["codes"], about["paths"], *(weights[f"learned.{name}.weight"] for name in LEARNED))
    memory = Memory(weights[MEMORY], about["asked_paths"], [Asked(*one) for one in about["asked"]])
    return PathReranker(_tuned(folder / about["encoder"]) if about["encoder"] else encoder, weights, learned, memory)


def _tuned(folder: Path) -> OnnxEncoder:
    """An encoder that was fine-tuned; nothing is loaded yet.

    :raises UsageError: it is not there
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is missing, the encoder that was fine-tuned; train it again")
    return OnnxEncoder(str(folder))


def _encoder(folder: Path, about: Mapping[str, Any], weights: Mapping[str, Floats]) -> TokenEncoder:
    """What reads questions and the steps' words; nothing is loaded yet.

    :raises UsageError: the fine-tuned encoder is not in the folder
    """
    name = about["encoder"]
    if name == CHARACTERS:
        return CharacterEncoder(about["alphabet"], weights)
    words = OnnxEncoder(name)
    if not about.get("question_encoder"):
        return words
    return TunedEncoder(words, _tuned(folder / about["question_encoder"]).encode_tokens)
