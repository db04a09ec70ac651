"""Counts what each of several sources gives, while their records are gathered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from kgqa_graphdb.catalog.provenance import SourceCounts
from kgqa_loaders.gather import Codes, StagedGraph, distinct
from kgqa_loaders.records import GUESS_RANK, NAMING_RANK, Literal, Named, Record, Statement, Triple


@dataclass(slots=True)
class _Origin:
    """What comes from one place.

    :ivar stretches: begin and end of its plain facts in the staged graph
    :ivar statements: facts that are statements, by what tells them apart → whether they have qualifiers
    :ivar new_statements: those that no origin before it has
    :ivar entities: ids
    """

    stretches: list[tuple[int, int]] = field(default_factory=list)
    statements: dict[tuple[str, str, str, str], bool] = field(default_factory=dict)
    new_statements: int = 0
    entities: set[str] = field(default_factory=set)
    values: int = 0
    named: set[str] = field(default_factory=set)
    aliased: set[str] = field(default_factory=set)
    described: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Tally:
    """Counts by origin.

    :ivar staged: where the records' rows are gathered, one at a time
    :ivar naming: origins of the files that only name things, by rank from :data:`NAMING_RANK` on
    """

    staged: StagedGraph
    naming: Sequence[str] = ()
    origins: dict[str, _Origin] = field(default_factory=dict)

    def counted(self, origin: str, records: Iterable[Record]) -> Iterator[Record]:
        """The records of a source from a place; when they end, their rows must have been gathered."""
        here = self.origins.setdefault(origin, _Origin())
        begin, statements = len(self.staged.heads), len(self.staged.statements)
        for record in records:
            self._count(here, record)
            yield record
        here.stretches.append((begin, len(self.staged.heads)))
        here.new_statements += len(self.staged.statements) - statements

    def _count(self, here: _Origin, record: Record) -> None:
        if isinstance(record, Triple):
            here.entities.update((record.head, record.tail))
        elif isinstance(record, Statement):
            here.entities.update((record.head, record.tail))
            own = record.statement_id or repr(sorted((key, str(value)) for key, value in record.qualifiers.items()))
            here.statements[record.head, record.relation, record.tail, own] = bool(record.qualifiers)
        elif isinstance(record, Literal):
            here.entities.add(record.head)
            here.values += 1
        elif isinstance(record, Named):
            self._count_names(here, record)

    def _count_names(self, here: _Origin, record: Named) -> None:
        rank = record.rank - NAMING_RANK
        if 0 <= rank < len(self.naming) and record.rank < GUESS_RANK:
            here = self.origins.setdefault(self.naming[rank], _Origin())
        for texts, entities in (
            (record.name, here.named), (record.aliases, here.aliased), (record.description, here.described)
        ):  # fmt: skip
            if texts:
                entities.add(record.entity_id)

    def counts(self) -> tuple[SourceCounts, ...]:
        """The counts of each origin, in the order in which they came; call it when all rows are gathered."""
        staged = self.staged
        columns = (np.array(column, dtype=np.uint64) for column in (staged.heads, staged.types, staged.tails))
        codes = staged.encode(*columns)
        before: Codes = np.array([], dtype=np.uint64)
        known: set[str] = set()
        found: dict[str, SourceCounts] = {}
        for name, origin in self.origins.items():
            own = distinct(np.concatenate([codes[begin:end] for begin, end in origin.stretches] or [codes[:0]]))
            fresh = own[~np.isin(own, before, assume_unique=True)]
            before = np.union1d(before, fresh)
            found[name] = SourceCounts(
                name,
                facts=len(own) + len(origin.statements),
                new_facts=len(fresh) + origin.new_statements,
                qualified=sum(origin.statements.values()),
                entities=len(origin.entities),
                new_entities=len(origin.entities - known),
                values=origin.values,
                named=len(origin.named),
                aliased=len(origin.aliased),
                described=len(origin.described),
            )
            known |= origin.entities
        return tuple(found.values())
