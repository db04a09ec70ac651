"""RDF: N-Triples and N-Quads line by line in plain Python; every other syntax through pyoxigraph.

Entities are IRIs and blank nodes, named by ``rdfs:label`` and its like (:mod:`kgqa_loaders.vocabulary`); where a
file has no such names, or its first 64 KiB of lines has none, by the last part of the IRI. Annotations
(``<< s p o >> q v``, ``s p o {| q v |}``, reifiers) become qualifiers of the fact; a fact that is annotated but not
stated has the qualifier ``asserted = false``. Which named graph a statement stands in is not kept: the graphs of a
dataset are united.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kgqa_loaders.files import BlockFile, open_bytes, reading, rest_of_line
from kgqa_loaders.formats import Format, share, whole_lines
from kgqa_loaders.ntriples import Quad, line_columns, quad
from kgqa_loaders.rdf_document import SAMPLE_BYTES, fits_file, open_file, scope_of
from kgqa_loaders.records import Block, ReadOptions, Record, Reject, Source, Triple
from kgqa_loaders.triples import decoded
from kgqa_loaders.vocabulary import (
    ALIASES,
    DESCRIPTIONS,
    NAMES,
    OF_PROPERTIES,
    PROPERTY_CLASSES,
    TYPE,
    Vocabulary,
    called_by_iri,
    note,
    relation_id,
)

_SPECIAL = frozenset({TYPE, *NAMES, *ALIASES, *DESCRIPTIONS, *OF_PROPERTIES})
_ENDINGS = 1_000
_DECLARED = re.compile(
    rb"<([^<>\s]+)>[ \t]*<http://www\.w3\.org/1999/02/22-rdf-syntax-ns#type>[ \t]*"
    rb"<(?:" + b"|".join(re.escape(iri.encode()) for iri in sorted(PROPERTY_CLASSES)) + rb")>"
)


@dataclass(frozen=True, slots=True)
class RdfLines(BlockFile):
    """A file of N-Triples or N-Quads.

    :ivar vocabulary: what becomes of statements
    """

    vocabulary: Vocabulary

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of each line of a block, or a reject; the note on a relation comes once per block."""
        ids: dict[str, str] = {}  # IRI → id, of relations whose IRI has been noted
        fresh: list[str] = []

        def relation(iri: str) -> str:
            found = ids.get(iri)
            if found is None:
                found = ids[iri] = relation_id(iri)
                fresh.append(iri)
            return found

        predicates: dict[str, str] = {}  # as written → IRI
        endings: dict[str, tuple[str, str]] = {}  # of literals, as written → datatype, language
        known, records = self.vocabulary.properties, self.vocabulary.records
        for number, line in enumerate(decoded(block.data), start=block.line):
            statement: Quad | None = None
            if not isinstance(line, UnicodeDecodeError) and "\\" not in line:
                # What most lines look like needs no regular expression.
                subject, _, rest = line.partition(" ")
                predicate, _, rest = rest.partition(" ")
                iri = predicates.get(predicate)
                if iri is not None and subject[:1] == "<" and subject.find(">") == len(subject) - 1:
                    if rest[:1] == "<" and rest[-2:] == " ." and rest.find(">") == len(rest) - 3:
                        if iri in ids and iri not in _SPECIAL and subject[1:-1] not in known:
                            yield Triple(number, subject[1:-1], ids[iri], rest[1:-3])
                            continue
                        statement = Quad(subject[1:-1], iri, rest[1:-3], False)
                    elif rest[:1] == '"' and (end := rest.find('"', 1)) > 0 and (ending := rest[end:]) in endings:
                        datatype, language = endings[ending]
                        statement = Quad(subject[1:-1], iri, rest[1:end], True, datatype, language)
            if statement is None:
                found = line_columns(number, line)
                if found is None:
                    continue
                if isinstance(found, Reject):
                    yield found
                    continue
                try:
                    statement = quad(found)
                except ValueError as error:
                    yield Reject(number, str(error), str(line))
                    continue
                predicates[found[1]] = statement.predicate
                if statement.literal and not statement.graph and len(endings) < _ENDINGS:
                    written = f"^^{found[5]}" if found[5] else f"@{found[4]}" if found[4] else ""
                    endings[f'"{written} .'] = statement.datatype, statement.language
            yield from records(number, statement, relation)
            while fresh:
                yield note(fresh.pop())


class UnnamedRdfLines(RdfLines):
    """A file in which entities have no names but their IRIs."""

    __slots__ = ()

    def parse(self, block: Block) -> Iterator[Record]:
        """As for other files, with names from IRIs."""
        return called_by_iri(RdfLines.parse(self, block))


def open_lines(path: Path, describe: str, options: ReadOptions) -> Source:
    """The source of a file of N-Triples or N-Quads; looks through it for the properties that it declares."""
    declared: set[str] = set()
    for file in (path, *ontology_files(options)):
        with reading(describe), open_bytes(file) as stream:
            while data := stream.read(1 << 22):
                data += rest_of_line(stream, describe)
                if b"Property>" in data:
                    declared.update(iri.decode(errors="replace") for iri in _DECLARED.findall(data))
    with reading(describe):
        scope = scope_of(path)
        with open_bytes(path) as stream:
            sample = stream.read(SAMPLE_BYTES)
    vocabulary = Vocabulary(options.languages, options.types or "labels", scope, frozenset(declared))
    named = any(f"<{iri}>".encode() in sample for iri in NAMES)
    return (RdfLines if named else UnnamedRdfLines)(path, describe, vocabulary)


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


FORMATS = (
    Format("ntriples", '<…> <…> "…"@en .', fits_lines, open_lines, ontology=True),
    Format("rdf", "Turtle, TriG, RDF/XML, JSON-LD, N3", fits_file, open_file),
)
