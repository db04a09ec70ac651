"""The words of Wikidata's RDF: what its IRIs and literals mean.

Source: https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import unquote

from kgqa_loaders.ntriples import RDF, XSD, Quad
from kgqa_loaders.wikidata.values import (
    DAY,
    SOMEVALUE,
    Value,
    entity,
    last_part,
    literal,
    number,
    place_value,
    quantity_value,
    time_value,
)

WIKIBASE = "http://wikiba.se/ontology#"
SCHEMA = "http://schema.org/"
ENTITY = "http://www.wikidata.org/entity/"
TYPE = RDF + "type"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_ONTOLEX = "http://www.w3.org/ns/lemon/ontolex#"
_OWL = "http://www.w3.org/2002/07/owl#"
_WKT = "http://www.opengis.net/ont/geosparql#wktLiteral"

IGNORED = "ignored"
"""Role of what repeats something else, or is about the dump, the page or the vocabulary."""

OF_ARTICLES = frozenset({"about", "name", "type", IGNORED})
"""Roles of properties of the pages about entities."""
_ROLES = {
    _RDFS + "label": "label", _SKOS + "altLabel": "alias", SCHEMA + "description": "description", TYPE: "type",
    SCHEMA + "name": "name", SCHEMA + "about": "about", _OWL + "sameAs": "redirect",
    "http://www.w3.org/ns/prov#wasDerivedFrom": "derived", WIKIBASE + "rank": "rank",
    WIKIBASE + "lexicalCategory": "lexicalCategory", "http://purl.org/dc/terms/language": "lexemeLanguage",
    _ONTOLEX + "lexicalForm": "form", _ONTOLEX + "sense": "sense",
    WIKIBASE + "grammaticalFeature": "grammaticalFeature",
    **{SCHEMA + key: "media" for key in ("encodingFormat", "contentUrl", "contentSize", "height", "width", "duration",
                                         "numberOfPages")},
}  # fmt: skip
_REPEATED = frozenset({
    _SKOS + "prefLabel", _SKOS + "definition", _ONTOLEX + "representation", "http://creativecommons.org/ns#license",
    *(SCHEMA + key for key in ("version", "dateModified", "softwareVersion", "inLanguage", "isPartOf", "caption")),
})  # fmt: skip
_VOCABULARY = re.compile(f"(?:{re.escape(WIKIBASE)}|{re.escape(_OWL)})[A-Za-z0-9]+")
_PROPERTY = re.compile(r"https?://[^/]+(?:/[^/]+)*?/prop/(?:([a-z/-]+)/)?([A-Z][0-9]+)")
_BRANCHES = {
    "direct": "direct", "": "claim", "statement": "statement", "statement/value": "statement value",
    "qualifier": "qualifier", "qualifier/value": "qualifier value", "reference": "reference",
    "reference/value": "reference value", "novalue": "none",
}  # fmt: skip
_VALUE_PARTS = frozenset({
    "timeValue", "timePrecision", "timeCalendarModel", "quantityAmount", "quantityUpperBound", "quantityLowerBound",
    "quantityUnit", "geoLatitude", "geoLongitude", "geoGlobe",
})  # fmt: skip


@lru_cache(1 << 16)
def role_of(predicate: str) -> tuple[str, str]:
    """The role of a predicate, and its property; ``("", "")`` where Wikidata's RDF does not have it."""
    if found := _PROPERTY.fullmatch(predicate):
        return _BRANCHES.get(found[1] or "", IGNORED), found[2]
    if role := _ROLES.get(predicate):
        return role, predicate.rpartition("/")[2]
    return (IGNORED, "") if predicate in _REPEATED or _VOCABULARY.fullmatch(predicate) else ("", "")


_SUBJECT = re.compile(
    r"https?://[^/]+(?:/[^/]+)*?/(?:entity/(?P<statement>statement)/|(?P<reference>reference)/|(?P<value>value)/"
    r"|(?P<entity>entity)/|(?P<about>prop|wiki/Special:EntityData)/)(?P<id>.+)"
)
_ENTITY = re.compile(r"https?://[^/]+(?:/[^/]+)*?/entity/([A-Z][0-9]+(?:-[FS][0-9]+)?)")
_STATEMENT = re.compile(r"([A-Za-z][0-9]+(?:-[FS][0-9]+)?)-([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})")


@lru_cache(1 << 12)
def subject_of(iri: str) -> tuple[str, str]:
    """What a subject is, and its id: ``entity``, ``statement``, ``value``, ``reference``, ``about`` or ``article``.

    ``about`` are the dump, its pages and its vocabulary; ``article`` is any other resource.
    """
    if found := _SUBJECT.fullmatch(iri):
        kind = next(name for name, text in found.groupdict().items() if text is not None and name != "id")
        if kind == "entity" and not _ENTITY.fullmatch(iri):
            return "article", iri
        return kind, found["id"]
    return ("about" if iri.startswith((WIKIBASE, "_:")) else "article"), iri


def statement_id(found: str) -> tuple[str, str]:
    """A statement's id as JSON has it, and the entity that it is about; the same text and nothing where there is none.

    :param found: as RDF has it, with ``-`` for ``$``
    """
    parts = _STATEMENT.fullmatch(found)
    return (f"{parts[1]}${parts[2]}", parts[1].upper()) if parts else (found, "")


def is_unknown(resource: str) -> bool:
    """Whether a resource stands for an unknown value."""
    return resource.startswith("_:") or "/.well-known/genid/" in resource


def entity_of(resource: str) -> str:
    """The id of an entity's IRI; empty for other resources."""
    found = _ENTITY.fullmatch(resource)
    return found[1] if found else ""


_FILES = re.compile(r"https?://commons\.wikimedia\.org/(?:wiki/Special:FilePath|data/main)/(.+)")


def value_of(quad: Quad) -> Value:
    """The value that a fact leads to, without what only value nodes have: precision, unit and the like.

    :raises ValueError: it is none of Wikidata's
    """
    text = quad.object
    if not quad.literal:
        if found := entity_of(text):
            return entity(found)
        if is_unknown(text):
            return SOMEVALUE
        file = _FILES.fullmatch(text)
        return literal(unquote(file[1]) if file else text)
    if quad.language:
        return Value("literal", text, language=quad.language)
    if not quad.datatype or quad.datatype == XSD + "string":
        return literal(text)
    if quad.datatype == XSD + "dateTime":
        return time_value(text, DAY, astronomical=True)
    if quad.datatype == XSD + "decimal":
        return quantity_value(text)
    if quad.datatype == _WKT:
        return _place(text)
    if quad.datatype in (XSD + "integer", XSD + "double"):
        return literal(number(text))
    return literal(text)


_POINT = re.compile(r"(?:<([^>]*)>\s*)?Point\(\s*(\S+)\s+(\S+)\s*\)", re.IGNORECASE)


def _place(text: str) -> Value:
    found = _POINT.fullmatch(text)
    if not found:
        raise ValueError(f"{text[:80]!r} is no place")
    return place_value(float(found[3]), float(found[2]), found[1] or "")


def value_part(predicate: str) -> str:
    """The part of a value node that a predicate gives; empty: none that is kept."""
    part = predicate.removeprefix(WIKIBASE)
    return part if part in _VALUE_PARTS else ""


def node_value(parts: Mapping[str, str]) -> Value | None:
    """The value of a value node.

    :param parts: its parts, by :func:`value_part`
    :return: None where parts are missing
    :raises ValueError: it is no value
    """
    if time := parts.get("timeValue"):
        precision = parts.get("timePrecision", "")
        return time_value(time, int(precision) if precision.isdigit() else DAY, astronomical=True,
                          calendar=last_part(parts.get("timeCalendarModel", "")))  # fmt: skip
    if amount := parts.get("quantityAmount"):
        unit = last_part(parts.get("quantityUnit", ""))
        return quantity_value(amount, "" if unit == "Q199" else unit, parts.get("quantityUpperBound", ""),
                              parts.get("quantityLowerBound", ""))  # fmt: skip
    if "geoLatitude" in parts and "geoLongitude" in parts:
        return place_value(float(parts["geoLatitude"]), float(parts["geoLongitude"]), parts.get("geoGlobe", ""))
    return None
