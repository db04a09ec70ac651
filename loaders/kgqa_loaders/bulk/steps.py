"""Which steps can follow which, as :mod:`kgqa_loaders.following` defines it, from facts that do not fit into memory.

The steps that leave each entity are sorted bucket by bucket on disk. What is kept in memory grows with the square of
the relations, not with the facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kgqa_loaders.bulk.tables import CHUNK, Tables
from kgqa_loaders.following import MAX_COUNTED_STEPS, RARE_SHARE, Followers
from kgqa_loaders.gather import distinct

_BUCKET = 1 << 20
"""Departures in a bucket, about; 8 bytes each."""
_MAX_BUCKETS = 512
"""Files that are open at once."""
_PAIRS = 1 << 19
"""Pairs of steps that are counted at once."""
_DENSE = 8
"""An entity that can be left by more than one of so many steps is quicker counted as a row of a matrix."""
_ROWS = 2_048
"""Of such a matrix; counts stay exact in 32-bit floats."""


def followers(tables: Tables, folder: Path, edges: Mapping[str, int], values: Mapping[str, int]) -> Followers:
    """The steps that can follow each step.

    :param edges: number in the meta nodes of each relation that leads to entities
    :param values: the same of each relation that leads to values
    """
    present = np.array(
        sorted({2 * n + turn for n in edges.values() for turn in (0, 1)} | {2 * n for n in values.values()}) or [0]
    )
    places = _Places(
        out=_lookup(tables.relations, edges, present),
        back=_lookup(tables.relations, edges, present, 1),
        value=_lookup(tables.relations, values, present),
    )
    bits = len(present).bit_length()
    counts = tables.counts
    departures = 2 * (counts["facts"] + counts["statements"]) + tables.row("SELECT count(*) FROM value")[0]
    buckets = int(min(_MAX_BUCKETS, max(1, departures // _BUCKET)))
    width = -(-max(1, counts["entities"]) // buckets)
    folder.mkdir()
    files = [(folder / str(number)).open("wb") for number in range(buckets)]
    try:
        for keys in _departures(tables, places, bits):
            keys = distinct(keys)
            limits = np.arange(1, buckets, dtype=np.uint64) * np.uint64(width) << np.uint64(bits)
            for file, piece in zip(files, np.split(keys, np.searchsorted(keys, limits)), strict=True):
                file.write(piece.tobytes())
    finally:
        for file in files:
            file.close()
    sets = (distinct(np.fromfile(folder / str(number), dtype=np.uint64)) for number in range(buckets))
    arrivals = {step for number in edges.values() for step in (2 * number, 2 * number + 1)}
    if len(present) > MAX_COUNTED_STEPS:
        return Followers(_fields(_pairs(sets, bits), present, arrivals), {})
    return counted(_counts(sets, bits, len(present)), present, arrivals)


class _Places(NamedTuple):
    """For each relation of the tables the place, among the steps that there are, of its three steps."""

    out: Any
    back: Any
    value: Any


def _lookup(relations: list[str], numbers: Mapping[str, int], present: Any, turn: int = 0) -> Any:
    steps = np.array([2 * numbers.get(name, 0) + turn for name in relations] or [0])
    return np.searchsorted(present, steps).astype(np.uint64)


def _departures(tables: Tables, places: _Places, bits: int) -> Iterator[Any]:
    """Entities and the steps that leave them, as one integer each; some twice."""
    shift = np.uint64(bits)
    for table in ("fact", "statement"):
        for rows in _rows(tables, table, "head, relation, tail"):
            yield rows["head"].astype(np.uint64) << shift | places.out[rows["relation"]]
            yield rows["tail"].astype(np.uint64) << shift | places.back[rows["relation"]]
    for rows in _rows(tables, "value", "id, relation"):
        yield rows["id"].astype(np.uint64) << shift | places.value[rows["relation"]]


def _rows(tables: Tables, table: str, columns: str) -> Iterator[Any]:
    total = tables.row(f"SELECT count(*) FROM {table}")[0]
    for start in range(0, total, 2 * CHUNK):
        query = f"SELECT {columns} FROM {table} WHERE rowid >= {start} AND rowid < {start + 2 * CHUNK}"
        yield tables.sql.execute(query).fetchnumpy()


def _by_length(keys: Any, bits: int) -> Iterator[Any]:
    """The steps of the entities of a bucket, shape (entities, steps), for each number of steps; in pieces."""
    entities = keys >> np.uint64(bits)
    starts = np.r_[0, np.flatnonzero(entities[1:] != entities[:-1]) + 1]
    del entities
    keys &= np.uint64((1 << bits) - 1)
    steps = keys.view(np.int64)
    lengths = np.diff(np.r_[starts, len(keys)])
    order = np.argsort(lengths, kind="stable")
    ordered, first = np.unique(lengths[order], return_index=True)
    for length, own in zip(ordered.tolist(), np.split(starts[order], first[1:]), strict=True):
        at_once = max(1, _PAIRS // length**2)
        for begin in range(0, len(own), at_once):
            yield steps[own[begin : begin + at_once, None] + np.arange(length)]


def _counts(sets: Iterator[Any], bits: int, steps: int) -> Any:
    """Entities that can be left by both of two steps, shape (steps, steps)."""
    found = np.zeros((steps, steps), dtype=np.int64)
    sparse: list[Any] = []
    dense: list[Any] = []

    def count() -> None:
        if sparse:
            found[:] += np.bincount(np.concatenate(sparse), minlength=steps * steps).reshape(steps, steps)
        if dense:
            has = np.zeros((sum(map(len, dense)), steps), dtype=np.float32)
            start = 0
            for some in dense:
                has[np.arange(start, start + len(some))[:, None], some] = 1.0
                start += len(some)
            found[:] += (has.T @ has).astype(np.int64)
        sparse.clear()
        dense.clear()

    for keys in sets:
        for leaving in _by_length(keys, bits) if len(keys) else ():
            if leaving.shape[1] * _DENSE > steps:
                for start in range(0, len(leaving), _ROWS):
                    dense.append(leaving[start : start + _ROWS])
                    if sum(map(len, dense)) > _ROWS:
                        count()
            else:
                sparse.append((leaving[:, :, None] * steps + leaving[:, None, :]).ravel())
                if sum(map(len, sparse)) > _PAIRS:
                    count()
    count()
    return found


def counted(both: Any, present: Any, arrivals: set[int]) -> Followers:
    """What can follow, from counts.

    :param both: entities that can be left by both of two steps, shape (steps, steps)
    :param present: number of each of these steps, shape (steps,)
    :param arrivals: numbers of the steps that entities are arrived at by, walked the other way
    """
    after: dict[int, int] = {}
    rare: dict[int, int] = {}
    for place, step in enumerate(present.tolist()):
        row = both[place]
        if step in arrivals and row[place]:  # nothing is arrived at over a property
            after[step ^ 1] = _field(present[row > 0])
            rare[step ^ 1] = _field(present[(row > 0) & (row < RARE_SHARE * row[place])])
    return Followers(after, rare)


def _field(steps: Any) -> int:
    """Steps as a bit field."""
    flags = np.zeros(int(steps.max(initial=0)) + 1, dtype=bool)
    flags[steps] = True
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def _pairs(sets: Iterator[Any], bits: int) -> Any:
    """Pairs of steps that leave one entity, as one integer each."""
    found = np.empty(0, dtype=np.int64)
    for keys in sets:
        for leaving in _by_length(keys, bits) if len(keys) else ():
            found = np.union1d(found, ((leaving[:, :, None] << bits) | leaving[:, None, :]).ravel())
    return np.stack([found >> bits, found & ((1 << bits) - 1)])


def _fields(pairs: Any, present: Any, arrivals: set[int]) -> dict[int, int]:
    places, first = np.unique(pairs[0], return_index=True)
    steps = present[places].tolist()
    others = np.split(present[pairs[1]], first[1:])
    return {step ^ 1: _field(own) for step, own in zip(steps, others, strict=True) if step in arrivals}
