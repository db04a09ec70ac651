"""Freebase in N-Quads with relative ids, as Cayley's film graph has it.

    </en/blade_runner> </film/film/starring> _:100000 .
    _:100000 </film/performance/actor> </en/harrison_ford> .
    </en/blade_runner> <name> "Blade Runner" .

``<name>`` gives a name, ``<type>`` a class, any other literal a property. Performances are blank nodes: which relations
meet at them, and so what is walked as one step, comes from the ontology or, without one, from the facts themselves. A
fourth term, the graph, is left out.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kgqa_loaders.files import BlockFile
from kgqa_loaders.formats import Format, share, whole_lines
from kgqa_loaders.freebase.literals import language_rank, typed, unescaped
from kgqa_loaders.freebase.ontology import observed, read_ontology
from kgqa_loaders.freebase.schema import LICENCE, Schema, dotted, slashed
from kgqa_loaders.records import Block, Literal, Named, ReadOptions, Record, Reject, Triple
from kgqa_loaders.triples import decoded, undecoded

_LINE = re.compile(
    r"""[\t ]*(?:<([^<>"\s]+)>|(_:[^\s<>"]+))[\t ]+<([^<>"\s]+)>[\t ]+"""
    r"""(?:<([^<>"\s]+)>|(_:[^\s<>"]*[^\s<>".])|"((?:[^"\\]|\\.)*+)"(?:@([A-Za-z0-9-]+)|\^\^<([^<>"\s]+)>)?)"""
    r"""(?:[\t ]+(?:<[^<>"\s]*>|_:[^\s<>"]*[^\s<>".]))?[\t ]*\.[\t ]*"""
)
_RELATIVE = re.compile(rb"""[\t ]*(?:</[^<>"\s]+>|_:\S+)[\t ]+<(?:/[^<>"\s]+|name|type)>[\t ].*""")


def fits(sample: bytes, name: str = "") -> float:
    """Share of the sample's lines whose relation is a relative id."""
    return share(whole_lines(sample), _RELATIVE.fullmatch)


@dataclass(frozen=True, slots=True)
class FreebaseQuads(BlockFile):
    """A file of quads or triples.

    :ivar options: languages and types
    :ivar schema: its ontology
    """

    options: ReadOptions = field(default_factory=ReadOptions)
    schema: Schema = field(default_factory=Schema)

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of a block's lines; the first block's come after the ontology's notes."""
        types, languages = self.options.types, self.options.languages
        master = {slashed(name): slashed(other) for name, other in self.schema.mirrored.master.items()}
        if block.line == 1:
            yield from self.schema.rejects
            yield from self.schema.notes(slashed, labels=False)
        data = block.data.removeprefix(codecs.BOM_UTF8) if block.line == 1 else block.data
        for number, line in enumerate(decoded(data), start=block.line):
            if not isinstance(line, str):
                yield undecoded(number, line)
                continue
            found = _LINE.fullmatch(line.removesuffix("\r"))
            if found is None:
                if line.strip() and not line.lstrip().startswith("#"):
                    yield Reject(number, "it is no statement of subject, predicate and object", line.rstrip("\r"))
                continue
            iri, blank, relation, tail, blank_tail, literal, tag, datatype = found.groups()
            head = iri or blank
            rank = language_rank(tag or "", languages)
            if literal is not None and tag and rank is None:
                continue
            if relation == "type" and literal is None:
                if types != "facts":
                    yield Named(head, labels=(tail or blank_tail,), line=number)
                if types in ("facts", "both"):
                    yield Triple(number, head, relation, tail or blank_tail)
            elif literal is None and relation in master:
                yield Triple(number, tail or blank_tail, master[relation], head)
            elif literal is None:
                yield Triple(number, head, relation, tail or blank_tail)
            elif relation == "name" and literal:
                yield Named(head, name=unescaped(literal), rank=rank or 0, line=number)
            elif relation != "name":
                kind = datatype.rpartition("#")[2] if datatype else self.schema.value_type(dotted(relation))
                yield Literal(number, head, relation, typed(unescaped(literal), kind))


def open_quads(path: Path, describe: str, options: ReadOptions) -> FreebaseQuads:
    """The source at a path. Without an ontology the file is read once before to see what its blank nodes join."""
    schema = read_ontology(options.ontology) if options.ontology else observed(_facts(path, describe))
    return FreebaseQuads(path, describe, options, schema)


def _facts(path: Path, describe: str) -> Iterator[tuple[str, str, str, bool]]:
    for record in FreebaseQuads(path, describe).records():
        if isinstance(record, Triple):
            yield record.head, dotted(record.relation), record.tail, False
        elif isinstance(record, Literal):
            yield record.head, dotted(record.relation), str(record.value), True


FORMATS: Iterable[Format] = (
    Format(
        "freebase-nquads", "</en/blade_runner> </film/film/starring> _:1 .", fits, open_quads, LICENCE, ontology=True
    ),
)
