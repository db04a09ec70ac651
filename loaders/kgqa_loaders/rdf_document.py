"""RDF in syntaxes that statements can't be cut out of, read through pyoxigraph; see :mod:`kgqa_loaders.rdf`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, TypeAlias
from urllib.parse import quote

from kgqa_graphdb.errors import LoadError, MissingExtraError
from kgqa_graphdb.types import Scalar
from kgqa_loaders.document_check import check_terms, check_xml
from kgqa_loaders.files import FileSource, open_bytes, reading
from kgqa_loaders.formats import share, whole_lines
from kgqa_loaders.ntriples import RDF, Quad
from kgqa_loaders.records import ReadOptions, Record, Reject, Source, Statement
from kgqa_loaders.vocabulary import (
    NAMES,
    OF_PROPERTIES,
    PROPERTY_CLASSES,
    TYPE,
    Vocabulary,
    called_by_iri,
    note,
    relation_id,
    value_of,
)

_REIFIES = RDF + "reifies"
SAMPLE_BYTES = 1 << 16

Reified: TypeAlias = dict[str, list[tuple[str, str, str]]]
"""Reifier → subject, predicate and object of the facts that it stands for."""


def scope_of(path: Path) -> str:
    """What keeps a file's blank nodes apart from another's: six letters that depend on how the file begins."""
    with open_bytes(path) as stream:
        return hashlib.sha256(stream.read(SAMPLE_BYTES)).hexdigest()[:6] + "-"


@dataclass(frozen=True, slots=True)
class RdfFile(FileSource):
    """A file in a syntax of RDF that statements can't be cut out of.

    It is read twice: first for the properties that it declares and the facts that it annotates. Memory does not grow
    with the file, but with its annotated facts and its blank nodes without a label.

    :ivar syntax: name in ``pyoxigraph.RdfFormat``
    """

    vocabulary: Vocabulary
    syntax: str

    def records(self) -> Iterator[Record]:
        """The records of each statement; their lines are the statements' numbers, from 1.

        :raises LoadError: it can't be read, or its syntax is wrong
        :raises MissingExtraError: pyoxigraph is not installed
        """
        with reading(self.describe):
            if self.syntax == "RDF_XML":
                check_xml(self.path, self.describe)
            elif self.syntax != "JSON_LD":
                check_terms(self.path, self.describe)
            vocabulary, reified, named = self._schema()
            records = self._records(vocabulary, reified)
            yield from records if named else called_by_iri(records)

    def _records(self, vocabulary: Vocabulary, reified: Reified) -> Iterator[Record]:
        annotations: dict[str, dict[str, list[Scalar]]] = {reifier: {} for reifier in reified}
        facts = {fact: False for found in reified.values() for fact in found}
        noted: set[str] = set()
        fresh: list[str] = []

        def relation(iri: str) -> str:
            fresh.append(iri)
            return relation_id(iri)

        for number, found in enumerate(self._quads(), start=1):
            if isinstance(found, Reject):
                yield found
                continue
            if found.subject in annotations:
                if found.predicate != _REIFIES:
                    yield from _annotate(annotations[found.subject], number, found, vocabulary)
                continue
            if not found.literal and (found.subject, found.predicate, found.object) in facts:
                facts[found.subject, found.predicate, found.object] = True
                continue
            yield from vocabulary.records(number, found, relation)
            while fresh:
                if (iri := fresh.pop()) not in noted:
                    noted.add(iri)
                    yield note(iri)
        for reifier, found_facts in reified.items():
            for subject, predicate, target in found_facts:
                annotated = dict(annotations[reifier])
                if not facts[subject, predicate, target]:
                    annotated["asserted"] = [False]
                head, tail = vocabulary.entity(subject), vocabulary.entity(target)
                if predicate not in noted:
                    noted.add(predicate)
                    yield note(predicate)
                qualifiers = {key: values if len(values) > 1 else values[0] for key, values in annotated.items()}
                yield Statement(0, head, relation_id(predicate), tail, qualifiers)

    def _schema(self) -> tuple[Vocabulary, Reified, bool]:
        """The vocabulary with the properties that the file declares, its annotated facts, and whether it has names."""
        declared: set[str] = set()
        reified: Reified = {}
        named = False
        for found in self._quads():
            if isinstance(found, Reject):
                continue
            named = named or found.predicate in NAMES
            if found.predicate in OF_PROPERTIES or (found.predicate == TYPE and found.object in PROPERTY_CLASSES):
                declared.add(found.subject)
            elif found.predicate == _REIFIES and isinstance(found, Reifying):
                reified.setdefault(found.subject, []).append((found.of.subject, found.of.predicate, found.of.object))
        return replace(self.vocabulary, properties=self.vocabulary.properties | declared), reified, named

    def _quads(self) -> Iterator[Any]:
        """The statements; each is a :class:`Quad` or a reject."""
        try:
            import pyoxigraph
        except ModuleNotFoundError:
            raise MissingExtraError("pyoxigraph", "rdf") from None
        names: dict[str, str] = {}
        with open_bytes(self.path) as stream:
            syntax = getattr(pyoxigraph.RdfFormat, self.syntax)
            parser = pyoxigraph.parse(_plain(stream), syntax, base_iri=f"file:///{quote(self.path.name)}")
            number = 0
            while True:
                number += 1
                try:
                    found = next(parser)
                except StopIteration:
                    return
                except MemoryError as error:  # what pyoxigraph says of a term of over 16 MiB
                    raise LoadError(
                        f"{self.describe} has a term that is too long for pyoxigraph, after statement {number - 1:,}: "
                        f"{error}; take it out, or convert the file to N-Triples"
                    ) from error
                except SyntaxError as error:
                    if self.syntax not in ("N_TRIPLES", "N_QUADS"):
                        raise LoadError(self._wrong(error)) from error
                    yield Reject(error.lineno or number, str(error.msg), error.text or "")
                    continue
                yield _quad(found, names, pyoxigraph, number)

    def _wrong(self, error: SyntaxError) -> str:
        place = f" at line {error.lineno}" if error.lineno else ""
        reason = re.sub(r"^Parser error at line[^:]*: ", "", str(error.msg).split("\n")[0])
        return (
            f"{self.describe} is no {self.syntax.replace('_', '-')}{place}: {reason}; correct it there, or convert the "
            "file to N-Triples, of which single lines may be wrong"
        )


@dataclass(frozen=True, slots=True)
class Reifying:
    """A statement that names another one."""

    subject: str
    predicate: str
    of: Quad
    object: str = ""
    literal: bool = False


def _plain(stream: Any) -> IO[bytes]:
    """The stream itself; pyoxigraph does not know the byte order mark."""
    start = stream.read(3)
    if start != b"\xef\xbb\xbf":
        stream.seek(0)
    plain: IO[bytes] = stream
    return plain


def _quad(found: Any, names: dict[str, str], pyoxigraph: Any, number: int) -> Quad | Reifying | Reject:
    """A statement of pyoxigraph's; blank nodes that it made up are numbered, so that they are the same each time."""

    def node(term: Any) -> str:
        if isinstance(term, pyoxigraph.BlankNode):
            label = term.value
            if len(label) >= 24 and re.fullmatch(r"[0-9a-f]+", label):
                return names.setdefault(label, f"_:{len(names)}")
            return f"_:{label}"
        if not isinstance(term, pyoxigraph.NamedNode):
            raise ValueError(f"{type(term).__name__} can't be part of a fact")
        return str(term.value)

    try:
        subject, predicate, target = node(found.subject), node(found.predicate), found.object
        if isinstance(target, pyoxigraph.Literal):
            datatype = "" if target.language else target.datatype.value
            return Quad(subject, predicate, target.value, True, datatype, target.language or "")
        if isinstance(target, pyoxigraph.Triple):
            if predicate != _REIFIES or isinstance(target.object, pyoxigraph.Literal | pyoxigraph.Triple):
                raise ValueError("only facts between entities can be annotated")
            of = Quad(node(target.subject), node(target.predicate), node(target.object), False)
            return Reifying(subject, predicate, of)
        return Quad(subject, predicate, node(target), False)
    except ValueError as error:
        return Reject(number, str(error), str(found))


def _annotate(annotations: dict[str, list[Scalar]], line: int, found: Quad, vocabulary: Vocabulary) -> Iterator[Reject]:
    """Take a statement about a fact as its qualifier; the qualifier's key is the predicate's local name."""
    if found.literal and vocabulary.place(found.language) is None:
        return
    key = relation_id(found.predicate).split(" (")[0]
    try:
        value = value_of(found.object, found.datatype) if found.literal else vocabulary.entity(found.object)
    except ValueError as error:
        yield Reject(line, str(error), f"{found.subject}\t{found.predicate}\t{found.object}")
        return
    annotations.setdefault(key, []).append(value)


_TURTLE = re.compile(rb"^\s*(@prefix|@base|PREFIX\s|BASE\s|prefix\s+\S*:\s*<)", re.MULTILINE)


_PIECE = re.compile(rb"\s*(<[^<>\s]*>|_:\S+|a\s|\"|\[|\]).*[;,.]\s*")


def syntax_of(sample: bytes, name: str = "") -> str:
    """The syntax that a sample is in, as a name in ``pyoxigraph.RdfFormat``; empty: none."""
    text = sample.removeprefix(b"\xef\xbb\xbf").lstrip()
    suffixes = Path(name).name.lower().removesuffix(".gz").removesuffix(".bz2").removesuffix(".xz").rsplit(".", 1)
    suffix = suffixes[-1] if len(suffixes) > 1 else ""
    if text.startswith(b"<") and RDF.encode() in text and re.search(rb"<\w*:?RDF\b", text):
        return "RDF_XML"
    if text[:1] in (b"{", b"[") and re.search(rb'"@(context|id|graph)"\s*:', text):
        return "JSON_LD"
    lines = [line for line in whole_lines(sample) if not line.startswith(b"#")]
    if share(lines, _is_statement) > 0.8 and not _TURTLE.search(text):
        return "TURTLE" if any(line.startswith(b"<<") for line in lines) else "N_QUADS"
    if suffix == "n3" and _TURTLE.search(text):
        return "N3"
    if _TURTLE.search(text) or (suffix in ("ttl", "trig", "n3") and re.search(rb"[.;,]\s*$", text, re.MULTILINE)):
        return "TRIG"
    return "TRIG" if share(lines, _PIECE.fullmatch) > 0.8 and lines[0][:1] in (b"<", b"_") else ""


def _is_statement(line: bytes) -> bool:
    return line[:1] in (b"<", b"_") and line.rstrip().endswith(b".") and b">" in line


def open_file(path: Path, describe: str, options: ReadOptions) -> Source:
    """The source of a file in any syntax.

    :raises LoadError: its syntax can't be recognised
    """
    with reading(describe), open_bytes(path) as stream:
        sample = stream.read(SAMPLE_BYTES)
    syntax = syntax_of(sample, path.name)
    if not syntax:
        raise LoadError(
            f"can't tell which syntax of RDF {describe} is in; give its name the right end: .ttl, .trig, .n3, .nt, "
            ".nq, .rdf or .jsonld"
        )
    with reading(describe):
        scope = scope_of(path)
    return RdfFile(path, describe, Vocabulary(options.languages, options.types or "labels", scope), syntax)


def fits_file(sample: bytes, name: str = "") -> float:
    """Whether a sample is in a syntax of RDF."""
    syntax = syntax_of(sample, name)
    plain_lines = syntax == "N_QUADS" and b"<<" not in sample
    return 0.95 if syntax and not plain_lines else 0.0
