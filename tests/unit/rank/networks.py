"""A trained ranker's parts, made up: an encoder that knows words by their letters, and random weights."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from kgqa_graphdb.encode import TokenEncoder
from kgqa_graphdb.encode.characters import WEIGHTS_PREFIX, WINDOW
from kgqa_graphdb.models import ModelCard, write_model, write_weights
from kgqa_graphdb.rank.calibration import Calibration
from kgqa_graphdb.rank.decoder import Decoder
from kgqa_graphdb.rank.model import FORMAT, METHOD, PARTS, WEIGHTS, PathModelDetails, PathModelFiles
from kgqa_graphdb.types import Floats, Vectors

WIDTH = 32
DETAILS = PathModelDetails(
    least_fit=0.25,
    calibration=Calibration(1.5, -0.5),
    relations=frozenset("ab"),
    asked_relations=frozenset("a"),
)


class WordEncoder:
    """Gives every word a vector of its own, drawn from its letters."""

    name = fingerprint = "words"
    dim = WIDTH

    def encode_tokens(self, texts: Sequence[str]) -> list[Floats]:
        return [np.stack([_vector(word) for word in ("[CLS]", *text.lower().split())]) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        sums = np.stack([tokens[1:].sum(axis=0) for tokens in self.encode_tokens(texts)])
        unit: Vectors = (sums / np.linalg.norm(sums, axis=1, keepdims=True)).astype(np.float32)
        return unit


def _vector(word: str) -> Floats:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest(), "little")
    return np.random.default_rng(seed).normal(size=WIDTH).astype(np.float32)


def random_weights(seed: int = 0, dim: int = 16) -> dict[str, Floats]:
    """Weights of a network that was not trained."""
    rng = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {
        "start": (dim,), "ends": (2, WIDTH), "scale": (), "gru.weight_ih": (3 * dim, dim), "gru.bias_ih": (3 * dim,),
        "gru.weight_hh": (3 * dim, dim), "gru.bias_hh": (3 * dim,), "out.0.weight": (dim, 2 * dim),
        "out.0.bias": (dim,), "out.2.weight": (dim, dim), "out.2.bias": (dim,), "query.weight": (dim, dim),
        "query.bias": (dim,),
    }  # fmt: skip
    for name in ("key", "value", "step"):
        shapes |= {f"{name}.weight": (dim, WIDTH), f"{name}.bias": (dim,)}
    return {name: np.asarray(rng.normal(0, 0.3, shape), dtype=np.float32) for name, shape in shapes.items()}


def character_weights(symbols: int, seed: int = 0, dim: int = WIDTH) -> dict[str, Floats]:
    """Weights of an encoder of characters that was not trained, named as a ranker names them."""
    rng = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {"embedding.weight": (symbols, dim)}
    for layer in ("layers.0", "layers.1"):
        shapes |= {f"{layer}.weight": (dim, dim, WINDOW), f"{layer}.bias": (dim,)}
    return {
        f"{WEIGHTS_PREFIX}{name}": np.asarray(rng.normal(0, 0.1, shape), dtype=np.float32)
        for name, shape in shapes.items()
    }


def made_model(weights: dict[str, Floats] | None = None, encoder: TokenEncoder | None = None) -> PathModelFiles:
    """A model that was never saved."""
    decoder = Decoder(weights or random_weights())
    return PathModelFiles(encoder or WordEncoder(), decoder)


def save(folder: Path, weights: Mapping[str, Floats], details: PathModelDetails = DETAILS, **card: Any) -> None:
    """Save a model that was not trained."""
    known = {"method": METHOD, "format": FORMAT} | card
    with write_model(folder, ModelCard(**known, details=asdict(details)), PARTS) as part:
        write_weights(weights, part / WEIGHTS)
