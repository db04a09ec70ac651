"""The quick way for what most big sources mostly hold: lines that are plain facts, read in columns.

A reader gives the facts of a block that :func:`kgqa_loaders.normal.normalise` would leave as they are, and the other
lines, which then go the usual way. It gives nothing where a block has anything unusual: that goes the usual way whole.
Both ways give the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import partial
from operator import itemgetter

from kgqa_loaders.bulk.columns import Plain, PlainReader, too_long, usual_text
from kgqa_loaders.bulk.plain_rdf import IriReader
from kgqa_loaders.rdf import RdfLines
from kgqa_loaders.records import Block, BlockSource
from kgqa_loaders.relations import RelationSpec
from kgqa_loaders.triples import Triples
from kgqa_loaders.wikidata.dump import EntityLines


def plain_reader(source: BlockSource, specs: Mapping[str, RelationSpec]) -> PlainReader | None:
    """What reads the blocks of a source in columns; ``None`` where nothing does.

    :param specs: relations that may be no edges
    """
    if type(source).parse is Triples.parse and isinstance(source, Triples):
        return partial(_columns, source.separator, specs.keys())
    if type(source) is RdfLines:
        return IriReader(source.vocabulary, specs.keys())
    if type(source) is EntityLines:
        try:
            from kgqa_loaders.bulk.plain_items import ItemReader
        except ImportError:  # an older installation of the extra, without msgspec
            return None
        return ItemReader(source, specs.keys())
    return None


def _columns(separator: str, others: Set[str], block: Block) -> Plain | None:
    """The facts of a block of triples whose lines all have three columns."""
    text = usual_text(block)
    if text is None:
        return None
    rows = [line.split(separator) for line in text.removesuffix("\n").split("\n")]
    if any(len(row) != 3 for row in rows):
        return None
    heads, relations, tails = (list(map(itemgetter(place), rows)) for place in range(3))
    found = set(relations)
    if found & others or not all(map(str.strip, found)):
        return None
    if not (all(map(str.strip, heads)) and all(map(str.strip, tails))) or too_long(heads, found, tails):
        return None
    return Plain(heads, relations, tails)
