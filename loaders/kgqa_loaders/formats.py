"""What a format is: how it is recognised, and how a file of it is opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kgqa_loaders.records import ReadOptions, Source


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of source.

    :ivar name: what ``--format`` takes
    :ivar looks_like: one line of it, for people
    :ivar fits: how well the first bytes of an unpacked file, and its name, fit, 0..1
    :ivar open: gives the source at a path; the text is what people call it
    :ivar licence: of the data usually found in this format, where there is one answer; for ``kgqa graphs``
    :ivar types: what becomes of an entity's classes unless a person says: ``labels``, ``facts`` or ``both``
    :ivar ontology: it can be read with a description of its classes and relations
    :ivar naming: it holds no facts, only what is called how: what names none of the other sources' entities is left out
    """

    name: str
    looks_like: str
    fits: Callable[[bytes, str], float]
    open: Callable[[Path, str, ReadOptions], Source]
    licence: str = ""
    types: str = "labels"
    ontology: bool = False
    naming: bool = False


def whole_lines(sample: bytes) -> list[bytes]:
    """The lines of a sample that are whole and not blank, without byte order mark and line ends."""
    lines = sample.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return [line.rstrip(b"\r") for line in (lines[:-1] if len(lines) > 1 else lines) if line.strip()]


def share(lines: list[bytes], fits: Callable[[bytes], object]) -> float:
    """Share of the lines for which ``fits`` holds, 0..1; 0 without lines."""
    return sum(bool(fits(line)) for line in lines) / max(1, len(lines))
