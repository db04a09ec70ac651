"""The graphs that were loaded into the database, and the mapping of each, read from their meta nodes.

A loaded graph ``x`` is described by one ``:_KGQA_Graph`` node and one ``:_KGQA_Relation`` node per relation. Its
entities carry the labels ``Entity`` and ``KG_x``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from kgqa_graphdb import queries
from kgqa_graphdb.catalog.next_steps import NextSteps, with_unnumbered
from kgqa_graphdb.catalog.provenance import SourceCounts, unpack_sources
from kgqa_graphdb.errors import ConfigError, LoadError, UnknownGraphError, nearest
from kgqa_graphdb.language import ENGLISH, language_of
from kgqa_graphdb.mapping import EntityKind, GraphMapping, seems_symmetric
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Relation, Statement, VectorIndexes

MAX_SHOWN = 100
"""Characters of a wrong name that a message shows."""
SHARED_LABEL = "Entity"
"""Which the entities of all loaded graphs carry."""
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
    :ivar sources: what each of several sources gave when it was last loaded; empty where it was loaded from one
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
    sources: tuple[SourceCounts, ...] = ()


def check_graph_name(graph: str) -> str:
    """The name, if a graph may bear it.

    :raises ConfigError: it holds anything but letters, digits, ``_`` and ``-``, or does not start with a letter
    """
    if not isinstance(graph, str) or not _GRAPH_NAME.fullmatch(graph):
        shown = repr(graph) if len(repr(graph)) <= MAX_SHOWN else f"{repr(graph)[:MAX_SHOWN]}…"
        raise ConfigError(
            f"{shown} can't be a graph's name; use up to 63 letters, digits, '_' and '-', beginning with a letter"
        )
    return graph


def label_of(graph: str) -> str:
    """The label that all entities of a loaded graph carry."""
    return f"KG_{graph}"


def graphs() -> Steps[tuple[GraphInfo, ...]]:
    """The graphs that were loaded into the database, by name."""
    rows = yield from ask(Read(Statement(queries.load("catalog/graphs").cypher())))
    return tuple(
        GraphInfo(graph, entities, facts, source, licence, at, True, state, sum_, tuple(formats), unpack_sources(given))
        for graph, entities, facts, source, licence, at, state, sum_, formats, given in rows
    )


def graph_fingerprint(mapping: GraphMapping) -> Steps[str]:
    """A digest that changes when a graph does: of its relations and, if we loaded it, of its size.

    :return: 16 hexadecimal digits
    """
    known = (yield from graphs()) if mapping.owned else ()
    size = [(info.entities, info.facts) for info in known if info.graph == mapping.graph]
    relations = sorted((relation.id, relation.kind, relation.type) for relation in mapping.relations)
    return hashlib.sha256(repr((relations, size)).encode()).hexdigest()[:16]


def loaded_mapping(graph: str, others: Iterable[str] = ()) -> Steps[GraphMapping]:
    """The mapping of a loaded graph; one read.

    :param others: names of graphs that were not loaded, to tell the nearest
    :raises UnknownGraphError: no graph of that name was loaded; the message names the nearest and the cure
    :raises LoadError: its first load was cut off
    """
    rows = yield from ask(Read(Statement(queries.load("catalog/mapping").cypher(), {"graph": graph})))
    if not rows:
        known = yield from graphs()
        names = [*(info.graph for info in known), *others]
        raise UnknownGraphError(
            f"there is no graph {graph!r}{nearest(graph, names)}; "
            + ("see them with: kgqa graphs" if names else f"load one with: kgqa load SOURCE --graph {graph}")
        )
    return _mapping(graph, rows[0])


def apart_from_loaded(mapping: GraphMapping) -> Steps[GraphMapping]:
    """A mapping that keeps out the nodes of loaded graphs, but for those that it names; two reads at most.

    They may have the labels of the mapping's own: ``Person`` is a company's word, too. Of several graphs the label that
    all loaded entities share stands for their own, if no other node carries it, so that statements do not grow with the
    number of graphs. A graph that is loaded later is kept out from when the mapping is read next.
    """
    if mapping.label:
        return mapping
    rows = yield from ask(Read(Statement(queries.load("catalog/graph_labels").cypher())))
    ends = [label for relation in mapping.relations for label in (*relation.heads, *relation.tails)]
    named = {*mapping.entity_labels, *ends}
    labels = tuple(label for (label,) in rows)
    if len(labels) > 1 and named.isdisjoint((SHARED_LABEL, *labels)):
        ((only_loaded,),) = yield from ask(Read(Statement(queries.load("catalog/only_loaded").cypher())))
        labels = (SHARED_LABEL,) if only_loaded else labels
    return replace(mapping, apart=tuple(label for label in labels if label not in named))


def _mapping(graph: str, row: list[Any]) -> GraphMapping:
    fulltext, walk, state, source, after, rare, vectors, code, *columns = row
    if state == "loading":
        raise LoadError(
            f"graph {graph!r} is not complete: its load was cut off; finish it with: kgqa load {source} --graph {graph}"
        )
    if state == "dropping":
        raise LoadError(f"graph {graph!r} is being dropped; finish that with: kgqa drop {graph}")
    language = language_of(code or ENGLISH.code, f"graph {graph!r}: language")
    relations = []
    codes: list[str] = []
    for name, type_, kind, label, inverse, description, template, unit, heads, tails, of, via, symmetric in zip(
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
                symmetric=symmetric == "true"
                or (not symmetric and kind == "edge" and seems_symmetric(name, label, language)),
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
        language=language,
        next_steps=with_unnumbered(NextSteps(codes, after or b""), relations),
        rare_steps=NextSteps(codes, rare or b""),
        vectors=VectorIndexes((vectors[0],), *vectors[1:]) if vectors[0] else None,
    )
