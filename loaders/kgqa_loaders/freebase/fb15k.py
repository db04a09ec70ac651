"""Tables of Freebase's facts such as FB15k and FB15k-237: ``/m/0abc<TAB>/film/film/genre<TAB>/m/0xyz``.

A relation of two parts, ``/film/film/starring./film/performance/actor``, has been walked through a mediator already and
is one relation here too. With an ontology, a relation that mirrors another is reversed and stored under that one's
name. Entities have no names here: a names file gives them some (:mod:`kgqa_loaders.names`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from kgqa_loaders.files import BlockFile
from kgqa_loaders.formats import Format, share, whole_lines
from kgqa_loaders.freebase.ontology import read_ontology
from kgqa_loaders.freebase.schema import (
    GUESSED_RANK,
    LICENCE,
    Schema,
    dotted,
    inverse_phrase,
    joined_notes,
    phrase,
    slashed,
)
from kgqa_loaders.records import Block, ReadOptions, Record, RelationNote, Triple
from kgqa_loaders.triples import TabTriples

_LINE = re.compile(rb"/[mg]/\w+\t/[^\t]*\t/[mg]/\w+")


def fits(sample: bytes, name: str = "") -> float:
    """Share of the sample's lines that hold three ids of Freebase's between tabs."""
    return share(whole_lines(sample), _LINE.fullmatch)


@dataclass(frozen=True, slots=True)
class FreebaseTable(BlockFile):
    """A file of tab-separated facts.

    :ivar schema: its ontology
    """

    schema: Schema = field(default_factory=Schema)

    def parse(self, block: Block) -> Iterator[Record]:
        """A fact or a reject for each line of a block that is not blank, and words for the relations among them."""
        stored_as: dict[str, str] = {}  # relation → its master, or itself
        if block.line == 1:
            yield from self.schema.rejects
        for record in TabTriples(self.path, self.describe).parse(block):
            if isinstance(record, Triple):
                relation = record.relation
                if relation not in stored_as:
                    stored_as[relation] = self.master(relation)
                    yield self._note(stored_as[relation])
                if stored_as[relation] != relation:
                    record = Triple(record.line, record.tail, stored_as[relation], record.head)
            yield record

    def master(self, relation: str) -> str:
        """The relation that one is stored as: its mirror image or itself; of two parts both must be mirrored."""
        masters = [self.schema.mirrored.master.get(dotted(part)) for part in relation.split("./")]
        known = [name for name in masters if name]
        return ".".join(slashed(name) for name in reversed(known)) if len(known) == len(masters) else relation

    def _note(self, relation: str) -> RelationNote:
        reverse = [self.schema.mirrored.reverse.get(dotted(part), "") for part in relation.split("./")]
        if len(reverse) == 1:
            inverse = inverse_phrase(reverse[0]) if reverse[0] else ""
            return RelationNote(relation, label=phrase(dotted(relation)), inverse=inverse, rank=GUESSED_RANK)
        note = joined_notes(relation)
        if all(reverse):
            back = joined_notes(".".join(slashed(name) for name in reversed(reverse))).label
            note = replace(note, inverse=f"{back} of")
        return note


def open_table(path: Path, describe: str, options: ReadOptions) -> FreebaseTable:
    """The source at a path."""
    return FreebaseTable(path, describe, read_ontology(options.ontology))


FORMATS: Iterable[Format] = (
    Format("fb15k", "/m/0abc<TAB>/film/film/genre<TAB>/m/0xyz", fits, open_table, LICENCE, ontology=True),
)
