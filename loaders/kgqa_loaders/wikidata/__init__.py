"""Wikidata in the forms in which it is published: entity dumps as JSON, RDF, KGTK, and tables made of it."""

from __future__ import annotations

from kgqa_loaders.formats import Format
from kgqa_loaders.wikidata import dump, inferwiki, kgtk, literals, naming, rdf, tables

LICENCE = "CC0-1.0"
"""Of all structured data in Wikidata's main, property, lexeme and entity schema namespaces."""

FORMATS: tuple[Format, ...] = (
    Format("wikidata-json", '{"type":"item","id":"Q42",…}', dump.fits, dump.open_dump, LICENCE, types="facts"),
    Format("wikidata-rdf", "wd:Q42 p:P69 s:Q42-…", rdf.fits_statements, rdf.open_statements, LICENCE, types="facts"),
    Format("wikidata-truthy", "<…/entity/Q42> <…/prop/direct/P31> <…/entity/Q5> .", rdf.fits_truthy, rdf.Truthy,
           LICENCE, types="facts"),
    Format("kgtk", "node1<TAB>label<TAB>node2", kgtk.fits, kgtk.Kgtk, types="facts"),
    Format("wikidata-labelled", "Q42<TAB>name<TAB>P69<TAB>name<TAB>Q691283<TAB>name", tables.fits_labelled,
           tables.Labelled, LICENCE, types="facts"),
    Format("wikidata-statements", "Q42,P69,Q691283,P582,Q6942", tables.fits_statements, tables.Statements, LICENCE,
           types="facts"),
    Format("inferwiki", "Q42<TAB>educated_at<TAB>Q691283", inferwiki.fits, inferwiki.InferWiki),
    Format("inferwiki-names", "Q42<TAB><TAB>12<TAB><TAB>name<TAB><TAB>alias<TAB>description", naming.fits_vocabulary,
           naming.Vocabulary, naming=True),
    Format("wikidata-literals", 'Q42<TAB>P2048_Q11573<TAB>"1.96"^^<…#decimal>', literals.fits, literals.Literals,
           LICENCE),
    Format("wikidata-names", 'Q42<TAB>label, alias or description by the file\'s name, or {"Q42": "label"}',
           naming.fits, naming.open_names, LICENCE, naming=True),
)  # fmt: skip
