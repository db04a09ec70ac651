"""A part of a source: around some entities, of some relations, classes or domains.

Facts are kept one by one; the names, classes and descriptions of the entities that are left are kept with them.
Choosing goes over the source once, and once more for each hop; memory is bounded by what is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from kgqa_graphdb.errors import LoadError, UsageError
from kgqa_loaders.files import open_bytes, reading, whole
from kgqa_loaders.names import ids_of
from kgqa_loaders.records import (
    Block,
    BlockSource,
    Literal,
    Named,
    Record,
    Reject,
    RelationNote,
    Source,
    Statement,
    Triple,
    WrappedSource,
)

CLASS_RELATIONS = (
    "P31", "instance of", "type.object.type", "type", "rdf:type", "a",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "http://www.wikidata.org/prop/direct/P31",
)  # fmt: skip
"""Relations that lead from an entity to its class."""


@dataclass(frozen=True, slots=True)
class Subset:
    """Which part of a source. A fact must meet all conditions; an empty one is none.

    :ivar seeds: ids of entities; kept is every fact between entities that are at most ``hops`` facts away from one,
        in either direction, along relations that fit the rest
    :ivar hops: how far, 0 or more; 0: the seeds and the facts between them
    :ivar relations: ids of relations; ``film.*`` stands for all that begin with ``film.``
    :ivar classes: class labels, or ids of classes; kept is every fact whose head is an instance of one
    :ivar domains: of ids that are paths, as Freebase's are: ``film`` keeps relations and classes ``film.…`` and
        ``/film/…``
    :ivar class_relations: relations that lead from an entity to its class
    """

    seeds: tuple[str, ...] = ()
    hops: int = 1
    relations: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    class_relations: tuple[str, ...] = CLASS_RELATIONS

    def __bool__(self) -> bool:
        """Whether anything is left out at all."""
        return bool(self.seeds or self.relations or self.classes or self.domains)

    def has_relation(self, relation: str) -> bool:
        """Whether facts of a relation may be kept."""
        prefixes = tuple(name[:-1] for name in self.relations if name.endswith("*"))
        listed = not self.relations or relation in self.relations or relation.startswith(prefixes)
        is_class = relation in self.class_relations
        return listed and (is_class or self.has_domain(relation))

    def has_domain(self, id_: str) -> bool:
        """Whether a relation or a class is of one of the domains."""
        return not self.domains or id_.startswith(tuple(f"{d.strip('/.')}." for d in self.domains)) or id_.startswith(
            tuple(f"/{d.strip('/.').replace('.', '/')}/" for d in self.domains)
        )  # fmt: skip


def read_seeds(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The ids that are given: each text is an id, or the path of a file with an id a line (what follows a tab is left).

    :raises LoadError: a file can't be read
    """
    ids: list[str] = []
    for text in texts:
        path = Path(text)
        if path.is_dir():
            raise LoadError(f"{text} is a folder; give --seeds an entity's id, or a file with an id on each line")
        if not path.is_file():
            ids.append(text)
            continue
        with reading(text), open_bytes(path) as stream:
            lines = whole(stream, text).decode("utf-8-sig", "replace").splitlines()
        found = [line.split("\t")[0].strip() for line in lines]
        if not any(found):
            raise LoadError(f"the file of seeds {text} is empty; put an entity's id on each line")
        ids += filter(None, found)
    return tuple(dict.fromkeys(ids))


def subset(source: Source, options: Subset) -> Source:
    """The part of a source that is asked for; the same source when nothing is. Goes over the source to choose.

    One that can be read in blocks still can.

    :raises UsageError: the number of hops is negative
    :raises LoadError: the source can't be read, or holds none of the seeds, or no entity of the classes
    """
    if options.hops < 0:
        raise UsageError(f"--hops {options.hops} is negative; give 0 or more")
    if not options:
        return source
    chooser = _Chooser(options, _relations_in(options))
    if options.classes:
        chooser = replace(chooser, instances=_instances(source, options))
        if not chooser.instances:
            raise LoadError(f"{source.describe} has no entity of class {', '.join(options.classes)}")
    values: set[str] = set()
    entities = _around(source, chooser, values) if options.seeds else _touched(source, chooser, values)
    chooser = replace(chooser, entities=frozenset(entities), values=frozenset(values & entities))
    return PartOfBlocks(source, chooser) if isinstance(source, BlockSource) else Part(source, chooser)


# ── choosing ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Relations(dict[str, bool]):
    """Relation → whether its facts may be kept; asked once for each."""

    def __init__(self, options: Subset) -> None:
        self.options = options

    def __missing__(self, relation: str) -> bool:
        found = self[relation] = self.options.has_relation(relation)
        return found

    def __reduce__(self) -> tuple[object, ...]:
        return _Relations, (self.options,)


def _relations_in(options: Subset) -> _Relations:
    return _Relations(options)


@dataclass(frozen=True, slots=True)
class _Chooser:
    """Tells which records are kept.

    :ivar instances: entities of the classes, where classes are given
    :ivar entities: all that are kept; ``None`` while they are being chosen
    :ivar values: those of them that stand for the value of a statement; all facts about them are kept
    """

    options: Subset
    relations: _Relations
    instances: frozenset[str] | None = None
    entities: frozenset[str] | None = None
    values: frozenset[str] = frozenset()

    def fits(self, record: Triple | Statement | Literal) -> bool:
        """Whether a fact meets all conditions but for how far it is from the seeds."""
        if not self.relations[record.relation]:
            return False
        if self.instances is not None and record.head not in self.instances:
            return False
        options = self.options
        if options.domains and isinstance(record, Triple) and record.relation in options.class_relations:
            return options.has_domain(record.tail)
        return True

    def kept(self, record: Record) -> Record | None:
        """What of a record is kept."""
        entities = self.entities or frozenset()
        if isinstance(record, Literal) and record.head in self.values:
            return record
        if isinstance(record, (Triple, Statement, Literal)):
            return record if self.fits(record) and entities.issuperset(ids_of(record)) else None
        if isinstance(record, Named):
            if record.entity_id not in entities:
                return None
            if record.labels and self.options.domains:
                return record._replace(labels=tuple(filter(self.options.has_domain, record.labels)))
            return record
        if isinstance(record, RelationNote):
            return record if record.via or self.relations[record.relation] else None
        return record


def _instances(source: Source, options: Subset) -> frozenset[str]:
    """The instances of the classes, and the mediators that legs lead to from them."""
    classes, relations = frozenset(options.classes), frozenset(options.class_relations)
    found: set[str] = set()
    legs: set[str] = set()
    for record in source.records():
        if isinstance(record, Named):
            if not classes.isdisjoint(record.labels):
                found.add(record.entity_id)
        elif isinstance(record, RelationNote):
            if record.kind == "leg":
                legs.add(record.relation)
        elif isinstance(record, (Triple, Statement)) and record.relation in relations and record.tail in classes:
            found.add(record.head)
    if not legs or not found:
        return frozenset(found)
    mediators: set[str] = set()
    for record in source.records():
        if isinstance(record, (Triple, Statement)) and record.relation in legs:
            ends = {record.head, record.tail}
            if len(ends & found) == 1:
                mediators |= ends
    return frozenset(found | mediators)


def _around(source: Source, chooser: _Chooser, values: set[str]) -> set[str]:
    """The seeds and what is at most so many facts away from them.

    :param values: takes the nodes that stand for values
    """
    wanted = set(chooser.options.seeds)
    known: set[str] = set()
    reached = set(wanted)
    for hop in range(chooser.options.hops + 1):
        last = hop == chooser.options.hops
        if last and known:
            break  # whether the seeds are there is known
        found: set[str] = set()
        for record in source.records():
            ids = ids_of(record)
            if hop == 0:
                known.update(wanted.intersection(ids))
            if last or not isinstance(record, (Triple, Statement)) or reached.isdisjoint(ids):
                continue
            if chooser.fits(record):
                found.update(ids)
                if _leads_to_value(record):
                    values.add(record.tail)
        if not known:
            few = ", ".join(sorted(wanted)[:3])
            raise LoadError(f"{source.describe} holds none of the {len(wanted)} seeds: {few}; they are entities' ids")
        if found <= reached:
            break
        reached |= found
    return reached


def _leads_to_value(record: Record) -> bool:
    """Whether a fact leads to a node that stands for its own value: such a node's id is the statement's."""
    return isinstance(record, Statement) and record.statement_id == record.tail


def _touched(source: Source, chooser: _Chooser, values: set[str]) -> set[str]:
    """The entities of the facts that fit; of classes, all instances.

    :param values: takes the nodes that stand for values
    """
    found = set(chooser.instances or ())
    for record in source.records():
        if isinstance(record, (Triple, Statement, Literal)) and chooser.fits(record):
            found.update(ids_of(record))
            if isinstance(record, Statement) and _leads_to_value(record):
                values.add(record.tail)
    return found


# ── sources that are parts ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Part(WrappedSource):
    """A part of a source.

    :ivar chooser: decides which records are kept
    """

    chooser: _Chooser

    def checksum(self) -> str:
        """SHA-256 of the source's and of what is asked for: another part is another content."""
        return hashlib.sha256(f"{self.inner.checksum()} {self.chooser.options!r}".encode()).hexdigest()

    def records(self) -> Iterator[Record]:
        """The records that are kept; all rejects."""
        return self._kept(self.inner.records())

    def _kept(self, records: Iterator[Record]) -> Iterator[Record]:
        for record in records:
            if isinstance(record, Reject):
                yield record
            elif (kept := self.chooser.kept(record)) is not None:
                yield kept


@dataclass(frozen=True, slots=True)
class PartOfBlocks(Part):
    """A part of a source that is read in blocks."""

    inner: BlockSource

    def blocks(self) -> Iterator[Block]:
        """The source's pieces."""
        return self.inner.blocks()

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of a piece that are kept."""
        return self._kept(self.inner.parse(block))
