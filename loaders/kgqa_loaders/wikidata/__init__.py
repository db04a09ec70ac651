"""Wikidata in the forms in which it is published: entity dumps as JSON, RDF, KGTK, and tables made of it."""

from __future__ import annotations

from kgqa_loaders.formats import Format
from kgqa_loaders.wikidata import dump, rdf

LICENCE = "CC0-1.0"
"""Of all structured data in Wikidata's main, property, lexeme and entity schema namespaces."""

FORMATS: tuple[Format, ...] = (
    Format("wikidata-json", '{"type":"item","id":"Q42",…}', dump.fits, dump.open_dump, LICENCE, types="facts"),
    Format("wikidata-rdf", "wd:Q42 p:P69 s:Q42-…", rdf.fits_statements, rdf.open_statements, LICENCE, types="facts"),
    Format("wikidata-truthy", "<…/entity/Q42> <…/prop/direct/P31> <…/entity/Q5> .", rdf.fits_truthy, rdf.Truthy,
           LICENCE, types="facts"),
)  # fmt: skip
