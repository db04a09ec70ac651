"""Numbers, dates and places of entities, as LiterallyWikidata has them (https://doi.org/10.1007/978-3-030-88361-4_30).

``Q1000<TAB>P2046_Q25343<TAB>"+267667"^^<…#decimal>``; a place is two lines, ``P625_Latitude`` and ``P625_Longtiude``.
As in all of Wikidata's simple values, a year looks like its 1 January.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from kgqa_loaders.files import FileSource, blocks_of
from kgqa_loaders.formats import share, whole_lines
from kgqa_loaders.ntriples import XSD, Quad
from kgqa_loaders.records import ReadOptions, Record, Reject
from kgqa_loaders.triples import decoded, undecoded
from kgqa_loaders.wikidata.entities import excerpt
from kgqa_loaders.wikidata.statements import Claim, ClaimConverter
from kgqa_loaders.wikidata.terms import value_of
from kgqa_loaders.wikidata.values import Value, number, place_value

_LITERAL = re.compile(
    r"(?P<head>Q[0-9]+)\t(?P<property>P[0-9]+)(?:_(?P<unit>Q[0-9]+)|_(?P<part>Latitude|Long[a-z]+))?"
    rf'\t"(?P<text>[^"]*)"\^\^<(?P<datatype>{re.escape(XSD)}(?:decimal|double|dateTime))>'
)
_BYTES = re.compile(_LITERAL.pattern.encode())
_ONE = "Q199"
"""The number one, which stands where a quantity has no unit."""


class _Coordinate(NamedTuple):
    line: int
    text: str


def fits(sample: bytes, name: str = "") -> float:
    """Share of the lines that are an entity, a property with or without a unit, and a number or a time."""
    return share(whole_lines(sample), _BYTES.fullmatch)


@dataclass(frozen=True, slots=True)
class Literals(FileSource):
    """Values of entities.

    :ivar options: languages and types have nothing to apply to
    """

    options: ReadOptions = field(default_factory=ReadOptions)

    def records(self) -> Iterator[Record]:
        """A value for each line, one for each pair of coordinates, and a note on each property with a unit.

        :raises LoadError: it can't be read
        """
        converter = ClaimConverter(self.options)
        places: dict[tuple[str, str], dict[str, list[_Coordinate]]] = {}
        for block in blocks_of(self.path, self.describe):
            for line, text in enumerate(decoded(block.data), start=block.line):
                if isinstance(text, UnicodeDecodeError):
                    yield undecoded(line, text)
                    continue
                text = (text.removeprefix("\ufeff") if line == 1 else text).removesuffix("\r")
                found = _LITERAL.fullmatch(text)
                if found is not None and found["part"]:
                    part = found["part"].replace("tiude", "titude")[:3]
                    sides = places.setdefault((found["head"], found["property"]), {})
                    sides.setdefault(part, []).append(_Coordinate(line, found["text"]))
                elif found is not None:
                    yield from self._value(line, found, converter)
                elif text.strip():
                    yield Reject(line, "it is no entity, property and number or time with tabs between", excerpt(text))
        for (head, property_id), sides in places.items():
            yield from self._place(head, property_id, sides, converter)

    def _value(self, line: int, found: re.Match[str], converter: ClaimConverter) -> Iterator[Record]:
        quad = Quad(found["head"], found["property"], found["text"], literal=True, datatype=found["datatype"])
        try:
            value = value_of(quad)
        except ValueError as error:
            yield Reject(line, str(error), excerpt(found[0]))
            return
        unit = found["unit"] or ""
        claim = Claim(found["property"], value._replace(unit="" if unit == _ONE else unit))
        yield from converter.records(line, found["head"], claim)

    def _place(
        self, head: str, property_id: str, sides: dict[str, list[_Coordinate]], converter: ClaimConverter
    ) -> Iterator[Record]:
        """The point of an entity's coordinates; which of several go together the file does not say."""
        latitudes, longitudes = sides.get("Lat", []), sides.get("Lon", [])
        line = min(line for line, _ in (*latitudes, *longitudes))
        try:
            if len(latitudes) != 1 or len(longitudes) != 1:
                raise ValueError(f"{len(latitudes)} latitudes and {len(longitudes)} longitudes are no one place")
            value: Value = place_value(float(number(latitudes[0].text)), float(number(longitudes[0].text)), "")
        except ValueError as error:
            yield Reject(line, str(error), f"{head}\t{property_id}")
        else:
            yield from converter.records(line, head, Claim(property_id, value))
