"""Writes a source into Neo4j: schema first, then entities, then facts through element ids kept in memory.

A load may be cut off at any moment and run again: what the graph holds already is read back (in columns, 133,582 facts
in 0.4 s) and compared, and only the difference is written. That also makes a second load change nothing and finds facts
that someone deleted by hand, so no ledger of batches needs to survive a load. The ledger kept is the graph's meta node:
each batch of facts writes its number there in its own transaction and takes the node's lock, so that batches of two
loads of one graph can't mix. Each finished load takes it away again.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import neo4j
import numpy as np

from kgqa_graphdb.catalog import check_graph_name, label_of
from kgqa_graphdb.catalog.next_steps import pack_steps
from kgqa_graphdb.catalog.provenance import SourceCounts, joined_sources, pack_sources, unpack_sources
from kgqa_graphdb.errors import LoadError
from kgqa_graphdb.language.scripts import has_cjk
from kgqa_loaders.batches import Batches, overtaken
from kgqa_loaders.compare import Difference, compare
from kgqa_loaders.following import followers
from kgqa_loaders.gather import StagedGraph, gather
from kgqa_loaders.meta import (
    Found,
    declared,
    merge_relation_specs,
    numbered,
    remarks,
    stored_spec,
    stores_facts,
    value_keys,
)
from kgqa_loaders.normal import REJECT, Row, normalise
from kgqa_loaders.records import LoadOptions, Record, Source, origins_of, parts_of
from kgqa_loaders.rejects import Rejects
from kgqa_loaders.relations import RelationSpec
from kgqa_loaders.server import Progress, Server, address_of, clear_errors
from kgqa_loaders.stored_graph import StoredGraph
from kgqa_loaders.tally import Tally

MAX_RELATIONSHIP_TYPES = 60_000
"""A database can hold 65,536 over its whole life; some are left for its other users."""
_INDEX_TIMEOUT_S = 600
_REPORT_EVERY = 20_000


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did.

    :ivar entities: of the graph, counted in the database afterwards; so are ``facts``
    :ivar facts: facts between entities
    :ivar literals: values of properties that the graph holds now
    :ivar relations: of the graph
    :ivar added_entities: written by this load; so are ``added_facts`` and ``added_literals``
    :ivar changed_entities: whose names, classes or values this load changed; so are ``changed_facts``, whose qualifiers
    :ivar removed_facts: taken away by this load, because the source no longer has them; so are ``removed_entities``
    :ivar rejected: records of the source that could not be loaded; ``rejects_file`` lists them
    :ivar facts_per_s: distinct facts and literals of the source, per second of ``seconds``
    :ivar notes: what the caller should know
    :ivar sources: what each of several sources gave; empty for one
    """

    graph: str
    entities: int
    facts: int
    literals: int
    relations: int
    added_entities: int
    added_facts: int
    added_literals: int
    rejected: int
    rejects_file: str | None
    seconds: float
    facts_per_s: float
    changed_entities: int = 0
    changed_facts: int = 0
    removed_entities: int = 0
    removed_facts: int = 0
    notes: tuple[str, ...] = ()
    sources: tuple[SourceCounts, ...] = ()


def load(
    driver: neo4j.Driver,
    source: Source,
    *,
    graph: str,
    relations: Mapping[str, RelationSpec] | None = None,
    options: LoadOptions | None = None,
    sync: bool = False,
    progress: Progress | None = None,
    database: str | None = None,
) -> LoadReport:
    """Load a source into a graph, new or not; facts that the graph has already are left alone.

    Memory grows with the graph, as its entities' ids and its facts are kept to be compared; the bulk path's does not.

    :param graph: letters, digits, ``_`` and ``-``, beginning with a letter
    :param relations: what relations are and the words for them, by name; those left out are edges with guessed words,
        or what they were before
    :param options: licence and formats to be kept with the graph, and where rejects go
    :param sync: the source is all of the graph: what the graph holds beyond it is taken away
    :raises ConfigError: the graph's name is not allowed, or a loaded relation would become of another kind
    :raises LoadError: the source can't be read or holds no facts, the database would have too many relationship types,
        the server refuses
    :raises ConnectionFailedError: the server went away; the same call again goes on from there
    """
    check_graph_name(graph)
    options = options or LoadOptions()
    writer = _Writer(graph, source, options, sync, progress or (lambda done, total=None: None))
    started = time.perf_counter()
    with Server(driver, database) as writer.server, clear_errors(writer.where, writer.cure):
        writer.server.where = address_of(driver)
        with Rejects(options.rejects_path) as rejects:
            counts = writer.write(dict(relations or {}), rejects)
    seconds = time.perf_counter() - started
    handled = counts.pop("handled")
    return LoadReport(
        graph=graph,
        rejected=rejects.count,
        rejects_file=rejects.file,
        seconds=round(seconds, 3),
        facts_per_s=round(handled / seconds, 1),
        notes=(*writer.notes, *rejects.notes),
        sources=writer.counts_by_source(),
        **counts,
    )


@dataclass(slots=True)
class _Writer:
    """One load."""

    graph: str
    source: Source
    options: LoadOptions
    sync: bool
    progress: Progress
    server: Server = field(init=False)
    data: StagedGraph = field(default_factory=StagedGraph)
    tally: Tally | None = None
    batches: Batches | None = None
    load_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    notes: list[str] = field(default_factory=list)

    @property
    def label(self) -> dict[str, str]:
        return {"label": label_of(self.graph)}

    def where(self) -> str:
        return self.server.where or "its address"

    def cure(self) -> str:
        """The cure when the server went away."""
        done = self.batches
        so_far = f"{done.done:,} of {done.total:,} entities and facts are in. " if done else ""
        return f"{so_far}Start it (kgqa db start, if it is ours) and run the same command again: it goes on from there"

    def write(self, given: dict[str, RelationSpec], rejects: Rejects) -> dict[str, Any]:
        """Read the source and write it; the counts of the report."""
        self.progress(0, None)
        self.server.run("schema/graph_constraint")
        self.server.run("schema/relation_index")
        meta, rows = self.stored()
        if meta.get("state") == "dropping":
            raise LoadError(f"graph {self.graph!r} is being dropped; finish that with: kgqa drop {self.graph}")
        data = gather(self.read(declared(rows.values(), given, self.graph)), rejects.add, self.data)
        if not data.entities.names:
            raise LoadError(f"{self.source.describe} holds no facts that can be loaded ({rejects.count:,} rejected)")
        specs, after = self.relation_specs(rows, given)
        self.check_types()
        handled = len(data.codes()) + len(data.statements)
        handled += sum(len(values) for owners in data.values.values() for values in owners.values())

        formats = sorted(set(self.options.formats))
        provenance = {"source": self.source.describe, "checksum": self.source.checksum(), "formats": formats}
        fresh = {
            "label": label_of(self.graph), "fulltext": f"{label_of(self.graph)}_names", "walk": "no_backtrack",
            "licence": "", "language": "", "entities": 0, "facts": 0, "literals": 0, "classes": [], **provenance,
        }  # fmt: skip
        classes = frozenset(meta.get("classes") or ())
        own = {label for labels in data.labels.values() for label in labels}
        self.server.run("load/claim", graph=self.graph, load=self.load_id, fresh=fresh, classes=sorted(own | classes))
        self.server.run("schema/entity_constraint", {"constraint": f"{label_of(self.graph)}_entity_id"} | self.label)
        now = numbered(self.graph, specs, rows)
        if now != rows:
            self.server.run("load/write_relations", graph=self.graph, relations=list(now.values()))

        before = {name: stored_spec(row) for name, row in rows.items()}
        present = StoredGraph(
            data, self.server, self.label, value_keys(before) | value_keys(specs), classes, [""] * len(data.entities)
        )
        # A first load that was cut off has not recorded yet whether it brought statements.
        statements = bool(data.statements or meta.get("statements") or meta.get("state") != "complete")
        change = compare(data, present, statements=statements, sync=self.sync)
        removed_entities = self.apply(change, present)
        steps = self.following(change, now, specs, present.owners(change.details))
        changed = bool(change.size) or meta.get("state") != "complete"
        self.server.run("schema/await_index", index=f"{label_of(self.graph)}_names", timeout_s=_INDEX_TIMEOUT_S)
        if after.keys() != specs.keys():  # only now, since a load that was cut off recognises its own relations by them
            now = numbered(self.graph, after, now)
            self.server.run("load/write_relations", graph=self.graph, relations=list(now.values()))
        summary = self.counted(change) | {
            "literals": present.count_values(change.details), "statements": len(change.all_statements),
            "classes": sorted(own if self.sync else own | classes),
        }  # fmt: skip
        if changed:
            summary |= provenance
        if sources := self.counts_by_source():
            stored = () if self.sync else unpack_sources(meta.get("sources", ""))
            summary["sources"] = pack_sources(joined_sources(stored, sources))
        if self.options.licence:
            summary["licence"] = self.options.licence
        if self.options.language:
            summary["language"] = self.options.language
        self.finish(summary | {k: packed for k, packed in steps.items() if meta.get(k) != packed}, changed)
        return {
            "entities": summary["entities"],
            "facts": summary["facts"],
            "literals": summary["literals"],
            "relations": sum(map(stores_facts, after.values())),
            "added_entities": len(change.entities),
            "changed_entities": len({detail.number for detail in change.details} - set(change.entities)),
            "changed_facts": len(set(change.stale_statements) & change.all_statements),
            "added_facts": len(change.facts) + change.new_statements,
            "added_literals": change.new_values,
            "removed_entities": removed_entities,
            "removed_facts": len(change.stale_facts) + len(set(change.stale_statements) - change.all_statements),
            "handled": handled,
        }

    def read(self, specs: Mapping[str, RelationSpec]) -> Iterator[Row]:
        """The source's rows; where it is made of several, rejects name theirs."""
        parts, numbers = parts_of(self.source), count(1)
        if len(parts) == 1:
            yield from normalise(self.counted_records(parts[0], numbers), specs)
            return
        origins = origins_of(self.source)
        naming: tuple[str, ...] = getattr(self.source, "naming", ())
        if len({*origins, *naming}) > 1:
            self.tally = Tally(self.data, naming)
        for number, part in enumerate(parts):
            records = self.counted_records(part, numbers)
            if self.tally is not None:
                records = self.tally.counted(origins[number], records)
            for row in normalise(records, specs):
                yield row._replace(b=f"{part.describe}: {row.b}") if row.kind == REJECT else row

    def counts_by_source(self) -> tuple[SourceCounts, ...]:
        """What each of several sources gave; empty for one."""
        return self.tally.counts() if self.tally is not None else ()

    def counted_records(self, part: Source, numbers: Iterator[int]) -> Iterator[Record]:
        """The records of a part; reports now and then how many were read."""
        for record, number in zip(part.records(), numbers, strict=False):
            yield record
            if number % _REPORT_EVERY == 0:
                self.progress(number, None)

    def relation_specs(
        self, rows: Mapping[str, Mapping[str, Any]], given: Mapping[str, RelationSpec]
    ) -> tuple[dict[str, RelationSpec], dict[str, RelationSpec]]:
        """What the relations are while the load writes, and afterwards; those that only the graph has are numbered."""
        data = self.data
        found = Found(list(data.relations.names), data.datatypes(), data.qualifiers(), data.notes)
        specs = merge_relation_specs(rows.values(), given, found)
        after = merge_relation_specs(found.kept(rows.values()), given, found) if self.sync else specs
        self.notes += remarks(specs, given, data.notes)
        for name, row in rows.items():
            if row["kind"] in ("edge", "leg") and not row.get("via"):
                data.relations.number(name)
        return specs, after

    def apply(self, change: Difference, present: StoredGraph) -> int:
        """Write, change and delete what has to be; how many entities were deleted."""
        batches = self.batches = Batches(
            self.graph, self.load_id, self.server, self.data, present.elements, self.progress, change.size
        )
        if change.size:
            self.progress(0, change.size)
        batches.create_entities(change.entities)
        batches.set_details(change.details)
        # A new graph's index is filled while facts are written: quicker than to keep it up to date entity by entity.
        self.create_names_index()
        batches.delete_facts(change.stale_facts, change.stale_statements)
        batches.create_facts(change.facts)
        batches.create_statements(change.statements)
        removed = batches.delete_entities(change.surplus)
        if removed < len(change.surplus):
            self.notes.append(
                f"{len(change.surplus) - removed:,} entities that the source no longer has stay, as others have "
                "attached relationships to them"
            )
        return removed

    def counted(self, change: Difference) -> dict[str, Any]:
        """How many entities and facts the graph has now.

        :raises LoadError: fewer facts than belong there
        """
        entities = self.server.run("load/count_entities", self.label)[0][0]
        facts = self.server.run("load/count_facts", self.label)[0][0]
        belong = len(change.all_facts) + len(change.all_statements)
        if facts < belong:
            raise LoadError(
                f"graph {self.graph!r} holds {facts:,} facts where {belong:,} belong: something deletes them; run the "
                "same command again when it has stopped"
            )
        return {"entities": entities, "facts": facts}

    def finish(self, properties: dict[str, Any], changed: bool) -> None:
        """Mark the graph as complete on its meta node.

        :raises LoadError: another load or drop began meanwhile
        """
        done = self.server.run(
            "load/finish", graph=self.graph, load=self.load_id, properties=properties, changed=changed
        )
        if not done[0][0]:
            raise overtaken(self.graph)

    # ── meta nodes and schema ────────────────────────────────────────────────────────────────────────────────────────

    def stored(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """The properties of the graph's meta node and of its relations', by id; empty for a new graph."""
        rows = self.server.run("load/stored", graph=self.graph)
        return (rows[0][0], {row["relation"]: row for row in rows[0][1]}) if rows else ({}, {})

    def check_types(self) -> None:
        """See that the database has room for the relationship types.

        :raises LoadError: it has not
        """
        there = set(self.server.run("load/relationship_types")[0][0])
        new = set(self.data.relations.names) - there
        if len(there) + len(new) > MAX_RELATIONSHIP_TYPES:
            raise LoadError(
                f"{self.source.describe} brings {len(new):,} new relations to {len(there):,} relationship types that "
                f"the database has or had; {MAX_RELATIONSHIP_TYPES:,} is the most it should hold, and dropping a graph "
                "gives none back. Load it into another server or database (NEO4J_URI, NEO4J_DATABASE)"
            )

    def create_names_index(self) -> None:
        """Make the graph's full-text index, if it has none; the server fills it by and by."""
        names = [self.data.name(number) for number in range(min(2_000, len(self.data.entities)))]
        index = {"index": f"{label_of(self.graph)}_names"}
        self.server.run("schema/names_index", index | self.label, options=names_index_options(names))

    def following(
        self,
        change: Difference,
        rows: Mapping[str, Mapping[str, Any]],
        specs: Mapping[str, RelationSpec],
        owners: Mapping[str, set[int]],
    ) -> dict[str, bytes]:
        """Which steps can follow which, from all facts of the graph, as properties of its meta node."""
        own = np.array([key[:3] for key in change.all_statements], dtype=np.uint64).reshape(-1, 3).T
        plain = self.data.decode(change.all_facts)
        heads, types, tails = (np.concatenate(pair) for pair in zip(plain, own, strict=True))
        edges = [rows[name]["number"] if name in rows else 0 for name in self.data.relations.names]
        numbers = np.array(edges or [0], dtype=np.uint64)
        values = [
            (rows[name]["number"], owners.get(spec.relation.type, ()))
            for name, spec in specs.items()
            if spec.kind == "property" and not spec.relation.via
        ]
        found = followers(heads, numbers[types.astype(np.int64)], tails, values)
        after = {step: found.after.get(step, 0) for number in edges for step in (2 * number, 2 * number + 1)}
        return {
            "after": pack_steps(after),
            "rare": pack_steps({step: bits for step, bits in found.rare.items() if bits}),
        }


def names_index_options(names: Collection[str]) -> dict[str, Any]:
    """Options of a full-text index over such names: its analyzer fits the script of most."""
    analyzer = "cjk" if sum(map(has_cjk, names)) > len(names) / 2 else "standard-folding"
    return {"indexConfig": {"fulltext.analyzer": analyzer}}
