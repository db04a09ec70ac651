"""What RDF's IRIs and literals become: relation ids, labels, names, typed values; for every loader of plain RDF.

A relation's id depends on its IRI alone, so that the same graph comes of every syntax, of files with other prefixes and
of one load after another: ``foaf:knows`` for vocabularies that everybody knows, else ``worksFor (acme.com/ontology/)``,
the local name first, since Neo4j Browser cuts long captions. Its description holds the IRI, unless it has a comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from kgqa_graphdb.language.english import words_of
from kgqa_graphdb.language.english_relations import guessed_phrase
from kgqa_graphdb.types import Scalar
from kgqa_loaders.ntriples import RDF, XSD, Quad
from kgqa_loaders.records import GUESS_RANK, Literal, Named, Record, Reject, RelationNote, Statement, Triple
from kgqa_loaders.relations import Datatype, parse_value

RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
PREFIXES = {
    "rdf": RDF, "rdfs": RDFS, "owl": OWL, "skos": SKOS, "foaf": "http://xmlns.com/foaf/0.1/",
    "schema": "http://schema.org/", "schemas": "https://schema.org/", "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/", "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/", "prov": "http://www.w3.org/ns/prov#", "org": "http://www.w3.org/ns/org#",
    "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#", "geosparql": "http://www.opengis.net/ont/geosparql#",
    "time": "http://www.w3.org/2006/time#", "vcard": "http://www.w3.org/2006/vcard/ns#", "bibo": "http://purl.org/ontology/bibo/",
    "dcat": "http://www.w3.org/ns/dcat#", "sioc": "http://rdfs.org/sioc/ns#", "gn": "http://www.geonames.org/ontology#",
    "obo": "http://purl.obolibrary.org/obo/", "oboInOwl": "http://www.geneontology.org/formats/oboInOwl#",
    "wdt": "http://www.wikidata.org/prop/direct/", "gr": "http://purl.org/goodrelations/v1#",
    "void": "http://rdfs.org/ns/void#", "sosa": "http://www.w3.org/ns/sosa/", "lmdb": "http://data.linkedmdb.org/movie/",
}  # fmt: skip
_BY_NAMESPACE = {namespace: prefix for prefix, namespace in PREFIXES.items()}

NAMES = (
    RDFS + "label", SKOS + "prefLabel", "http://schema.org/name", "https://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
)  # fmt: skip
"""Predicates whose texts are names, best first."""
ALIASES = frozenset({
    SKOS + "altLabel", SKOS + "hiddenLabel", "http://schema.org/alternateName", "https://schema.org/alternateName",
    "http://xmlns.com/foaf/0.1/nick",
})  # fmt: skip
DESCRIPTIONS = (
    RDFS + "comment", "http://schema.org/description", "https://schema.org/description",
    "http://purl.org/dc/elements/1.1/description", "http://purl.org/dc/terms/description", SKOS + "definition",
    "http://dbpedia.org/ontology/abstract",
)  # fmt: skip
TYPE = RDF + "type"
PROPERTY_CLASSES = frozenset({
    RDF + "Property", OWL + "ObjectProperty", OWL + "DatatypeProperty", OWL + "AnnotationProperty",
    OWL + "FunctionalProperty", OWL + "InverseFunctionalProperty", OWL + "TransitiveProperty",
    OWL + "SymmetricProperty", OWL + "AsymmetricProperty", OWL + "ReflexiveProperty", OWL + "IrreflexiveProperty",
})  # fmt: skip
OF_PROPERTIES = frozenset({
    RDFS + "domain", RDFS + "range", RDFS + "subPropertyOf", OWL + "inverseOf", OWL + "equivalentProperty",
    OWL + "propertyChainAxiom", "http://schema.org/domainIncludes", "http://schema.org/rangeIncludes",
    "https://schema.org/domainIncludes", "https://schema.org/rangeIncludes",
})  # fmt: skip
"""Predicates whose subject is a property."""
_REMEMBERED = 100_000

_DATATYPES: dict[str, Datatype] = {
    **dict.fromkeys((
        "integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "negativeInteger",
        "nonPositiveInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte",
    ), "integer"),
    "gYear": "integer", "decimal": "float", "double": "float", "float": "float", "boolean": "boolean",
    "date": "date", "dateTime": "datetime", "dateTimeStamp": "datetime",
}  # fmt: skip
_ZONE = re.compile(r"(Z|[+-]\d\d:\d\d)$")
_FAR_DATE = re.compile(r"(-\d{4,}|0000|\d{5,})-\d\d-\d\d(T.*)?")
_WKT_POINT = re.compile(r"(?:<[^>]*>\s*)?POINT\s*\(\s*(\S+)\s+(\S+)\s*\)", re.IGNORECASE)


def split_iri(iri: str) -> tuple[str, str]:
    """An IRI's namespace and local name; the local name of ``http://a/b/`` is ``b/``."""
    at = max(iri.rfind("/", 0, -1), iri.rfind("#", 0, -1), iri.rfind(":", 0, -1)) + 1
    return iri[:at], iri[at:]


def relation_id(iri: str) -> str:
    """The id of a predicate; different IRIs have different ids."""
    namespace, local = split_iri(iri)
    if not namespace or not local:
        return iri
    prefix = _BY_NAMESPACE.get(namespace)
    return f"{prefix}:{local}" if prefix else f"{local} ({namespace.removeprefix('http://')})"


def class_label(iri: str) -> str:
    """The node label of a class: its local name; classes of one name in several vocabularies are one label."""
    return unquote(split_iri(iri)[1]).rstrip("/") or iri


def readable(entity_id: str) -> str:
    """What an entity without a name is called: of an IRI the local name in words, else the id itself."""
    if "://" not in entity_id and not entity_id.startswith("urn:"):
        return entity_id
    local = unquote(split_iri(entity_id.rstrip("/#"))[1]).replace("_", " ").strip()
    return local or entity_id


def called_by_iri(records: Iterable[Record]) -> Iterator[Record]:
    """The records, and for each entity in them a name from its IRI, which loses to any other."""
    seen: set[str] = set()
    for record in records:
        yield record
        if isinstance(record, Triple | Statement):
            entities: tuple[str, ...] = (record.head, record.tail)
        elif isinstance(record, Literal | Named):
            entities = (record.head if isinstance(record, Literal) else record.entity_id,)
        else:
            continue
        for entity in entities:
            if entity not in seen:
                seen.add(entity)
                if (name := readable(entity)) != entity:
                    yield Named(entity, name, rank=GUESS_RANK, line=record.line)
        if len(seen) > _REMEMBERED:
            seen.clear()


def note(iri: str) -> RelationNote:
    """The note that an IRI itself gives on a relation: words from its local name, and the IRI as its description."""
    local = split_iri(iri)[1] or iri
    return RelationNote(relation_id(iri), label=guessed_phrase(local), description=iri, rank=GUESS_RANK)


def value_of(text: str, datatype: str) -> Scalar:
    """The value of a literal; what Neo4j has no type for stays a text, as do dates before the year 1.

    :raises ValueError: the text is no literal of its datatype
    """
    if datatype.startswith(XSD):
        kind = _DATATYPES.get(datatype[len(XSD) :])
        if kind is None or (kind in ("date", "datetime") and _FAR_DATE.fullmatch(text)):
            return text
        if kind == "date" or datatype.endswith("gYear"):
            text = _ZONE.sub("", text.strip()) if len(text.strip()) > 6 else text.strip().removesuffix("Z")
        if kind == "integer" and re.fullmatch(r"[+-]?\d{19,}", text.strip()) and not -(2**63) <= int(text) < 2**63:
            return text.strip()
        return parse_value(text, kind)
    if datatype.endswith("wktLiteral") and (match := _WKT_POINT.fullmatch(text.strip())):
        return parse_value(f"{match[1]} {match[2]}", "point")
    return text


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Turns statements into records.

    :ivar languages: of texts, best first; texts in others are left out; none: all are kept
    :ivar types: what becomes of classes: ``labels``, ``facts`` or ``both``
    :ivar scope: what keeps the blank nodes of this file apart from those of others
    :ivar properties: IRIs that are declared as properties: statements about them go to notes
    """

    languages: tuple[str, ...] = ("en",)
    types: str = "labels"
    scope: str = ""
    properties: frozenset[str] = frozenset()
    _places: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    def entity(self, written: str) -> str:
        """The id of an entity: its IRI, or a blank node's label with the file's scope."""
        return f"_:{self.scope}{written[2:]}" if written.startswith("_:") else written

    def place(self, language: str) -> int | None:
        """Place of a language among those wanted, from 0; texts without one come last; nothing if it is unwanted."""
        found = self._places.get(language)
        if found is None:
            bare = language.lower().split("--")[0]
            wanted = [tag.lower() for tag in self.languages]
            fits = [at for at, tag in enumerate(wanted) if bare == tag or bare.startswith(tag + "-")]
            found = fits[0] if fits else len(wanted) if not language or not wanted else -1
            self._places[language] = found
        return None if found < 0 else found

    def records(self, line: int, quad: Quad, relation: Callable[[str], str] = relation_id) -> Iterator[Record]:
        """The records of a statement; none for a text in a language that is not wanted."""
        predicate = quad.predicate
        if quad.subject in self.properties or predicate in OF_PROPERTIES or self._declares(quad):
            yield from self._notes(quad)
            return
        subject = self.entity(quad.subject)
        if not quad.literal:
            target = self.entity(quad.object)
            if predicate == TYPE and not target.startswith("_:"):
                if self.types != "facts":
                    yield Named(subject, labels=(class_label(target),), line=line)
                if self.types == "labels":
                    return
            yield Triple(line, subject, relation(predicate), target)
            return
        place = self.place(quad.language)
        if place is None:
            return
        if predicate in NAMES:
            yield Named(subject, quad.object, rank=place * 10 + NAMES.index(predicate), line=line)
        elif predicate in ALIASES:
            yield Named(subject, aliases=(quad.object,), line=line)
        elif predicate in DESCRIPTIONS:
            rank = place * 10 + DESCRIPTIONS.index(predicate)
            yield Named(subject, description=quad.object, rank=rank, line=line)
        else:
            try:
                yield Literal(line, subject, relation(predicate), value_of(quad.object, quad.datatype))
            except ValueError as error:
                yield Reject(line, str(error), f"{quad.subject}\t{predicate}\t{quad.object}")

    @staticmethod
    def _declares(quad: Quad) -> bool:
        return quad.predicate == TYPE and quad.object in PROPERTY_CLASSES

    def _notes(self, quad: Quad) -> Iterator[RelationNote]:
        """A statement's note on a property; domains and ranges are inferences: nodes need not carry them."""
        if quad.subject.startswith("_:"):
            return
        relation = relation_id(quad.subject)
        if not quad.literal:
            if quad.predicate == OWL + "inverseOf" and not quad.object.startswith("_:"):
                yield RelationNote(relation, inverse=_words(quad.object), rank=GUESS_RANK)
                yield RelationNote(relation_id(quad.object), inverse=_words(quad.subject), rank=GUESS_RANK)
            elif quad.object == OWL + "DatatypeProperty":
                yield RelationNote(relation, kind="property", rank=GUESS_RANK)
            return
        place = self.place(quad.language)
        if place is None:
            return
        if quad.predicate in NAMES:
            yield RelationNote(relation, label=quad.object, rank=place * 10 + NAMES.index(quad.predicate))
        elif quad.predicate in DESCRIPTIONS:
            yield RelationNote(relation, description=quad.object, rank=place * 10 + DESCRIPTIONS.index(quad.predicate))


def _words(iri: str) -> str:
    return words_of(split_iri(iri)[1] or iri)
