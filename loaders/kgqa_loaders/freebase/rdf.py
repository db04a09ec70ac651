r"""Freebase's RDF dump: ``<http://rdf.freebase.com/ns/m.0abc>	<…/ns/film.film.genre>	<…/ns/m.0xyz>	.``

Also the same with spaces, as :BaseKB publishes it, and the older dumps' ``ns:m.0abc	ns:film.film.genre	ns:m.0xyz.``

======================================  ==============================================================================
in the dump                             becomes
======================================  ==============================================================================
``type.object.name``, ``rdfs:label``    a name, in the languages wanted
``common.topic.alias``                  an alias, likewise
``common.topic.description``            a description, likewise
``type.object.type``, ``rdf:type``      node labels, facts ``type.object.type``, or both
``type.type.instance``                  the same, reversed
``type.property.*``, names of           notes on relations: what they lead from and to, their words, and which of two
properties, ``owl:inverseOf``           that mirror each other is stored
any other relation between nodes        a fact
any other literal, or web address       a typed property
======================================  ==============================================================================

Left out as Freebase's own bookkeeping: the rest of ``type.*``, ``freebase.*``, ``dataworld.*``, ``pipeline.*``,
``kg.*``, ``common.notable_for.display_name``, ``common.licensed_object.*``, names of types, and the keys
(``type.object.key``, ``…/key/…``) unless they are asked for. So are texts in other languages.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kgqa_loaders.files import BlockFile
from kgqa_loaders.formats import Format, share, whole_lines
from kgqa_loaders.freebase.literals import decoded_key, language_rank, typed, unescaped
from kgqa_loaders.freebase.ontology import NS, read_hints, read_ontology
from kgqa_loaders.freebase.schema import LICENCE, Schema, as_it_is, before_a_name, depth, plain_words
from kgqa_loaders.records import Block, Literal, Named, ReadOptions, Record, Reject, RelationNote, Triple
from kgqa_loaders.triples import decoded, undecoded

TYPE = "type.object.type"

_LOCAL = r'([^<>"\s{}|^`\\]+)'
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|true|false"
_COMMON = (
    rf"""<{NS}{_LOCAL}>[\t ]+<{_LOCAL}>[\t ]+"""
    rf"""(?:<{NS}{_LOCAL}>|<{_LOCAL}>|({_NUMBER})"""
    rf"""|"([^"\\\r\n]*+(?:\\.[^"\\\r\n]*+)*+)"(?:@([A-Za-z0-9-]+)|\^\^<([^<>\s]+)>)?)[\t ]*\.[\t ]*"""
)
"""Most lines: a head in Freebase's own namespace, any relation, and an id there, another address, or a literal."""
_COMMON_LINE = re.compile(_COMMON)
_COMMON_LINES = re.compile(rf"^{_COMMON}\r?$", re.MULTILINE)
_IRI = r'<[^<>"\s{}|^`\\]+>|(?:ns|key|rdf|rdfs|owl|xsd):[^<>"\s]*[^<>"\s.]'
_LINE = re.compile(
    rf"""[\t ]*({_IRI}|_:[^\s<>"]+)[\t ]+({_IRI})[\t ]+"""
    rf"""(?:({_IRI}|_:[^\s<>"]*[^\s<>".])|"([^"\\]*+(?:\\.[^"\\]*+)*+)"(?:@([A-Za-z0-9-]+)|\^\^({_IRI}))?"""
    rf"""|({_NUMBER}))[\t ]*\.[\t ]*"""
)
_NO_FACT = re.compile(r"\s*(#.*|@?prefix\s+\S*:\s*<[^>]*>\s*\.?\s*)?", re.IGNORECASE)
_BASE = re.compile(rf"<{NS}")
_PREFIXES = {
    "rdf:": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdfs:": "http://www.w3.org/2000/01/rdf-schema#",
    "owl:": "http://www.w3.org/2002/07/owl#", "xsd:": "http://www.w3.org/2001/XMLSchema#",
}  # fmt: skip
_SAME = {
    _PREFIXES["rdf:"] + "type": TYPE,
    _PREFIXES["rdfs:"] + "label": "type.object.name",
    _PREFIXES["rdfs:"] + "domain": "type.property.schema",
    _PREFIXES["rdfs:"] + "range": "type.property.expected_type",
    _PREFIXES["owl:"] + "inverseOf": "type.property.reverse_property",
}
_KEY = re.compile(r"<http://rdf\.(?:freebase|basekb)\.com/key/([^>]*)>|key:(.*)")

_SPECIAL = {
    "type.object.name": "name", "common.topic.alias": "alias", "common.topic.description": "description",
    "type.type.instance": "instance", TYPE: "type", "type.object.key": "key",
    "type.property.schema": "schema", "type.property.expected_type": "expected",
    "freebase.documented_object.tip": "tip",
}  # fmt: skip
_SKIPPED = (
    "type.", "freebase.", "dataworld.", "pipeline.", "kg.", "common.licensed_object.",
    "common.notable_for.display_name",
)  # fmt: skip


def fits(sample: bytes, name: str = "") -> float:
    """Share of the sample's lines that hold an id of Freebase's where an RDF statement's subject stands."""
    lines = [line for line in whole_lines(sample) if not line.startswith((b"#", b"@"))]
    starts = (b"<http://rdf.freebase.com/", b"<http://rdf.basekb.com/", b"ns:m.", b"ns:g.")
    return share(lines, lambda line: line.startswith(starts))


@dataclass(frozen=True, slots=True)
class FreebaseRdf(BlockFile):
    """A dump, or a part of one.

    :ivar options: languages and types
    :ivar schema: its ontology
    :ivar keys: keep the keys, as properties ``key.wikipedia.en``
    """

    options: ReadOptions = field(default_factory=ReadOptions)
    schema: Schema = field(default_factory=Schema)
    keys: bool = False

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of a block's lines; the first block's come after the ontology's notes."""
        if block.line == 1:
            yield from self.schema.rejects
            yield from self.schema.notes(as_it_is, labels=self.options.types != "facts")
        actions: dict[str, tuple[str, str]] = {}
        ranks: dict[str, int | None] = {}
        master = self.schema.mirrored.master
        data = block.data.removeprefix(codecs.BOM_UTF8) if block.line == 1 else block.data
        for number, row in enumerate(_rows(data), start=block.line):
            if not isinstance(row, tuple):
                yield from self._other(number, row)
                continue
            head, iri, tail, address, bare, literal, tag, datatype = row
            if iri not in actions:
                actions[iri] = self._meant(f"<{iri}>")
            action, relation = actions[iri]
            if action == "skip":
                continue
            if tail:
                if action == "fact":
                    yield Triple(number, head, relation, tail)
                elif action == "reversed":
                    yield Triple(number, tail, master[relation], head)
                else:
                    yield from self._special(number, action, head, tail)
            elif address:
                yield from self._addressed(number, action, head, relation, address)
            else:
                if tag not in ranks:
                    ranks[tag] = language_rank(tag, self.options.languages)
                record = self._literal(
                    number, action, head, relation, bare or literal, ranks[tag], datatype or _kind(bare)
                )
                if record is not None:
                    yield record

    def _meant(self, term: str) -> tuple[str, str]:
        """What becomes of a relation, and its id; from how a line writes it."""
        if "key" in term and (key := _KEY.fullmatch(term)):
            return ("key" if self.keys else "skip"), f"key.{key[1] or key[2]}"
        relation = _local(term)
        relation = _SAME.get(relation, relation)
        return self._action(relation), relation

    def _addressed(self, number: int, action: str, head: str, relation: str, address: str) -> Iterator[Record]:
        """The record of a statement about an address outside of Freebase."""
        if action in ("fact", "reversed"):
            yield Literal(number, head, relation, address)
        else:
            yield from self._special(number, action, head, address)

    def _action(self, relation: str) -> str:
        """What becomes of a relation."""
        if relation in self.schema.mirrored.master:
            return "reversed"
        if relation in _SPECIAL:
            return _SPECIAL[relation]
        return "skip" if relation.startswith(_SKIPPED) else "fact"

    def _special(self, number: int, action: str, head: str, tail: str) -> Iterator[Record]:
        """The records of a statement between two ids that is no plain fact."""
        if action == "instance":
            head, tail = tail, head
        if action in ("type", "instance") and not depth(head):
            if self.options.types != "facts":
                yield Named(head, labels=(tail,), line=number)
            if self.options.types in ("facts", "both"):
                yield Triple(number, head, TYPE, tail)
        elif not depth(head):
            return  # some copies hold properties that have no name, only a number, and no facts
        elif action == "schema" and self.options.types != "facts":
            yield self._note(head, heads=(tail,))
        elif action == "expected" and self.options.types != "facts" and not tail.startswith("type."):
            yield self._note(head, tails=(tail,))

    def _note(
        self,
        relation: str,
        rank: int = 0,
        words: str = "",
        heads: tuple[str, ...] = (),
        tails: tuple[str, ...] = (),
    ) -> RelationNote:
        """A note on a relation, or where it is stored reversed, on the one that it is stored as."""
        master = self.schema.mirrored.master.get(relation)
        if master is None:
            return RelationNote(relation, label=words, heads=heads, tails=tails, rank=rank)
        return RelationNote(master, inverse=before_a_name(words) if words else "", heads=tails, tails=heads, rank=rank)

    def _other(self, number: int, line: str | UnicodeDecodeError) -> Iterator[Record]:
        """The records of any other line."""
        if isinstance(line, UnicodeDecodeError):
            yield undecoded(number, line)
            return
        text = line.removesuffix("\r")
        found = _LINE.fullmatch(text)
        if found is None:
            if not _NO_FACT.fullmatch(text):
                yield Reject(number, _flaw(text), text)
            return
        subject, predicate, object_, literal, tag, datatype, bare = found.groups("")
        action, relation = self._meant(predicate)
        head, tail = _local(subject), _local(object_) if object_ else ""
        if action == "skip":
            return
        if not object_:
            rank = language_rank(tag, self.options.languages)
            kind = datatype.strip("<>").rpartition(":")[2] or _kind(bare)
            record = self._literal(number, action, head, relation, bare or literal, rank, kind)
            if record is not None:
                yield record
        elif object_.startswith("<") and not _BASE.match(object_):
            yield from self._addressed(number, action, head, relation, tail)
        elif action == "fact":
            yield Triple(number, head, relation, tail)
        elif action == "reversed":
            yield Triple(number, tail, self.schema.mirrored.master[relation], head)
        else:
            yield from self._special(number, action, head, tail)

    def _literal(
        self, number: int, action: str, head: str, relation: str, escaped: str, rank: int | None, datatype: str
    ) -> Record | None:
        """The record of a literal.

        :param rank: of its language; ``None``: it is not wanted
        :param datatype: IRI of its datatype, or the name alone
        """
        if rank is None:
            return None
        text = unescaped(escaped)
        if action == "fact":
            kind = datatype.rpartition("#")[2] if datatype else self.schema.value_type(relation)
            return Literal(number, head, relation, typed(text, kind))
        if action == "reversed":
            return Literal(number, head, relation, text)
        if action == "key":
            return Literal(number, head, relation, decoded_key(text)) if self.keys else None
        if action not in ("name", "alias", "description", "tip") or not text:
            return None
        if action == "tip" or depth(head):
            if action != "alias" and depth(head) and self.schema.is_property(head):
                return self._described(head, action, text, rank)
            is_class = action == "name" and self.options.types in ("facts", "both")
            return Named(head, text, rank=rank, line=number) if is_class else None
        if action == "name":
            return Named(head, text, rank=rank, line=number)
        if action == "alias":
            return Named(head, aliases=(text,), line=number)
        return Named(head, description=text, rank=rank, line=number)

    def _described(self, relation: str, action: str, text: str, rank: int) -> RelationNote:
        if action == "name":
            return self._note(relation, rank, plain_words(text))
        return RelationNote(self.schema.mirrored.master.get(relation, relation), description=text, rank=rank)


def _rows(data: bytes) -> Iterable[tuple[str, ...] | str | UnicodeDecodeError]:
    """The lines of a block: the columns of a common one, any other as it is; all at once, where all are common."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return map(_row, decoded(data))
    found: list[tuple[str, ...]] = _COMMON_LINES.findall(text)
    lines = text.count("\n") + (not text.endswith("\n"))
    return found if len(found) == lines else map(_row, decoded(data))


def _row(line: str | UnicodeDecodeError) -> tuple[str, ...] | str | UnicodeDecodeError:
    found = _COMMON_LINE.fullmatch(line.removesuffix("\r")) if isinstance(line, str) else None
    return found.groups("") if found else line


def _kind(bare: str) -> str:
    """The datatype of a literal without quotation marks."""
    if not bare:
        return ""
    return "boolean" if bare in ("true", "false") else "integer" if bare.lstrip("+-").isdigit() else "decimal"


def _local(term: str) -> str:
    """An id without its namespace; of another one, the whole IRI."""
    if term.startswith("_:"):
        return term
    if term.startswith("<"):
        base = _BASE.match(term)
        return term[base.end() : -1] if base else term[1:-1]
    prefix, _, local = term.partition(":")
    return local if prefix in ("ns", "key") else _PREFIXES[f"{prefix}:"] + local


def _flaw(text: str) -> str:
    """What is wrong with a line that is no statement."""
    if not text.rstrip().endswith("."):
        return "the statement does not end in a full stop"
    if text.count('"') == 1:
        return "the literal does not end"
    return "it is no statement of subject, predicate and object"


def open_rdf(path: Path, describe: str, options: ReadOptions) -> FreebaseRdf:
    """The source at a path. Without an ontology the file is read once before for its own schema."""
    schema = read_ontology(options.ontology) if options.ontology else read_hints(path, describe)
    return FreebaseRdf(path, describe, options, schema)


FORMATS: Iterable[Format] = (
    Format("freebase-rdf", "<http://rdf.freebase.com/ns/m.0abc> <…> <…> .", fits, open_rdf, LICENCE, ontology=True),
)
