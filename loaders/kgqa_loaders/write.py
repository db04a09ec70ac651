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
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import neo4j
import numpy as np

from kgqa_graphdb.catalog import check_graph_name, label_of, pack_steps
from kgqa_graphdb.errors import LoadError
from kgqa_loaders.following import followers
from kgqa_loaders.gather import Codes, Gathered, gather
from kgqa_loaders.held import Detail, Held
from kgqa_loaders.meta import merged, relation_row
from kgqa_loaders.records import Source
from kgqa_loaders.rejects import Rejects
from kgqa_loaders.relations import RelationSpec
from kgqa_loaders.server import Server, address_of, clear_errors, in_batches

BATCH = 10_000
MAX_RELATIONSHIP_TYPES = 60_000
"""A database can hold 65,536 over its whole life; some are left for its other users."""
_INDEX_TIMEOUT_S = 600


class Progress(Protocol):
    """Is told after each batch how much is done of how much, entities and facts; a total of ``None`` is not known."""

    def __call__(self, done: int, total: int | None = None) -> None: ...


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did.

    :ivar entities: of the graph, counted in the database afterwards; so are ``facts``
    :ivar facts: facts between entities
    :ivar literals: values of properties that the graph holds now
    :ivar relations: of the graph
    :ivar added_entities: written by this load; so are ``added_facts`` and ``added_literals``
    :ivar rejected: records of the source that could not be loaded; ``rejects_file`` lists them
    :ivar facts_per_s: distinct facts and literals of the source, per second of ``seconds``
    :ivar notes: what the caller should know
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
    notes: tuple[str, ...] = ()


def load(
    driver: neo4j.Driver,
    source: Source,
    *,
    graph: str,
    relations: Mapping[str, RelationSpec] | None = None,
    licence: str = "",
    rejects_path: Path | None = None,
    progress: Progress | None = None,
    database: str | None = None,
) -> LoadReport:
    """Load a source into a graph, new or not; facts that the graph has already are left alone.

    :param graph: letters, digits, ``_`` and ``-``, beginning with a letter
    :param relations: what relations are and the words for them, by name; those left out are edges with guessed words,
        or what they were before
    :param licence: kept with the graph
    :param rejects_path: where lines that can't be loaded go; left out, they are only counted
    :raises ConfigError: the graph's name is not allowed, or a loaded relation would become of another kind
    :raises LoadError: the source can't be read or holds no facts, the database would have too many relationship types,
        the server refuses
    :raises ConnectionFailedError: the server went away; the same call again goes on from there
    """
    check_graph_name(graph)
    writer = _Writer(graph, source, licence, progress or (lambda done, total=None: None))
    started = time.perf_counter()
    with Server(driver, database) as writer.server, clear_errors(writer.where, writer.cure):
        writer.server.where = address_of(driver)
        with Rejects(rejects_path) as rejects:
            counts = writer.write(dict(relations or {}), rejects)
    seconds = time.perf_counter() - started
    handled = counts.pop("handled")
    return LoadReport(
        graph=graph,
        rejected=rejects.count,
        rejects_file=str(rejects_path) if rejects_path and rejects.count else None,
        seconds=round(seconds, 3),
        facts_per_s=round(handled / seconds, 1),
        notes=tuple(writer.notes),
        **counts,
    )


@dataclass(slots=True)
class _Writer:
    """One load."""

    graph: str
    source: Source
    licence: str
    progress: Progress
    server: Server = field(init=False)
    data: Gathered = field(init=False)
    held: Held = field(init=False)
    load_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    done: int = 0
    total: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def label(self) -> dict[str, str]:
        return {"label": label_of(self.graph)}

    def where(self) -> str:
        return self.server.where or "its address"

    def cure(self) -> str:
        """What to say when the server went away."""
        so_far = f"{self.done:,} of {self.total:,} entities and facts are in. " if self.total else ""
        return f"{so_far}Start it (kgqa db start, if it is ours) and run the same command again: it goes on from there"

    def advance(self, count: int) -> None:
        self.done += count
        self.progress(self.done, self.total)

    def write(self, given: dict[str, RelationSpec], rejects: Rejects) -> dict[str, Any]:
        """Read the source and write it; the counts of the report."""
        self.progress(0, None)
        self.server.run("schema/graph_constraint")
        self.server.run("schema/relation_index")
        meta, stored = self.stored()
        if meta.get("state") == "dropping":
            raise LoadError(f"graph {self.graph!r} is being dropped; finish that with: kgqa drop {self.graph}")
        specs = merged(stored, given, self.graph)
        data = self.data = gather(self.source.records(), specs, rejects.add)
        if not data.entities.names:
            raise LoadError(f"{self.source.describe} holds no facts that can be loaded ({rejects.count:,} rejected)")
        rows = {row["relation"]: row for row in stored}
        self.notes += [
            f"the relations file names {name!r}, which the source does not have"
            for name in given
            if name not in data.seen and name not in rows
        ]
        keep = {name: spec for name, spec in data.specs.items() if name in data.seen or name in rows}
        for name in keep:
            if keep[name].kind == "edge":
                data.relations.number(name)
        self.check_types()
        handled = len(data.codes()) + sum(len(own) for per in data.values.values() for own in per.values())

        checksum = self.source.checksum()
        provenance = {"source": self.source.describe, "checksum": checksum}
        fresh = {
            "label": label_of(self.graph), "fulltext": f"{label_of(self.graph)}_names", "walk": "no_backtrack",
            "licence": "", "entities": 0, "facts": 0, "literals": 0, **provenance,
        }  # fmt: skip
        self.server.run("load/claim", graph=self.graph, load=self.load_id, fresh=fresh)
        self.server.run("schema/entity_constraint", {"constraint": f"{label_of(self.graph)}_entity_id"} | self.label)
        rows = self.write_relations(rows, keep)
        count = self.server.run("load/count_entities", self.label)[0][0]
        held = self.held = Held(data, self.server, self.label, [""] * len(data.entities))
        held.read_entities(count)
        held_facts = held.read_facts()
        wanted = data.codes()
        missing = np.setdiff1d(wanted, held_facts, assume_unique=True)
        new_entities = [number for number, element in enumerate(held.elements) if not element]
        details, added_literals = held.details()
        self.total = len(new_entities) + len(details) + len(missing)
        if self.total:
            self.progress(0, self.total)
        self.create_entities(new_entities)
        self.set_details(details)
        # A new graph's index is filled beside the facts, which takes less than keeping it up to date entity by entity.
        self.create_names_index()
        self.create_facts(missing)

        known = np.union1d(wanted, held_facts)
        owners = {number: set(properties) for number, properties in held.properties.items()}
        for detail in details:
            owners.setdefault(detail.number, set()).update(detail.properties)
        steps = self.following(known, rows, keep, owners)
        changed = bool(new_entities or details or len(missing)) or meta.get("state") != "complete"
        self.server.run("schema/await_index", index=f"{label_of(self.graph)}_names", timeout_s=_INDEX_TIMEOUT_S)
        entities = self.server.run("load/count_entities", self.label)[0][0]
        facts = self.server.run("load/count_facts", self.label)[0][0]
        if facts < len(known):
            raise LoadError(
                f"graph {self.graph!r} holds {facts:,} facts where {len(known):,} belong: something deletes them; "
                "run the same command again when it has stopped"
            )
        literals = held.count_literals(keep)
        summary: dict[str, Any] = {"entities": entities, "facts": facts, "literals": literals}
        if changed:
            summary |= provenance
        if self.licence:
            summary["licence"] = self.licence
        summary |= {name: packed for name, packed in steps.items() if meta.get(name) != packed}
        if not self.server.run("load/finish", graph=self.graph, load=self.load_id, properties=summary, changed=changed)[
            0
        ][0]:
            raise self.overtaken()
        return {
            "entities": entities,
            "facts": facts,
            "literals": literals,
            "relations": sum(spec.kind != "alias" for spec in keep.values()),
            "added_entities": len(new_entities),
            "added_facts": len(missing),
            "added_literals": added_literals,
            "handled": handled,
        }

    # ── meta nodes and schema ────────────────────────────────────────────────────────────────────────────────────────

    def stored(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The properties of the graph's meta node and of its relations'; empty for a new graph."""
        rows = self.server.run("load/stored", graph=self.graph)
        return (rows[0][0], rows[0][1]) if rows else ({}, [])

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
        analyzer = "cjk" if sum(map(_is_cjk, names)) > len(names) / 2 else "standard-folding"
        options = {"indexConfig": {"fulltext.analyzer": analyzer}}
        self.server.run("schema/names_index", {"index": f"{label_of(self.graph)}_names"} | self.label, options=options)

    def write_relations(
        self, rows: dict[str, dict[str, Any]], keep: Mapping[str, RelationSpec]
    ) -> dict[str, dict[str, Any]]:
        """Write the relations' meta nodes if they differ from ``rows``; what they hold now.

        A relation keeps its number, since the steps that follow others are stored by number.
        """
        number = max((row["number"] for row in rows.values()), default=-1)
        numbers = {name: rows[name]["number"] for name in keep if name in rows}
        for name in sorted(set(keep) - set(rows)):
            number = numbers[name] = number + 1
        new = {
            name: relation_row(self.graph, keep[name], numbers[name]) for name in sorted(keep, key=numbers.__getitem__)
        }
        if new != rows:
            self.server.run("load/write_relations", graph=self.graph, relations=list(new.values()))
        return new

    def following(
        self,
        known: Codes,
        rows: Mapping[str, Mapping[str, Any]],
        keep: Mapping[str, RelationSpec],
        owners: Mapping[int, set[str]],
    ) -> dict[str, bytes]:
        """Which steps can follow which, from all facts of the graph, as properties of its meta node."""
        heads, types, tails = self.data.decode(known)
        numbers = np.array([rows[name]["number"] for name in self.data.relations.names] or [0], dtype=np.uint64)
        values = [
            (rows[name]["number"], [number for number, keys in owners.items() if spec.relation.type in keys])
            for name, spec in keep.items()
            if spec.kind == "property"
        ]
        found = followers(heads, numbers[types.astype(np.int64)], tails, values)
        edges = [rows[name]["number"] for name, spec in keep.items() if spec.kind == "edge"]
        after = {step: found.after.get(step, 0) for number in edges for step in (2 * number, 2 * number + 1)}
        return {
            "after": pack_steps(after),
            "rare": pack_steps({step: bits for step, bits in found.rare.items() if bits}),
        }

    # ── entities ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def create_entities(self, numbers: list[int]) -> None:
        """Create the entities that the graph does not have; their element ids are kept."""
        ids, name = self.data.entities.names, self.data.name

        def batch(start: int, end: int) -> None:
            some = numbers[start:end]
            created, elements = self.server.run(
                "load/create_entities", self.label, ids=[ids[n] for n in some], names=[name(n) for n in some]
            )[0]
            for entity_id, element in zip(created, elements, strict=True):
                self.held.elements[self.data.entities.index[entity_id]] = element
            self.advance(end - start)

        in_batches(len(numbers), BATCH, batch)

    def set_details(self, details: list[Detail]) -> None:
        """Set names, aliases, values and labels."""

        def batch(start: int, end: int) -> None:
            elements = self.held.elements
            rows = [[elements[detail.number], detail.properties, detail.labels] for detail in details[start:end]]
            self.server.run("load/set_details", rows=rows)
            self.advance(end - start)

        in_batches(len(details), BATCH, batch)

    # ── facts ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def create_facts(self, codes: Codes) -> None:
        """Create facts, each batch with its number in the ledger."""
        names, elements = self.data.relations.names, self.held.elements
        number = 0

        def batch(start: int, end: int) -> None:
            nonlocal number
            heads, types, tails = (column.tolist() for column in self.data.decode(codes[start:end]))
            created = self.server.run(
                "load/create_facts",
                graph=self.graph,
                load=self.load_id,
                batch=number,
                heads=[elements[n] for n in heads],
                types=[names[n] for n in types],
                tails=[elements[n] for n in tails],
            )[0][0]
            if created < end - start:
                raise self.overtaken()
            number += 1
            self.advance(end - start)

        in_batches(len(codes), BATCH, batch)

    def overtaken(self) -> LoadError:
        return LoadError(
            f"another load or drop of graph {self.graph!r} began meanwhile; wait for it, then run this command again"
        )


def _is_cjk(name: str) -> bool:
    """Whether a name holds Chinese, Japanese or Korean script."""
    return any("\u3040" <= c <= "\u30ff" or "\u3400" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" for c in name)
