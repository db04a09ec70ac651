"""Writes entities and facts in batches, each batch a transaction that the graph's meta node has to let through.

Each batch of facts writes its number on that node and takes its lock, so that batches of two loads of one graph can't
mix: the one that another load or a drop overtook finds nothing to write to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kgqa_graphdb.catalog import label_of
from kgqa_graphdb.errors import LoadError
from kgqa_loaders.gather import Codes, StagedGraph, StatementKey
from kgqa_loaders.normal import unpack
from kgqa_loaders.server import Progress, Server, in_batches
from kgqa_loaders.stored_graph import Detail, driver_value

BATCH = 10_000


@dataclass(slots=True)
class Batches:
    """The batches of one load.

    :ivar load_id: on the graph's meta node while this load may write
    :ivar elements: element id of each entity, by number; filled as entities are created
    :ivar done: entities and facts that were written or deleted, of ``total``
    """

    graph: str
    load_id: str
    server: Server
    data: StagedGraph
    elements: list[str]
    progress: Progress
    total: int
    done: int = 0
    number: int = 0

    def advance(self, count: int) -> None:
        """Count what a batch did."""
        self.done += count
        self.progress(self.done, self.total)

    def create_entities(self, numbers: list[int]) -> None:
        """Create the entities that the graph does not have; their element ids are kept."""
        ids, name = self.data.entities.names, self.data.name

        def batch(start: int, end: int) -> None:
            some = numbers[start:end]
            created, elements = self.server.run(
                "load/create_entities",
                {"label": label_of(self.graph)},
                ids=[ids[n] for n in some],
                names=[name(n) for n in some],
            )[0]
            for entity_id, element in zip(created, elements, strict=True):
                self.elements[self.data.entities.index[entity_id]] = element
            self.advance(end - start)

        in_batches(len(numbers), BATCH, batch)

    def set_details(self, details: list[Detail]) -> None:
        """Set names, aliases, values and labels."""

        def batch(start: int, end: int) -> None:
            elements = self.elements
            rows = [
                [elements[d.number], {k: driver_value(v) for k, v in d.properties.items()}, d.labels, d.unset]
                for d in details[start:end]
            ]
            self.server.run("load/set_details", rows=rows)
            self.advance(end - start)

        in_batches(len(details), BATCH, batch)

    def create_facts(self, codes: Codes) -> None:
        """Create plain facts, each batch with its number in the ledger."""
        names, elements = self.data.relations.names, self.elements

        def batch(start: int, end: int) -> None:
            heads, types, tails = (column.tolist() for column in self.data.decode(codes[start:end]))
            self.create(
                "load/create_facts",
                end - start,
                heads=[elements[n] for n in heads],
                types=[names[n] for n in types],
                tails=[elements[n] for n in tails],
            )

        in_batches(len(codes), BATCH, batch)

    def create_statements(self, keys: Sequence[StatementKey]) -> None:
        """Create facts that have properties."""
        names, elements = self.data.relations.names, self.elements

        def batch(start: int, end: int) -> None:
            some = keys[start:end]
            self.create(
                "load/create_statements",
                end - start,
                heads=[elements[head] for head, _, _, _ in some],
                types=[names[type_] for _, type_, _, _ in some],
                tails=[elements[tail] for _, _, tail, _ in some],
                properties=[self.properties(key) for key in some],
            )

        in_batches(len(keys), BATCH, batch)

    def properties(self, key: StatementKey) -> dict[str, Any]:
        """The properties of a statement's relationship."""
        qualifiers = unpack(self.data.statements[key])
        return {"statement_id": key[3]} | {name: driver_value(value) for name, value in qualifiers.items()}

    def create(self, statement: str, count: int, **columns: list[Any]) -> None:
        """Create one batch of facts.

        :raises LoadError: another load or drop began meanwhile
        """
        created = self.server.run(statement, graph=self.graph, load=self.load_id, batch=self.number, **columns)[0][0]
        if created < count:
            raise overtaken(self.graph)
        self.number += 1
        self.advance(count)

    def delete_facts(self, codes: Codes, statements: Iterable[StatementKey]) -> None:
        """Delete facts that the source no longer has, relation by relation."""
        heads, types, tails = (column.tolist() for column in self.data.decode(codes))
        gone: dict[int, list[tuple[int, int, str]]] = {}
        for head, type_, tail in zip(heads, types, tails, strict=True):
            gone.setdefault(type_, []).append((head, tail, ""))
        for head, type_, tail, identity in statements:
            gone.setdefault(type_, []).append((head, tail, identity))
        elements = self.elements
        for type_, facts in gone.items():

            def batch(start: int, end: int, facts: list[tuple[int, int, str]] = facts, type_: int = type_) -> None:
                self.server.run(
                    "load/delete_facts",
                    {"type": self.data.relations.names[type_]},
                    graph=self.graph,
                    load=self.load_id,
                    heads=[elements[head] for head, _, _ in facts[start:end]],
                    tails=[elements[tail] for _, tail, _ in facts[start:end]],
                    statements=[identity for _, _, identity in facts[start:end]],
                )
                self.advance(end - start)

            in_batches(len(facts), BATCH, batch)

    def delete_entities(self, numbers: Sequence[int]) -> int:
        """Delete entities that the source no longer has and that nobody attached anything to; how many went."""
        deleted = 0

        def batch(start: int, end: int) -> None:
            nonlocal deleted
            some = [self.elements[number] for number in numbers[start:end]]
            deleted += self.server.run("load/delete_entities", graph=self.graph, load=self.load_id, elements=some)[0][0]
            self.advance(end - start)

        in_batches(len(numbers), BATCH, batch)
        return deleted


def overtaken(graph: str) -> LoadError:
    """What to raise when another load or drop of the graph began meanwhile."""
    return LoadError(
        f"another load or drop of graph {graph!r} began meanwhile; wait for it, then run this command again"
    )
