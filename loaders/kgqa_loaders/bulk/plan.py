"""Which columns share a CSV file, and writing them.

Rows whose cells are of the same columns share a file, since a column of CSV has one type, and a property may be one
number here and a list of texts there. Rare sets of columns share wider files with empty cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from kgqa_loaders.bulk.cells import Column

LABELS = Column("", "string", True)
"""Class labels; no property has an empty key."""
_WIDE = 64
"""Columns of a file that rarer sets share; more only if there would be too many files."""
_OPEN = 8
"""Files tried for room for a further set."""


@dataclass(slots=True)
class Plan:
    """Which sets of columns go to which file.

    :ivar files: columns of each file
    :ivar file_of: set of columns → number of its file
    :ivar prefix: header of the first cells
    :ivar paths: the files that were written
    :ivar multiline: those among them in which a text has several lines
    :ivar longest: characters of the longest line
    """

    prefix: str
    files: list[list[Column]] = field(default_factory=list)
    file_of: dict[tuple[Column, ...], int] = field(default_factory=dict)
    paths: list[Path] = field(default_factory=list)
    multiline: set[Path] = field(default_factory=set)
    longest: int = 0

    def write(
        self,
        folder: Path,
        name: str,
        batches: Iterable[Sequence[tuple[str, str, str]]],
        of: Mapping[str, tuple[Column, ...]],
        separator: str,
    ) -> None:
        """Write rows: shape, first cells as they are, other cells parted by the separator.

        :param of: columns of each shape; one that is missing has none
        """
        files: dict[int, TextIO] = {}
        try:
            for rows in batches:
                ready: dict[int, list[str]] = {}
                for shape, first, cells in rows:
                    columns = of.get(shape, ())
                    number = self._file(columns)
                    wanted = self.files[number]
                    if len(wanted) == len(columns):
                        line = f"{first},{cells.replace(separator, ',')}\n" if columns else f"{first}\n"
                    else:
                        pieces = dict(zip(columns, cells.split(separator) if columns else (), strict=True))
                        line = ",".join([first, *(pieces.get(column, "") for column in wanted)]) + "\n"
                    ready.setdefault(number, []).append(line)
                for number, lines in ready.items():
                    path = folder / f"{name}-{number:04}.csv"
                    if number not in files:
                        self.paths.append(path)
                        files[number] = path.open("w", encoding="utf-8", newline="")
                        header = [self.prefix, *(header_of(column) for column in self.files[number])]
                        files[number].write(",".join(header) + "\n")
                    text = "".join(lines)
                    files[number].write(text)
                    self.longest = max(self.longest, max(map(len, lines)))
                    if "\r" in text or text.count("\n") > len(lines):
                        self.multiline.add(path)
        finally:
            for file in files.values():
                file.close()

    def _file(self, columns: tuple[Column, ...]) -> int:
        if columns not in self.file_of:
            self.file_of[columns] = len(self.files)
            self.files.append(list(columns))
        return self.file_of[columns]


def planned(shapes: Sequence[tuple[Column, ...]], own: int, prefix: str) -> Plan:
    """A plan for sets of columns.

    :param shapes: the most frequent first
    :param own: sets that get a file of their own
    """
    plan = Plan(prefix)
    for shape in shapes[:own]:
        plan.file_of[shape] = len(plan.files)
        plan.files.append(list(shape))
    rare = sorted(shapes[own:])
    width = _WIDE
    while True:
        groups = _grouped(rare, width)
        if len(groups) <= own or width > len({column for shape in rare for column in shape}):
            break
        width *= 2
    for group in groups:
        for shape in group:
            plan.file_of[shape] = len(plan.files)
        plan.files.append(sorted({column for shape in group for column in shape}))
    return plan


def _grouped(shapes: Sequence[tuple[Column, ...]], width: int) -> list[list[tuple[Column, ...]]]:
    """Sets of columns that may share a file: it stays narrow, and no key has two types in it."""
    groups: list[tuple[dict[str, Column], list[tuple[Column, ...]]]] = []
    open_groups: list[tuple[dict[str, Column], list[tuple[Column, ...]]]] = []
    for shape in shapes:
        for columns, members in open_groups:  # noqa: B007  # the one that fits is used below
            fits = all(columns.get(column.key, column) == column for column in shape)
            if fits and len(columns.keys() | {column.key for column in shape}) <= width:
                break
        else:
            columns, members = {}, []
            groups.append((columns, members))
            open_groups = [*open_groups[1 - _OPEN :], groups[-1]]
        columns |= {column.key: column for column in shape}
        members.append(shape)
    return [members for _, members in groups]


def header_of(column: Column) -> str:
    """How the header names a column."""
    return ":LABEL" if column == LABELS else column.header()
