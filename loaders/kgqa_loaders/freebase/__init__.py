"""Freebase: the RDF dump, N-Quads with relative ids, FB15k-like triples and facts between names; data under CC BY 2.5.

Google closed Freebase in 2016. What is left of it is its last dump, the benchmarks cut from it, and samples of both.

An entity's id is what its file writes, without the namespace: ``m.0abc`` in the dump, as in SPARQL and in WebQSP; and
``/m/0abc`` in FB15k, as in the files of names made for it. Relations likewise: ``film.film.genre`` and
``/film/film/genre``; an ontology serves both spellings.
"""

from kgqa_loaders.formats import Format
from kgqa_loaders.freebase.fb15k import FORMATS as _FB15K
from kgqa_loaders.freebase.named import FORMATS as _NAMED
from kgqa_loaders.freebase.nquads import FORMATS as _NQUADS
from kgqa_loaders.freebase.rdf import FORMATS as _RDF

FORMATS: tuple[Format, ...] = (*_RDF, *_NQUADS, *_FB15K, *_NAMED)
