"""Wikidata in the forms in which it is published: entity dumps as JSON, RDF, KGTK, and tables made of it."""

from __future__ import annotations

from kgqa_loaders.formats import Format
from kgqa_loaders.wikidata import dump

LICENCE = "CC0-1.0"
"""Of all structured data in Wikidata's main, property, lexeme and entity schema namespaces."""

FORMATS: tuple[Format, ...] = (
    Format("wikidata-json", '{"type":"item","id":"Q42",…}', dump.fits, dump.open_dump, LICENCE, types="facts"),
)
