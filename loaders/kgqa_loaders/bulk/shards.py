"""Rows on their way to disk: each process writes files of its own, in which entities are known by a hash of their ids.

A 64-bit hash stands for an entity's id, so that ids travel once and facts are three numbers each. Two ids with the same
hash are found when the entities are put together; then all is done again with another hash.
"""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kgqa_loaders.bulk.cells import Column, Separators, cells
from kgqa_loaders.normal import ALIAS, DESCRIPTION, FACT, LABEL, NAME, NOTE, VALUE, Row, unpack

FACT_TYPE = np.dtype([("head", "<i8"), ("tail", "<i8"), ("relation", "<i4")])
LABEL_TYPE = np.dtype([("entity", "<i8"), ("label", "<i4")])
ALIAS_RANK = "~"
"""After all ranks of names, which are digits."""
_REMEMBERED = 100_000
"""Entities that a process remembers to have written; one that it forgot is written again."""
TEXT_FILES = {
    "entities": '%d,"%s"\n', "words": '%d,"%s","%s"\n', "descriptions": '%d,"%s","%s"\n', "values": '%d,%d,"%s","%s"\n',
    "statements": '%d,%d,%d,"%s",%d\n', "forms": '%d,%d,"%s","%s"\n', "rejects": '%d,"%s","%s","%s"\n',
}  # fmt: skip
"""The files of CSV, and a line of each."""


@dataclass(slots=True)
class Summary:
    """What a process wrote, but for what is in its files.

    :ivar folder: of the files
    :ivar relations: relation of each number in ``facts`` and ``values``
    :ivar labels: class label of each number in ``labels``
    :ivar forms: qualifiers that were written; some of them more than once
    :ivar shapes: columns of each number in ``forms``
    :ivar notes: relation, note as JSON
    :ivar longest: bytes of the longest record of a text file, about
    :ivar clashes: whether a text holds a separator
    """

    folder: Path
    relations: list[str]
    labels: list[str]
    shapes: list[tuple[Column, ...]]
    notes: set[tuple[str, str]]
    forms: int = 0
    rejected: int = 0
    longest: int = 0
    clashes: bool = False


@dataclass(slots=True)
class Numbers:
    """Numbers things in the order in which they come."""

    index: dict[Any, int] = field(default_factory=dict)

    def of(self, thing: Any) -> int:
        """Its number, a new one if need be."""
        return self.index.setdefault(thing, len(self.index))


class Shards:
    """The files of one process.

    The hash is Python's own, so processes that work together need the same ``PYTHONHASHSEED``.

    :param folder: made if need be
    """

    def __init__(self, folder: Path, separators: Separators) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.separators = separators
        self.summary = Summary(folder, [], [], [], set())
        self._files = {name: (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") for name in TEXT_FILES}
        self._facts = (folder / "facts.bin").open("wb")
        self._labels = (folder / "labels.bin").open("wb")
        self._relation = Numbers()
        self._label = Numbers()
        self._shape = Numbers()
        self._seen: set[str] = set()
        self._forms: dict[str, int] = {}
        self._new_forms: list[tuple[int, int, str, str]] = []

    def add(self, rows: Iterable[Row], source: int = 0) -> int:
        """Write rows, those of a block or so; how many there were.

        :param source: number of the source, for the order of rejects
        """
        heads: list[str] = []
        relations: list[str] = []
        tails: list[str] = []
        others: list[str] = []
        entities, labels = array("q"), array("i")
        words: list[tuple[int, str, str]] = []
        descriptions: list[tuple[int, str, str]] = []
        values: list[tuple[int, int, str, str]] = []
        statements: list[tuple[int, int, int, str, int]] = []
        rejects: list[tuple[int, str, str, str]] = []
        relation = self._relation.of
        count = 0
        for kind, a, b, c, d, e in rows:
            count += 1
            if kind == FACT and not d:
                heads.append(a)
                relations.append(b)
                tails.append(c)
                continue
            if kind == VALUE:
                values.append((hash(a), relation(b), c, d))
            elif kind == NAME:
                if c:
                    words.append((hash(a), b, c))
            elif kind == ALIAS:
                words.append((hash(a), ALIAS_RANK, b))
            elif kind == LABEL:
                entities.append(hash(a))
                labels.append(self._label.of(b))
            elif kind == DESCRIPTION:
                descriptions.append((hash(a), b, c))
            elif kind == FACT:
                others.append(c)
                statements.append((hash(a), relation(b), hash(c), d, self._form(e)))
            elif kind == NOTE:
                self.summary.notes.add((a, b))
                continue
            else:
                rejects.append((source, a, b, c))
                continue
            others.append(a)
        self.add_facts(heads, relations, tails, others)
        self._write("words", words)
        self._write("descriptions", descriptions)
        self._write("values", values)
        self._write("statements", statements)
        self._write("forms", self._new_forms, may_clash=True)
        self._new_forms = []
        self._write("rejects", rejects, may_clash=True)
        self.summary.rejected += len(rejects)
        pairs = np.empty(len(entities), dtype=LABEL_TYPE)
        pairs["entity"], pairs["label"] = entities, labels
        self._labels.write(pairs.tobytes())
        return count

    def add_facts(
        self, heads: Sequence[str], relations: Sequence[str], tails: Sequence[str], others: Sequence[str] = ()
    ) -> None:
        """Write plain facts, and the entities in them.

        :param others: further entities
        """
        for name in dict.fromkeys(relations):
            self._relation.of(name)
        count = len(heads)
        facts = np.empty(count, dtype=FACT_TYPE)
        facts["head"] = np.fromiter(map(hash, heads), dtype=np.int64, count=count)
        facts["tail"] = np.fromiter(map(hash, tails), dtype=np.int64, count=count)
        facts["relation"] = np.fromiter(map(self._relation.index.__getitem__, relations), dtype=np.int32, count=count)
        self._facts.write(facts.tobytes())
        fresh = set(heads)
        fresh.update(tails, others)
        fresh -= self._seen
        if len(self._seen) > _REMEMBERED:
            self._seen = set()
        self._seen |= fresh
        self._write("entities", [(hash(entity), entity) for entity in fresh], may_clash=True)

    def _form(self, qualifiers: str) -> int:
        """A number for qualifiers, which are written with it; those that were forgotten get another."""
        found = self._forms.get(qualifiers)
        if found is not None:
            return found
        columns, line = cells(unpack(qualifiers), self.separators)
        parted = line.count(self.separators.item) + line.count(self.separators.cell)
        expected = max(0, len(columns) - 1) + sum(map(_items, unpack(qualifiers).values()))
        self.summary.clashes |= parted != expected
        if len(self._forms) > _REMEMBERED // 4:
            self._forms.clear()
        number = self._forms[qualifiers] = self.summary.forms
        self.summary.forms += 1
        self._new_forms.append((number, self._shape.of(columns), qualifiers, line))
        return number

    def _write(self, name: str, rows: Sequence[tuple[Any, ...]], *, may_clash: bool = False) -> None:
        if not rows:
            return
        line = TEXT_FILES[name]
        text = "".join([line % row for row in rows])
        if text.count('"') > line.count('"') * len(rows):  # a text holds one
            buffer = io.StringIO(newline="")
            csv.writer(buffer, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n").writerows(rows)
            text = buffer.getvalue()
        if not may_clash:
            self.summary.clashes |= self.separators.item in text or self.separators.cell in text
        if len(text) > (1 << 20):  # less can't hold a record that needs room made for it
            longest = max(sum(len(str(cell)) for cell in row) for row in rows)
            self.summary.longest = max(self.summary.longest, 4 * longest)
        self._files[name].write(text)

    def close(self) -> Summary:
        """End the files."""
        for file in (*self._files.values(), self._facts, self._labels):
            file.close()
        self.summary.relations = list(self._relation.index)
        self.summary.labels = list(self._label.index)
        self.summary.shapes = list(self._shape.index)
        return self.summary


def _items(value: object) -> int:
    return len(value) - 1 if isinstance(value, list) else 0
