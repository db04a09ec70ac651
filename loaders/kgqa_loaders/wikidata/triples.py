"""Records of single triples about an entity: names, facts and values, in any order and each by itself."""

from __future__ import annotations

from collections.abc import Iterator

from kgqa_loaders.ntriples import Quad
from kgqa_loaders.records import Literal, Named, ReadOptions, Record, Reject, RelationNote, Triple
from kgqa_loaders.wikidata.entities import LEXEME_RELATIONS, MULTIPLE, excerpt
from kgqa_loaders.wikidata.statements import Claim, ClaimConverter
from kgqa_loaders.wikidata.terms import IGNORED, WIKIBASE, entity_of, value_of

_LABELS = {
    "Property": "Property", "Lexeme": "Lexeme", "Form": "Form", "Sense": "Sense", "Mediainfo": "MediaInfo",
}  # fmt: skip


def rejected(line: int, reason: str, quad: Quad) -> Reject:
    """A triple that can't be used."""
    return Reject(line, reason, excerpt(f"{quad.subject}\t{quad.predicate}\t{quad.object}"))


class EntityTriples:
    """Reads triples whose subject is an entity."""

    def __init__(self, options: ReadOptions, converter: ClaimConverter) -> None:
        self.options = options
        self.converter = converter
        self.ranks = {code: rank for rank, code in enumerate((*options.languages, MULTIPLE))}
        self.last = len(options.languages) + 1

    def records(self, line: int, entity: str, role: str, key: str, quad: Quad) -> Iterator[Record]:
        """The records of a triple.

        :param entity: its subject's id
        :param role: of its predicate, as :func:`kgqa_loaders.wikidata.terms.role_of` gives it with ``key``
        """
        if role in ("label", "alias", "description"):
            yield from self.text(line, entity, role, quad.object, quad.language)
        elif role == "direct":
            yield from self.direct(line, entity, key, quad)
        elif role == "type":
            kind = quad.object.removeprefix(WIKIBASE)
            if kind != quad.object:
                yield Named(entity, labels=(_LABELS[kind],) if kind in _LABELS else (), line=line)
        elif role in LEXEME_RELATIONS:
            if role not in self.converter.described:
                self.converter.described.add(role)
                yield RelationNote(role, label=LEXEME_RELATIONS[role])
            yield Triple(line, entity, role, entity_of(quad.object) or quad.object)
        elif role == "media":
            try:
                yield Literal(line, entity, key, value_of(quad).scalar)
            except ValueError as error:
                yield rejected(line, str(error), quad)
        elif role == "redirect":
            yield Named(entity_of(quad.object) or quad.object, aliases=(entity,), line=line)
        elif role == "claim":
            yield rejected(line, "a part of a statement; load the file with --format wikidata-rdf", quad)
        elif role not in (IGNORED, "name", "about"):
            yield rejected(line, "Wikidata's RDF does not have such a predicate", quad)

    def text(self, line: int, entity: str, role: str, text: str, language: str) -> Iterator[Record]:
        """A ``label``, ``alias`` or ``description``; nothing if it is in a language that was not chosen."""
        rank = self.ranks.get(language) if language else 0
        if rank is None:
            if role != "label" or entity[0] != "L" or "-S" in entity:
                return
            rank = self.last  # a word that is in no chosen language goes by how it is written in its own
        if entity[0] == "P" and entity[1:].isdigit():  # see EntityReader._property
            if role == "label":
                yield RelationNote(entity, label=text, rank=rank)
            elif role == "description":
                yield RelationNote(entity, description=text, rank=rank)
        elif role == "label":
            yield Named(entity, text, rank=rank, line=line)
        elif role == "alias":
            yield Named(entity, aliases=(text,), line=line)
        else:
            yield Named(entity, description=text, rank=rank, line=line)

    def direct(self, line: int, entity: str, property_id: str, quad: Quad) -> Iterator[Record]:
        """A fact of the best rank, without the qualifiers of its statement."""
        try:
            value = value_of(quad)
        except ValueError as error:
            yield rejected(line, str(error), quad)
            return
        node = f"{entity}${quad.object.rpartition('/')[2]}" if value.kind == "unknown" else ""
        yield from self.converter.records(line, entity, Claim(property_id, value, node))
