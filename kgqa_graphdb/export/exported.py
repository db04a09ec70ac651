"""A graph that was exported, opened: memory maps of its columns, and the ids and names of entities and relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from kgqa_graphdb.errors import ExportError, UnknownEntityError, UnknownRelationError, UsageError, nearest
from kgqa_graphdb.export.manifest import Manifest, read_manifest
from kgqa_graphdb.export.npy import Texts, read_column
from kgqa_graphdb.types import Ints

ENTITY = "Entity"
"""The kind of all entities of a graph that this package loaded."""


def kind_of(labels: Sequence[str], *, owned: bool) -> str:
    """The kind of an entity with some labels.

    :param owned: this package loaded the graph, whose entities are all of one kind
    """
    return ENTITY if owned or not labels else labels[0]


@dataclass(frozen=True, eq=False)
class ExportedGraph:
    """An exported graph. Entities, relations and facts are numbers, 0 and up; facts are sorted by head, relation, tail.

    What is read of the columns is loaded by the operating system when it is touched, so that the graph may be larger
    than memory. Opened by :meth:`open`; good for many processes at a time.

    :ivar keys: what identifies each entity in the graph; empty where the mapping names no key
    :ivar names: what each entity is called
    :ivar head: of each fact; shape (facts,)
    :ivar relation: of each fact; shape (facts,)
    :ivar tail: of each fact; shape (facts,)
    :ivar out_start: the facts that leave entity ``n`` are ``out_start[n]`` up to ``out_start[n + 1]``; (entities + 1,)
    :ivar in_fact: numbers of facts, by tail; shape (facts,)
    :ivar in_head: their heads; shape (facts,)
    :ivar in_start: those that lead to entity ``n`` are at ``in_start[n]`` up to ``in_start[n + 1]`` of ``in_fact``
    :ivar label_set: which of ``manifest.label_sets`` each entity has; shape (entities,)
    """

    folder: Path
    manifest: Manifest
    keys: Texts
    names: Texts
    head: Ints
    relation: Ints
    tail: Ints
    out_start: Ints
    in_fact: Ints
    in_head: Ints
    in_start: Ints
    label_set: Ints

    @classmethod
    def open(cls, folder: Path | str, *, graph: str = "", fingerprint: str = "") -> ExportedGraph:
        """Open what ``kgqa export`` wrote.

        :param graph: name of the graph that it must be of; empty: any
        :param fingerprint: that the graph must have had; empty: any
        :raises ExportError: there is no exported graph, it is damaged, of another version, or another graph
        """
        folder = Path(folder)
        manifest = read_manifest(folder)
        again = f"export it again with: kgqa export --graph {graph or manifest.graph} --output {folder}"
        if graph and manifest.graph != graph:
            raise ExportError(f"{folder} is of graph {manifest.graph!r}, not of {graph!r}; name another folder")
        if fingerprint and manifest.fingerprint != fingerprint:
            raise ExportError(
                f"graph {manifest.graph!r} or its mapping has changed since {folder} was exported; {again}"
            )
        columns = folder / manifest.columns
        names = ("head", "relation", "tail", "out_start", "in_fact", "in_head", "in_start", "label_set")
        try:
            numbers = {name: read_column(columns / f"{name}.npy") for name in names}
            found = cls(folder, manifest, Texts.open(columns, "keys"), Texts.open(columns, "names"), **numbers)
        except (OSError, ValueError) as error:
            raise ExportError(f"a file of {folder} is missing or damaged ({error}); {again}") from error
        sizes = {column.size for column in (found.head, found.relation, found.tail, found.in_fact, found.in_head)}
        if sizes != {manifest.facts} or {len(found.keys), len(found.names), found.label_set.size} != {
            manifest.entities
        }:
            raise ExportError(f"the columns of {folder} are not as long as its manifest says; {again}")
        return found

    @property
    def num_entities(self) -> int:
        """How many entities there are."""
        return self.manifest.entities

    @property
    def num_facts(self) -> int:
        """How many facts there are."""
        return self.manifest.facts

    @property
    def num_relations(self) -> int:
        """How many relations there are; walked from tail to head, relation ``r`` counts as ``r + num_relations``."""
        return len(self.manifest.relations)

    # ── ids and names ────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def relation_ids(self) -> tuple[str, ...]:
        """The ids of the relations, by their numbers."""
        return tuple(relation.id for relation in self.manifest.relations)

    def relation_number(self, relation_id: str) -> int:
        """The number of a relation.

        :raises UnknownRelationError: the graph has none of that id
        """
        if relation_id not in self.relation_ids:
            raise UnknownRelationError(
                f"relation {relation_id!r} is not in graph {self.manifest.graph!r}"
                f"{nearest(relation_id, self.relation_ids)}"
            )
        return self.relation_ids.index(relation_id)

    def labels(self, number: int) -> frozenset[str]:
        """The labels of an entity that the mapping knows; what a key identifies is of one of them."""
        return frozenset(self.manifest.label_sets[self.label_set[number]])

    def find(self, text: str) -> list[int]:
        """The entities that have a key or, where none has, are called exactly so; ascending."""
        return self.keys.find(text) or self.names.find(text)

    def entities(self, texts: Sequence[str]) -> list[int]:
        """The entities that have some keys or names, without repeats; of several called alike all.

        :raises UnknownEntityError: there is none of a key or name
        """
        found: dict[int, None] = {}
        for text in texts:
            numbers = self.find(text)
            if not numbers:
                raise UnknownEntityError(
                    f"no entity of graph {self.manifest.graph!r} has the key or name {text!r}; names are compared"
                    " letter for letter"
                )
            found.update(dict.fromkeys(numbers))
        return list(found)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that entities have, each once; of a graph that this package loaded ``Entity`` alone."""
        return tuple(dict.fromkeys(map(self._kind, self.manifest.label_sets)))

    @cached_property
    def kind_of_set(self) -> Ints:
        """The number of the kind of each label set; shape (label sets,)."""
        return np.array([self.kinds.index(self._kind(labels)) for labels in self.manifest.label_sets], dtype=np.int64)

    def _kind(self, labels: tuple[str, ...]) -> str:
        return kind_of(labels, owned=self.manifest.owned)

    # ── numbers on request ───────────────────────────────────────────────────────────────────────────────────────────

    def property(self, name: str) -> Any:
        """The values of a property of entities; shape (entities,), float64, NaN where there is none.

        :raises UsageError: it was not exported
        """
        return self._numbers(name, self.manifest.properties, "property", "--property")

    def qualifier(self, name: str) -> Any:
        """The values of a qualifier of facts; shape (facts,), float64, NaN where there is none.

        :raises UsageError: it was not exported
        """
        return self._numbers(name, self.manifest.qualifiers, "qualifier", "--qualifier")

    def feature(self, name: str) -> Any:
        """Vectors that were written beside the graph, one a row; shape (entities or 2 · relations, dim), float32.

        :raises UsageError: there are none of that name
        """
        if name not in self.manifest.features:
            raise UsageError(f"{self.folder} has no feature {name!r}; export the graph with --features")
        return read_column(self.folder / self.manifest.columns / f"feature-{name}.npy")

    def _numbers(self, name: str, known: Sequence[str], kind: str, option: str) -> Any:
        if name not in known:
            raise UsageError(f"{kind} {name!r} was not exported; export the graph with {option} {name}")
        return read_column(self.folder / self.manifest.columns / f"{kind}-{known.index(name)}.npy")

    def degrees(self) -> tuple[Ints, Ints]:
        """How many facts leave each entity, and how many lead to it; shape (entities,) each."""
        return np.diff(self.out_start), np.diff(self.in_start)
