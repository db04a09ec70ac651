"""Names for entities of a source that has none, from further files.

A names file has a line for each entity, ``id<TAB>name`` or ``id<TAB>name<TAB>description``; or it is a JSON object,
``{"id": "name"}`` or ``{"id": {"label": …, "alternatives": […], "description": …}}``. Two habits of public files are
undone: names with underscores for spaces (``Jane_Doe``), where no name of the file has a space, and descriptions behind
`` -- `` in the name's column, where nearly all have one. The first of several files has the first say in a name; what
the others call the entity is an alias. Names of what is no entity of the source are left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kgqa_graphdb.documents import parse_json
from kgqa_graphdb.errors import LoadError
from kgqa_loaders.files import blocks_of, not_utf8, open_bytes, reading, sha256_of, whole
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
from kgqa_loaders.triples import decoded
from kgqa_loaders.underscored import spaced

_MOST = 0.95
"""Share of a file's names that must have a habit for it to be undone: public files have slips."""


@dataclass(frozen=True, slots=True)
class Names:
    """The content of names files.

    :ivar of: entity id → records on its name, best first
    :ivar rejects: lines that say nothing
    :ivar digest: SHA-256 of the files' SHA-256
    """

    of: dict[str, tuple[Named, ...]] = field(default_factory=dict)
    rejects: tuple[Reject, ...] = ()
    digest: str = ""


def read_names(files: Sequence[str]) -> Names:
    """Read names files; they are kept in memory.

    :raises LoadError: one can't be read, or is a JSON document of another shape
    """
    of: dict[str, tuple[Named, ...]] = {}
    rejects: list[Reject] = []
    digests = []
    for rank, file in enumerate(files):
        path = Path(file)
        if path.is_dir():
            raise LoadError(f"the names file {file} is a folder; name a file in it")
        if not path.is_file():
            raise LoadError(f"there is no names file {file}")
        digests.append(sha256_of(path, file))
        with reading(file), open_bytes(path) as stream:
            is_json = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"
        found = list(_from_json(path, rank) if is_json else _from_lines(path, rank))
        if all(isinstance(record, Reject) for record in found):
            raise LoadError(
                f"the names file {file} names nothing; put an id, a tab and a name on each line, or a JSON object in it"
            )
        for record in found:
            if isinstance(record, Reject):
                rejects.append(record)
            else:
                of[record.entity_id] = (*of.get(record.entity_id, ()), record)
    return Names(of, tuple(rejects), hashlib.sha256("".join(digests).encode()).hexdigest())


def _from_lines(path: Path, rank: int) -> Iterator[Named | Reject]:
    rows: list[tuple[int, str, str, str]] = []
    for block in blocks_of(path, str(path)):
        for number, line in enumerate(decoded(block.data), start=block.line):
            if not isinstance(line, str):
                text = line.object.decode("utf-8", "backslashreplace").rstrip("\r\n")
                yield Reject(number, f"{path.name}: {not_utf8(line)}", text)
                continue
            columns = (line.removeprefix("\ufeff") if number == 1 else line).rstrip("\r").split("\t")
            if 2 <= len(columns) <= 3 and all(map(str.strip, columns[:2])):
                rows.append((number, columns[0].strip(), columns[1].strip(), "".join(columns[2:]).strip()))
            elif line.strip():
                yield Reject(number, f"{path.name}: it is no id and name with a tab between", line.rstrip("\r"))
    described = _most(" -- " in name for _, _, name, _ in rows) and not any(text for *_, text in rows)
    names = [name.partition(" -- ")[0] if described else name for _, _, name, _ in rows]
    underscored = any("_" in name for name in names) and not any(" " in name for name in names)
    for (number, entity, full, description), name in zip(rows, names, strict=True):
        spoken = spaced(name) if underscored else name.strip()
        text = full.partition(" -- ")[2].strip() if described else description
        yield Named(entity, name=spoken or entity, description=text, rank=rank, line=number)


def _most(habits: Iterator[bool]) -> bool:
    seen = list(habits)
    return sum(seen) >= max(1, _MOST * len(seen))


def _from_json(path: Path, rank: int) -> Iterator[Named | Reject]:
    try:
        with reading(str(path)), open_bytes(path) as stream:
            table = parse_json(whole(stream, str(path)))
    except ValueError as error:
        raise LoadError(f"can't read {path} as JSON: {error}") from error
    for entity, entry in table.items():
        name, aliases, description = _texts_of(entry)
        if entity.strip() and (name or aliases or description):
            yield Named(entity, name, aliases, description=description, rank=rank)
        else:
            yield Reject(0, f"{path.name}: it gives {entity!r} no name", json.dumps(entry, ensure_ascii=False)[:1_000])


def _texts_of(entry: Any) -> tuple[str, tuple[str, ...], str]:
    """Name, aliases and description of an entity's entry."""
    if isinstance(entry, str):
        return entry.strip(), (), ""
    if isinstance(entry, list):
        names = [name.strip() for name in entry if isinstance(name, str) and name.strip()]
        return (names or [""])[0], tuple(names[1:]), ""
    if not isinstance(entry, dict):
        return "", (), ""
    name = next((entry[key] for key in ("label", "name") if isinstance(entry.get(key), str)), "")
    others: list[Any] = next(
        (entry[key] for key in ("alternatives", "aliases") if isinstance(entry.get(key), list)), []
    )
    aliases = tuple(other.strip() for other in others if isinstance(other, str) and other.strip())
    description = entry.get("description")
    return name.strip(), aliases, description.strip() if isinstance(description, str) else ""


# ── sources with names ───────────────────────────────────────────────────────────────────────────────────────────────


def with_names(source: Source, files: Sequence[str]) -> Source:
    """A source whose entities have the names that the files give them; the same source when there are no files.

    One that can be read in blocks still can.

    :raises LoadError: a names file can't be read
    """
    if not files:
        return source
    names = read_names(files)
    return NamedBlocks(source, names) if isinstance(source, BlockSource) else NamedSource(source, names)


def ids_of(record: Record) -> tuple[str, ...]:
    """The entities that a record holds."""
    if isinstance(record, (Triple, Statement)):
        return record.head, record.tail
    if isinstance(record, Literal):
        return (record.head,)
    return (record.entity_id,) if isinstance(record, Named) else ()


def relations_of(record: Record) -> tuple[str, ...]:
    """The relations that a record holds, those of its qualifiers too."""
    if isinstance(record, Statement):
        return record.relation, *record.qualifiers
    return (record.relation,) if isinstance(record, (Triple, Literal)) else ()


def _notes(relation: str, named: Sequence[Named]) -> Iterator[RelationNote]:
    """The notes of what a relation is called."""
    for record in named:
        if record.name or record.description:
            yield RelationNote(relation, label=record.name, description=record.description, rank=record.rank)


@dataclass(frozen=True, slots=True)
class NamedSource(WrappedSource):
    """A source and names for its entities."""

    names: Names

    def checksum(self) -> str:
        """SHA-256 of the source's and of the names files'."""
        return hashlib.sha256(f"{self.inner.checksum()} {self.names.digest}".encode()).hexdigest()

    def records(self) -> Iterator[Record]:
        """The source's records; those on the names of an entity come after the first that holds it."""
        yield from self.names.rejects
        yield from self._named(self.inner.records())

    def _named(self, records: Iterator[Record]) -> Iterator[Record]:
        of = self.names.of
        seen: set[str] = set()
        for record in records:
            if isinstance(record, RelationNote) and record.unit in of:
                record = replace(
                    record, unit=next((named.name for named in of[record.unit] if named.name), record.unit)
                )
            yield record
            if isinstance(record, RelationNote) and record.like in of and record.like not in seen:
                seen.add(record.like)
                yield from _notes(record.like, of[record.like])
            if isinstance(record, (Reject, RelationNote)):
                continue
            for relation in relations_of(record):
                if relation in of and relation not in seen:  # some files name relations among the entities
                    seen.add(relation)
                    yield from _notes(relation, of[relation])
            for entity in ids_of(record):
                if entity in of and entity not in seen:
                    seen.add(entity)
                    yield from of[entity]


@dataclass(frozen=True, slots=True)
class NamedBlocks(NamedSource):
    """A source that is read in blocks, and names for its entities; each block names those that it holds."""

    inner: BlockSource

    def blocks(self) -> Iterator[Block]:
        """The source's pieces."""
        return self.inner.blocks()

    def records(self) -> Iterator[Record]:
        """The source's records, and those on names."""
        for block in self.blocks():
            yield from self.parse(block)

    def parse(self, block: Block) -> Iterator[Record]:
        """The records of a piece, with names for the entities in it."""
        if block.line == 1:
            yield from self.names.rejects
        yield from self._named(self.inner.parse(block))
