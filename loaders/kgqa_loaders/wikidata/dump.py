"""Entity dumps of Wikidata as JSON: one big array with an entity a line, JSON lines, or documents of any layout.

A line is read by itself, so several processes can read a dump, and what is whole in one that was cut off is loaded.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kgqa_loaders.files import BlockFile, FileSource, not_utf8, open_bytes, reading
from kgqa_loaders.records import Block, ReadOptions, Record, Reject, Source
from kgqa_loaders.wikidata.entities import EntityReader, excerpt

_KIND = re.compile(rb'"type"\s*:\s*"(?:item|property|lexeme|mediainfo)"|"(?:entity|redirect)"\s*:\s*"[QPLM]\d')
_ID = re.compile(rb'"(?:id|title|entity)"\s*:\s*"(?:[A-Z][A-Za-z]*:)?(?:[QPLM]\d|File:)|"numeric-id"|"entities"\s*:')
_WHOLE = 1 << 28
"""Longest document that is read as a whole, in characters; Wikidata's own limit for an entity is a hundredth."""
_DEEP = "it is nested too deeply"


def fits(sample: bytes, name: str = "") -> float:
    """1 if the sample begins like entities of a Wikibase, else 0."""
    head = sample.removeprefix(b"\xef\xbb\xbf").lstrip()[:65536]
    return float(head[:1] in (b"{", b"[") and b"{" in head[:64] and bool(_KIND.search(head) and _ID.search(head)))


def open_dump(path: Path, describe: str, options: ReadOptions) -> Source:
    """The dump at a path, read in the way that its layout allows."""
    with reading(describe), open_bytes(path) as stream:
        sample = stream.read(1 << 16)
    return EntityLines(path, describe, options) if by_lines(sample) else EntityDocuments(path, describe, options)


def by_lines(sample: bytes) -> bool:
    """Whether each entity stands on a line of its own."""
    head = sample.removeprefix(b"\xef\xbb\xbf").lstrip()
    if re.match(rb"\{\s*\"(?:entities|success)\"", head):
        return False
    opened = head[:1] == b"["
    first, newline, rest = (head[1:].lstrip(b" \t\r") if opened else head).partition(b"\n")
    if opened and not first and newline:
        first, newline, _ = rest.lstrip().partition(b"\n")
    if not newline:  # the first line is longer than the sample: an array on one line starts so, too
        return not (opened and sample.lstrip()[1:2] == b"{")
    try:
        _loads(_bare(first))
    except ValueError:
        return len(first) > 4096  # an entity that something is wrong with, rather than one spread over lines
    return True


@dataclass(frozen=True, slots=True)
class EntityLines(BlockFile):
    """A dump with one entity a line.

    :ivar options: languages, types, references, ranks and external_ids apply
    """

    options: ReadOptions = field(default_factory=ReadOptions)

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of the entities on a block's lines; a line that is none is a reject."""
        reader, read = EntityReader.of(self.options), line_reader()
        for number, line in lines_of(block):
            yield from reader.records(number, read(number, line))


def lines_of(block: Block) -> Iterator[tuple[int, bytes]]:
    """The numbers and the entities' texts of a block's lines; brackets and commas around them are left out."""
    for number, line in enumerate(block.data.split(b"\n"), start=block.line):
        if bare := _bare(line):
            yield number, bare


def line_reader() -> Callable[[int, bytes], Any]:
    """What gives the JSON of a line, or a reject for one that is none."""
    loads = loader()

    def read(number: int, line: bytes) -> Any:
        try:
            return loads(line)
        except (ValueError, RecursionError) as error:
            reason = _DEEP if isinstance(error, RecursionError) else _flaw(line)
            return Reject(number, reason, excerpt(line.decode("utf-8", "backslashreplace")))

    return read


@dataclass(frozen=True, slots=True)
class EntityDocuments(FileSource):
    """JSON of any layout: one entity, an array of them, ``{"entities": {…}}``, or several such after each other."""

    options: ReadOptions = field(default_factory=ReadOptions)

    def records(self) -> Iterator[Record]:
        """The records of the entities; what can't be read is a reject, with all that follows it."""
        reader = EntityReader.of(self.options)
        for line, found in self._documents():
            yield from reader.records(line, found)

    def _documents(self) -> Iterator[tuple[int, Any]]:
        """Line and content of each document; only the one at hand is in memory."""
        decode = json.JSONDecoder().raw_decode
        decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="backslashreplace")
        text, line, size, inside = "", 1, 1 << 20, False
        with reading(self.describe), open_bytes(self.path) as stream:
            while True:
                data = stream.read(size)
                text += decoder.decode(data, final=not data)
                while True:
                    start, inside = _start(text, inside)
                    line += text.count("\n", 0, start)
                    text = text[start:]
                    if not text:
                        break
                    try:
                        found, end = decode(text)
                    except (ValueError, RecursionError) as error:
                        if data and len(text) < _WHOLE and not isinstance(error, RecursionError):
                            break  # the rest of it is to come
                        reason = _DEEP if isinstance(error, RecursionError) else _flaw(text.encode(errors="replace"))
                        yield line, Reject(line, f"{reason}; nothing after it can be read", excerpt(text))
                        return
                    yield line, found
                    line += text.count("\n", 0, end)
                    text = text[end:]
                if not data:
                    return
                size = max(1 << 20, len(text))  # so that a long document is tried a few times only


_BETWEEN = re.compile(r"[\s,\]]*\[?\s*")
_WRAPPED = re.compile(r'\{\s*(?:"success"\s*:\s*\d\s*,\s*)?"entities"\s*:\s*\{')
_KEY = re.compile(r'[\s,]*"[^"\\]*"\s*:\s*(?=\{)')
_END = re.compile(r'\s*\}\s*(?:,\s*"[a-z]+"\s*:\s*(?:\d+|"[^"]*"|true|false)\s*)*\}?')


def _start(text: str, inside: bool) -> tuple[int, bool]:
    """Where the next document begins, and whether it is one of those in an object ``{"entities": {…}}``."""
    at = 0
    if not inside:
        between = _BETWEEN.match(text)
        at = between.end() if between else 0
        wrapped = _WRAPPED.match(text, at)
        if not wrapped:
            return at, False
        at = wrapped.end()
    key = _KEY.match(text, at)
    if key:
        return key.end(), True
    end = _END.match(text, at)
    return _start(text[end.end() :], False)[0] + end.end() if end else at, not end


def loader() -> Callable[[bytes], Any]:
    """What reads a line of JSON: orjson where it is installed, which is several times as fast."""
    try:
        import orjson
    except ImportError:
        return _loads

    def load(line: bytes) -> Any:
        try:
            return orjson.loads(line)
        except ValueError:
            return _loads(line)  # which takes half surrogate pairs, so that only the text that holds one is rejected

    return load


def _loads(line: bytes) -> Any:
    return json.loads(line)


def _bare(line: bytes) -> bytes:
    """A line's entity without the array around it."""
    if line[:1] == b"{" and line[-2:] == b"},":
        return line[:-1]
    bare = line.removeprefix(b"\xef\xbb\xbf").strip()
    if bare.endswith(b","):
        bare = bare[:-1].rstrip()
    if bare.startswith((b"[", b"]", b",")) or bare.endswith((b"]", b",")):
        bare = bare.strip(b"[], \t\r")
    return bare


def _flaw(data: bytes) -> str:
    """Why something is no JSON."""
    try:
        json.loads(data)
    except UnicodeDecodeError as error:
        return not_utf8(error)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(data.decode(errors="replace").rstrip()) - 1 or "Unterminated" in error.msg
        return "the JSON is cut off" if cut else f"not JSON: {error.msg} at character {error.pos + 1}"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    return "not JSON"
