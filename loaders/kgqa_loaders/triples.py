"""Triple files: one fact a line, ``head|relation|tail`` as MetaQA has it, or with tabs between.

The text is UTF-8, with or without a byte order mark, with Unix or Windows line ends. An entity's id is its name; where
ids are names with underscores for spaces, the name has the spaces.

A file with tabs may have more columns, which are left out: those that its heading names after ``head``, ``relation``
and ``tail``; or a fourth without any heading that has few values, such as where a fact is from. What ends in a question
mark is no fact: question files have three columns too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from kgqa_loaders.files import BlockFile, not_utf8, open_bytes, reading
from kgqa_loaders.formats import Format, share, whole_lines
from kgqa_loaders.records import Block, ReadOptions, Record, Reject, Source, Triple
from kgqa_loaders.underscored import Spaced, are_underscored

_COLUMNS = ("head", "relation", "tail")
_HEADINGS = (
    {"head", "relation", "tail"}, {"subject", "predicate", "object"}, {"source", "relation", "target"},
    {"subject", "relation", "object"},
)  # fmt: skip
_BOM = "\ufeff"
_SAMPLE_BYTES = 1 << 16
_QUESTION = (b"?", "？".encode())
_ENOUGH = 10
"""So many lines show that a fourth column has few values: less than one in so many differs."""


def fits_pipes(sample: bytes, name: str = "") -> float:
    """Share of the sample's lines that hold three columns between pipes; a question file has tabs as well."""
    return share(whole_lines(sample), lambda line: b"\t" not in line and _is_fact(line.split(b"|")))


def fits_tabs(sample: bytes, name: str = "") -> float:
    """Share of the sample's lines that hold three columns between tabs; 0 where a fourth marks facts as wrong."""
    lines = whole_lines(sample)
    if marks_wrong(lines):
        return 0.0
    most = columns_in(lines)
    return share(lines, lambda line: _is_fact(line.split(b"\t"), most))


def _is_fact(row: list[bytes], most: int = 3) -> bool:
    return 3 <= len(row) <= most and all(map(bytes.strip, row[:3])) and not row[0].rstrip().endswith(_QUESTION)


def columns_in(lines: list[bytes]) -> int:
    """How many columns a file with tabs has at most: three, and those whose content is left out.

    :param lines: its first ones
    """
    rows = [line.split(b"\t") for line in lines]
    if rows and _is_heading([column.decode(errors="replace") for column in rows[0]]):
        return len(rows[0])
    fourth = {row[3] for row in rows if len(row) == 4}
    whole = len(rows) >= _ENOUGH and all(len(row) == 4 for row in rows)
    return 4 if whole and len(fourth) * _ENOUGH <= len(rows) else 3


def marks_wrong(lines: list[bytes]) -> bool:
    """Whether a fourth column says of some facts that they are wrong: InferWiki's ``-1`` and ``0c`` (unknown), and the
    1 and -1 of files for classifying triples.

    :param lines: a file's first ones
    """
    marks = {row[3].strip() for row in (line.split(b"\t") for line in lines) if len(row) == 4}
    return bool(marks & {b"-1", b"-1c", b"0c"}) and marks <= {b"-1", b"-1c", b"0", b"0c", b"1", b"1c"}


def _is_heading(columns: list[str]) -> bool:
    return {column.strip().lower() for column in columns[:3]} in _HEADINGS


@dataclass(frozen=True, slots=True)
class Triples(BlockFile):
    """A file of triples.

    :ivar options: none of them applies
    :ivar columns: how many a line may have; those after the third are left out
    """

    options: ReadOptions = field(default_factory=ReadOptions)
    columns: int = 3
    separator: ClassVar[str] = "|"

    def parse(self, block: Block) -> Iterator[Record]:
        """A triple or a reject for each line of a block that is not blank."""
        separator, most = self.separator, self.columns
        for number, line in enumerate(decoded(block.data), start=block.line):
            if isinstance(line, UnicodeDecodeError):
                yield undecoded(number, line)
                continue
            text = line.removesuffix("\r")
            if number == 1:
                text = text.removeprefix(_BOM)
                if _is_heading(text.split(separator)):
                    continue
            columns = text.split(separator)
            if len(columns) == 3 or 3 < len(columns) <= most:
                head, relation, tail = columns[:3]
                if head.strip() and relation.strip() and tail.strip() and "\x00" not in text:
                    yield Triple(number, head, relation, tail)
                    continue
            if text.strip():
                yield Reject(number, _flaw(columns, most), text)


def decoded(data: bytes) -> Iterable[str | UnicodeDecodeError]:
    """Each line's text without its line feed, or why it has none; all at once, which is much quicker."""
    try:
        return data.decode().removesuffix("\n").split("\n")
    except UnicodeDecodeError:
        return map(_line, data.removesuffix(b"\n").split(b"\n"))


def undecoded(number: int, error: UnicodeDecodeError) -> Reject:
    """The reject of a line that is not UTF-8."""
    reason = not_utf8(error)
    return Reject(number, reason, error.object.decode("utf-8", "backslashreplace").rstrip("\r\n"))


def _line(line: bytes) -> str | UnicodeDecodeError:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        return error


def _flaw(columns: list[str], most: int) -> str:
    """What is wrong with a line that is no fact."""
    if len(columns) < 3 or len(columns) > most:
        return f"{len(columns)} columns instead of {most}"
    empty = [name for name, column in zip(_COLUMNS, columns, strict=False) if not column.strip()]
    return f"the {' and the '.join(empty)} is empty" if empty else "it holds a NUL character"


class PipeTriples(Triples):
    """``head|relation|tail``."""

    __slots__ = ()


class TabTriples(Triples):
    """``head<TAB>relation<TAB>tail``."""

    __slots__ = ()
    separator: ClassVar[str] = "\t"


def open_tabs(path: Path, describe: str, options: ReadOptions) -> Source:
    """The source at a path of a file with tabs; its beginning decides how it is read.

    :raises LoadError: it can't be read
    """
    with reading(describe), open_bytes(path) as stream:
        lines = whole_lines(stream.read(_SAMPLE_BYTES))
    most = columns_in(lines)
    source = TabTriples(path, describe, options, most)
    facts = [row for row in (line.split(b"\t") for line in lines) if _is_fact(row, most)]
    ids = [row[at].decode(errors="replace") for row in facts[:-1] or facts for at in (0, 2)]
    return Spaced(source) if are_underscored(ids) else source


FORMATS = (
    Format("triples", "head|relation|tail", fits_pipes, PipeTriples),
    Format("tsv", "head<TAB>relation<TAB>tail", fits_tabs, open_tabs),
)
