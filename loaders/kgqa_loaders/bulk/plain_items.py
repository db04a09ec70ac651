"""The quick way for Wikidata's JSON, an entity a line: what most statements are, facts between items, in columns.

A line is decoded into what is wanted of it, which is a part of it: what is not is skipped and never made into objects.
Whatever is built in another way is read the usual way, a statement, the statements of a property or the whole entity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from kgqa_loaders.bulk.plain import Plain
from kgqa_loaders.normal import FACT, LABEL, VALUE, Row, pack_value, statement_rows, value_flaw
from kgqa_loaders.records import Block, ReadOptions, Record, Statement
from kgqa_loaders.wikidata.dump import EntityLines, line_reader, lines_of
from kgqa_loaders.wikidata.entities import MULTIPLE, WRONG, EntityReader, values_of
from kgqa_loaders.wikidata.statements import INSTANCE_OF, qualifiers_of, relation_of
from kgqa_loaders.wikidata.values import from_json

_is_id: Callable[[str], object] = re.compile(r"[QP][0-9]{1,18}").fullmatch
"""Whether a text is the id of an item or a property."""
_REMEMBERED = 50_000
"""Qualifiers that a process remembers."""
_SHORT = 500
"""Bytes of qualifiers that are worth remembering."""
_NOTHING = frozenset({b"", b"{}", b"[]"})
"""Qualifiers or references that are none."""
_ODD = ("redirect", "redirects", "missing", "entities")
"""Keys that an item seldom has."""


# ── what is wanted of an entity ──────────────────────────────────────────────────────────────────────────────────────


class _EntityId(Struct):
    id: str = ""


class _EntityValue(Struct, tag_field="type", tag="wikibase-entityid"):
    value: _EntityId


class _Text(Struct, tag_field="type", tag="string"):
    value: str


class _Time(Struct, tag_field="type", tag="time"):
    value: dict[str, Any]


class _Quantity(Struct, tag_field="type", tag="quantity"):
    value: dict[str, Any]


class _Snak(Struct):
    property: str
    snaktype: str
    datavalue: _EntityValue | _Text | _Time | _Quantity | UnsetType = UNSET
    datatype: str = ""


class _Claim(Struct):
    mainsnak: _Snak
    id: str = ""
    rank: str = "normal"
    qualifiers: Raw = Raw(b"")
    references: Raw = Raw(b"")


class _Term(Struct):
    value: str


class _Title(Struct):
    title: str


def _item_type(options: ReadOptions) -> type[Struct]:
    """The structure of an item: of texts and links only those in the wanted languages are looked at."""
    wanted = (*options.languages, MULTIPLE)
    texts, lists = _of_keys(wanted, _Term), _of_keys(wanted, list[_Term])
    links = _of_keys([f"{code.replace('-', '_')}wiki" for code in options.languages], _Title)
    return msgspec.defstruct(
        "Item",
        [
            ("id", str),
            ("type", str),
            ("claims", dict[str, list[Raw]]),
            *((key, type_ | list[Any] | UnsetType, UNSET) for key, type_ in (
                ("labels", texts), ("descriptions", texts), ("aliases", lists), ("sitelinks", links),
            )),
            *((key, Any, UNSET) for key in _ODD),
        ],
    )  # fmt: skip


def _of_keys(keys: Sequence[str], type_: Any) -> Any:
    """The structure of an object of which some keys are looked at."""
    names = {f"key{number}": key for number, key in enumerate(dict.fromkeys(keys))}
    return msgspec.defstruct("Keys", [(name, type_ | UnsetType, UNSET) for name in names], rename=names)


class ItemReader:
    """Reads blocks of :class:`kgqa_loaders.wikidata.dump.EntityLines`.

    :param others: relations that may be no edges
    """

    def __init__(self, source: EntityLines, others: Set[str]) -> None:
        self.others = others
        self.reader = EntityReader.of(source.options)
        self.read = line_reader()
        self.item: Callable[[bytes], Any] = msgspec.json.Decoder(_item_type(source.options)).decode
        self.claim = msgspec.json.Decoder(_Claim).decode
        self.edges: set[str] = set()
        self.remembered: dict[bytes, str] = {}

    def __call__(self, block: Block) -> Plain:
        """The columns of a block."""
        heads: list[str] = []
        relations: list[str] = []
        tails: list[str] = []
        rows: list[Row] = []
        records: list[Record] = []
        for number, line in lines_of(block):
            item = self._item(line)
            names = self._names(number, item) if item else None
            if item is None or names is None:
                records += self.reader.records(number, self.read(number, line))
                continue
            records += names
            before = len(tails)
            unusual = [self._facts(item.id, group, relations, tails, rows) for group in item.claims.values()]
            heads += [item.id] * (len(tails) - before)
            records += self.reader.statements(number, item.id, [
                [self.read(number, bytes(statement)) for statement in group] for group in unusual if group
            ])  # fmt: skip
        return Plain(heads, relations, tails, rows=rows, records=records, numbered=True)

    def _item(self, line: bytes) -> Any:
        """What is wanted of an item; nothing where there is something unusual about it."""
        try:
            line.decode()  # what is skipped is not looked at by the decoder
            item = self.item(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None
        odd = any(getattr(item, key) is not UNSET for key in _ODD)
        return None if odd or item.type != "item" or not item.claims or not _is_id(item.id) else item

    def _names(self, number: int, item: Any) -> list[Record] | None:
        document = {"type": item.type}
        for key in ("labels", "descriptions", "aliases", "sitelinks"):
            if (value := getattr(item, key)) is not UNSET:
                document[key] = msgspec.to_builtins(value)
        try:
            return [*self.reader.named(number, item.id, document, fallback=self.reader.title(document))]
        except WRONG:
            return None

    def _facts(
        self, head: str, group: list[Raw], relations: list[str], tails: list[str], rows: list[Row]
    ) -> Sequence[Raw]:
        """Read the statements of a property; those that are left."""
        options = self.reader.options
        try:
            claims = [self.claim(statement) for statement in group]
        except (msgspec.MsgspecError, RecursionError):
            return group
        if any(claim.rank != "normal" for claim in claims):
            return group
        unusual: list[Raw] = []
        for claim, statement in zip(claims, group, strict=True):
            snak = claim.mainsnak
            relation, datavalue, qualifiers = snak.property, snak.datavalue, bytes(claim.qualifiers)
            plain = qualifiers in _NOTHING
            like_most = relation in self.edges or self._is_edge(relation)
            told = options.references and bytes(claim.references) not in _NOTHING
            external = snak.datatype == "external-id" and not options.external_ids
            if not like_most or told or external or snak.snaktype != "value":
                unusual.append(statement)
            elif isinstance(datavalue, _EntityValue):
                tail, is_class = datavalue.value.id, relation == INSTANCE_OF
                if not _is_id(tail) or (not plain and is_class and options.types != "facts"):
                    unusual.append(statement)
                elif not plain:
                    if row := self._qualified(head, relation, tail, qualifiers, claim.id):
                        rows.append(row)
                    else:
                        unusual.append(statement)
                else:
                    if is_class and options.types in ("labels", "both"):
                        rows.append(Row(LABEL, head, tail))
                    if not is_class or options.types != "labels":
                        relations.append(relation)
                        tails.append(tail)
            elif plain and datavalue is not UNSET and (row := self._value(head, relation, datavalue)):
                rows.append(row)
            else:
                unusual.append(statement)
        return unusual

    def _is_edge(self, relation: str) -> bool:
        """Whether a property is a relation like most."""
        if _is_id(relation) and relation not in self.others:
            self.edges.add(relation)
        return relation in self.edges

    def _value(self, head: str, relation: str, datavalue: _Text | _Time | _Quantity) -> Row | None:
        """A value without qualifiers."""
        try:
            value = from_json({"type": datavalue.__struct_config__.tag, "value": datavalue.value})
        except WRONG:
            return None
        if value.unit:
            relation = relation_of(relation, value)
            if not _is_id(value.unit) or relation in self.others or relation not in self.reader.teller.told:
                return None
        if value.kind != "literal" or value.details or value.language != "" or value_flaw(value.scalar):
            return None
        return Row(VALUE, head, relation, *pack_value(value.scalar))

    def _qualified(self, head: str, relation: str, tail: str, qualifiers: bytes, statement_id: str) -> Row | None:
        """A fact with qualifiers."""
        if not statement_id:
            return None
        text = self.remembered.get(qualifiers)  # the same years and places come again and again
        if text is None:
            text = _as_text(self.read(0, qualifiers))
            if len(self.remembered) >= _REMEMBERED:
                self.remembered.clear()
            if len(qualifiers) <= _SHORT:
                self.remembered[qualifiers] = text
        return Row(FACT, head, relation, tail, statement_id, text) if text else None


def _as_text(snaks: Any) -> str:
    """Qualifiers as a row has them; empty where there is something unusual about them."""
    flaws: list[tuple[Exception, object]] = []
    try:
        values = values_of(snaks, flaws)
    except WRONG:
        return ""
    if flaws or any(one.unit for key in values for one in values[key]):
        return ""
    (row,) = statement_rows(Statement(0, "Q0", "P0", "Q0", qualifiers_of(values), "0"), {})
    return row.e if row.kind == FACT else ""
