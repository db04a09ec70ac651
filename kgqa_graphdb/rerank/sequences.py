"""Scores linearised subgraphs against a question with a cross-encoder, on onnxruntime."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kgqa_graphdb.errors import EncoderError, MissingExtraError
from kgqa_graphdb.rerank.shown import RankRequest
from kgqa_graphdb.types import Floats

AT_ONCE = 32
"""Pairs of a batch; those of like length are read together."""


class SequenceRanker:
    """A cross-encoder: question and sequence in, one number out.

    The constructor reads nothing: the model is loaded by the first call. Safe to use from several threads.

    :param onnx: the model; its inputs are those of its tokenizer, its one output has shape (pairs, 1)
    :param tokenizer: its ``tokenizer.json``
    :param max_tokens: of question and sequence together; the sequence is cut first
    """

    def __init__(self, onnx: Path, tokenizer: Path, max_tokens: int) -> None:
        self._files, self._max_tokens = (onnx, tokenizer), max_tokens
        self._lock = threading.Lock()
        self._opened: tuple[Any, Any] | None = None

    def scores(self, items: Sequence[RankRequest]) -> list[Floats]:
        """The score of each sequence, shape (sequences,) each; a pair that comes twice is read once.

        :raises EncoderError: the model can't be read or run
        """
        pairs = list(dict.fromkeys((one.question, text) for one in items for text in one.sequences))
        place = {pair: number for number, pair in enumerate(pairs)}
        found = self._scored(pairs)
        return [found[[place[one.question, text] for text in one.sequences]] for one in items]

    def _scored(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        session, tokenizer = self._open()
        wanted = {one.name for one in session.get_inputs()}
        encoded = tokenizer.encode_batch(list(pairs)) if pairs else []
        sizes = np.array([len(one.ids) for one in encoded], dtype=np.int64)
        found = np.zeros(len(pairs), dtype=np.float32)
        order = np.argsort(sizes, kind="stable")
        for start in range(0, len(order), AT_ONCE):
            some = order[start : start + AT_ONCE]
            shape = (len(some), int(sizes[some].max()))
            inputs = {name: np.zeros(shape, dtype=np.int64) for name in wanted}
            for row, number in enumerate(some.tolist()):
                one = encoded[number]
                own = {"input_ids": one.ids, "attention_mask": one.attention_mask, "token_type_ids": one.type_ids}
                for name in wanted:
                    inputs[name][row, : len(one.ids)] = own[name]
            try:
                found[some] = session.run(None, inputs)[0][:, 0]
            except Exception as error:  # onnxruntime's errors have no base class of their own
                raise EncoderError(f"{self._files[0]} can't be run: {error}") from error
        return found

    def _open(self) -> tuple[Any, Any]:
        with self._lock:
            if self._opened is None:
                self._opened = self._load()
            return self._opened

    def _load(self) -> tuple[Any, Any]:
        from kgqa_graphdb.encode.encoder import physical_cores

        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise EncoderError(str(MissingExtraError(str(error.name), "local"))) from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = physical_cores()
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        onnx, file = self._files
        try:
            tokenizer = Tokenizer.from_file(str(file))
            session = onnxruntime.InferenceSession(str(onnx), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # tokenizers and onnxruntime raise nothing more precise
            raise EncoderError(f"the ranker in {onnx.parent} can't be read: {error}; train it again") from error
        tokenizer.enable_truncation(max_length=self._max_tokens, strategy="only_second")
        tokenizer.no_padding()
        return session, tokenizer
