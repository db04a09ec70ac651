"""Opens the local index over a graph's names, and makes it anew when it no longer fits the graph."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kgqa_graphdb.compile.lookup import count_statement, listed_statement
from kgqa_graphdb.mapping import EntityKind, GraphMapping
from kgqa_graphdb.name_index.store import Contents, NameIndex, NameWriter
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Rows

log = logging.getLogger(__name__)

MAX_NODES = 1_000_000
"""Nodes of a graph whose names are kept on this machine; of more, Neo4j must."""
PAGE = 20_000
MAX_KEY = 40
"""Characters of a key that is kept as a name; longer ones are nothing that a person types."""


def names_file(mapping_file: Path) -> Path:
    """Where the index over the names of a graph is kept: beside its mapping."""
    return mapping_file.with_suffix(".names")


def forget_names(mapping_file: Path) -> None:
    """Delete the index over the names of a graph, if there is one."""
    with suppress(FileNotFoundError):
        names_file(mapping_file).unlink()


def open_names(mapping: GraphMapping, file: Path, *, anew: bool = False) -> Steps[NameIndex | None]:
    """The local index over a graph's names, made if there is none that fits; ``None``: the graph goes without.

    It is made anew when the mapping says something else of names, when labels have more or fewer nodes, and for another
    database. What it finds is read from the graph, so that an old one never gives a name that is no longer there.

    :param anew: make it in any case
    """
    contents = yield from _contents(mapping)
    nodes = sum(contents.counts)
    if not nodes or nodes > MAX_NODES:
        return None
    index = None if anew else NameIndex.open(file, contents)
    if index is not None:
        return index
    try:
        yield from _fill(mapping, file, contents)
        index = NameIndex.open(file, contents)
    except (OSError, sqlite3.Error) as error:
        log.warning("can't write the index over names %s: %s; every node is looked at instead", file, error)
        return None
    if index is None:
        log.warning("the index over names %s can't be read; every node is looked at instead", file)
    return index


def _contents(mapping: GraphMapping) -> Steps[Contents]:
    said = [(kind.label, kind.key, kind.names, kind.aliases) for kind in mapping.entities]
    mapped = hashlib.sha256(repr((said, mapping.apart)).encode()).hexdigest()
    [[counts, some]] = yield from ask(Read(count_statement(mapping)))
    return Contents(mapped, tuple(counts), some[0].rpartition(":")[0] + ":" if some else "")


def _fill(mapping: GraphMapping, file: Path, contents: Contents) -> Steps[None]:
    log.info("making the index over names %s", file)
    with NameWriter(file, contents.database) as writer:
        nodes = 0
        for place, kind in enumerate(mapping.entities):
            before = [other.label for other in mapping.entities[:place]]
            skip = 0
            while True:
                rows = yield from ask(Read(listed_statement(mapping, kind, before, skip, PAGE)))
                writer.add(_named(kind, rows))
                nodes += len(rows[0][0])
                skip += PAGE
                if len(rows[0][0]) < PAGE:
                    break
        writer.finish(contents, nodes)


def _named(kind: EntityKind, rows: Rows) -> Iterator[tuple[str, list[str]]]:
    [[ids, found]] = rows
    for element_id, values in zip(ids, found, strict=True):
        parts, aliases = values[: len(kind.names)], values[len(kind.names) :]
        key = str(aliases.pop()) if kind.key and aliases[-1] is not None else ""
        name = " ".join(str(part) for part in parts if part not in (None, ""))
        yield element_id, [name, *_texts(aliases), *([key] if len(key) <= MAX_KEY else [])]


def _texts(values: Sequence[Any]) -> Iterator[str]:
    for value in values:
        yield from (str(one) for one in (value if isinstance(value, list) else [value]) if one is not None)
