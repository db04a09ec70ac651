"""The quick way for Wikidata's JSON, an entity a line: what most statements are, facts between items, in columns."""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable, Mapping, Set
from typing import Any

from kgqa_loaders.bulk.plain import Plain
from kgqa_loaders.normal import FACT, LABEL, VALUE, Row, pack_value, statement_rows, value_flaw
from kgqa_loaders.records import Block, Record, Reject, Statement
from kgqa_loaders.wikidata.dump import EntityLines
from kgqa_loaders.wikidata.entities import WRONG, EntityReader, values_of
from kgqa_loaders.wikidata.statements import INSTANCE_OF, qualifiers_of, relation_of
from kgqa_loaders.wikidata.values import Value, from_json

_is_id: Callable[[str], object] = re.compile(r"[QP][0-9]{1,18}").fullmatch
"""Whether a text is the id of an item or a property."""
_REMEMBERED = 50_000
"""Qualifiers that a process remembers."""
_SHORT = 500
"""Bytes of qualifiers that are worth remembering."""


class ItemReader:
    """Reads blocks of :class:`kgqa_loaders.wikidata.dump.EntityLines`; what is unusual in an item goes the usual way.

    :param others: relations that may be no edges
    """

    def __init__(self, source: EntityLines, others: Set[str]) -> None:
        self.source = source
        self.others = others
        self.reader = EntityReader.of(source.options)
        self.edges: set[str] = set()
        self.remembered: dict[bytes, str] = {}

    def __call__(self, block: Block) -> Plain:
        """The columns of a block."""
        heads: list[str] = []
        relations: list[str] = []
        tails: list[str] = []
        rows: list[Row] = []
        records: list[Record] = []
        for line, document in self.source.documents(block):
            if isinstance(document, Reject):
                records.append(document)
                continue
            claims = _claims_of(document)
            names = self._names(line, document) if claims else None
            if claims is None or names is None:
                records += self.reader.records(line, document)
                continue
            records += names
            head, before = document["id"], len(tails)
            unusual: list[Any] = []
            for group in claims.values():
                try:
                    if left := self._facts(head, group, relations, tails, rows):
                        unusual.append(left)
                except WRONG:
                    unusual.append(group)
            heads += [head] * (len(tails) - before)
            if unusual:
                records += self.reader.statements(line, head, unusual)
        return Plain(heads, relations, tails, rows=rows, records=records, numbered=True)

    def _names(self, line: int, document: Mapping[str, Any]) -> list[Record] | None:
        try:
            return [*self.reader.named(line, document["id"], document, fallback=self.reader.title(document))]
        except WRONG:
            return None

    def _facts(self, head: str, group: Any, relations: list[str], tails: list[str], rows: list[Row]) -> Any:
        """Read the statements of a property; those that are left.

        :raises KeyError, TypeError, ValueError, AttributeError, IndexError: one is not built as Wikibase builds it;
            nothing is read
        """
        found: list[Row] = []
        plain: list[tuple[str, str]] = []
        unusual: list[Any] = []
        options = self.reader.options
        for statement in group:
            if statement.get("rank", "normal") != "normal":
                return group
            snak, statement_id = statement["mainsnak"], statement.get("id", "")
            told = "references" in statement and options.references
            if snak["snaktype"] != "value" or told or not isinstance(statement_id, str):
                unusual.append(statement)
                continue
            relation, datavalue, qualifiers = snak["property"], snak["datavalue"], statement.get("qualifiers")
            row: Row | None = None
            unlike = relation not in self.edges and not self._is_edge(relation)
            if unlike or (not options.external_ids and snak.get("datatype") == "external-id"):
                unusual.append(statement)
            elif datavalue["type"] == "wikibase-entityid":
                tail = datavalue["value"].get("id", "")
                if not _is_id(tail) or (qualifiers and relation == INSTANCE_OF and options.types != "facts"):
                    unusual.append(statement)
                elif not qualifiers:
                    plain.append((relation, tail))
                elif row := self._qualified(head, relation, tail, qualifiers, statement_id):
                    found.append(row)
                else:
                    unusual.append(statement)
            elif not qualifiers and (row := self._value(head, relation, from_json(datavalue))):
                found.append(row)
            else:
                unusual.append(statement)
        for relation, tail in plain:
            if relation == INSTANCE_OF and options.types in ("labels", "both"):
                found.append(Row(LABEL, head, tail))
            if relation != INSTANCE_OF or options.types != "labels":
                relations.append(relation)
                tails.append(tail)
        rows += found
        return unusual

    def _is_edge(self, relation: Any) -> bool:
        """Whether a property is a relation like most."""
        if _is_id(relation) and relation not in self.others:
            self.edges.add(relation)
        return relation in self.edges

    def _value(self, head: str, relation: str, value: Value) -> Row | None:
        """A value without qualifiers."""
        if value.unit:
            relation = relation_of(relation, value)
            if not _is_id(value.unit) or relation in self.others or relation not in self.reader.teller.told:
                return None
        if value.kind != "literal" or value.details or value.language != "" or value_flaw(value.scalar):
            return None
        return Row(VALUE, head, relation, *pack_value(value.scalar))

    def _qualified(self, head: str, relation: str, tail: str, snaks: Any, statement_id: str) -> Row | None:
        """A fact with qualifiers."""
        if not statement_id:
            return None
        key = marshal.dumps(snaks, 2)  # the same years and places come again and again
        text = self.remembered.get(key)
        if text is None:
            text = _as_text(snaks)
            if len(self.remembered) >= _REMEMBERED:
                self.remembered.clear()
            if len(key) <= _SHORT:
                self.remembered[key] = text
        return Row(FACT, head, relation, tail, statement_id, text) if text else None


def _as_text(snaks: Any) -> str:
    """Qualifiers as a row has them; empty where there is something unusual about them."""
    flaws: list[tuple[Exception, object]] = []
    values = values_of(snaks, flaws)
    if flaws or any(one.unit for key in values for one in values[key]):
        return ""
    (row,) = statement_rows(Statement(0, "Q0", "P0", "Q0", qualifiers_of(values), "0"), {})
    return row.e if row.kind == FACT else ""


def _claims_of(document: Any) -> Mapping[str, Any] | None:
    """The statements of an item that has nothing unusual about it; nothing for what is none, or has none."""
    if not isinstance(document, dict) or document.get("type") != "item":
        return None
    if any(key in document for key in ("redirect", "redirects", "missing", "entities")):
        return None
    claims, entity_id = document.get("claims"), document.get("id")
    usual = isinstance(claims, dict) and isinstance(entity_id, str) and _is_id(entity_id)
    return claims if usual and claims else None
