"""Columns in ``.npy`` files: written piece by piece, read as memory maps, and texts side by side in one of them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from kgqa_graphdb.types import Ints

_HEADER = 128
"""Bytes before the values: what numpy pads the header of a column to."""


class ColumnWriter:
    """Writes a column of numbers piece by piece; the file is a ``.npy`` file once it is closed.

    :ivar size: values written
    """

    def __init__(self, path: Path, dtype: str) -> None:
        self._dtype = np.dtype(dtype)
        self._file = path.open("wb")
        self._file.write(bytes(_HEADER))
        self.size = 0

    def add(self, values: Any) -> None:
        """Append values; shape (any,)."""
        piece = np.ascontiguousarray(values, dtype=self._dtype)
        self._file.write(piece.data.cast("B") if piece.size else b"")
        self.size += piece.size

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write the header, which says how many values there are."""
        if self._file.closed:
            return
        self._file.seek(0)
        header = {"descr": np.lib.format.dtype_to_descr(self._dtype), "fortran_order": False, "shape": (self.size,)}
        np.lib.format.write_array_header_1_0(self._file, header)
        self._file.close()


class TextWriter:
    """Writes texts side by side: their bytes, where each begins, and an index by checksum that finds them."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._bytes = ColumnWriter(folder / f"{name}.bytes.npy", "u1")
        self._starts = ColumnWriter(folder / f"{name}.starts.npy", "<i8")
        self._starts.add([0])
        self._sums: list[Any] = []

    def add(self, texts: Sequence[str]) -> None:
        """Append texts."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = np.cumsum([len(text) for text in encoded], dtype=np.int64) + self._bytes.size
        self._bytes.add(np.frombuffer(b"".join(encoded), dtype=np.uint8))
        self._starts.add(ends)
        self._sums.append(np.fromiter(map(zlib.crc32, encoded), dtype=np.uint32, count=len(encoded)))

    def close(self) -> None:
        """Write the index."""
        self._bytes.close()
        self._starts.close()
        sums = np.concatenate([np.zeros(0, np.uint32), *self._sums])
        order = np.argsort(sums, kind="stable").astype(np.int32 if sums.size < 2**31 else np.int64)
        np.save(self._folder / f"{self._name}.order.npy", order)
        np.save(self._folder / f"{self._name}.sums.npy", sums[order])


@dataclass(frozen=True, slots=True, eq=False)
class Texts(Sequence[str]):
    """Texts that lie in files; read when they are asked for.

    :ivar sums: checksums, ascending; shape (texts,), uint32
    :ivar order: the text that each of them is of
    """

    data: Any
    starts: Ints
    order: Ints
    sums: Any

    @classmethod
    def open(cls, folder: Path, name: str) -> Texts:
        """The texts that a :class:`TextWriter` wrote.

        :raises OSError: a file is missing
        :raises ValueError: a file is no column
        """
        return cls(*(read_column(folder / f"{name}.{part}.npy") for part in ("bytes", "starts", "order", "sums")))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        number = int(place) + (len(self) if place < 0 else 0)
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self):,} texts, none at {place}")
        return bytes(self.data[self.starts[number] : self.starts[number + 1]]).decode("utf-8", "surrogatepass")

    def take(self, places: Iterable[int]) -> list[str]:
        """The texts at some places."""
        return [self[place] for place in places]

    def find(self, text: str) -> list[int]:
        """The places of a text, ascending."""
        wanted = np.uint32(zlib.crc32(text.encode("utf-8", "surrogatepass")))
        first, end = np.searchsorted(self.sums, wanted, "left"), np.searchsorted(self.sums, wanted, "right")
        return [place for place in map(int, self.order[first:end]) if self[place] == text]


def read_column(path: Path) -> Any:
    """A column as a memory map; an empty one in memory, as nothing can't be mapped.

    What is written to it changes a copy in memory, never the file: torch takes no read-only arrays.

    :raises OSError: the file is missing
    :raises ValueError: it is no column
    """
    try:
        return np.load(path, mmap_mode="c", allow_pickle=False)
    except ValueError:
        found = np.load(path, allow_pickle=False)
        if found.size:
            raise
        return found
