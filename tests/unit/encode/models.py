"""A tiny BERT with random weights, written as a model's publisher would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

CONFIG = {
    "model_type": "bert", "hidden_act": "gelu", "hidden_size": 24, "num_attention_heads": 4, "num_hidden_layers": 2,
    "intermediate_size": 40, "layer_norm_eps": 1e-12, "max_position_embeddings": 32,
}  # fmt: skip
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "who", "directed", "the", "film", "a", "river", "flows", "into", "sea"]


def tiny_weights(seed: int = 0) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """Random weights of a model of :data:`CONFIG`."""
    rng = np.random.default_rng(seed)
    dim, inner = 24, 40
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), dim),
        "embeddings.position_embeddings.weight": (32, dim),
        "embeddings.token_type_embeddings.weight": (2, dim),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(2):
        key = f"encoder.layer.{layer}"
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            shapes |= {f"{key}.{part}.weight": (dim, dim), f"{key}.{part}.bias": (dim,)}
        shapes |= {f"{key}.intermediate.dense.weight": (inner, dim), f"{key}.intermediate.dense.bias": (inner,)}
        shapes |= {f"{key}.output.dense.weight": (dim, inner), f"{key}.output.dense.bias": (dim,)}
        norms += [f"{key}.attention.output.LayerNorm", f"{key}.output.LayerNorm"]
    for norm in norms:
        shapes |= {f"{norm}.weight": (dim,), f"{norm}.bias": (dim,)}
    return {key: rng.normal(0, 0.3, shape).astype(np.float32) for key, shape in shapes.items()}


def write_model(folder: Path, weights: dict[str, np.ndarray[Any, np.dtype[np.float32]]], **config: Any) -> Path:
    """Write a model's folder: settings, weights and tokenizer."""
    safetensors = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    pytest.importorskip("onnx", reason="onnx is not installed")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(CONFIG | config), encoding="utf-8")
    safetensors.save_file(weights, folder / "model.safetensors")
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
