"""Recognises a source by its content; every format that can be loaded is registered here."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kgqa_graphdb.errors import LoadError, UsageError, nearest
from kgqa_loaders import triples
from kgqa_loaders.files import open_bytes, spooled
from kgqa_loaders.records import Source

SAMPLE_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of source.

    :ivar name: what ``--format`` takes
    :ivar looks_like: one line of it, for people
    :ivar fits: how well the first bytes of a file fit, 0..1
    :ivar open: gives the source at a path
    """

    name: str
    looks_like: str
    fits: Callable[[bytes], float]
    open: Callable[[Path, str], Source]


FORMATS = (
    Format("triples", "head|relation|tail", triples.fits_pipes, triples.PipeTriples),
    Format("tsv", "head<TAB>relation<TAB>tail", triples.fits_tabs, triples.TabTriples),
)
"""The formats that can be loaded; where two fit equally well the first counts."""

ENOUGH = 0.8
"""Share of the sample's lines that must fit a format for it to be recognised."""


def listing() -> str:
    """The formats, for messages and help: ``triples (head|relation|tail), …``"""
    return ", ".join(f"{format.name} ({format.looks_like})" for format in FORMATS)


def open_source(location: str, format_name: str = "") -> Source:
    """The source at a path; ``-`` is the standard input, ``.gz`` is unpacked on the way.

    :param format_name: skips recognition
    :raises LoadError: it can't be read, or nothing recognises it
    :raises UsageError: there is no format of that name
    """
    chosen = _format(format_name) if format_name else None
    if location == "-":
        return _open(spooled(sys.stdin.buffer), "standard input", chosen)
    path = Path(location)
    if path.is_dir():
        raise LoadError(f"{location} is a folder; give the file in it that holds the facts")
    if not path.exists():
        beside = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        raise LoadError(f"there is no file {location}{nearest(path.name, beside)}")
    try:
        if not path.is_file():  # a pipe can be read once only
            with path.open("rb") as stream:
                return _open(spooled(stream), location, chosen)
        return _open(path, str(path.absolute()), chosen)
    except OSError as error:
        raise LoadError(f"can't read {location}: {error.strerror or error}") from error


def _format(name: str) -> Format:
    for format in FORMATS:
        if format.name == name:
            return format
    known = [format.name for format in FORMATS]
    raise UsageError(f"there is no format {name!r}{nearest(name, known)}; formats: {listing()}")


def _open(path: Path, describe: str, chosen: Format | None) -> Source:
    return (chosen or _recognised(path, describe)).open(path, describe)


def _recognised(path: Path, describe: str) -> Format:
    with open_bytes(path) as stream:
        sample = stream.read(SAMPLE_BYTES)
    if not sample.strip():
        raise LoadError(f"{describe} is empty")
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise LoadError(f"{describe} is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 {path.name} > facts.txt")
    best = max(FORMATS, key=lambda format: format.fits(sample))
    if best.fits(sample) < ENOUGH:
        raise LoadError(f"can't tell what {describe} is; give --format with one of: {listing()}")
    return best
