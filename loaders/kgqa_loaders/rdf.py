"""RDF: N-Triples and N-Quads line by line in plain Python; every other syntax through pyoxigraph.

Entities are IRIs and blank nodes, named by ``rdfs:label`` and its like (:mod:`kgqa_loaders.vocabulary`). Annotations
(``<< s p o >> q v``, ``s p o {| q v |}``, reifiers) become qualifiers of the fact; a fact that is annotated but not
stated has the qualifier ``asserted = false``. Which named graph a statement stands in is not kept: the graphs of a
dataset are united.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from kgqa_graphdb.errors import LoadError, MissingExtraError
from kgqa_graphdb.types import Scalar
from kgqa_loaders.files import blocks_of, open_bytes, reading, sha256_of
from kgqa_loaders.formats import Format, share, whole_lines
from kgqa_loaders.ntriples import RDF, Quad, line_columns, quad
from kgqa_loaders.records import Block, ReadOptions, Record, Reject, Source, Statement, Triple
from kgqa_loaders.triples import decoded
from kgqa_loaders.vocabulary import (
    ALIASES,
    DESCRIPTIONS,
    NAMES,
    OF_PROPERTIES,
    PROPERTY_CLASSES,
    TYPE,
    Vocabulary,
    note,
    relation_id,
    value_of,
)

_REIFIES = RDF + "reifies"
_SPECIAL = frozenset({TYPE, *NAMES, *ALIASES, *DESCRIPTIONS, *OF_PROPERTIES})
_DECLARED = re.compile(
    rb"<([^<>\s]+)>[ \t]*<http://www\.w3\.org/1999/02/22-rdf-syntax-ns#type>[ \t]*"
    rb"<(?:" + b"|".join(re.escape(iri.encode()) for iri in sorted(PROPERTY_CLASSES)) + rb")>"
)
_SAMPLE = 1 << 16


def scope_of(path: Path) -> str:
    """What keeps a file's blank nodes apart from another's: six letters that depend on how the file begins."""
    with open_bytes(path) as stream:
        return hashlib.sha256(stream.read(_SAMPLE)).hexdigest()[:6] + "-"


# ── lines ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class RdfLines:
    """A file of N-Triples or N-Quads.

    :ivar vocabulary: what becomes of statements
    """

    path: Path
    describe: str
    vocabulary: Vocabulary

    def checksum(self) -> str:
        """SHA-256 of the file."""
        return sha256_of(self.path, self.describe)

    def blocks(self) -> Iterator[Block]:
        """The file in pieces of whole lines."""
        return blocks_of(self.path, self.describe)

    def records(self) -> Iterator[Record]:
        """The records of each line, or a reject."""
        for block in self.blocks():
            yield from self.parse(block)

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of each line of a block, or a reject; what a relation's IRI says comes once per block."""
        relations: dict[str, str] = {}  # as written → id; special predicates are never in it
        known = self.vocabulary.properties
        fresh: list[str] = []

        def relation(iri: str) -> str:
            fresh.append(iri)
            return relation_id(iri)

        noted: set[str] = set()
        for number, line in enumerate(decoded(block.data), start=block.line):
            if not isinstance(line, UnicodeDecodeError):
                # Facts between IRIs, which are most, need no regular expression.
                columns = line.split(" ", 2)
                if len(columns) == 3:
                    subject, predicate, rest = columns
                    relation_ = relations.get(predicate)
                    if (
                        relation_ is not None
                        and subject[:1] == "<"
                        and rest.find(">") == len(rest) - 3
                        and rest[:1] == "<"
                        and rest[-2:] == " ."
                        and "\\" not in line
                        and subject.find(">") == len(subject) - 1
                        and subject[1:-1] not in known
                    ):
                        yield Triple(number, subject[1:-1], relation_, rest[1:-3])
                        continue
            found = line_columns(number, line)
            if isinstance(found, Reject):
                yield found
            elif found is not None:
                try:
                    statement = quad(found)
                except ValueError as error:
                    yield Reject(number, str(error), str(line))
                    continue
                yield from self.vocabulary.records(number, statement, relation)
                if fresh:
                    iri = fresh.pop()
                    if iri not in noted:
                        noted.add(iri)
                        yield note(iri)
                    if iri not in _SPECIAL and found[1] not in relations:
                        relations[found[1]] = relation_id(iri)


def open_lines(path: Path, describe: str, options: ReadOptions) -> Source:
    """The source of a file of N-Triples or N-Quads; looks through it for the properties that it declares."""
    declared: set[str] = set()
    for file in (path, *ontology_files(options)):
        with reading(describe), open_bytes(file) as stream:
            while data := stream.read(1 << 22):
                data += stream.readline()
                if b"Property>" in data:
                    declared.update(iri.decode(errors="replace") for iri in _DECLARED.findall(data))
    with reading(describe):
        scope = scope_of(path)
    vocabulary = Vocabulary(options.languages, options.types or "labels", scope, frozenset(declared))
    return RdfLines(path, describe, vocabulary)


def ontology_files(options: ReadOptions) -> list[Path]:
    """The files that describe classes and relations."""
    place = Path(options.ontology) if options.ontology else None
    if place is None:
        return []
    return sorted(file for file in place.rglob("*") if file.is_file()) if place.is_dir() else [place]


def fits_lines(sample: bytes, name: str = "") -> float:
    """Share of the sample's lines that are statements; none if there are annotations among them."""
    lines = [line for line in whole_lines(sample) if not line.startswith(b"#")]
    if any(line.startswith(b"<<") or b"<<(" in line for line in lines):
        return 0.0
    return share(lines, lambda line: isinstance(line_columns(1, line.decode(errors="replace")), tuple))


# ── other syntaxes ───────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class RdfFile:
    """A file in a syntax of RDF that statements can't be cut out of.

    It is read twice: first for the properties that it declares and the facts that it annotates. Memory does not grow
    with the file, but with its annotated facts and its blank nodes without a label.

    :ivar syntax: name in ``pyoxigraph.RdfFormat``
    """

    path: Path
    describe: str
    vocabulary: Vocabulary
    syntax: str

    def checksum(self) -> str:
        """SHA-256 of the file."""
        return sha256_of(self.path, self.describe)

    def records(self) -> Iterator[Record]:
        """The records of each statement; their lines are the statements' numbers, from 1.

        :raises LoadError: it can't be read, or its syntax is wrong
        :raises MissingExtraError: pyoxigraph is not installed
        """
        with reading(self.describe):
            vocabulary, reified = self._schema()
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
                    said = dict(annotations[reifier])
                    if not facts[subject, predicate, target]:
                        said["asserted"] = [False]
                    head, tail = vocabulary.entity(subject), vocabulary.entity(target)
                    if predicate not in noted:
                        noted.add(predicate)
                        yield note(predicate)
                    qualifiers = {key: values if len(values) > 1 else values[0] for key, values in said.items()}
                    yield Statement(0, head, relation_id(predicate), tail, qualifiers)

    def _schema(self) -> tuple[Vocabulary, dict[str, list[tuple[str, str, str]]]]:
        """The vocabulary with the properties that the file declares, and what each reifier stands for."""
        declared: set[str] = set()
        reified: dict[str, list[tuple[str, str, str]]] = {}
        for found in self._quads():
            if isinstance(found, Reject):
                continue
            if found.predicate in OF_PROPERTIES or (found.predicate == TYPE and found.object in PROPERTY_CLASSES):
                declared.add(found.subject)
            elif found.predicate == _REIFIES and isinstance(found, Reifying):
                reified.setdefault(found.subject, []).append((found.of.subject, found.of.predicate, found.of.object))
        return replace(self.vocabulary, properties=self.vocabulary.properties | declared), reified

    def _quads(self) -> Iterator[Any]:
        """The statements; each is a :class:`Quad` or a reject."""
        try:
            import pyoxigraph
        except ModuleNotFoundError:
            raise MissingExtraError("pyoxigraph", "rdf") from None
        names: dict[str, str] = {}
        with open_bytes(self.path) as stream:
            syntax = getattr(pyoxigraph.RdfFormat, self.syntax)
            parser = pyoxigraph.parse(_plain(stream), syntax, base_iri=f"file:///{self.path.name}")
            number = 0
            while True:
                number += 1
                try:
                    found = next(parser)
                except StopIteration:
                    return
                except SyntaxError as error:
                    if self.syntax not in ("N_TRIPLES", "N_QUADS"):
                        raise LoadError(self._wrong(error)) from error
                    yield Reject(error.lineno or number, str(error.msg), error.text or "")
                    continue
                yield _quad(found, names, pyoxigraph, number)

    def _wrong(self, error: SyntaxError) -> str:
        place = f" at line {error.lineno}" if error.lineno else ""
        said = re.sub(r"^Parser error at line[^:]*: ", "", str(error.msg).split("\n")[0])
        return (
            f"{self.describe} is no {self.syntax.replace('_', '-')}{place}: {said}; correct it there, or convert the "
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


def _annotate(held: dict[str, list[Scalar]], line: int, found: Quad, vocabulary: Vocabulary) -> Iterator[Reject]:
    """Take a statement about a fact as its qualifier; the qualifier's key is the predicate's local name."""
    if found.literal and vocabulary.place(found.language) is None:
        return
    key = relation_id(found.predicate).split(" (")[0]
    try:
        value = value_of(found.object, found.datatype) if found.literal else vocabulary.entity(found.object)
    except ValueError as error:
        yield Reject(line, str(error), f"{found.subject}\t{found.predicate}\t{found.object}")
        return
    held.setdefault(key, []).append(value)


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

    :raises LoadError: its syntax can't be told
    """
    with reading(describe), open_bytes(path) as stream:
        sample = stream.read(_SAMPLE)
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


FORMATS = (
    Format("ntriples", '<…> <…> "…"@en .', fits_lines, open_lines),
    Format("rdf", "Turtle, TriG, RDF/XML, JSON-LD, N3", fits_file, open_file),
)
