"""Completions that are kept on disk, so that none is made twice."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from kgqa_graphdb.lm.files import adapter_fingerprint
from kgqa_graphdb.lm.protocols import LanguageModel
from kgqa_graphdb.steps import Sampling

T = TypeVar("T")
FILE = "completions.sqlite"
_TABLE = "CREATE TABLE IF NOT EXISTS completions (key TEXT PRIMARY KEY, texts TEXT NOT NULL) WITHOUT ROWID"


class CachedModel:
    """A language model whose completions and scores are kept by all that they depend on: the model's fingerprint, the
    sampling and the prompt. A file that can't be read or written is left alone: the model is asked.

    :param model: what is asked for the rest
    :param folder: where the file lies
    """

    def __init__(self, model: LanguageModel, folder: Path) -> None:
        self.model = model
        self._file = folder / FILE
        self._connection: sqlite3.Connection | None = None
        self._broken = False
        self._lock = Lock()

    @property
    def name(self) -> str:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.name`."""
        return self.model.name

    @property
    def fingerprint(self) -> str:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.fingerprint`."""
        return self.model.fingerprint

    @property
    def context_window(self) -> int:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.context_window`."""
        return self.model.context_window

    def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.generate`."""
        keys = [self._key("generate", _described(sampling), prompt) for prompt in prompts]
        kept = self._read(keys)
        missing = {key: prompt for key, prompt in zip(keys, prompts, strict=True) if key not in kept}
        if missing:
            made = self.model.generate(list(missing.values()), sampling)
            new = {key: json.dumps(texts) for key, texts in zip(missing, made, strict=True)}
            self._write(new)
            kept |= new
        return [tuple(json.loads(kept[key])) for key in keys]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.score`."""
        keys = [self._key("score", *pair) for pair in pairs]
        kept = self._read(keys)
        missing = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in kept}
        if missing:
            scores = self.model.score(list(missing.values()))
            new = {key: json.dumps(score) for key, score in zip(missing, scores, strict=True)}
            self._write(new)
            kept |= new
        return [float(json.loads(kept[key])) for key in keys]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.count_tokens`."""
        return self.model.count_tokens(texts)

    def stream(self, prompt: str, sampling: Sampling) -> Iterator[str]:
        """See :meth:`kgqa_graphdb.lm.LanguageModel.stream`; kept when it was read to its end."""
        key = self._key("generate", _described(sampling), prompt)
        kept = self._read([key])
        if key in kept:
            yield json.loads(kept[key])[0]
            return
        pieces = []
        for piece in self.model.stream(prompt, sampling):
            pieces.append(piece)
            yield piece
        if sampling.n == 1:
            self._write({key: json.dumps(["".join(pieces)])})

    def _key(self, *parts: object) -> str:
        text = json.dumps([self.model.fingerprint, *parts], sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def _read(self, keys: Sequence[str]) -> dict[str, str]:
        def read(connection: sqlite3.Connection) -> dict[str, str]:
            rows = (connection.execute("SELECT key, texts FROM completions WHERE key = ?", [key]) for key in keys)
            return {key: texts for found in rows for key, texts in found}

        return self._with_file(read) or {}

    def _write(self, new: dict[str, str]) -> None:
        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO completions VALUES (?, ?)", list(new.items()))

        self._with_file(write)

    def _with_file(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """What work on the file gives; ``None`` when it can't be used, and once it could not be."""
        with self._lock:
            if self._broken:
                return None
            try:
                return work(self._connect())
            except (sqlite3.Error, OSError):
                self._broken = True
                return None

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.touch(mode=0o600)  # prompts hold facts of the graph
            self._connection = sqlite3.connect(self._file, timeout=5, check_same_thread=False)
            self._connection.execute(_TABLE)
        return self._connection


def _described(sampling: Sampling) -> dict[str, Any]:
    """All that a completion depends on beside the model and the prompt; of an adapter its files, too."""
    found = asdict(sampling)
    adapter = found.pop("adapter")
    if sampling.groups == 1:  # then neither changes a completion; keys from before there were groups stay
        del found["groups"], found["diversity"]
    return {**found, "adapter": [adapter, adapter_fingerprint(adapter)]} if adapter else found
