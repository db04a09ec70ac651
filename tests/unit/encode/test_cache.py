"""Kept vectors: looked up instead of computed, by several processes, and never needed for an answer."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from kgqa_graphdb.encode import CachedEncoder
from kgqa_graphdb.types import Vectors


class Lengths:
    """An encoder whose vectors say how long a text is; remembers what it was asked."""

    name, dim, fingerprint = "lengths", 2, "0123"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        angles = np.array([len(text) / 100 for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_a_text_is_embedded_once(tmp_path: Path) -> None:
    encoder = Lengths()
    cached = CachedEncoder(encoder, tmp_path)
    first = cached.encode(["a", "bb", "a"])
    np.testing.assert_array_equal(first, Lengths().encode(["a", "bb", "a"]))
    np.testing.assert_array_equal(cached.encode(["bb", "ccc", "a"]), Lengths().encode(["bb", "ccc", "a"]))
    assert encoder.asked == ["a", "bb", "ccc"]


def test_kept_vectors_serve_the_next_process(tmp_path: Path) -> None:
    CachedEncoder(Lengths(), tmp_path).encode(["a", "bb"], keep=True)
    encoder = Lengths()
    vectors = CachedEncoder(encoder, tmp_path).encode(["bb", "a"], keep=True)
    np.testing.assert_array_equal(vectors, Lengths().encode(["bb", "a"]))
    assert encoder.asked == []


def test_a_question_is_not_written_to_disk(tmp_path: Path) -> None:
    cached = CachedEncoder(Lengths(), tmp_path)
    cached.encode(["who is ill?"])
    assert list(tmp_path.iterdir()) == []


def test_no_text_is_readable_on_disk(tmp_path: Path) -> None:
    CachedEncoder(Lengths(), tmp_path).encode(["secret relation"], keep=True)
    (file,) = tmp_path.iterdir()
    assert b"secret" not in file.read_bytes()


def test_another_encoder_has_vectors_of_its_own(tmp_path: Path) -> None:
    CachedEncoder(Lengths(), tmp_path).encode(["a"], keep=True)
    other = Lengths()
    other.fingerprint = "4567"
    CachedEncoder(other, tmp_path).encode(["a"], keep=True)
    assert other.asked == ["a"]


def test_memory_is_bounded_and_drops_what_was_used_least_lately(tmp_path: Path) -> None:
    encoder = Lengths()
    cached = CachedEncoder(encoder, tmp_path, memory_texts=3)
    cached.encode(["a", "bb", "ccc"])
    cached.encode(["a"])
    cached.encode(["dddd"])  # drops bb
    encoder.asked.clear()
    np.testing.assert_array_equal(cached.encode(["a", "ccc", "dddd"]), Lengths().encode(["a", "ccc", "dddd"]))
    assert encoder.asked == []
    cached.encode(["bb"])
    assert encoder.asked == ["bb"]


def test_more_texts_than_memory_holds_are_answered_all_the_same(tmp_path: Path) -> None:
    texts = ["x" * number for number in range(10)]
    np.testing.assert_array_equal(
        CachedEncoder(Lengths(), tmp_path, memory_texts=3).encode(texts, keep=True), Lengths().encode(texts)
    )


@pytest.mark.parametrize("damage", ["garbage", "read_only_folder", "locked", "short_vectors"])
def test_a_disk_that_fails_costs_time_and_no_answer(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "vectors"
    CachedEncoder(Lengths(), folder).encode(["a"], keep=True)
    (file,) = folder.iterdir()
    blocker = None
    if damage == "garbage":
        file.write_bytes(b"\x00garbage" * 1000)
    elif damage == "read_only_folder":
        folder = file / "below-a-file"
    elif damage == "locked":
        blocker = sqlite3.connect(file, isolation_level=None)
        blocker.execute("BEGIN EXCLUSIVE")
    else:
        with sqlite3.connect(file) as connection:
            connection.execute("UPDATE vectors SET vector = x'00'")
    vectors = CachedEncoder(Lengths(), folder).encode(["a", "bb"], keep=True)
    np.testing.assert_array_equal(vectors, Lengths().encode(["a", "bb"]))
    if blocker is not None:
        blocker.close()


def test_no_texts_give_no_vectors(tmp_path: Path) -> None:
    assert CachedEncoder(Lengths(), tmp_path).encode([]).shape == (0, 2)
