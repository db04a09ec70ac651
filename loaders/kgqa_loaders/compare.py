"""What a graph lacks of a source, and what it has beyond it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kgqa_loaders.gather import Codes, StagedGraph, StatementKey
from kgqa_loaders.stored_graph import Detail, StoredGraph


@dataclass(frozen=True, slots=True)
class Difference:
    """What a load has to write; numbers are those of :class:`StagedGraph`.

    :ivar entities: those to create
    :ivar details: what to change of entities
    :ivar facts: plain facts to create
    :ivar statements: facts with properties to create
    :ivar stale_facts: plain facts to delete
    :ivar stale_statements: facts with properties to delete; one whose properties changed is deleted and created anew
    :ivar surplus: entities to delete
    :ivar new_values: how many values of properties are new
    :ivar new_statements: how many of ``statements`` are new
    :ivar all_facts: the plain facts of the graph afterwards
    :ivar all_statements: its facts with properties afterwards
    """

    entities: list[int]
    details: list[Detail]
    facts: Codes
    statements: list[StatementKey]
    stale_facts: Codes
    stale_statements: list[StatementKey]
    surplus: list[int]
    new_values: int
    new_statements: int
    all_facts: Codes
    all_statements: set[StatementKey]

    @property
    def size(self) -> int:
        """How many entities and facts there are to write, change or delete."""
        created = len(self.entities) + len(self.details) + len(self.facts) + len(self.statements)
        return created + len(self.stale_facts) + len(self.stale_statements) + len(self.surplus)


def compare(data: StagedGraph, stored: StoredGraph, *, statements: bool, sync: bool) -> Difference:
    """Read the stored graph, and find what to change.

    :param statements: whether the graph may hold facts with properties, or the source does
    :param sync: what the source does not have goes
    """
    count = len(data.entities)  # those that only the graph has are numbered from here on
    stored.read_entities(everything=sync)
    stored_facts = stored.read_facts()
    stored_statements = stored.read_statements() if statements else {}
    wanted = data.codes()
    changed = {key for key, text in stored_statements.items() if data.statements.get(key, text) != text}
    details, new_values = stored.details(sync=sync)
    return Difference(
        entities=[number for number, element in enumerate(stored.elements) if not element],
        details=details,
        facts=np.setdiff1d(wanted, stored_facts, assume_unique=True),
        statements=[key for key, text in data.statements.items() if stored_statements.get(key) != text],
        stale_facts=np.setdiff1d(stored_facts, wanted, assume_unique=True) if sync else wanted[:0],
        stale_statements=sorted(changed | (stored_statements.keys() - data.statements.keys() if sync else set())),
        surplus=list(range(count, len(stored.elements))) if sync else [],
        new_values=new_values,
        new_statements=len(data.statements.keys() - stored_statements.keys()),
        all_facts=wanted if sync else np.union1d(wanted, stored_facts),
        all_statements=set(data.statements) if sync else data.statements.keys() | stored_statements.keys(),
    )
