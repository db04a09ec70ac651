"""BERT's forward pass in numpy, written from the paper's formulas: what the ONNX graph is checked against."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


def _norm(x: Array, scale: Array, bias: Array, epsilon: float) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon) * scale + bias


def sentence_embedding(weights: Mapping[str, Array], config: Mapping[str, Any], ids: list[int]) -> Array:
    """The unit mean of one text's token vectors, shape (dim,)."""
    heads, epsilon = config["num_attention_heads"], config["layer_norm_eps"]

    def dense(x: Array, key: str) -> Array:
        return x @ weights[f"{key}.weight"].T + weights[f"{key}.bias"]

    def norm(x: Array, key: str) -> Array:
        return _norm(x, weights[f"{key}.weight"], weights[f"{key}.bias"], epsilon)

    x = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    x = norm(x, "embeddings.LayerNorm")
    size = x.shape[1] // heads
    erf = np.vectorize(math.erf)
    for layer in range(config["num_hidden_layers"]):
        key = f"encoder.layer.{layer}"
        q, k, v = (
            dense(x, f"{key}.attention.self.{part}").reshape(len(ids), heads, size).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(size)
        weighted = np.exp(scores - scores.max(-1, keepdims=True))
        weighted /= weighted.sum(-1, keepdims=True)
        mixed = (weighted @ v).transpose(1, 0, 2).reshape(len(ids), -1)
        x = norm(dense(mixed, f"{key}.attention.output.dense") + x, f"{key}.attention.output.LayerNorm")
        inner = dense(x, f"{key}.intermediate.dense")
        inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        x = norm(dense(inner, f"{key}.output.dense") + x, f"{key}.output.LayerNorm")
    mean = x.mean(0)
    unit: Array = mean / np.linalg.norm(mean)
    return unit
