"""Text encoders: texts in, unit vectors out."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from kgqa_graphdb.encode.locate import ModelFiles, locate_encoder
from kgqa_graphdb.errors import EncoderError, MissingExtraError
from kgqa_graphdb.types import Vectors

MAX_BATCH_TEXTS = 64
MAX_THREADS = 8
"""More do not make one question faster."""


class Encoder(Protocol):
    """Turns texts into vectors whose dot product says how near the texts are in meaning."""

    @property
    def name(self) -> str: ...

    @property
    def dim(self) -> int: ...

    @property
    def fingerprint(self) -> str:
        """Changes when the vectors do; empty: unknown, so keep no vectors."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts.

        :return: shape (texts, dim), float32, unit L2 norm
        :raises EncoderError: the model can't be found or run
        """
        ...


class OnnxEncoder:
    """A sentence encoder on onnxruntime: mean of the token vectors, or the first, at unit norm.

    The constructor reads nothing: the model is found and loaded by the first call that needs it. Safe to use from
    several threads.
    """

    def __init__(self, name: str = "", threads: int = 0) -> None:
        """
        :param name: see :func:`kgqa_graphdb.encode.locate.locate_encoder`
        :param threads: 0: one per physical core
        """
        self._asked = name
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    @property
    def name(self) -> str:
        """The model's hub id or folder name."""
        return self._load().files.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._load().dim

    @property
    def fingerprint(self) -> str:
        """Changes when the weights or the tokenizer do."""
        return self._load().files.fingerprint

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, batched by length.

        :return: shape (texts, dim), float32, unit L2 norm
        :raises EncoderError: the model can't be found or run
        """
        return self._load().encode(texts)

    def _load(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = _Loaded(locate_encoder(self._asked), self._threads)
            return self._loaded


class _Loaded:
    """A tokenizer and an open session."""

    def __init__(self, files: ModelFiles, threads: int) -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise EncoderError(str(MissingExtraError(str(error.name), "local"))) from error
        self.files = files
        state = onnxruntime.capi.onnxruntime_pybind11_state
        kinds = (kind for kind in vars(state).values() if isinstance(kind, type) and issubclass(kind, Exception))
        self._run_errors: tuple[type[Exception], ...] = (
            *kinds,
            RuntimeError,
            KeyError,
        )  # they have no base class of their own
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or physical_cores()
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Idle threads that spin would take the cores from Neo4j beside us.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._tokenizer = Tokenizer.from_file(str(files.tokenizer))
            self._session = onnxruntime.InferenceSession(str(files.onnx), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # tokenizers raises nothing more precise
            raise EncoderError(f"can't load the text encoder from {files.onnx.parent}: {error}") from error
        self._tokenizer.enable_truncation(max_length=files.max_tokens)
        self._tokenizer.no_padding()
        self._inputs = {node.name for node in self._session.get_inputs()}
        outputs = [node.name for node in self._session.get_outputs()]
        self._pooled = "sentence_embedding" in outputs
        self._output = "sentence_embedding" if self._pooled else outputs[0]
        self.dim = int(self.encode([""]).shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        encoded = self._tokenizer.encode_batch(list(texts) or [""])
        found: list[np.ndarray[Any, Any] | None] = [None] * len(encoded)
        for batch in _batches([len(item.ids) for item in encoded]):
            width = max(len(encoded[index].ids) for index in batch)
            ids = np.zeros((len(batch), width), dtype=np.int64)
            mask = np.zeros((len(batch), width), dtype=np.int64)
            for row, index in enumerate(batch):
                size = len(encoded[index].ids)
                ids[row, :size] = encoded[index].ids
                mask[row, :size] = 1
            for index, vector in zip(batch, self._run(ids, mask), strict=True):
                found[index] = vector
        return np.array(found, dtype=np.float32)[: len(texts)]  # (texts, dim)

    def _run(self, ids: np.ndarray[Any, Any], mask: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            (output,) = self._session.run([self._output], {key: feed[key] for key in self._inputs})
        except self._run_errors as error:
            raise EncoderError(f"the text encoder {self.files.name!r} failed: {error}") from error
        vectors = np.asarray(output, dtype=np.float32)
        if not self._pooled:  # (texts, tokens, dim)
            weight = mask[:, :, None].astype(np.float32)
            vectors = vectors[:, 0] if self.files.first_token else (vectors * weight).sum(1) / weight.sum(1)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: np.ndarray[Any, Any] = vectors / np.maximum(norms, 1e-12)
        return unit


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indices in batches of texts of like length, longest first."""
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    for start in range(0, len(order), MAX_BATCH_TEXTS):
        yield order[start : start + MAX_BATCH_TEXTS]


def physical_cores() -> int:
    """Cores to compute on: the physical ones that this process may use, at most :data:`MAX_THREADS`."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        import psutil
    except ImportError:
        physical = allowed
    else:
        physical = psutil.cpu_count(logical=False) or allowed
    return max(1, min(allowed, physical, MAX_THREADS))
