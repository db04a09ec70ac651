"""Triple files: one fact a line, ``head|relation|tail`` as MetaQA has it, or with tabs between.

The text is UTF-8, with or without a byte order mark, with Unix or Windows line ends. An entity's id is its name.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.files import open_bytes
from kgqa_loaders.records import Record, Reject, Triple

_COLUMNS = ("head", "relation", "tail")
_HEADINGS = ({"head", "relation", "tail"}, {"subject", "predicate", "object"}, {"source", "relation", "target"})
_BOM = "\ufeff"
_BLOCK_BYTES = 1 << 18


def fits_pipes(sample: bytes) -> float:
    """Share of the sample's lines that hold three columns between pipes; a question file has tabs as well."""
    return _fits(sample, b"|", foreign=b"\t")


def fits_tabs(sample: bytes) -> float:
    """Share of the sample's lines that hold three columns between tabs."""
    return _fits(sample, b"\t")


def _fits(sample: bytes, separator: bytes, foreign: bytes = b"\0") -> float:
    lines = sample.removeprefix(_BOM.encode()).split(b"\n")
    whole = [line for line in (lines[:-1] if len(lines) > 1 else lines) if line.strip()]
    rows = [[] if foreign in line else line.split(separator) for line in whole]
    return sum(len(row) == 3 and all(map(bytes.strip, row)) for row in rows) / max(1, len(rows))


@dataclass(frozen=True, slots=True)
class Triples:
    """A file of triples.

    :ivar path: the file; gzip is unpacked
    :ivar describe: what people call it
    """

    path: Path
    describe: str
    separator: ClassVar[str] = "|"

    def checksum(self) -> str:
        """SHA-256 of the file."""
        try:
            with self.path.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise LoadError(f"can't read {self.describe}: {error.strerror}") from error

    def records(self) -> Iterator[Record]:
        """A triple or a reject for each line that is not blank."""
        separator = self.separator
        number = 0
        try:
            with open_bytes(self.path) as stream:
                while lines := stream.readlines(_BLOCK_BYTES):
                    for line in _decoded(lines):
                        number += 1
                        if isinstance(line, UnicodeDecodeError):
                            reason = f"not UTF-8: {line.reason} at byte {line.start + 1}"
                            yield Reject(number, reason, line.object.decode("utf-8", "backslashreplace").rstrip("\r\n"))
                            continue
                        text = line.removesuffix("\r")
                        if number == 1:
                            text = text.removeprefix(_BOM)
                            if {column.strip().lower() for column in text.split(separator)} in _HEADINGS:
                                continue
                        columns = text.split(separator)
                        if len(columns) == 3:
                            head, relation, tail = columns
                            if head.strip() and relation.strip() and tail.strip() and "\x00" not in text:
                                yield Triple(number, head, relation, tail)
                                continue
                        if text.strip():
                            yield Reject(number, _flaw(columns), text)
        except (OSError, EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise LoadError(f"can't read {self.describe} to its end: {error}") from error


def _decoded(lines: list[bytes]) -> Iterable[str | UnicodeDecodeError]:
    """Each line's text without its line feed, or why it has none; a block at once, which is much quicker."""
    try:
        return b"".join(lines).decode().removesuffix("\n").split("\n")
    except UnicodeDecodeError:
        return map(_line, lines)


def _line(line: bytes) -> str | UnicodeDecodeError:
    try:
        return line.decode().removesuffix("\n")
    except UnicodeDecodeError as error:
        return error


def _flaw(columns: list[str]) -> str:
    """What is wrong with a line that is no fact."""
    if len(columns) != 3:
        return f"{len(columns)} columns instead of 3"
    empty = [name for name, column in zip(_COLUMNS, columns, strict=True) if not column.strip()]
    return f"the {' and the '.join(empty)} is empty" if empty else "it holds a NUL character"


class PipeTriples(Triples):
    """``head|relation|tail``."""

    __slots__ = ()


class TabTriples(Triples):
    """``head<TAB>relation<TAB>tail``."""

    __slots__ = ()
    separator: ClassVar[str] = "\t"
