"""Reading files: packed ones on the way, in blocks of whole lines, and streams that can be read once only."""

from __future__ import annotations

import atexit
import bz2
import gzip
import hashlib
import lzma
import shutil
import tempfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.records import Block, Record

BLOCK_BYTES = 1 << 22
"""Size of a block: big enough that handing one to another process costs nothing compared with parsing it."""


def open_bytes(path: Path) -> BinaryIO:
    """A file's content, unpacked where it is gzip, bzip2 or xz.

    :raises OSError: it can't be read
    """
    with path.open("rb") as stream:
        magic = stream.read(6)
    if magic.startswith(b"\x1f\x8b"):
        return cast(BinaryIO, gzip.open(path))
    if magic.startswith(b"BZh"):
        return cast(BinaryIO, bz2.open(path))
    if magic == b"\xfd7zXZ\0":
        return cast(BinaryIO, lzma.open(path))
    return path.open("rb")


MAX_LINE = 16 << 20
"""Longest line of a source, in bytes: a packed file of some kilobytes may hold one that takes all memory."""


def rest_of_line(stream: BinaryIO, describe: str, line: int = 0) -> bytes:
    """What is left of a line.

    :param line: number of the first line of the piece that it ends, for the message; 0: not known
    :raises LoadError: it is longer than any line of a source may be
    """
    data = stream.readline(MAX_LINE)
    if len(data) >= MAX_LINE and not data.endswith(b"\n"):
        place = f" after line {line:,}" if line else ""
        raise LoadError(
            f"{describe} has a line of over {MAX_LINE >> 20} MiB{place}, the most that a line may have; take it out"
        )
    return data


MAX_WHOLE = 1 << 30
"""Bytes of a file that is read whole, unpacked."""


def whole(stream: BinaryIO, describe: str) -> bytes:
    """All of a file that must be read whole.

    :raises LoadError: it is too long
    """
    data = stream.read(MAX_WHOLE + 1)
    if len(data) > MAX_WHOLE:
        raise LoadError(
            f"{describe} is longer than {MAX_WHOLE >> 20:,} MiB, the most that is read whole; take a part of it"
        )
    return data


_temporary: list[Path] = []


def temporary_folder() -> Path:
    """A new folder that :func:`remove_temporary` takes away; it is called when Python ends, too."""
    if not _temporary:
        atexit.register(remove_temporary)
    folder = Path(tempfile.mkdtemp(prefix="kgqa-load-"))
    _temporary.append(folder)
    return folder


def remove_temporary() -> None:
    """Take away the copies that were made of sources which could be read once only, or were packed together."""
    while _temporary:
        shutil.rmtree(_temporary.pop(), ignore_errors=True)


def spooled(stream: BinaryIO) -> Path:
    """A temporary file with the stream's content: a load reads its source more than once."""
    path = temporary_folder() / "source.txt"
    with path.open("wb") as spool:
        shutil.copyfileobj(stream, spool, 1 << 20)
    return path


def sha256_of(path: Path, describe: str) -> str:
    """SHA-256 of a file as it lies there, in hexadecimal.

    :raises LoadError: it can't be read
    """
    with reading(describe), path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def reading(describe: str) -> Iterator[None]:
    """Turn what goes wrong while a file is read into one sentence.

    :raises LoadError: instead of what was raised
    """
    try:
        yield
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise LoadError(f"can't read {describe} to its end: {getattr(error, 'strerror', None) or error}") from error


def not_utf8(error: UnicodeDecodeError) -> str:
    """Why a line is rejected that could not be decoded."""
    return f"not UTF-8: {error.reason} at byte {error.start + 1}"


def blocks_of(path: Path, describe: str, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """A file's content in blocks of whole lines.

    :param size: bytes of a block, about; a line that is longer makes a longer block
    :raises LoadError: it can't be read, or has too long a line; what came before has been yielded
    """
    line = 1
    with reading(describe), open_bytes(path) as stream:
        while data := stream.read(size):
            data += rest_of_line(stream, describe, line)
            yield Block(line, data)
            line += data.count(b"\n")


# ── sources that are files ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class FileSource:
    """A source that is one file.

    :ivar path: the file; gzip, bzip2 and xz are unpacked
    :ivar describe: what people call it
    """

    path: Path
    describe: str

    def checksum(self) -> str:
        """SHA-256 of the file."""
        return sha256_of(self.path, self.describe)


@dataclass(frozen=True, slots=True)
class BlockFile(FileSource, ABC):
    """A file whose lines are read by any number of processes."""

    def blocks(self) -> Iterator[Block]:
        """The file in pieces of whole lines."""
        return blocks_of(self.path, self.describe)

    def records(self) -> Iterator[Record]:
        """The records of all pieces."""
        for block in self.blocks():
            yield from self.parse(block)

    @abstractmethod
    def parse(self, block: Block) -> Iterator[Record]:
        """The records of a piece."""
