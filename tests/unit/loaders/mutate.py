"""Breaks files on purpose, to show that a source never crashes and never loses a line without saying so."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.records import BlockSource, Record, Reject, Source

Mutation = Callable[[random.Random, list[bytes]], list[bytes]]
"""Takes and gives the lines of a file, without their ends."""


def _any(choose: random.Random, lines: list[bytes]) -> int:
    return choose.randrange(len(lines))


def _cut(choose: random.Random, lines: list[bytes]) -> list[bytes]:
    """The file ends in the middle of a line."""
    row = _any(choose, lines)
    return [*lines[:row], lines[row][: choose.randrange(1, len(lines[row]) + 1)] if lines[row] else b""]


def _bad_bytes(choose: random.Random, lines: list[bytes]) -> list[bytes]:
    """Some bytes are replaced, by what is no UTF-8 or by anything."""
    row = _any(choose, lines)
    line = bytearray(lines[row] or b"x")
    for _ in range(choose.randrange(1, 4)):
        line[choose.randrange(len(line))] = choose.choice([0xFF, 0xC3, 0x00, 0x80, choose.randrange(256)])
    return [*lines[:row], *bytes(line).split(b"\n"), *lines[row + 1 :]]


def _column_gone(choose: random.Random, lines: list[bytes]) -> list[bytes]:
    """A line lacks a column, whatever divides its columns."""
    row = _any(choose, lines)
    divider = choose.choice([b"|", b"\t", b",", b" ", b";"])
    columns = lines[row].split(divider)
    columns.pop(choose.randrange(len(columns)))
    return [*lines[:row], divider.join(columns), *lines[row + 1 :]]


def _column_more(choose: random.Random, lines: list[bytes]) -> list[bytes]:
    """A line has a column too many."""
    row = _any(choose, lines)
    divider = choose.choice([b"|", b"\t", b",", b" ", b";"])
    columns = lines[row].split(divider)
    columns.insert(choose.randrange(len(columns) + 1), choose.choice([b"", b"more", b'"', b"<x>", b"{"]))
    return [*lines[:row], divider.join(columns), *lines[row + 1 :]]


def _huge(choose: random.Random, lines: list[bytes]) -> list[bytes]:
    """A line holds a text of 200 kB."""
    row = _any(choose, lines)
    at = choose.randrange(len(lines[row]) + 1)
    text = choose.choice([b"x", "é".encode(), b"9", b"\\", b'"']) * 200_000
    return [*lines[:row], lines[row][:at] + text + lines[row][at:], *lines[row + 1 :]]


def _twice(choose: random.Random, lines: list[bytes]) -> list[bytes]:
    """A line, with its id, comes twice; the second time another one's end may be at it."""
    row, other = _any(choose, lines), _any(choose, lines)
    middle = len(lines[row]) // 2
    again = lines[row] if choose.random() < 0.5 else lines[row][:middle] + lines[other][len(lines[other]) // 2 :]
    return [*lines[: other + 1], again, *lines[other + 1 :]]


def _swapped(choose: random.Random, lines: list[bytes]) -> list[bytes]:
    """Two lines change places, the first line too."""
    row, other = _any(choose, lines), _any(choose, lines)
    mixed = list(lines)
    mixed[row], mixed[other] = mixed[other], mixed[row]
    return mixed


def _punctuation(choose: random.Random, lines: list[bytes]) -> list[bytes]:
    """A sign that means something is put in, or taken out."""
    row = _any(choose, lines)
    line = lines[row]
    at = choose.randrange(len(line) + 1)
    sign = choose.choice(
        [b'"', b"'", b"<", b">", b"{", b"}", b"[", b"]", b"(", b")", b"\\", b"\\u12", b";", b":", b"@"]
    )
    if sign in line and choose.random() < 0.5:
        return [*lines[:row], line.replace(sign, b"", 1), *lines[row + 1 :]]
    return [*lines[:row], line[:at] + sign + line[at:], *lines[row + 1 :]]


def _ends(choose: random.Random, lines: list[bytes]) -> list[bytes]:
    """Line ends of Windows, or blank lines, or a byte order mark."""
    kind = choose.randrange(3)
    if kind == 0:
        return [line + b"\r" for line in lines]
    if kind == 1:
        row = _any(choose, lines)
        return [*lines[:row], b"", b"  ", *lines[row:]]
    return [b"\xef\xbb\xbf" + lines[0], *lines[1:]]


MUTATIONS: tuple[Mutation, ...] = (
    _cut, _bad_bytes, _column_gone, _column_more, _huge, _twice, _swapped, _punctuation, _ends,
)  # fmt: skip


def mutants(sample: bytes, count: int = 200, seed: int = 0) -> Iterator[bytes]:
    """Broken versions of a file's content, the same ones each time; each has one to three flaws."""
    choose = random.Random(seed)
    for number in range(count):
        lines = sample.removesuffix(b"\n").split(b"\n")
        lines = MUTATIONS[number % len(MUTATIONS)](choose, lines)
        for _ in range(choose.choice([0, 0, 1, 2])):
            lines = choose.choice(MUTATIONS)(choose, lines)
        yield b"\n".join(lines) + (b"\n" if choose.random() < 0.8 else b"")


def outcome(open_source: Callable[[Path], Source], path: Path, content: bytes) -> list[Record] | LoadError:
    """What comes of a file with that content: its records, or the one error that is allowed, a sentence with a cure.

    Reads it twice, and in blocks where it has blocks, and checks that the same comes of it.
    """
    path.write_bytes(content)
    try:
        source = open_source(path)
        records = list(source.records())
    except LoadError as raised:
        error = raised
    else:
        return _checked(source, records)
    assert str(error).strip(), "an error without a sentence"
    assert "\n" not in str(error), str(error)
    return error


def _checked(source: Source, records: list[Record]) -> list[Record]:
    assert list(source.records()) == records, "reading it twice gives different records"
    if isinstance(source, BlockSource):
        assert [record for block in source.blocks() for record in source.parse(block)] == records
    for record in records:
        if isinstance(record, Reject):
            assert record.reason, "a reject without a reason"
    return records


def lines_of(records: list[Record]) -> set[int]:
    """The line numbers that some record stands for, rejects too."""
    return {line for record in records if (line := getattr(record, "line", 0))}


def lines_with_text(content: bytes) -> set[int]:
    """The numbers of the lines that are not blank, from 1."""
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return {number for number, line in enumerate(lines, start=1) if line.strip()}
