"""What an entity of a JSON dump becomes: items, properties, lexemes with their forms and senses, media files.

Source: https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgqa_loaders.records import Named, ReadOptions, Record, Reject, RelationNote, Triple
from kgqa_loaders.wikidata.statements import Claim, ClaimConverter, reference_text
from kgqa_loaders.wikidata.values import NOVALUE, SOMEVALUE, Value, checked_text, from_json

INVERSE_PROPERTY = "P1696"
MULTIPLE = "mul"
"""The language of names that are the same in all languages that share a script."""
REJECTED_CHARACTERS = 2_000
"""How much of what can't be read goes to the rejects file."""

LEXEME_RELATIONS = {
    "lexicalCategory": "lexical category", "lexemeLanguage": "language", "form": "form", "sense": "sense",
    "grammaticalFeature": "grammatical feature",
}  # fmt: skip
_LABELS = {"property": "Property", "lexeme": "Lexeme", "mediainfo": "MediaInfo"}
WRONG = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What looking into JSON raises that is not built as Wikibase builds it."""


def excerpt(text: str) -> str:
    """A text as the rejects file shows it, cut where it is very long."""
    size = len(text)
    return text if size <= REJECTED_CHARACTERS else f"{text[:REJECTED_CHARACTERS]}… ({size:,} characters)"


@dataclass(slots=True)
class EntityReader:
    """Reads entities, one after the other."""

    options: ReadOptions
    converter: ClaimConverter

    @classmethod
    def of(cls, options: ReadOptions) -> EntityReader:
        """A reader that has described no relation yet."""
        return cls(options, ClaimConverter(options))

    def records(self, line: int, document: Any) -> Iterator[Record]:
        """The records of an entity.

        :param document: its JSON, or why there is none
        """
        if isinstance(document, Reject):
            yield document
            return
        if not isinstance(document, dict):
            yield Reject(line, "this JSON is no entity of Wikidata", excerpt(json.dumps(document, ensure_ascii=False)))
            return
        if "entities" in document and "type" not in document:
            for inner in _mapping(document["entities"]).values():
                yield from self.records(line, inner)
            return
        try:
            yield from self._entity(line, document)
        except WRONG as error:
            yield _reject(line, error, document)

    def _entity(self, line: int, document: Mapping[str, Any]) -> Iterator[Record]:
        if "redirect" in document:
            yield Named(_id(document["redirect"]), aliases=(_id(document["entity"]),), line=line)
            return
        entity_id = _id(document["id"])
        if "missing" in document:
            yield Reject(line, "the source says that this entity does not exist", entity_id)
            return
        for redirect in _listed(document.get("redirects")):
            yield Named(entity_id, aliases=(_id(redirect["from"]),), line=line)
        kind = document["type"]
        if kind == "property":
            yield from self._property(line, entity_id, document)
        elif kind == "lexeme":
            yield from self._lexeme(line, entity_id, document)
        else:
            label = (_LABELS[kind],) if kind in _LABELS else ()
            yield from self.named(line, entity_id, document, label, fallback=self.title(document))
        yield from self._claims(line, entity_id, document)

    # ── names ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _texts(self, texts: Any) -> list[tuple[int, str]]:
        """Rank and text of those in the chosen languages, best first; after them what is in no one language."""
        by_code = _mapping(texts)
        wanted = (*self.options.languages, MULTIPLE)
        return [(rank, _text(by_code[code])) for rank, code in enumerate(wanted) if code in by_code]

    def title(self, document: Mapping[str, Any]) -> str:
        """A name for what has no label: the title of the page about it in a chosen language, or of the media file."""
        if document["type"] == "mediainfo":
            return str(document.get("title", "")).removeprefix("File:")
        links = _mapping(document.get("sitelinks"))
        sites = (f"{code.replace('-', '_')}wiki" for code in self.options.languages)
        return next((checked_text(links[site]["title"]) for site in sites if site in links), "")

    def named(self, line: int, entity_id: str, document: Mapping[str, Any], labels: tuple[str, ...] = (),
              fallback: str = "") -> list[Record]:  # fmt: skip
        """What an entity is called.

        :param labels: class labels of its node
        :param fallback: its name where it has none in a chosen language
        """
        also = _mapping(document.get("aliases"))
        return self.called(
            line,
            entity_id,
            self._texts(document.get("labels")),
            [_text(alias) for code in (*self.options.languages, MULTIPLE) for alias in also.get(code, ())],
            self._texts(document.get("descriptions")),
            labels,
            fallback,
        )

    def called(
        self,
        line: int,
        entity_id: str,
        names: Sequence[tuple[int, str]],
        also: Sequence[str],
        descriptions: Sequence[tuple[int, str]],
        labels: tuple[str, ...] = (),
        fallback: str = "",
    ) -> list[Record]:
        """The same from rank and text of names and descriptions, the best first, and further names."""
        if names:
            rank, name = names[0]
        else:
            rank, name = (len(self.options.languages) + 1, fallback) if fallback else (0, "")
        aliases: tuple[str, ...] = ()
        if also or len(names) > 1:
            further = dict.fromkeys([*(text for _, text in names[1:]), *also])
            further.pop(name, None)
            aliases = tuple(further)
        described, description = descriptions[0] if descriptions else (rank, "")
        if described == rank:
            return [Named(entity_id, name, aliases, labels, description, rank, line)]
        return [
            Named(entity_id, name, aliases, labels, "", rank, line),
            Named(entity_id, description=description, rank=described, line=line),
        ]

    # ── properties and lexemes ───────────────────────────────────────────────────────────────────────────────────────

    def _property(self, line: int, property_id: str, document: Mapping[str, Any]) -> Iterator[Record]:
        """Notes on the relation and on its inverse.

        The property is an entity too, with facts of its own. It goes by its id: were its node called "director", a
        question about directors would be taken to be about the property.
        """
        labels = self._texts(document.get("labels"))
        rank, label = labels[0] if labels else (0, "")
        descriptions = self._texts(document.get("descriptions"))
        description = descriptions[0][1] if descriptions else ""
        also = _mapping(document.get("aliases"))
        aliases = [_text(alias) for code in self.options.languages for alias in also.get(code, ())]
        if aliases:
            description = "; ".join(filter(None, (description, f"also called: {', '.join(aliases)}")))
        yield Named(property_id, labels=("Property",), description=": ".join(filter(None, (label, description))),
                    rank=rank, line=line)  # fmt: skip
        yield RelationNote(property_id, label=label, description=description, rank=rank)
        claims = _mapping(document.get("claims"))
        for statement in claims.get(INVERSE_PROPERTY, ()):
            snak = statement["mainsnak"]
            if snak["snaktype"] == "value":
                yield RelationNote(str(from_json(snak["datavalue"]).scalar), inverse=label, rank=rank)

    def _lexeme(self, line: int, lexeme: str, document: Mapping[str, Any]) -> Iterator[Record]:
        yield from self._lemma(line, lexeme, document.get("lemmas"), "Lexeme")
        yield from self._linked(line, lexeme, "lexicalCategory", document.get("lexicalCategory"))
        yield from self._linked(line, lexeme, "lexemeLanguage", document.get("language"))
        for form in _listed(document.get("forms")):
            form_id = _id(form["id"])
            yield from self._linked(line, lexeme, "form", form_id)
            yield from self._lemma(line, form_id, form.get("representations"), "Form")
            for feature in _listed(form.get("grammaticalFeatures")):
                yield from self._linked(line, form_id, "grammaticalFeature", feature)
            yield from self._claims(line, form_id, form)
        for sense in _listed(document.get("senses")):
            sense_id = _id(sense["id"])
            yield from self._linked(line, lexeme, "sense", sense_id)
            yield from self.named(line, sense_id, {"labels": sense.get("glosses")}, ("Sense",))
            yield from self._claims(line, sense_id, sense)

    def _lemma(self, line: int, entity_id: str, texts: Any, label: str) -> Iterator[Record]:
        """A word's name: in a chosen language if it has one, else as it is written in its own."""
        names = self._texts(texts)
        last = len(self.options.languages) + 1
        known = {name for _, name in names}
        names += sorted((last, text) for text in map(_text, _mapping(texts).values()) if text not in known)
        rank, name = names[0] if names else (0, "")
        yield Named(entity_id, name, tuple(text for _, text in names[1:]), (label,), rank=rank, line=line)

    def _linked(self, line: int, head: str, relation: str, tail: Any) -> Iterator[Record]:
        if not tail:
            return
        if relation not in self.converter.described:
            self.converter.described.add(relation)
            yield RelationNote(relation, label=LEXEME_RELATIONS[relation])
        yield Triple(line, head, relation, _id(tail))

    # ── statements ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _claims(self, line: int, head: str, document: Mapping[str, Any]) -> Iterator[Record]:
        return self.statements(line, head, _mapping(document.get("claims") or document.get("statements")).values())

    def statements(self, line: int, head: str, groups: Iterable[Any]) -> Iterator[Record]:
        """The claims about an entity.

        :param groups: the statements of a property each
        """
        references = self.options.references
        for group in groups:
            try:
                ranks = {statement.get("rank", "normal") for statement in group if isinstance(statement, dict)}
            except WRONG as error:
                yield _reject(line, error, group)
                continue
            best = "preferred" if "preferred" in ranks else "normal"
            for statement in group:
                flaws: list[tuple[Exception, object]] = []
                try:
                    yield from self.converter.records(line, head, _claim(statement, best, flaws, references))
                except WRONG as error:
                    flaws.append((error, statement))
                for flaw, text in flaws:
                    yield _reject(line, flaw, text)


def _claim(
    statement: Mapping[str, Any], best: str, flaws: list[tuple[Exception, object]], with_references: bool
) -> Claim:
    """A statement; what is wrong with its qualifiers and references goes to ``flaws``, and the fact stays."""
    snak = statement["mainsnak"]
    rank = checked_text(statement.get("rank", "normal"))
    qualifiers, references = statement.get("qualifiers"), statement.get("references") if with_references else None
    return Claim(
        checked_text(snak["property"]),
        _value(snak),
        checked_text(statement.get("id", "")),
        rank,
        rank == best,
        values_of(qualifiers, flaws) if qualifiers else {},
        tuple(sorted(reference_text(values_of(it["snaks"], flaws)) for it in references)) if references else (),
        snak.get("datatype") == "external-id",
    )


def _value(snak: Mapping[str, Any]) -> Value:
    kind = snak["snaktype"]
    if kind == "value":
        return from_json(snak["datavalue"])
    if kind == "somevalue":
        return SOMEVALUE
    if kind == "novalue":
        return NOVALUE
    raise ValueError(f"snaktype {kind!r} is not known")


def values_of(snaks: Any, flaws: list[tuple[Exception, object]]) -> dict[str, list[Value]]:
    """Property → values of the snaks of qualifiers or of a reference; what is wrong goes to ``flaws``."""
    found: dict[str, list[Value]] = {}
    for key, group in _mapping(snaks).items():
        for snak in group:
            try:
                found.setdefault(key, []).append(_value(snak))
            except WRONG as error:
                flaws.append((error, snak))
    return {key: values for key, values in found.items() if values}


def _mapping(value: Any) -> Mapping[str, Any]:
    """An object; PHP writes an empty one as an empty list.

    :raises ValueError: it is neither
    """
    if isinstance(value, dict):
        return value
    if value is None or value == []:
        return {}
    raise ValueError(f"{excerpt(str(value))} should be an object")


def _listed(value: Any) -> list[Any]:
    if value is None or value == {}:
        return []
    if isinstance(value, dict):
        return list(value.values()) if "from" not in value else [value]
    if not isinstance(value, list):
        raise ValueError(f"{excerpt(str(value))} should be a list")
    return value


def _text(term: Any) -> str:
    """The text of a label, an alias or the like."""
    return checked_text(term["value"])


def _id(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{value!r} is no id")
    return value


def _reject(line: int, error: Exception, document: object) -> Reject:
    reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
    return Reject(line, f"not built as Wikidata's JSON is: {reason}", excerpt(json.dumps(document, ensure_ascii=False)))
