"""The graphs that were loaded into the database, and the mapping of each, read from their meta nodes.

A loaded graph ``x`` is described by one ``:_KGQA_Graph`` node and one ``:_KGQA_Relation`` node per relation. Its
entities carry the labels ``Entity`` and ``KG_x``.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kgqa_graphdb import queries
from kgqa_graphdb.errors import ConfigError, LoadError, UnknownGraphError, nearest
from kgqa_graphdb.mapping import EntityKind, GraphMapping, leg_codes
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Relation, Statement, Step
from kgqa_graphdb.vectors import VectorIndexes

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
    :ivar checksum: SHA-256 of that source, hex
    :ivar formats: that it was read as
    """

    graph: str
    entities: int | None
    facts: int | None
    source: str
    licence: str
    loaded_at: str
    owned: bool = True
    state: str = "complete"
    checksum: str = ""
    formats: tuple[str, ...] = ()


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
        GraphInfo(graph, entities, facts, source, licence, loaded_at, True, state, checksum, tuple(formats))
        for graph, entities, facts, source, licence, loaded_at, state, checksum, formats in rows
    )


def graph_fingerprint(mapping: GraphMapping) -> Steps[str]:
    """What says whether a graph is still what it was: a digest of its relations and, if we loaded it, of its size.

    :return: 16 hexadecimal digits
    """
    known = (yield from graphs()) if mapping.owned else ()
    size = [(info.entities, info.facts) for info in known if info.graph == mapping.graph]
    relations = sorted((relation.id, relation.kind, relation.type) for relation in mapping.relations)
    return hashlib.sha256(repr((relations, size)).encode()).hexdigest()[:16]


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
    fulltext, walk, state, source, after, rare, vectors, *columns = row
    if state == "loading":
        raise LoadError(
            f"graph {graph!r} is not complete: its load was cut off; finish it with: kgqa load {source} --graph {graph}"
        )
    if state == "dropping":
        raise LoadError(f"graph {graph!r} is being dropped; finish that with: kgqa drop {graph}")
    relations = []
    codes: list[str] = []
    for name, type_, kind, label, inverse, description, template, unit, heads, tails, of, via in zip(
        *columns, strict=True
    ):
        codes += (f">{name}", f"<{name}")
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
                of=of,
                via=tuple(via),
            )
        )
    known = {relation.id for relation in relations}
    # A part of a source may lack the relationships that another relation is walked by.
    relations = [relation for relation in relations if all(code[1:] in known for code in relation.via)]
    return GraphMapping(
        graph=graph,
        entities=(EntityKind(label_of(graph), key="entity_id", names=("name",), aliases=("aliases",)),),
        relations=tuple(relations),
        label=label_of(graph),
        fulltext=fulltext,
        walk=walk,
        owned=True,
        next_steps=_with_unnumbered(NextSteps(codes, after or b""), relations),
        rare_steps=NextSteps(codes, rare or b""),
        vectors=VectorIndexes((vectors[0],), *vectors[1:]) if vectors[0] else None,
    )


# ── next steps ───────────────────────────────────────────────────────────────────────────────────────────────────────


class NextSteps(Mapping[str, tuple[str, ...]]):
    """Step code → codes of the steps that can come after it, unpacked when asked for.

    A graph of 5,000 relations has millions of such pairs.

    :param codes: the code of each step at its number: twice the relation's number, plus one for walking it backwards
    :param packed: what :func:`pack_steps` made
    """

    def __init__(self, codes: list[str], packed: bytes) -> None:
        self._codes = codes
        self._packed = packed
        count = int.from_bytes(packed[:_COUNT_BYTES], "little")
        ends = np.cumsum(np.frombuffer(packed, dtype="<u4", count=count + 1 if packed else 0), dtype=np.int64)
        # The first of the lengths is the count itself: places are counted from there.
        places = (ends - count + _COUNT_BYTES * (count + 1)).tolist()
        self._places = {
            code: (start, end) for code, start, end in zip(codes, places, places[1:], strict=False) if start < end
        }
        self._unpacked: dict[str, tuple[str, ...]] = {}

    def __getitem__(self, code: str) -> tuple[str, ...]:
        if code not in self._unpacked:
            start, end = self._places[code]
            field = np.frombuffer(zlib.decompress(self._packed[start:end]), dtype=np.uint8)
            numbers = np.flatnonzero(np.unpackbits(field, bitorder="little")).tolist()
            self._unpacked[code] = tuple(map(self._codes.__getitem__, numbers))
        return self._unpacked[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return f"NextSteps({len(self)} codes)"


_COUNT_BYTES = 4


def _with_unnumbered(counted: NextSteps, relations: Sequence[Relation]) -> Mapping[str, tuple[str, ...]]:
    """What follows each step, with the relations that no fact was counted for, if there are any."""
    plain = all(relation.kind in ("edge", "property") and not relation.via for relation in relations)
    return counted if plain or not counted else NextOfAll(counted, relations)


class NextOfAll(Mapping[str, tuple[str, ...]]):
    """As :class:`NextSteps`, with the relations that facts say nothing of: legs, qualifiers, and those with a ``via``.

    What is walked via others follows where its first leg does and is followed by what its last leg is; a qualifier
    follows its edge; a leg follows nothing.

    :param counted: what the facts say
    """

    def __init__(self, counted: NextSteps, relations: Sequence[Relation]) -> None:
        self._counted = counted
        self._legs = frozenset(mark + r.id for r in relations if r.kind == "leg" for mark in "><")
        self._last_leg: dict[str, str] = {}
        self._starting: dict[str, list[str]] = {}
        self._qualifiers: dict[str, list[str]] = {}
        for relation in relations:
            if relation.kind == "qualifier":
                self._qualifiers.setdefault(relation.of, []).append(f">{relation.id}")
            if not relation.via:
                continue
            for inverse in (False, True) if relation.kind == "edge" else (False,):
                step = Step(relation, inverse)
                legs = leg_codes(step)
                self._starting.setdefault(legs[0], []).append(step.code)
                if relation.kind == "edge":
                    self._last_leg[step.code] = legs[-1]

    def __getitem__(self, code: str) -> tuple[str, ...]:
        after = self._counted[self._last_leg.get(code, code)]
        found = [step for step in after if step not in self._legs and step not in self._last_leg]
        found += [step for leg in after for step in self._starting.get(leg, ())]
        found += [*self._qualifiers.get(code[1:], ()), *self._qualifiers.get("", ())]
        return tuple(dict.fromkeys(found))

    def __iter__(self) -> Iterator[str]:
        counted = (code for code in self._counted if code not in self._legs and code not in self._last_leg)
        yield from (*counted, *(code for code, leg in self._last_leg.items() if leg in self._counted))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def pack_steps(fields: Mapping[int, int]) -> bytes:
    """Bit fields of the steps that follow each step, for a property of the graph's meta node.

    One value, as reading 10,000 small ones takes the server longer; each field compressed by itself, as a question
    looks at few of them. It holds the number of fields, the length of each, 0 for a step that is left out, and them.

    :param fields: number of a step → bit ``n`` stands for step ``n``
    """
    packed = [b""] * (max(fields, default=-1) + 1)
    for step, bits in fields.items():
        packed[step] = zlib.compress(bits.to_bytes((bits.bit_length() + 7) // 8, "little"), 1)
    return np.array([len(packed), *map(len, packed)], dtype="<u4").tobytes() + b"".join(packed)
