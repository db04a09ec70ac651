"""Text encoders: texts in, unit vectors out."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from kgqa_graphdb.encode.locate import ModelFiles, locate_encoder
from kgqa_graphdb.errors import EncoderError, MissingExtraError
from kgqa_graphdb.types import Floats, Ints, Vectors

MAX_BATCH_TEXTS = 64
MAX_BATCH_TOKENS = 2_048
"""Of a batch, padding included: one long question among its words would make all of them as long."""
MAX_THREADS = 8
"""More do not make one question faster."""


_WORD_BEGINS = ("▁", "Ġ")
"""What tokenizers put before a word that do not put ## before the rest of one."""


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


class TokenEncoder(Encoder, Protocol):
    """An encoder that also tells what each part of a text says: what a trained ranker reads with."""

    def encode_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """The vectors of each text's tokens, whichever the encoder has; at least one.

        :return: shape (tokens, dim) each, float32
        :raises EncoderError: the model can't be found or run, or gives no vectors of tokens
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

    def encode_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """The last layer's vectors of the tokens of each text, those that begin and end it among them.

        :return: shape (tokens, dim) each, float32
        :raises EncoderError: the model can't be found or run, or gives no vectors of tokens
        """
        return self._load().encode_tokens(texts)

    def words(self) -> list[str]:
        """The whole words of Latin letters in the tokenizer's vocabulary, in its order.

        :raises EncoderError: the model can't be found or run
        """
        return self._load().words()

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
        outputs = {node.name: len(node.shape) for node in self._session.get_outputs()}
        self._pooled = "sentence_embedding" in outputs
        self._output = "sentence_embedding" if self._pooled else next(iter(outputs))
        self._tokens = next((name for name, axes in outputs.items() if axes == 3), "")
        self.dim = int(self.encode([""]).shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        found: list[Floats | None] = [None] * len(texts)
        for batch, ids, mask in self._tokenized(list(texts) or [""]):
            for index, vector in zip(batch, self._embed(ids, mask), strict=True):
                found[index : index + 1] = [vector]
        return np.array(found, dtype=np.float32)[: len(texts)]  # (texts, dim)

    def encode_tokens(self, texts: Sequence[str]) -> list[Floats]:
        if not self._tokens:
            raise EncoderError(f"the text encoder {self.files.name!r} gives no vectors of single tokens")
        found: dict[int, Floats] = {}
        for batch, ids, mask in self._tokenized(texts):
            states = self._run(self._tokens, ids, mask)
            found |= {index: state[: used.sum()] for index, state, used in zip(batch, states, mask, strict=True)}
        return [found[index] for index in range(len(texts))]

    def words(self) -> list[str]:
        vocabulary = self._tokenizer.get_vocab()
        tokens = sorted(vocabulary, key=vocabulary.__getitem__)
        if not any(token.startswith("##") for token in tokens):
            tokens = [token[1:] for token in tokens if token.startswith(_WORD_BEGINS)]
        return [token for token in tokens if len(token) > 2 and token.isascii() and token.isalpha()]

    def _tokenized(self, texts: Sequence[str]) -> Iterator[tuple[list[int], Ints, Ints]]:
        """Batches of texts of like length: their indices, token ids and mask, both of shape (texts, tokens)."""
        encoded = self._tokenizer.encode_batch(list(texts))
        for batch in _batches([len(item.ids) for item in encoded]):
            width = max(len(encoded[index].ids) for index in batch)
            ids = np.zeros((len(batch), width), dtype=np.int64)
            mask = np.zeros((len(batch), width), dtype=np.int64)
            for row, index in enumerate(batch):
                size = len(encoded[index].ids)
                ids[row, :size] = encoded[index].ids
                mask[row, :size] = 1
            yield batch, ids, mask

    def _run(self, name: str, ids: Ints, mask: Ints) -> Floats:
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            (output,) = self._session.run([name], {key: feed[key] for key in self._inputs})
        except self._run_errors as error:
            raise EncoderError(f"the text encoder {self.files.name!r} failed: {error}") from error
        return np.asarray(output, dtype=np.float32)

    def _embed(self, ids: Ints, mask: Ints) -> Floats:
        vectors = self._run(self._output, ids, mask)
        if not self._pooled:  # (texts, tokens, dim)
            weight = mask[:, :, None].astype(np.float32)
            vectors = vectors[:, 0] if self.files.first_token else (vectors * weight).sum(1) / weight.sum(1)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Floats = vectors / np.maximum(norms, 1e-12)
        return unit


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indices in batches of texts of like length, longest first; a batch is as wide as its longest text."""
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    start = 0
    while start < len(order):
        size = max(1, min(MAX_BATCH_TEXTS, MAX_BATCH_TOKENS // max(1, lengths[order[start]])))
        yield order[start : start + size]
        start += size


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
