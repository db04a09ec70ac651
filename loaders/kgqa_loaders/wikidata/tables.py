"""Tables made of Wikidata: triples with their names next to the ids, and statements with their qualifiers.

``Q42<TAB>Douglas Adams<TAB>P69<TAB>educated at<TAB>Q691283<TAB>St John's College``, and
``Q42,P69,Q691283,P582,Q6942,…`` as WD50K has it (https://github.com/migalkin/StarE).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kgqa_graphdb.types import Scalar
from kgqa_loaders.files import BlockFile
from kgqa_loaders.formats import share, whole_lines
from kgqa_loaders.records import Block, Named, ReadOptions, Record, Reject, RelationNote, Statement
from kgqa_loaders.triples import decoded, undecoded
from kgqa_loaders.wikidata.entities import excerpt
from kgqa_loaders.wikidata.properties import PROPERTY_LABELS, RANK
from kgqa_loaders.wikidata.statements import Claim, ClaimConverter
from kgqa_loaders.wikidata.values import entity, literal

_ENTITY = r"[QPL][0-9]+(?:-[FS][0-9]+)?"
_LABELLED = re.compile(rf"{_ENTITY}\t[^\t]*\tP[0-9]+\t[^\t]*\t[^\t]+\t[^\t]*".encode())
_STATEMENT = re.compile(rf"{_ENTITY},P[0-9]+,[^,]+(?:,P[0-9]+,[^,]+)*".encode())
_ID = re.compile(_ENTITY)
_PROPERTY = re.compile(r"P[0-9]+")


def fits_labelled(sample: bytes, name: str = "") -> float:
    """Share of the lines that are an id, a name, a property's id, a name, an id and a name."""
    return share(whole_lines(sample), _LABELLED.fullmatch)


def fits_statements(sample: bytes, name: str = "") -> float:
    """Share of the lines that are ids between commas: entity, property, entity, and pairs of property and entity."""
    return share(whole_lines(sample), _STATEMENT.fullmatch)


@dataclass(frozen=True, slots=True)
class Labelled(BlockFile):
    """Triples with names.

    :ivar options: types applies
    """

    options: ReadOptions = field(default_factory=ReadOptions)

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of a block's lines."""
        converter = ClaimConverter(self.options)
        for number, line in enumerate(decoded(block.data), start=block.line):
            if isinstance(line, UnicodeDecodeError):
                yield undecoded(number, line)
                continue
            text = line.removesuffix("\r")
            if number == 1:
                text = text.removeprefix("\ufeff")
            if not text.strip():
                continue
            if flaw := self.flaw(text):
                yield Reject(number, flaw, excerpt(text))
            else:
                yield from self.row(number, text, converter)

    def flaw(self, text: str) -> str:
        """What is wrong with a line; empty when nothing is."""
        row = text.split("\t")
        if len(row) != 6:
            return f"{len(row)} columns instead of 6"
        if not _ID.fullmatch(row[0]) or not _PROPERTY.fullmatch(row[2]) or not row[4].strip():
            return "the first and fifth column must hold ids of entities, the third that of a property"
        return ""

    def row(self, line: int, text: str, converter: ClaimConverter) -> Iterator[Record]:
        """The records of a line that is right; a name is given once a block."""
        head, head_name, relation, label, tail, tail_name = text.split("\t")
        for entity_id, name in ((head, head_name), (tail, tail_name)):
            key = f"{entity_id}\t{name}"
            if name.strip() and _ID.fullmatch(entity_id) and key not in converter.described:
                converter.described.add(key)
                yield Named(entity_id, name, line=line)
        key = f"{relation}\t{label}"
        if label.strip() and key not in converter.described:
            converter.described.add(key)
            yield RelationNote(relation, label=label)
        value = entity(tail) if _ID.fullmatch(tail) else literal(tail)
        yield from converter.records(line, head, Claim(relation, value))


class Statements(Labelled):
    """Statements with qualifiers, ids only; names come from a names file."""

    __slots__ = ()

    def flaw(self, text: str) -> str:
        """What is wrong with a line; empty when nothing is."""
        row = text.split(",")
        if len(row) < 3 or not len(row) % 2:
            return f"{len(row)} columns: neither entity, property, entity nor that with pairs of property and entity"
        if not _ID.fullmatch(row[0]) or not all(_PROPERTY.fullmatch(cell) for cell in row[1::2]):
            return "the first column must hold an entity's id, the second and each other one after it a property's"
        return "" if all(cell.strip() for cell in row) else "a column is empty"

    def row(self, line: int, text: str, converter: ClaimConverter) -> Iterator[Record]:
        """The record of a line that is right."""
        head, relation, tail, *pairs = text.split(",")
        for property_id in (relation, *pairs[::2]):
            if property_id in PROPERTY_LABELS and property_id not in converter.described:
                converter.described.add(property_id)
                yield RelationNote(property_id, label=PROPERTY_LABELS[property_id], rank=RANK)
        if not pairs:
            yield from converter.records(line, head, Claim(relation, entity(tail)))
            return
        qualifier_values: dict[str, list[Scalar]] = {}
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            qualifier_values.setdefault(key, []).append(value)
        qualifiers = {key: values if len(values) > 1 else values[0] for key, values in qualifier_values.items()}
        yield Statement(line, head, relation, tail, qualifiers)
