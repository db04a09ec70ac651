"""Writes a cross-encoder as ONNX with weights of eight bits."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from kgqa_graphdb.errors import MissingExtraError
from kgqa_graphdb.rerank.files import ONNX, TOKENIZER

if TYPE_CHECKING:
    from sentence_transformers.cross_encoder import CrossEncoder

OPSET = 17


class _Logits(nn.Module):
    """A network that takes its inputs by place and gives logits alone."""

    def __init__(self, network: nn.Module, names: list[str]) -> None:
        super().__init__()
        self.network, self.names = network, names

    def forward(self, *inputs: Any) -> Any:
        return self.network(**dict(zip(self.names, inputs, strict=True))).logits


def network_of(model: CrossEncoder) -> nn.Module:
    """The network in a cross-encoder, which takes what its tokenizer gives."""
    network: Any = model.model
    found: nn.Module = network
    return found


def save_ranker(model: CrossEncoder, folder: Path) -> None:
    """Write the ranker and its tokenizer to a folder.

    :raises MissingExtraError: ``onnx`` or ``onnxruntime`` is not installed
    """
    try:
        from onnxruntime.quantization import QuantType, quantize_dynamic
    except ImportError as error:
        raise MissingExtraError(str(error.name), "local") from error
    network = network_of(model).cpu().eval()
    sample = model.tokenizer(["a"], ["b"], return_tensors="pt")
    names = list(sample)
    whole = folder / f"whole-{ONNX}"
    quiet = logging.getLogger()
    level = quiet.level
    try:
        with warnings.catch_warnings():  # of shapes that are taken for fixed and are not
            warnings.simplefilter("ignore")
            quiet.setLevel(logging.ERROR)
            torch.onnx.export(
                _Logits(network, names), tuple(sample.values()), str(whole), input_names=names,
                output_names=["logits"], dynamic_axes={name: {0: "pairs", 1: "tokens"} for name in names},
                opset_version=OPSET, dynamo=False,
            )  # fmt: skip
            quantize_dynamic(str(whole), str(folder / ONNX), weight_type=QuantType.QInt8)
    finally:
        quiet.setLevel(level)
        whole.unlink(missing_ok=True)
    model.tokenizer.backend_tokenizer.save(str(folder / TOKENIZER))
