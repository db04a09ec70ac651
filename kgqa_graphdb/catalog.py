"""The graphs that were loaded into the database, and the mapping of each, read from their meta nodes.

A loaded graph ``x`` is described by one ``:_KGQA_Graph`` node and one ``:_KGQA_Relation`` node per relation. Its
entities carry the labels ``Entity`` and ``KG_x``.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kgqa_graphdb import queries
from kgqa_graphdb.errors import ConfigError, LoadError, UnknownGraphError, nearest
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Relation, Statement

_GRAPH_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,62}")


@dataclass(frozen=True, slots=True)
class GraphInfo:
    """A graph that can be asked.

    :ivar entities: number of entities; ``None``: not counted, because we did not load the graph
    :ivar facts: number of facts between entities; literals are not counted; ``None`` as for entities
    :ivar source: the file or place that it was loaded from last, or its mapping file
    :ivar loaded_at: when it was last changed by a load, ISO 8601 with its zone; empty when we did not load it
    :ivar owned: we loaded it, so we may drop it
    :ivar state: ``complete``; ``loading``: its first load was cut off; ``adding``: a later one was; ``dropping``
    """

    graph: str
    entities: int | None
    facts: int | None
    source: str
    licence: str
    loaded_at: str
    owned: bool = True
    state: str = "complete"


def check_graph_name(graph: str) -> str:
    """The name, if a graph may bear it.

    :raises ConfigError: it holds anything but letters, digits, ``_`` and ``-``, or does not start with a letter
    """
    if not _GRAPH_NAME.fullmatch(graph):
        raise ConfigError(
            f"{graph!r} can't be a graph's name; use up to 63 letters, digits, '_' and '-', beginning with a letter"
        )
    return graph


def label_of(graph: str) -> str:
    """The label that all entities of a loaded graph carry."""
    return f"KG_{graph}"


def graphs() -> Steps[tuple[GraphInfo, ...]]:
    """The graphs that were loaded into the database, by name."""
    rows = yield from ask(Read(Statement(queries.load("catalog/graphs").cypher())))
    return tuple(
        GraphInfo(graph, entities, facts, source, licence, loaded_at, True, state)
        for graph, entities, facts, source, licence, loaded_at, state in rows
    )


def loaded_mapping(graph: str) -> Steps[GraphMapping]:
    """The mapping of a loaded graph; one read.

    :raises UnknownGraphError: no graph of that name was loaded; the message names the nearest and the cure
    :raises LoadError: its first load was cut off
    """
    rows = yield from ask(Read(Statement(queries.load("catalog/mapping").cypher(), {"graph": graph})))
    if not rows:
        known = yield from graphs()
        names = [info.graph for info in known]
        raise UnknownGraphError(
            f"there is no graph {graph!r}{nearest(graph, names)}; "
            + ("see them with: kgqa graphs" if names else f"load one with: kgqa load SOURCE --graph {graph}")
        )
    return _mapping(graph, rows[0])


def _mapping(graph: str, row: list[Any]) -> GraphMapping:
    fulltext, walk, state, source, *columns = row
    if state == "loading":
        raise LoadError(
            f"graph {graph!r} is not complete: its load was cut off; finish it with: kgqa load {source} --graph {graph}"
        )
    if state == "dropping":
        raise LoadError(f"graph {graph!r} is being dropped; finish that with: kgqa drop {graph}")
    relations = []
    after: dict[str, str] = {}
    rare: dict[str, str] = {}
    numbered: list[str] = []
    for name, type_, kind, label, inverse, description, template, unit, heads, tails, forward, backward, *rarely in zip(
        *columns, strict=True
    ):
        numbered += (f">{name}", f"<{name}")
        if kind == "alias":
            continue
        relations.append(
            Relation(
                id=name,
                type=type_,
                phrase=label,
                inverse_phrase=inverse,
                kind=kind,
                description=description,
                template=template,
                unit=unit,
                heads=tuple(heads),
                tails=tuple(tails),
            )
        )
        if kind == "edge":
            after[f">{name}"] = forward
            after[f"<{name}"] = backward
            rare |= {code: bits for code, bits in zip((f">{name}", f"<{name}"), rarely, strict=True) if bits}
    return GraphMapping(
        graph=graph,
        entities=(EntityKind(label_of(graph), key="entity_id", names=("name",), aliases=("aliases",)),),
        relations=tuple(relations),
        label=label_of(graph),
        fulltext=fulltext,
        walk=walk,
        owned=True,
        next_steps=NextSteps(numbered, after),
        rare_steps=NextSteps(numbered, rare),
    )


# ── next steps ───────────────────────────────────────────────────────────────────────────────────────────────────────


class NextSteps(Mapping[str, tuple[str, ...]]):
    """Step code → codes of the steps that can come after it, unpacked when asked for.

    A graph of 5,000 relations has millions of such pairs. They are stored as one bit each, see :func:`pack_steps`.

    :param codes: every step code at its number: twice the relation's number, plus one for walking it backwards
    :param packed: step code → its followers, packed
    """

    def __init__(self, codes: list[str], packed: Mapping[str, str]) -> None:
        self._codes = codes
        self._packed = packed
        self._unpacked: dict[str, tuple[str, ...]] = {}

    def __getitem__(self, code: str) -> tuple[str, ...]:
        if code not in self._unpacked:
            codes = self._codes
            self._unpacked[code] = tuple(codes[number] for number in unpack_steps(self._packed[code]))
        return self._unpacked[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)

    def __repr__(self) -> str:
        return f"NextSteps({len(self)} codes)"


def pack_steps(numbers: Iterable[int]) -> str:
    """Step numbers as a compressed bit field, for the properties ``after_forward`` and ``after_inverse``.

    :param numbers: of steps: twice the relation's number, plus one for walking it backwards
    """
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return pack_bits(bits)


def pack_bits(bits: int) -> str:
    """A bit field whose bit ``n`` stands for step ``n``, compressed, in base 64."""
    field = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    return base64.b64encode(zlib.compress(field, 1)).decode("ascii")


def unpack_steps(packed: str) -> list[int]:
    """The step numbers that :func:`pack_steps` packed, ascending."""
    field = np.frombuffer(zlib.decompress(base64.b64decode(packed)), dtype=np.uint8)
    numbers: list[int] = np.flatnonzero(np.unpackbits(field, bitorder="little")).tolist()
    return numbers
