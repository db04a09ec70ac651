"""Triple files: one fact a line, ``head|relation|tail`` as MetaQA has it, or with tabs between.

The text is UTF-8, with or without a byte order mark, with Unix or Windows line ends. An entity's id is its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from kgqa_loaders.files import blocks_of, sha256_of
from kgqa_loaders.formats import Format, share, whole_lines
from kgqa_loaders.records import Block, ReadOptions, Record, Reject, Triple

_COLUMNS = ("head", "relation", "tail")
_HEADINGS = ({"head", "relation", "tail"}, {"subject", "predicate", "object"}, {"source", "relation", "target"})
_BOM = "\ufeff"


def fits_pipes(sample: bytes, name: str = "") -> float:
    """Share of the sample's lines that hold three columns between pipes; a question file has tabs as well."""
    return share(whole_lines(sample), lambda line: b"\t" not in line and _is_fact(line.split(b"|")))


def fits_tabs(sample: bytes, name: str = "") -> float:
    """Share of the sample's lines that hold three columns between tabs."""
    return share(whole_lines(sample), lambda line: _is_fact(line.split(b"\t")))


def _is_fact(row: list[bytes]) -> bool:
    return len(row) == 3 and all(map(bytes.strip, row))


@dataclass(frozen=True, slots=True)
class Triples:
    """A file of triples.

    :ivar path: the file; gzip is unpacked
    :ivar describe: what people call it
    :ivar options: none of them applies
    """

    path: Path
    describe: str
    options: ReadOptions = field(default_factory=ReadOptions)
    separator: ClassVar[str] = "|"

    def checksum(self) -> str:
        """SHA-256 of the file."""
        return sha256_of(self.path, self.describe)

    def blocks(self) -> Iterator[Block]:
        """The file in pieces of whole lines."""
        return blocks_of(self.path, self.describe)

    def records(self) -> Iterator[Record]:
        """A triple or a reject for each line that is not blank."""
        for block in self.blocks():
            yield from self.parse(block)

    def parse(self, block: Block) -> Iterator[Record]:
        """A triple or a reject for each line of a block that is not blank."""
        separator = self.separator
        for number, line in enumerate(decoded(block.data), start=block.line):
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


def decoded(data: bytes) -> Iterable[str | UnicodeDecodeError]:
    """Each line's text without its line feed, or why it has none; all at once, which is much quicker."""
    try:
        return data.decode().removesuffix("\n").split("\n")
    except UnicodeDecodeError:
        return map(_line, data.removesuffix(b"\n").split(b"\n"))


def _line(line: bytes) -> str | UnicodeDecodeError:
    try:
        return line.decode()
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


FORMATS = (
    Format("triples", "head|relation|tail", fits_pipes, PipeTriples),
    Format("tsv", "head<TAB>relation<TAB>tail", fits_tabs, TabTriples),
)
