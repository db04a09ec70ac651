"""Writes an exported graph: the columns of its entities and facts, as they come out of Neo4j, page by page."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path

import numpy as np

from kgqa_graphdb.catalog import graph_fingerprint
from kgqa_graphdb.errors import ExportError, UsageError, nearest
from kgqa_graphdb.export.exported import ExportedGraph
from kgqa_graphdb.export.manifest import COLUMNS, Manifest, claim_folder, write_manifest
from kgqa_graphdb.export.named import relation_infos
from kgqa_graphdb.export.npy import ColumnWriter, TextWriter, read_column
from kgqa_graphdb.export.read import (
    FactReader,
    NodeNumbers,
    edge_relations,
    entity_groups,
    entity_pages,
    node_numbers,
    read_pages,
)
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Ints, Relation

SORTED_AT_ONCE = 4_000_000
"""Facts that are sorted by tail in memory."""
Progress = Callable[[int, int | None], None]


def fingerprint(mapping: GraphMapping) -> Steps[str]:
    """A digest that changes when what is exported would: the entities' kinds, the relations, their order and words.

    Of a graph that we loaded it changes with its size, too; facts that come or go in another are not noticed.

    :return: 16 hexadecimal digits
    """
    size = yield from graph_fingerprint(mapping)
    kinds = [(kind.label, kind.key, kind.names) for kind in mapping.entities]
    return hashlib.sha256(repr((size, kinds, mapping.relations)).encode()).hexdigest()[:16]


def export_graph(
    graph: Graph,
    folder: Path,
    *,
    properties: Sequence[str] = (),
    qualifiers: Sequence[str] = (),
    progress: Progress = lambda done, total: None,
) -> Steps[Manifest]:
    """Write a graph's entities, relations and facts into a folder, from which memory maps read them.

    What the folder had stays until the new columns are complete; an export that was cut off begins anew.

    :param properties: relations to values of entities that are written as numbers
    :param qualifiers: the same of facts
    :param progress: called with (done, total) nodes and relationships
    :raises ExportError: the folder holds something else, or can't be written to; the graph has no entity
    :raises UsageError: there is no such property or qualifier
    """
    values = _values(graph.mapping, properties, "property"), _values(graph.mapping, qualifiers, "qualifier")
    claim_folder(folder)
    columns = f"{COLUMNS}{uuid.uuid4().hex[:12]}"
    try:
        manifest = yield from _write(graph, folder, columns, values, progress)
        manifest = manifest.model_copy(update={"properties": tuple(properties), "qualifiers": tuple(qualifiers)})
        write_manifest(folder, manifest)
    except OSError as error:
        raise ExportError(f"{folder} can't be written to: {error.strerror or error}; free some space") from error
    return manifest


def open_export(graph: Graph, folder: Path) -> Steps[ExportedGraph]:
    """Open what was exported of a graph as it is now.

    :raises ExportError: there is nothing, it is of another graph, or the graph has changed since
    """
    now = yield from fingerprint(graph.mapping)
    return ExportedGraph.open(folder, graph=graph.name, fingerprint=now)


def _values(mapping: GraphMapping, names: Sequence[str], kind: str) -> list[Relation]:
    """The relations to values that are called so."""
    known = {relation.id: relation for relation in mapping.relations if relation.kind == kind and not relation.via}
    for name in names:
        if name not in known:
            have = ", ".join(sorted(known)[:10]) or "none"
            raise UsageError(f"{name!r} is no {kind} of graph {mapping.graph!r}{nearest(name, known)}; it has: {have}")
    return [known[name] for name in names]


def _write(
    graph: Graph, folder: Path, columns: str, values: tuple[list[Relation], list[Relation]], progress: Progress
) -> Steps[Manifest]:
    mapping = graph.mapping
    made_from = yield from fingerprint(mapping)
    nodes = yield from node_numbers(mapping)
    if not nodes.ids.size:
        raise ExportError(f"graph {mapping.graph!r} has no entities; is its mapping that of this database?")
    total = int(nodes.ids.size + nodes.degrees.sum())
    (folder / columns).mkdir()
    raw_sets, label_sets = yield from _write_entities(graph, nodes, folder / columns, values[0], total, progress)
    label_set = np.asarray(read_column(folder / columns / "label_set.npy"), dtype=np.int64)
    reader = FactReader(graph, nodes, raw_sets, label_set, values[1])
    facts, dropped = yield from _write_facts(reader, folder / columns, total, progress)
    _sort_by_tail(folder / columns, nodes.ids.size)
    return Manifest(
        graph=mapping.graph,
        fingerprint=made_from,
        columns=columns,
        entities=nodes.ids.size,
        facts=int(facts.sum()),
        relations=tuple(
            info.model_copy(update={"facts": int(count)})
            for info, count in zip(relation_infos(mapping), facts, strict=True)
        ),
        label_sets=tuple(label_sets),
        dropped=dropped,
        owned=mapping.owned,
        made_by=f"kgqa-graphdb {version('kgqa-graphdb')}",
    )


def _write_entities(
    graph: Graph, nodes: NodeNumbers, folder: Path, properties: Sequence[Relation], total: int, progress: Progress
) -> Steps[tuple[list[tuple[str, ...]], list[tuple[str, ...]]]]:
    """Keys, names, label sets and properties of all entities.

    :return: the label sets as they are stored, and what the mapping knows of each
    """
    sets: dict[tuple[str, ...], int] = {}
    shown: list[tuple[str, ...]] = []
    done = 0
    with ExitStack() as files:
        texts = [TextWriter(folder, name) for name in ("keys", "names")]
        label_set = files.enter_context(ColumnWriter(folder / "label_set.npy", "<i4"))
        numbers = [files.enter_context(ColumnWriter(_property(folder, at), "<f8")) for at in range(len(properties))]
        for reads in entity_pages(graph, nodes, properties):
            for [rows] in (yield from read_pages([[read] for read in reads])):
                groups = list(entity_groups(graph, rows, properties))
                for group in groups:
                    if group.labels not in sets:
                        sets[group.labels] = len(sets)
                        shown.append(group.known)
                order = np.argsort(np.concatenate([np.zeros(0, np.int64), *(group.ids for group in groups)]))
                for text, name in zip(texts, ("keys", "names"), strict=True):
                    flat = [one for group in groups for one in getattr(group, name)]
                    text.add([flat[place] for place in order.tolist()])
                label_set.add(np.repeat([sets[group.labels] for group in groups], [g.ids.size for g in groups])[order])
                for at, column in enumerate(numbers):
                    column.add(np.concatenate([group.numbers[:, at] for group in groups])[order])
                done += order.size
                progress(done, total)
        for text in texts:
            text.close()
        if label_set.size != nodes.ids.size:
            raise ExportError(f"graph {graph.name!r} changed while it was exported; export it again")
    return list(sets), shown


def _property(folder: Path, at: int) -> Path:
    return folder / f"property-{at}.npy"


def _write_facts(reader: FactReader, folder: Path, total: int, progress: Progress) -> Steps[tuple[Ints, int]]:
    """Heads, relations and tails of all facts, sorted by them, where each entity's begin, and qualifiers.

    :return: how many facts each relation has, and how many relationships were dropped
    """
    entities = reader.nodes.ids.size
    counts = np.zeros(len(edge_relations(reader.graph.mapping)), dtype=np.int64)
    out_degree = np.zeros(entities, dtype=np.int64)
    dropped, done = 0, entities
    with ExitStack() as files:
        heads, relations, tails = (
            files.enter_context(ColumnWriter(folder / f"{name}.npy", type))
            for name, type in (("head", "<i8"), ("relation", "<i4"), ("tail", "<i8"))
        )
        numbers = [
            files.enter_context(ColumnWriter(folder / f"qualifier-{at}.npy", "<f8"))
            for at in range(len(reader.qualifiers))
        ]
        for pages in reader.pages():
            for answers in (yield from read_pages(pages)):
                page = reader.page(answers)
                heads.add(page.heads)
                relations.add(page.relations)
                tails.add(page.tails)
                for at, column in enumerate(numbers):
                    column.add(page.numbers[:, at])
                counts += np.bincount(page.relations, minlength=counts.size)
                if page.heads.size:  # sorted: they lie close together
                    first, last = int(page.heads[0]), int(page.heads[-1])
                    out_degree[first : last + 1] += np.bincount(page.heads - first)
                dropped += page.dropped
                done += page.heads.size
                progress(min(done, total), total)
    np.save(folder / "out_start.npy", np.concatenate([[0], np.cumsum(out_degree)]).astype(np.int64))
    progress(total, total)
    return counts, dropped


def _sort_by_tail(folder: Path, entities: int) -> None:
    """The facts by tail: their numbers and heads, and where each entity's begin; some of them at a time in memory."""
    tails, heads = read_column(folder / "tail.npy"), read_column(folder / "head.npy")
    starts = range(0, tails.size, SORTED_AT_ONCE)
    in_degree = np.zeros(entities, dtype=np.int64)
    for start in starts:
        in_degree += np.bincount(tails[start : start + SORTED_AT_ONCE], minlength=entities)
    in_start = np.concatenate([[0], np.cumsum(in_degree)]).astype(np.int64)
    np.save(folder / "in_start.npy", in_start)
    if not tails.size:
        for name in ("in_fact", "in_head"):
            np.save(folder / f"{name}.npy", np.zeros(0, np.int64))
        return
    facts, sources = (
        np.lib.format.open_memmap(folder / f"{name}.npy", mode="w+", dtype=np.int64, shape=(tails.size,))
        for name in ("in_fact", "in_head")
    )
    free = in_start[:-1].copy()
    for start in starts:
        some = np.asarray(tails[start : start + SORTED_AT_ONCE])
        order = np.argsort(some, kind="stable")
        count = np.bincount(some, minlength=entities)
        before = np.concatenate([[0], np.cumsum(count)])[:-1]  # (entities,)
        ordered = some[order]
        places = free[ordered] + np.arange(ordered.size) - before[ordered]  # (facts,)
        facts[places] = order + start
        sources[places] = heads[start + order]
        free += count
    facts.flush()
    sources.flush()
