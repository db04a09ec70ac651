"""Vectors that are kept: in memory by text, and on disk for texts that belong to the graph."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kgqa_graphdb.encode.encoder import Encoder
from kgqa_graphdb.encode.locate import cache_folder
from kgqa_graphdb.types import Vectors

MEMORY_TEXTS = 50_000
"""At 384 dimensions 77 MB."""
DISK_TEXTS = 200_000
"""At 384 dimensions some 330 MB; the oldest go first."""
BUSY_TIMEOUT_S = 1.0
_LOOKUP = 500


class CachedEncoder:
    """An encoder that embeds a text once.

    Relation paths are embedded again and again, so their vectors are also kept on disk, under a digest of the text.
    A question's are not: what people ask stays in memory. A disk that is full, locked or read-only costs time, never
    an answer. Safe to use from several threads and processes; an interruption loses at most what was being written.
    """

    def __init__(self, encoder: Encoder, folder: Path | None = None, memory_texts: int = MEMORY_TEXTS) -> None:
        """
        :param folder: where vectors are kept; ``None``: the cache folder
        :param memory_texts: vectors in memory at most
        """
        self.encoder = encoder
        self._folder = folder
        self._memory_texts = max(1, memory_texts)
        self._rows: OrderedDict[str, int] = OrderedDict()
        self._matrix: Vectors = np.zeros((0, 0), dtype=np.float32)
        self._lock = threading.RLock()
        self._disk_failed = False

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self.encoder.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self.encoder.dim

    @property
    def fingerprint(self) -> str:
        """The encoder's fingerprint."""
        return self.encoder.fingerprint

    def encode(self, texts: Sequence[str], *, keep: bool = False) -> Vectors:
        """Embed texts, or look their vectors up.

        :param keep: the texts belong to the graph: keep their vectors on disk
        :return: shape (texts, dim), float32, unit L2 norm
        :raises EncoderError: the model can't be found or run
        """
        with self._lock:
            rows = [self._rows.get(text, -1) for text in texts]
            if -1 not in rows and rows:
                for text in texts:
                    self._rows.move_to_end(text)
                return self._matrix[rows]
            known = {text: self._matrix[row] for text, row in zip(texts, rows, strict=True) if row >= 0}
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        if keep and missing:
            kept = self._read(missing)
            known |= kept
            missing = [text for text in missing if text not in kept]
        else:
            kept = {}
        fresh = dict(zip(missing, self.encoder.encode(missing), strict=True)) if missing else {}
        if keep and fresh:
            self._write(fresh)
        known |= fresh
        with self._lock:
            for text, vector in (kept | fresh).items():
                self._remember(text, vector)
        if not texts:
            return self.encoder.encode([])
        return np.stack([known[text] for text in texts])

    def _remember(self, text: str, vector: np.ndarray[tuple[int], np.dtype[np.float32]]) -> None:
        if text in self._rows:
            return
        if len(self._rows) >= self._memory_texts:
            _, row = self._rows.popitem(last=False)
        else:
            row = len(self._rows)
            if row >= len(self._matrix):
                size = min(self._memory_texts, max(256, 2 * len(self._matrix)))
                grown = np.zeros((size, len(vector)), dtype=np.float32)
                grown[: len(self._matrix)] = self._matrix[:, : len(vector)] if len(self._matrix) else 0
                self._matrix = grown
        self._matrix[row] = vector
        self._rows[text] = row

    # ── Disk ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _connect(self) -> sqlite3.Connection:
        folder = self._folder or cache_folder() / "vectors"
        folder.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(folder / f"{self.fingerprint}.sqlite3", timeout=BUSY_TIMEOUT_S)
        connection.execute("PRAGMA synchronous = OFF")  # it is a cache
        connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL)")
        return connection

    def _read(self, texts: Sequence[str]) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float32]]]:
        """The kept vectors among those of some texts."""
        if self._disk_failed or not self.fingerprint:
            return {}
        by_key = {_key(text): text for text in texts}
        keys = list(by_key)
        found = {}
        try:
            with contextlib.closing(self._connect()) as connection:
                for start in range(0, len(keys), _LOOKUP):
                    part = keys[start : start + _LOOKUP]
                    marks = ",".join("?" * len(part))
                    statement = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608 - question marks
                    for key, vector in connection.execute(statement, part):
                        if len(vector) == 4 * self.dim:
                            found[by_key[key]] = np.frombuffer(vector, dtype=np.float32)
        except (sqlite3.Error, OSError):
            self._disk_failed = True
        return found

    def _write(self, vectors: dict[str, np.ndarray[tuple[int], np.dtype[np.float32]]]) -> None:
        if self._disk_failed or not self.fingerprint:
            return
        rows = [(_key(text), vector.tobytes()) for text, vector in vectors.items()]
        try:
            with contextlib.closing(self._connect()) as connection, connection:
                connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
                connection.execute(
                    "DELETE FROM vectors WHERE rowid <= (SELECT max(rowid) FROM vectors) - ?", (DISK_TEXTS,)
                )
        except (sqlite3.Error, OSError):
            self._disk_failed = True


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
