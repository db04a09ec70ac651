"""The quick way for Wikidata's JSON, an entity a line: what most statements are, facts between items, in columns.

A line is decoded into what is wanted of it, which is a part of it: what is not is skipped and never made into objects.
Whatever is built in another way is read the usual way, a statement, the statements of a property or the whole entity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import astuple

from kgqa_loaders.bulk.columns import Plain
from kgqa_loaders.normal import (
    FACT,
    LABEL,
    VALUE,
    Packed,
    Row,
    pack_value,
    statement_rows,
    text_flaw,
    value_flaw,
)
from kgqa_loaders.records import Block, ReadOptions, Record, Statement
from kgqa_loaders.wikidata.dump import EntityLines, line_reader, lines_of
from kgqa_loaders.wikidata.entities import MULTIPLE, WRONG, EntityReader, values_of
from kgqa_loaders.wikidata.statements import INSTANCE_OF, qualifiers_of
from kgqa_loaders.wikidata.values import from_json

_is_id: Callable[[str], object] = re.compile(r"[QP][0-9]{1,18}").fullmatch
"""Whether a text is the id of an item or a property."""
_REMEMBERED = 50_000
"""Qualifiers that a process remembers, and values."""
_SHORT = 500
"""Bytes of what is worth remembering."""
_K = TypeVar("_K")
_V = TypeVar("_V")
_NOTHING = frozenset({b"", b"{}", b"[]"})
"""Qualifiers or references that are none."""
_ODD = ("redirect", "redirects", "missing", "entities")
"""Keys that an item seldom has."""


# ── what is wanted of an entity ──────────────────────────────────────────────────────────────────────────────────────


class _EntityId(Struct, gc=False):
    id: str = ""


class _EntityValue(Struct, tag_field="type", tag="wikibase-entityid", gc=False):
    value: _EntityId


class _Text(Struct, tag_field="type", tag="string", gc=False):
    value: str


class _Unread(Struct, tag_field="type", gc=False):
    value: Raw


class _Time(_Unread, tag="time"):
    pass


class _Quantity(_Unread, tag="quantity"):
    pass


class _Place(_Unread, tag="globecoordinate"):
    pass


class _Words(_Unread, tag="monolingualtext"):
    pass


_Other: TypeAlias = _Time | _Quantity | _Place | _Words


class _Snak(Struct, gc=False):
    property: str
    snaktype: str
    datavalue: _EntityValue | _Text | _Other | UnsetType = UNSET
    datatype: str = ""


_NONE = Raw(b"")


class _Claim(Struct, gc=False):
    mainsnak: _Snak
    id: str = ""
    rank: str = "normal"
    qualifiers: Raw = _NONE
    references: Raw = _NONE


class _Term(Struct, gc=False):
    value: str


class _Title(Struct, gc=False):
    title: str


class _Claims(Struct, gc=False):
    """The statements of an item as they are written."""

    claims: dict[str, list[Raw]]


def _item_type(options: ReadOptions) -> type[Struct]:
    """The structure of an item: of texts and links only those in the wanted languages are read."""
    wanted = (*options.languages, MULTIPLE)
    texts, lists = _of_keys(wanted, _Term), _of_keys(wanted, list[_Term])
    links = _of_keys([f"{code.replace('-', '_')}wiki" for code in options.languages], _Title)
    return msgspec.defstruct(
        "Item",
        [
            ("id", str),
            ("type", str),
            ("claims", dict[str, list[_Claim]]),
            *((key, type_ | list[Any] | UnsetType, UNSET) for key, type_ in (
                ("labels", texts), ("descriptions", texts), ("aliases", lists), ("sitelinks", links),
            )),
            *((key, Any, UNSET) for key in _ODD),
        ],
        gc=False,
    )  # fmt: skip


def _of_keys(keys: Sequence[str], type_: Any) -> Any:
    """The structure of an object of which some keys are read."""
    names = {f"key{number}": key for number, key in enumerate(dict.fromkeys(keys))}
    return msgspec.defstruct("Keys", [(name, type_ | UnsetType, UNSET) for name in names], rename=names, gc=False)


def _held(keys: Any) -> Sequence[Any]:
    """What an object has of the wanted keys, in their order; ``UNSET`` where it has none.

    :raises TypeError: it is a list, and not an empty one, which PHP writes for an empty object
    """
    return () if keys is UNSET or keys == [] else astuple(keys)


class ItemReader:
    """Reads blocks of :class:`kgqa_loaders.wikidata.dump.EntityLines`.

    :param others: relations that may be no edges
    :ivar edges: relations met that are like most
    :ivar usual: those among them of which a fact without qualifiers needs no second look
    :ivar qualifiers: as they are written → as a row has them; empty: they are unusual
    :ivar values: as they are written → unit and value; no value: it is unusual
    """

    def __init__(self, source: EntityLines, others: Set[str]) -> None:
        self.others = others
        self.options = source.options
        self.reader = EntityReader.of(source.options)
        self.read = line_reader()
        self.item: Callable[[bytes], Any] = msgspec.json.Decoder(_item_type(source.options)).decode
        self.claims = msgspec.json.Decoder(_Claims).decode
        self.edges: set[str] = set()
        self.usual: set[str] = set()
        self.qualifiers: dict[bytes, str] = {}
        self.values: dict[tuple[type[_Other], bytes], tuple[str, Packed | None]] = {}

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
            unusual = self._facts(item.id, item.claims, relations, tails, rows)
            heads += [item.id] * (len(tails) - before)
            if unusual:
                written = self.claims(line).claims
                records += self.reader.statements(number, item.id, [
                    [self.read(number, bytes(written[key][place])) for place in places]
                    for key, places in unusual.items()
                ])  # fmt: skip
        return Plain(heads, relations, tails, rows=rows, records=records, numbered=True)

    def _item(self, line: bytes) -> Any:
        """What is wanted of an item; nothing where there is something unusual about it."""
        try:
            if not line.isascii():
                line.decode()  # the decoder does not check what it skips
            item = self.item(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None
        odd = not (item.redirect is item.redirects is item.missing is item.entities is UNSET)
        return None if odd or item.type != "item" or not item.claims or not _is_id(item.id) else item

    def _names(self, number: int, item: Any) -> list[Record] | None:
        try:
            names = [(rank, term.value) for rank, term in enumerate(_held(item.labels)) if term is not UNSET]
            also = [term.value for terms in _held(item.aliases) if terms is not UNSET for term in terms]
            described = [(rank, term.value) for rank, term in enumerate(_held(item.descriptions)) if term is not UNSET]
            title = next((link.title for link in _held(item.sitelinks) if link is not UNSET), "")
        except TypeError:
            return None
        return self.reader.called(number, item.id, names, also, described, fallback=title)

    def _facts(
        self, head: str, claims: dict[str, list[_Claim]], relations: list[str], tails: list[str], rows: list[Row]
    ) -> dict[str, list[int]]:
        """Read the statements of an item; the places of those that are left, for each property."""
        usual = self.usual
        unusual: dict[str, list[int]] = {}
        for key, group in claims.items():
            for claim in group:
                if claim.rank != "normal":
                    unusual[key] = list(range(len(group)))
                    break
            else:
                for place, claim in enumerate(group):
                    snak = claim.mainsnak
                    if (  # what most are; all of it is checked below as well
                        claim.qualifiers is _NONE
                        and snak.property in usual
                        and isinstance(snak.datavalue, _EntityValue)
                        and _is_id(snak.datavalue.value.id)
                        and snak.snaktype == "value"
                        and snak.datatype != "external-id"
                    ):
                        relations.append(snak.property)
                        tails.append(snak.datavalue.value.id)
                    elif not self._fact(head, claim, relations, tails, rows):
                        unusual.setdefault(key, []).append(place)
        return unusual

    def _fact(self, head: str, claim: _Claim, relations: list[str], tails: list[str], rows: list[Row]) -> bool:
        """Read a statement; whether it is read."""
        snak, options = claim.mainsnak, self.options
        relation, value = snak.property, snak.datavalue
        plain = claim.qualifiers is _NONE or bytes(claim.qualifiers) in _NOTHING
        if (
            snak.snaktype != "value"
            or (relation not in self.edges and not self._is_edge(relation))
            or (options.references and bytes(claim.references) not in _NOTHING)
            or (snak.datatype == "external-id" and not isinstance(value, _Text))
        ):
            return False
        if isinstance(value, _EntityValue):
            tail = value.value.id
            is_class = relation == INSTANCE_OF
            if not _is_id(tail) or (is_class and not plain and options.types != "facts"):
                return False
            if not plain:
                return self._qualified(head, relation, tail, claim, rows)
            if is_class and options.types in ("labels", "both"):
                rows.append(Row(LABEL, head, tail))
            if not is_class or options.types != "labels":
                relations.append(relation)
                tails.append(tail)
            return True
        if not plain or value is UNSET:
            return False
        if isinstance(value, _Text):
            if snak.datatype == "external-id" and not options.external_ids:
                return True
            if text_flaw(value.value):
                return False
            rows.append(Row(VALUE, head, relation, "string", value.value))
            return True
        return self._value(head, relation, value, rows)

    def _is_edge(self, relation: str) -> bool:
        """Whether a property is a relation like most."""
        if _is_id(relation) and relation not in self.others:
            self.edges.add(relation)
            if relation != INSTANCE_OF and not self.options.references:
                self.usual.add(relation)
        return relation in self.edges

    def _value(self, head: str, relation: str, written: _Other, rows: list[Row]) -> bool:
        """Read a value that is no text."""
        key = type(written), bytes(written.value)
        known = self.values.get(key)
        if known is None:  # the same years come again and again
            known = self._known(*key)
            _keep(self.values, key, known)
        unit, packed = known
        if packed is None:
            return False
        if unit:
            relation = f"{relation}_{unit}"
            if relation in self.others or relation not in self.reader.converter.described:
                return False
        rows.append(Row(VALUE, head, relation, *packed))
        return True

    def _known(self, kind: type[_Other], text: bytes) -> tuple[str, Packed | None]:
        """The unit of a value that needs nothing but a property, and the value."""
        try:
            value = from_json({"type": kind.__struct_config__.tag, "value": self.read(0, text)})
        except WRONG:
            return "", None
        if value.kind != "literal" or value.details or value.language != "" or value_flaw(value.scalar):
            return "", None
        return (value.unit, pack_value(value.scalar)) if not value.unit or _is_id(value.unit) else ("", None)

    def _qualified(self, head: str, relation: str, tail: str, claim: _Claim, rows: list[Row]) -> bool:
        """Read a fact with qualifiers."""
        key = bytes(claim.qualifiers)
        text = self.qualifiers.get(key)
        if text is None:
            text = _as_text(self.read(0, key))
            if len(key) <= _SHORT:
                _keep(self.qualifiers, key, text)
        if not text or not claim.id:
            return False
        rows.append(Row(FACT, head, relation, tail, claim.id, text))
        return True


def _keep(known: dict[_K, _V], key: _K, value: _V) -> None:
    """Remember something, for a while."""
    if len(known) >= _REMEMBERED:
        known.clear()
    known[key] = value


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
