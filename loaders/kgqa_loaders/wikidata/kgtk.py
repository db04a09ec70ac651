"""KGTK's edge files: tabs, a heading with ``node1``, ``label``, ``node2``, often ``id``; qualifiers are edges of edges.

Source: https://kgtk.readthedocs.io/en/latest/specification/
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

from kgqa_graphdb.errors import LoadError
from kgqa_loaders.files import FileSource, blocks_of
from kgqa_loaders.formats import whole_lines
from kgqa_loaders.records import Literal, Named, ReadOptions, Record, Reject, RelationNote
from kgqa_loaders.triples import decoded, undecoded
from kgqa_loaders.wikidata.entities import excerpt
from kgqa_loaders.wikidata.statements import Claim, ClaimConverter
from kgqa_loaders.wikidata.triples import EntityTriples
from kgqa_loaders.wikidata.values import (
    NOVALUE,
    SOMEVALUE,
    Value,
    entity,
    literal,
    number,
    place_value,
    quantity_value,
    time_value,
)

WINDOW = 50_000
"""Edges that are kept until their qualifiers have come; ``kgtk sort`` puts them next to each other."""

_FAR = (
    f"a qualifier of an edge that is not within {WINDOW:,} edges before it; join the files of edges and qualifiers "
    "with kgtk cat and kgtk sort"
)
_COLUMNS = {
    "node1": ("node1", "from", "subject"), "label": ("label", "predicate", "relation", "relationship"),
    "node2": ("node2", "to", "object"), "id": ("id", "ID"),
}  # fmt: skip
_LIFTED = {"node1;label": "node1", "label;label": "label", "node2;label": "node2"}
_TYPES = frozenset({"property_type", "datatype", "wikibase_type"})
_EDGE = re.compile(r"[QPL][0-9]+-.+")


def fits(sample: bytes, name: str = "") -> float:
    """1 if the first line is a heading of KGTK's."""
    lines = whole_lines(sample)
    try:
        _columns((lines[0] if lines else b"").decode(), "")
    except (LoadError, UnicodeDecodeError):
        return 0.0
    return 1.0


def _columns(heading: str, describe: str) -> dict[str, int]:
    """Where each column stands.

    :raises LoadError: one that each edge must have is missing
    """
    names = heading.removeprefix("\ufeff").rstrip("\r").split("\t")
    found = {name: place for place, name in enumerate(names)}
    for column, others in _COLUMNS.items():
        given = [name for name in others if name in found]
        if given:
            found[column] = found.pop(given[0])
        elif column != "id":
            raise LoadError(f"{describe} is no KGTK edge file: its first line names no column {column}")
    if len(names) != len(set(names)) or not {"node1", "node2", "from", "subject"} & set(names):
        raise LoadError(f"{describe} is no KGTK edge file: its first line is no heading")
    return found


@dataclass(slots=True)
class _Edge:
    line: int
    node1: str
    label: str
    node2: str
    rank: str
    qualifiers: dict[str, list[Value]]


@dataclass(frozen=True, slots=True)
class Kgtk(FileSource):
    """A KGTK edge file.

    :ivar options: languages, types and ranks apply
    """

    options: ReadOptions = field(default_factory=ReadOptions)

    def records(self) -> Iterator[Record]:
        """The records of the edges; an edge waits for its qualifiers."""
        reader: _Reader | None = None
        for block in blocks_of(self.path, self.describe):
            for number_, line in enumerate(decoded(block.data), start=block.line):
                if isinstance(line, UnicodeDecodeError):
                    yield undecoded(number_, line)
                elif reader is None:
                    reader = _Reader(self.options, _columns(line, self.describe))
                elif line.strip():
                    yield from reader.line(number_, line.removesuffix("\r"))
        if reader is not None:
            yield from reader.finish()


class _Reader:
    def __init__(self, options: ReadOptions, columns: dict[str, int]) -> None:
        self.options = options
        self.columns = columns
        self.width = len(columns)
        self.extra = {name: place for name, place in columns.items() if name not in (*_COLUMNS, *_LIFTED, "rank")}
        self.lifted = [(name, place) for name, place in columns.items() if name in _LIFTED]
        self.converter = ClaimConverter(options)
        self.names = EntityTriples(options, self.converter)
        self.edges: OrderedDict[str, _Edge] = OrderedDict()
        self.preferred: OrderedDict[tuple[str, str], None] = OrderedDict()

    def line(self, line: int, text: str) -> Iterator[Record]:
        row = text.split("\t")
        columns = self.columns
        if len(row) != self.width:
            yield Reject(line, f"{len(row)} columns instead of {self.width}", excerpt(text))
            return
        node1, label, node2 = row[columns["node1"]], row[columns["label"]], row[columns["node2"]]
        if not (node1 and label and node2):
            yield Reject(line, "node1, label or node2 is empty", excerpt(text))
            return
        yield from self._lift(line, row)
        edge_id = row[columns["id"]] if "id" in columns else ""
        rank = row[columns["rank"]] if "rank" in columns else ""
        try:
            extra = {name: _values(row[place]) for name, place in self.extra.items() if row[place]}
            if node1 in self.edges:
                self.edges[node1].qualifiers.setdefault(label, []).extend(_values(node2))
                return
            if _EDGE.fullmatch(node1) and not re.fullmatch(r"L[0-9]+-[FS][0-9]+", node1):
                yield Reject(line, _FAR, excerpt(text))
                return
            edge = _Edge(line, node1, label, node2, rank or "normal", extra)
            if label in ("label", "alias", "description"):
                yield from self._named(edge)
            elif edge_id:
                if edge_id in self.edges:
                    yield from self._told(edge_id, self.edges.pop(edge_id))
                self.edges[edge_id] = edge
                self._rank(edge)
                if len(self.edges) > WINDOW:
                    yield from self._told(*self.edges.popitem(last=False))
            else:
                yield from self._told("", edge)
        except ValueError as error:
            yield Reject(line, str(error), excerpt(text))

    def finish(self) -> Iterator[Record]:
        while self.edges:
            edge_id, edge = self.edges.popitem(last=False)
            yield from self._told(edge_id, edge)

    def _rank(self, edge: _Edge) -> None:
        if edge.rank == "preferred":
            self.preferred[(edge.node1, edge.label)] = None
            if len(self.preferred) > WINDOW:
                self.preferred.popitem(last=False)

    def _lift(self, line: int, row: list[str]) -> Iterator[Record]:
        """The names that ``kgtk lift`` has put next to the nodes."""
        for name, place in self.lifted:
            if row[place]:
                value = _values(row[place])[0]
                subject = row[self.columns[_LIFTED[name]]]
                if name == "label;label":
                    yield RelationNote(subject, label=str(value.scalar))
                elif _value(subject).kind == "entity":
                    yield from self.names.text(line, subject, "label", str(value.scalar), value.language)

    def _named(self, edge: _Edge) -> Iterator[Record]:
        for value in _values(edge.node2):
            yield from self.names.text(edge.line, edge.node1, edge.label, str(value.scalar), value.language)

    def _told(self, edge_id: str, edge: _Edge) -> Iterator[Record]:
        head, label, line = edge.node1, edge.label, edge.line
        outranked = edge.rank == "normal" and (head, label) in self.preferred
        best = not outranked and edge.rank != "deprecated"
        try:
            values = _values(edge.node2)
        except ValueError as error:
            yield Reject(line, str(error), excerpt(f"{edge_id}\t{head}\t{label}\t{edge.node2}"))
            return
        for place, value in enumerate(values):
            if label in _TYPES:  # a property's kind of values is a word, no entity
                yield Literal(line, head, label, str(value.scalar))
                continue
            found = f"{edge_id}|{place}" if edge_id and place else edge_id
            yield from self.converter.records(line, head, Claim(label, value, found, edge.rank, best, edge.qualifiers))
        if head[0] in "QPL" and not values:
            yield Named(head, line=line)


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_LIST = re.compile(r"(?:[^|\\]|\\.)+", re.DOTALL)
_TEXT = re.compile(r"'(.*)'@([A-Za-z][A-Za-z0-9-]*)", re.DOTALL)  # a quotation mark within is often not escaped right
_TIME = re.compile(r"\^([^/]+)(?:/([0-9]{1,3}))?")
_PLACE = re.compile(r"@([+-]?[0-9.]++)/([+-]?[0-9.]++)")
_QUANTITY = re.compile(
    r"([+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?)(?:\[([^,\]]+),([^,\]]+)\])?"
    r"(Q[0-9]++|[A-Za-zµ°%][A-Za-zµ°%/^.0-9]*+)?"
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}


def _values(text: str) -> list[Value]:
    """The values of a cell, with ``|`` between.

    :raises ValueError: one is no value of KGTK's
    """
    return [_value(part) for part in _LIST.findall(text)] if "|" in text else [_value(text)]


def _value(text: str) -> Value:
    first = text[0]
    if first == '"':
        if len(text) < 2 or text[-1] != '"':
            raise ValueError(f"{text[:80]} does not end with a quotation mark")
        return literal(_unescaped(text[1:-1]))
    if first == "'":
        found = _TEXT.fullmatch(text)
        if not found:
            raise ValueError(f"{text[:80]} is no text with a language behind it")
        return Value("literal", _unescaped(found[1]), language=found[2])
    if first == "^":
        found = _TIME.fullmatch(text)
        if not found:
            raise ValueError(f"{text[:80]} is no time")
        return time_value(found[1], int(found[2] or 11))
    if first == "@":
        found = _PLACE.fullmatch(text)
        if not found:
            raise ValueError(f"{text[:80]} is no place")
        return place_value(float(found[1]), float(found[2]))
    if first.isdigit() or first in "+-.":
        found = _QUANTITY.fullmatch(text)
        if not found:
            raise ValueError(f"{text[:80]} is no number")
        amount, lower, upper, unit = found.groups("")
        return quantity_value(amount, unit, upper, lower) if unit or lower else literal(number(amount))
    if text in ("somevalue", "novalue"):
        return SOMEVALUE if text == "somevalue" else NOVALUE
    if text in ("True", "False"):
        return literal(text == "True")
    return literal(text) if text.startswith(("http://", "https://")) else entity(_unescaped(text))


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)
    return plain.replace("\\'", "'").replace('\\"', '"')  # public files have quotation marks escaped twice
