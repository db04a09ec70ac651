"""Wikidata's RDF: N-Triples with the best facts only, read line by line; Turtle, N-Triples and JSON with statements."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgqa_graphdb.errors import MissingExtraError
from kgqa_loaders.files import BlockFile, FileSource, blocks_of, open_bytes, reading
from kgqa_loaders.formats import share, whole_lines
from kgqa_loaders.ntriples import Quad, quad, quads, raw_quads
from kgqa_loaders.records import Block, ReadOptions, Record, Reject, Source, Triple
from kgqa_loaders.wikidata.entities import excerpt
from kgqa_loaders.wikidata.statements import INSTANCE_OF, ClaimConverter
from kgqa_loaders.wikidata.terms import ENTITY, IGNORED, OF_ARTICLES, role_of, subject_of
from kgqa_loaders.wikidata.triples import EntityTriples, rejected
from kgqa_loaders.wikidata.window import Window

if TYPE_CHECKING:
    import pyoxigraph

_TURTLE = re.compile(rb"(?i)@prefix\s+\S*:\s*<(?:https?://[^>]+/prop/direct/|http://wikiba\.se/ontology[^>]*#)>")
_STATEMENTS = re.compile(rb"/entity/statement/|/prop/statement/|wikiba\.se/ontology#Statement")
_WIKIDATA = (b"/prop/direct/", b"/entity/Q", b"/entity/P", b"/entity/L", b"wikiba.se/ontology", b"Special:EntityData")
_SAMPLE_BYTES = 1 << 20


def fits_statements(sample: bytes, name: str = "") -> float:
    """1 for Turtle with Wikibase's prefixes, and for N-Triples or JSON lines with its statements."""
    if _TURTLE.search(sample):
        return 1.0
    lines = whole_lines(sample)
    if lines[:1] and lines[0].startswith(b"{"):
        return share(lines, lambda line: all(key in line for key in (b'"subject"', b'"predicate"', b'"object"'))) * (
            any(word in sample for word in _WIKIDATA)
        )
    return fits_truthy(sample) if _STATEMENTS.search(sample) else 0.0


def fits_truthy(sample: bytes, name: str = "") -> float:
    """Share of the lines that are N-Triples, if Wikidata's entities and properties are among them."""
    lines = [line for line in whole_lines(sample) if not line.startswith(b"#")]
    known = share(lines, lambda line: any(word in line for word in _WIKIDATA))
    return share(lines, lambda line: line[:1] in b"<_" and line.endswith(b".")) if known > 0.3 else 0.0


def open_statements(path: Path, describe: str, options: ReadOptions) -> Source:
    """RDF with statements; a file of N-Triples that turns out to have none is read line by line."""
    with reading(describe), open_bytes(path) as stream:
        sample = stream.read(_SAMPLE_BYTES)
    start = sample.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"{":
        return StatementJson(path, describe, options)
    if start in (b"<", b"_") and b"@prefix" not in sample:
        return StatementLines(path, describe, options)
    return StatementTurtle(path, describe, options)


@dataclass(frozen=True, slots=True)
class Truthy(BlockFile):
    """N-Triples of Wikidata whose facts stand by themselves: each line is read alone, by any number of processes.

    :ivar options: languages and types apply
    """

    options: ReadOptions = field(default_factory=ReadOptions)

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of a block's lines."""
        reader = EntityTriples(self.options, ClaimConverter(self.options))
        plain = self.options.types not in ("labels", "both")
        languages, roles = reader.ranks, _Roles()
        for line, columns in raw_quads(block):
            if isinstance(columns, Reject):
                yield columns
                continue
            subject, predicate, resource, _, language, _, _ = columns
            role, key, kind = roles[predicate]
            entity = subject.startswith(_Q)
            if entity and (kind == IGNORED or (language and language not in languages and role in _TEXTS)):
                continue
            # most lines of most dumps
            if entity and role == "direct" and resource.startswith(_Q) and (plain or key != INSTANCE_OF):
                yield Triple(line, subject[32:-1], key, resource[32:-1])
                continue
            yield from _single(reader, line, columns)


_Q = f"<{ENTITY}Q"
_TEXTS = frozenset({"label", "alias", "description"})


class _Roles(dict[str, tuple[str, str, str]]):
    """The role of each predicate, as written in brackets; the third is empty unless it is ignored."""

    def __missing__(self, written: str) -> tuple[str, str, str]:
        role, key = role_of(written[1:-1])
        found = self[written] = (role, key, IGNORED if role in (IGNORED, "name", "about") else "")
        return found


def _single(reader: EntityTriples, line: int, columns: tuple[str, ...]) -> Iterator[Record]:
    try:
        found = quad(columns)
    except ValueError as error:
        yield Reject(line, str(error), excerpt("\t".join(columns)))
        return
    kind, subject = subject_of(found.subject)
    if kind == "entity":
        yield from reader.records(line, subject, *role_of(found.predicate), found)
    elif kind in ("statement", "value", "reference"):
        yield rejected(line, "a part of a statement; load the file with --format wikidata-rdf", found)
    elif kind == "article" and role_of(found.predicate)[0] not in OF_ARTICLES:
        yield rejected(line, "Wikidata's RDF says no such thing of such a subject", found)


@dataclass(frozen=True, slots=True)
class StatementLines(FileSource):
    """N-Triples with statements. The lines of a statement must not stand too far from each other, as in the dumps.

    :ivar options: languages, types, references and ranks apply
    """

    options: ReadOptions = field(default_factory=ReadOptions)

    def records(self) -> Iterator[Record]:
        """The records of the entities and statements, each when it is whole."""
        window = Window(self.options)
        for line, found in self.quads():
            if isinstance(found, Reject):
                yield found
            else:
                yield from window.add(line, found)
        yield from window.finish()

    def quads(self) -> Iterator[tuple[int, Quad | Reject]]:
        """The triples, each with the number of its line."""
        for block in blocks_of(self.path, self.describe):
            yield from quads(block)


class StatementJson(StatementLines):
    """JSON lines whose ``subject``, ``predicate`` and ``object`` are written as in N-Triples."""

    __slots__ = ()

    def quads(self) -> Iterator[tuple[int, Quad | Reject]]:
        """The triples, each with the number of its line."""
        for block in blocks_of(self.path, self.describe):
            for number, line in enumerate(block.data.split(b"\n"), start=block.line):
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                    written = f"{row['subject']} {row['predicate']} {row['object']} ."
                    yield from quads(Block(number, written.replace("\n", " ").encode()))
                except (ValueError, KeyError, TypeError, RecursionError) as error:
                    reason = f"no subject, predicate and object in JSON: {error}"
                    yield number, Reject(number, reason, excerpt(line.decode("utf-8", "backslashreplace")))


_PREFIX = re.compile(rb"^[ \t]*@?(?:prefix|base)\b[^\n]*$", re.IGNORECASE | re.MULTILINE)
_PARAGRAPHS = 1 << 19
"""Bytes that are parsed at once; whole paragraphs."""


class StatementTurtle(StatementLines):
    """Turtle with statements, as Wikidata writes it: in paragraphs with a blank line between.

    A paragraph that is no Turtle is a reject, and those after it are read.
    """

    __slots__ = ()

    def quads(self) -> Iterator[tuple[int, Quad | Reject]]:
        """The triples, each with the number of its paragraph's first line."""
        prefixes: dict[bytes, None] = {}
        for line, text in self._pieces():
            prefixes.update(dict.fromkeys(_PREFIX.findall(text)))
            head = b"\n".join(prefixes) + b"\n"
            try:
                found = _parsed(head + text)
            except (SyntaxError, ValueError, MemoryError):
                for at, paragraph in _paragraphs(line, text):
                    yield from _checked(at, head, paragraph)
            else:
                yield from zip(itertools.repeat(line), found)

    def _pieces(self) -> Iterator[tuple[int, bytes]]:
        """Some paragraphs at a time, with the number of their first line."""
        line, rest = 1, b""
        for block in blocks_of(self.path, self.describe, _PARAGRAPHS):
            data = rest + block.data
            if block.line == 1:
                data = data.removeprefix(b"\xef\xbb\xbf")
            end = max(data.rfind(b"\n\n"), data.rfind(b"\n\r\n"))
            if end < 0:
                rest = data
                continue
            text, rest = data[: end + 1], data[end + 1 :]
            yield line, text
            line += text.count(b"\n")
        if rest.strip():
            yield line, rest


def _paragraphs(line: int, text: bytes) -> Iterator[tuple[int, bytes]]:
    for paragraph in re.split(rb"(\n[ \t\r]*\n)", text):
        if paragraph.strip():
            yield line, paragraph
        line += paragraph.count(b"\n")


def _checked(line: int, head: bytes, paragraph: bytes) -> Iterable[tuple[int, Quad | Reject]]:
    """The triples of one paragraph, or why it has none."""
    try:
        return [(line, found) for found in _parsed(head + paragraph)]
    except (SyntaxError, ValueError, MemoryError) as error:  # the last: a term of over 16 MiB
        reason = getattr(error, "msg", None) or str(error)
        return [(line, Reject(line, f"no Turtle: {reason}", excerpt(paragraph.decode("utf-8", "backslashreplace"))))]


def _parsed(text: bytes) -> list[Quad]:
    """The triples of some Turtle.

    :raises SyntaxError: it is none
    :raises MissingExtraError: pyoxigraph is not installed
    """
    try:
        import pyoxigraph
    except ImportError as error:
        raise MissingExtraError("pyoxigraph", "rdf") from error
    return [_quad(triple) for triple in pyoxigraph.parse(text, pyoxigraph.RdfFormat.TURTLE)]


def _quad(triple: pyoxigraph.Quad) -> Quad:
    import pyoxigraph

    subject: Any = triple.subject
    found: Any = triple.object
    named = subject.value if isinstance(subject, pyoxigraph.NamedNode) else str(subject)
    if isinstance(found, pyoxigraph.Literal):
        language = found.language or ""
        datatype = "" if language else found.datatype.value
        return Quad(named, triple.predicate.value, found.value, True, datatype, language)
    tail = found.value if isinstance(found, pyoxigraph.NamedNode) else str(found)
    return Quad(named, triple.predicate.value, tail, False)
