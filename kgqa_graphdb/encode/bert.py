"""Build an ONNX graph of a BERT sentence encoder from its safetensors, once; torch is not needed.

Inputs ``input_ids`` and ``attention_mask``, shape (texts, tokens), int64. Outputs ``sentence_embedding``, shape
(texts, dim), float32, unit L2 norm: the mean over a text's tokens, or its first token, as the model's own pooling
file says; and ``token_embeddings``, shape (texts, tokens, dim): the last layer's. The graph is BERT's (Devlin et al.
2019) with one change of layout, none of result: the query, key and value matrices of a layer are one matrix, because
one large product is faster than three.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgqa_graphdb.documents import parse_json
from kgqa_graphdb.errors import EncoderError, MissingExtraError
from kgqa_graphdb.types import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

OPSET = 17
"""The first with LayerNormalization, the lowest that every supported onnxruntime reads."""
IR_VERSION = 8
WEIGHTS = "model.safetensors"


class _Builder:
    """Collects nodes and constants; every method gives the name of what it added."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._count = 0

    def constant(self, value: np.ndarray[Any, Any], name: str = "") -> str:
        from onnx import numpy_helper

        self._count += 1
        name = name or f"constant_{self._count}"
        self.constants.append(numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def node(self, op: str, inputs: Sequence[str], name: str = "", **attributes: Any) -> str:
        from onnx import helper

        self._count += 1
        name = name or f"{op.lower()}_{self._count}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], **attributes))
        return name


def read_json(path: Path) -> dict[str, Any]:
    """Read a model's settings file; empty when there is none.

    :raises EncoderError: it is not a JSON object
    """
    if not path.is_file():
        return {}
    try:
        found = parse_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EncoderError(f"can't read {path}: {error}") from error
    if not isinstance(found, dict):
        raise EncoderError(f"{path} is not a JSON object")
    return found


def read_config(folder: Path) -> dict[str, Any]:
    """The ``config.json`` of a BERT.

    :raises EncoderError: the model is none
    """
    config = read_json(folder / "config.json")
    if config.get("model_type") != "bert" or config.get("hidden_act", "gelu") != "gelu":
        raise EncoderError(
            f"{folder} holds a model of type {config.get('model_type')!r}; only BERT can be built from safetensors. "
            "Export it to ONNX and give the folder with model.onnx and tokenizer.json"
        )
    return config


def read_weights(folder: Path) -> dict[str, Floats]:
    """The weights of a BERT by their names, without what some publishers put before each.

    :raises EncoderError: the file can't be read
    :raises MissingExtraError: ``safetensors`` is not installed
    """
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file
    except ImportError as error:
        raise MissingExtraError("safetensors", "local") from error
    try:
        raw = load_file(folder / WEIGHTS)
    except (OSError, SafetensorError) as error:
        raise EncoderError(f"can't read {folder / WEIGHTS}: {error}") from error
    return {
        key.removeprefix("bert."): value.astype(np.float32)
        for key, value in raw.items()
        if value.ndim and np.issubdtype(value.dtype, np.floating)
    }


def build_onnx(folder: Path, target: Path) -> None:
    """Write the ONNX file, and its weights beside it, of the model in a folder.

    Reads ``config.json``, ``model.safetensors`` and, if there is one, ``1_Pooling/config.json``.

    :raises EncoderError: the model is no BERT, or its files are damaged
    :raises MissingExtraError: ``onnx`` or ``safetensors`` is not installed
    """
    try:
        from onnx import TensorProto, checker, helper, save_model
    except ImportError as error:
        raise MissingExtraError("onnx", "local") from error
    config, weights = read_config(folder), read_weights(folder)
    cls_pooling = bool(read_json(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token", False))
    graph = _Builder()
    try:
        _bert(graph, weights, config, cls_pooling)
    except KeyError as error:
        raise EncoderError(f"{folder / WEIGHTS} lacks the tensor {error.args[0]!r}") from error
    dim = int(config["hidden_size"])
    shape = ["texts", "tokens"]
    proto = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "sentence_encoder",
            [
                helper.make_tensor_value_info("input_ids", TensorProto.INT64, shape),
                helper.make_tensor_value_info("attention_mask", TensorProto.INT64, shape),
            ],
            [
                helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["texts", dim]),
                helper.make_tensor_value_info("token_embeddings", TensorProto.FLOAT, [*shape, dim]),
            ],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="kgqa-graphdb",
    )
    checker.check_model(proto)
    # Weights beside the graph are mapped into memory: a session opens in 0.06 s instead of 0.26 s (2 cores).
    save_model(
        proto,
        str(target),
        save_as_external_data=True,
        all_tensors_to_one_file=True,
        location=f"{target.name}_data",
        size_threshold=1024,
    )


def _bert(graph: _Builder, weights: dict[str, np.ndarray[Any, Any]], config: dict[str, Any], cls_pooling: bool) -> None:
    """Add the whole model."""
    dim, heads = int(config["hidden_size"]), int(config["num_attention_heads"])
    epsilon = float(config.get("layer_norm_eps", 1e-12))
    head_dim = dim // heads

    def ints(*values: int) -> str:
        return graph.constant(np.array(values, dtype=np.int64))

    def real(value: float) -> str:
        return graph.constant(np.array(value, dtype=np.float32))

    def norm(x: str, key: str) -> str:
        scale, bias = graph.constant(weights[f"{key}.weight"]), graph.constant(weights[f"{key}.bias"])
        return graph.node("LayerNormalization", [x, scale, bias], axis=-1, epsilon=epsilon)

    def dense(x: str, matrix: np.ndarray[Any, Any], bias: np.ndarray[Any, Any]) -> str:
        return graph.node("Add", [graph.node("MatMul", [x, graph.constant(matrix.T)]), graph.constant(bias)])

    # Token, position and type embeddings; every token is of type 0, so that one goes into the positions.
    key = "embeddings"
    words = graph.node("Gather", [graph.constant(weights[f"{key}.word_embeddings.weight"]), "input_ids"])
    positions = weights[f"{key}.position_embeddings.weight"] + weights[f"{key}.token_type_embeddings.weight"][0]
    tokens = graph.node("Gather", [graph.node("Shape", ["input_ids"]), ints(1)])
    places = graph.node("Slice", [graph.constant(positions), ints(0), tokens, ints(0)])
    x = norm(graph.node("Add", [words, places]), f"{key}.LayerNorm")  # (texts, tokens, dim)

    mask = graph.node("Cast", ["attention_mask"], to=1)  # float32
    wide = graph.node("Unsqueeze", [mask, ints(1, 2)])  # (texts, 1, 1, tokens)
    barred = graph.node("Mul", [graph.node("Sub", [real(1.0), wide]), real(-10000.0)])
    one, root_two, half = real(1.0), real(math.sqrt(2.0)), real(0.5)
    split_shape, merge_shape = ints(0, 0, 3, heads, head_dim), ints(0, 0, dim)
    scale = np.float32(1.0 / math.sqrt(head_dim))

    for number in range(int(config["num_hidden_layers"])):
        key = f"encoder.layer.{number}"
        part = f"{key}.attention.self"
        # The scale of the scores is folded into the query.
        query, query_bias = weights[f"{part}.query.weight"] * scale, weights[f"{part}.query.bias"] * scale
        matrix = np.concatenate([query, weights[f"{part}.key.weight"], weights[f"{part}.value.weight"]])
        bias = np.concatenate([query_bias, weights[f"{part}.key.bias"], weights[f"{part}.value.bias"]])
        split = graph.node("Reshape", [dense(x, matrix, bias), split_shape])  # (texts, tokens, 3, heads, head_dim)
        q, k, v = (graph.node("Gather", [split, graph.constant(np.array(i, dtype=np.int64))], axis=2) for i in range(3))
        q = graph.node("Transpose", [q], perm=[0, 2, 1, 3])  # (texts, heads, tokens, head_dim)
        k = graph.node("Transpose", [k], perm=[0, 2, 3, 1])  # (texts, heads, head_dim, tokens)
        v = graph.node("Transpose", [v], perm=[0, 2, 1, 3])
        scores = graph.node("Add", [graph.node("MatMul", [q, k]), barred])
        mixed = graph.node("MatMul", [graph.node("Softmax", [scores], axis=-1), v])
        merged = graph.node("Reshape", [graph.node("Transpose", [mixed], perm=[0, 2, 1, 3]), merge_shape])
        part = f"{key}.attention.output"
        attended = dense(merged, weights[f"{part}.dense.weight"], weights[f"{part}.dense.bias"])
        x = norm(graph.node("Add", [attended, x]), f"{part}.LayerNorm")
        inner = dense(x, weights[f"{key}.intermediate.dense.weight"], weights[f"{key}.intermediate.dense.bias"])
        # Exact GELU: x · (1 + erf(x / √2)) · ½
        erf = graph.node("Add", [graph.node("Erf", [graph.node("Div", [inner, root_two])]), one])
        active = graph.node("Mul", [graph.node("Mul", [inner, erf]), half])
        outer = dense(active, weights[f"{key}.output.dense.weight"], weights[f"{key}.output.dense.bias"])
        x = norm(graph.node("Add", [outer, x]), f"{key}.output.LayerNorm")

    graph.node("Identity", [x], name="token_embeddings")
    if cls_pooling:
        pooled = graph.node("Gather", [x, graph.constant(np.array(0, dtype=np.int64))], axis=1)
    else:
        column = graph.node("Unsqueeze", [mask, ints(2)])  # (texts, tokens, 1)
        total = graph.node("ReduceSum", [graph.node("Mul", [x, column]), ints(1)], keepdims=0)
        pooled = graph.node("Div", [total, graph.node("ReduceSum", [column, ints(1)], keepdims=0)])
    length = graph.node("ReduceL2", [pooled], axes=[1], keepdims=1)
    graph.node("Div", [pooled, length], name="sentence_embedding")
