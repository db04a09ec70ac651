"""Entities by their keys and names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgqa_graphdb.compile import describe_keys
from kgqa_graphdb.compile.lookup import exact_statement, name_scan_statement, names_statement
from kgqa_graphdb.graph.reader import GraphReader
from kgqa_graphdb.language.folding import MAX_CHARACTERS, folded_text, lone_surrogate, several, symbols_agree
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.steps import Compute, Read, ReadEach, Request, Steps, ask, together
from kgqa_graphdb.types import Entity, Rows, Statement

MAX_CODE = 24
"""Characters of a key that people may ask by."""
MAX_HITS = 50
"""Names that the full-text index gives for one that is looked up."""


@dataclass(frozen=True, slots=True)
class Named:
    """An entity, and all its names."""

    entity: Entity
    aliases: tuple[str, ...]


def named_entities(graph: GraphReader, rows: Rows) -> tuple[Named, ...]:
    """The entities in rows of element ids, labels, values of :func:`describe_keys` and aliases, without repeats."""
    columns = describe_keys(graph.mapping)
    found: dict[str, Named] = {}
    for ids, labels, keys, aliases, *_ in rows:
        for element_id, some, values, others in zip(ids, labels, keys, aliases, strict=True):
            if element_id not in found:
                entity = graph.entity(element_id, some, dict(zip(columns, values, strict=True)))
                code = () if graph.mapping.owned else _code(entity)
                found[element_id] = Named(entity, (*_flat(others), *code))
    return tuple(found.values())


def _code(entity: Entity) -> tuple[str, ...]:
    """The key of an entity that has a name, if people would ask by it: SO-1041, 10383, ALFKI.

    A short number may be an amount or a year, and a short word another word: IN, the country, and the preposition.
    """
    key = entity.id
    if key in (entity.name, entity.element_id) or len(key) > MAX_CODE:
        return ()
    digits, letters = any(map(str.isdigit, key)), any(map(str.isalpha, key))
    return (key,) if (digits and (letters or len(key) > 4)) or (key.isupper() and len(key) > 3) else ()


def keyed_entities(graph: GraphReader, keys: Sequence[str]) -> Steps[tuple[Named, ...]]:
    """The entities that have some keys; full-text analyzers leave out names such as "They"."""
    rows: Rows = []
    for request in _by_key(graph.mapping, keys):
        rows += yield from ask(request)
    return named_entities(graph, rows)


def search_names(graph: GraphReader, searches: Sequence[Sequence[object]], statement: Statement) -> Steps[Rows]:
    """The rows of searches, in the graph's full-text index or in the one beside it.

    :param searches: lists that begin with a query and how many names it may find
    :param statement: of :mod:`kgqa_graphdb.compile.lookup`
    """
    if not graph.mapping.fulltext and graph.names is not None:
        found = yield from ask(Compute(graph.names.search, searches))
        searches = [[*search, ids] for search, ids in zip(searches, found, strict=True) if ids]
    return (yield from ask(ReadEach(statement, list(searches))))


def find_entities(graph: GraphReader, names: Sequence[str]) -> Steps[dict[str, tuple[Entity, ...]]]:
    """See :meth:`kgqa_graphdb.graph.Graph.find`."""
    names = several("names", names)
    wanted = list(dict.fromkeys(filter(_may_be_name, names)))
    steps = [*map(ask, _by_key(graph.mapping, wanted)), *_by_name(graph, wanted)]
    rows = [row for some in (yield from together(steps)) for row in some]
    by_text: dict[str, dict[str, Named]] = {}
    for named in named_entities(graph, rows):
        entity = named.entity
        for text in {entity.id, entity.name, *map(folded_text, (entity.name, *named.aliases))}:
            by_text.setdefault(text, {})[entity.element_id] = named
    found = dict.fromkeys(names, tuple[Entity, ...]())
    for name in wanted:
        alike = {**by_text.get(name, {}), **by_text.get(folded_text(name), {})}.values()
        ranked = [(rank, one.entity) for one in alike if (rank := _unlikeness(one, name)) is not None]
        found[name] = tuple(one for _, one in sorted(ranked, key=lambda pair: (pair[0], pair[1].name, pair[1].id)))
    return found


def _may_be_name(text: str) -> bool:
    return bool(text.strip()) and len(text) <= MAX_CHARACTERS and not lone_surrogate(text)


def _unlikeness(named: Named, name: str) -> int | None:
    """0: an entity has a key or a name letter for letter; 1: an alias; 2: one of both, folded; ``None``: neither."""
    if name in (named.entity.id, named.entity.name):
        return 0
    if name in named.aliases:
        return 1
    folded = folded_text(name)
    every = (named.entity.name, *named.aliases)
    return 2 if any(folded_text(one) == folded and symbols_agree(one, name) for one in every) else None


def _by_key(mapping: GraphMapping, keys: Sequence[str]) -> list[Request[Rows]]:
    keys = list(filter(_may_be_name, keys))
    # A company's keys may be numbers.
    numbers = [key for key in keys if key.isascii() and key.isdigit() and len(key) < 19 and not mapping.owned]
    items = [*keys, *map(int, numbers)]
    return [ReadEach(exact_statement(mapping, kind), items) for kind in mapping.entities] if keys else []


def _by_name(graph: GraphReader, names: Sequence[str]) -> list[Steps[Rows]]:
    mapping = graph.mapping
    if not graph.has_index:
        return [
            ask(Read(name_scan_statement(mapping, kind, folded_text(name), MAX_HITS)))
            for name in names
            for kind in mapping.entities
        ]
    phrases = [" ".join(f'"{_escaped(text)}"' for text in dict.fromkeys((name, folded_text(name)))) for name in names]
    searches = [[phrase, MAX_HITS] for phrase in phrases]
    return [search_names(graph, searches, names_statement(mapping))] if names else []


def _escaped(name: str) -> str:
    """A name inside a phrase of Lucene's query syntax."""
    return name.replace("\\", "\\\\").replace('"', '\\"')


def _flat(aliases: Sequence[object]) -> Iterable[str]:
    for alias in aliases:
        if isinstance(alias, list):
            yield from (str(one) for one in alias)
        elif alias is not None:
            yield str(alias)
