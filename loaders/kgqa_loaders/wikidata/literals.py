"""Numbers of entities as LiterallyWikidata has them: ``Q1000<TAB>P2046_Q25343<TAB>"+267667"^^<…#decimal>``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kgqa_loaders.files import BlockFile
from kgqa_loaders.formats import share, whole_lines
from kgqa_loaders.ntriples import XSD
from kgqa_loaders.records import Block, ReadOptions, Record, Reject
from kgqa_loaders.triples import decoded, undecoded
from kgqa_loaders.wikidata.entities import excerpt
from kgqa_loaders.wikidata.statements import Claim, ClaimConverter
from kgqa_loaders.wikidata.values import Value, number

_LITERAL = re.compile(
    rf'(?P<head>Q[0-9]+)\t(?P<property>P[0-9]+)(?:_(?P<unit>Q[0-9]+))?\t"(?P<text>[^"]*)"\^\^<{re.escape(XSD)}decimal>'
)
_BYTES = re.compile(_LITERAL.pattern.encode())
_ONE = "Q199"
"""The number one, which stands where a quantity has no unit."""


def fits(sample: bytes, name: str = "") -> float:
    """Share of the lines that are an entity, a property with or without a unit, and a decimal number."""
    return share(whole_lines(sample), _BYTES.fullmatch)


@dataclass(frozen=True, slots=True)
class Numbers(BlockFile):
    """Numbers of entities.

    :ivar options: none of them applies
    """

    options: ReadOptions = field(default_factory=ReadOptions)

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of a block's lines: a value, and a note on each property with a unit."""
        converter = ClaimConverter(self.options)
        for line, text in enumerate(decoded(block.data), start=block.line):
            if isinstance(text, UnicodeDecodeError):
                yield undecoded(line, text)
                continue
            text = (text.removeprefix("\ufeff") if line == 1 else text).removesuffix("\r")
            found = _LITERAL.fullmatch(text)
            if found is None:
                if text.strip():
                    yield Reject(line, "it is no entity, property and decimal number with tabs between", excerpt(text))
                continue
            try:
                value = number(found["text"])
            except ValueError as error:
                yield Reject(line, str(error), excerpt(text))
                continue
            unit = found["unit"] or ""
            claim = Claim(found["property"], Value("literal", value, unit="" if unit == _ONE else unit))
            yield from converter.records(line, found["head"], claim)
