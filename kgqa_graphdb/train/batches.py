"""Examples as arrays: rows of steps, and what may come next."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kgqa_graphdb.rank.choices import Choices
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.examples import Example, Side
from kgqa_graphdb.types import Entity, Floats, Ints

MAX_PATHS = 64
"""Good paths of an example that are trained on: the best, of equals the shortest. On a graph whose things share names
the path that was meant may have dozens of shorter ones before it."""
MAX_COLUMNS = 2_048
"""Steps that the paths of a batch are compared with at a hop; where more may come next, the right ones and a draw."""
MAX_CROWD = 64
"""Steps of another topic that are shown beside a question's own."""
F1_POWER = 4.0
"""A path that is half as good as the best counts this power of a half."""


@dataclass(frozen=True, slots=True)
class Item:
    """An example on one graph's schema.

    :ivar text: the question, as the encoder reads it
    :ivar starts: rows of the steps that leave the topic
    :ivar paths: rows of the steps of good paths; empty: nothing is right, as from a wrong topic
    :ivar weights: what each path counts beside the best, 0..1
    :ivar worth: F1 of the best path: what the example counts
    :ivar wrong: text and starts of the question read from wrong topics
    :ivar sides: the question read from each of two topics whose paths meet
    :ivar topic: that the question is about, where anybody asked it; its element id may not be known
    """

    text: str
    starts: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...]
    weights: tuple[float, ...]
    worth: float
    wrong: tuple[tuple[str, tuple[int, ...]], ...] = ()
    sides: tuple[Item, ...] = ()
    topic: Entity | None = None


def items_of(examples: Sequence[Example], schema: Schema) -> list[Item]:
    """The examples that a ranker of this schema can learn from; those without a path are left out."""
    found = []
    for example in examples:
        item = _item(example, schema)
        if item is not None:
            wrong = tuple((_text(one.question, schema), _rows(one.starts, schema)) for one in example.wrong)
            sides = tuple(side for one in example.sides if (side := _item(one, schema)))
            found.append(replace(item, wrong=wrong, sides=sides, topic=example.topic))
    return found


def _item(read: Example | Side, schema: Schema) -> Item | None:
    """What is learned from a reading of a question; ``None``: no path of this schema is good."""
    rows = _rows(read.starts, schema)
    paths = [path for path in read.paths if all(code in schema.row_of for code in path.codes)][:MAX_PATHS]
    if not paths or not rows:
        return None
    best = paths[0].f1
    return Item(
        text=_text(read.question, schema),
        starts=tuple(sorted({*rows, *(schema.row_of[path.codes[0]] for path in paths)})),
        paths=tuple(tuple(schema.row_of[code] for code in path.codes) for path in paths),
        weights=tuple((path.f1 / best) ** F1_POWER for path in paths),
        worth=best,
    )


def _rows(codes: Iterable[str], schema: Schema) -> tuple[int, ...]:
    return tuple(sorted({schema.row_of[code] for code in codes if code in schema.row_of}))


def _text(question: str, schema: Schema) -> str:
    return read_question(question, schema.vocabulary).text


def misread(item: Item, which: int) -> Item:
    """An item read from one of its wrong topics: nothing is right."""
    text, starts = item.wrong[which]
    return replace(item, text=text, starts=starts, paths=(), weights=())


class Crowd:
    """Steps by which topics like a question's own can be left.

    :param items: that topics are taken from
    """

    def __init__(self, items: Sequence[Item]) -> None:
        self._all = [item.starts for item in items]
        self._having: dict[int, list[tuple[int, ...]]] = {}
        for starts in self._all:
            for row in starts:
                self._having.setdefault(row, []).append(starts)

    def around(self, item: Item, rng: np.random.Generator) -> Item:
        """An item with steps beside its own: of another topic that shares one with it, as many as a third one has."""
        if not item.starts:
            return item
        others = self._having.get(item.starts[int(rng.integers(len(item.starts)))])
        if not others:
            return item
        other = others[int(rng.integers(len(others)))]
        count = min(len(other), MAX_CROWD, len(self._all[int(rng.integers(len(self._all)))]))
        more = rng.choice(other, count, replace=False).tolist()
        return replace(item, starts=tuple(sorted({*item.starts, *more})))


@dataclass(frozen=True, slots=True)
class Batch:
    """Some items, as one array per hop of all their paths.

    :ivar texts: of the items
    :ivar owners: shape (paths,): the item of each path
    :ivar chosen: shape (paths, hops + 1): rows of steps, then that of stopping; -1 where a path is over
    :ivar log_weights: shape (paths,)
    :ivar worth: shape (items,)
    :ivar starts: of each item the rows of the steps that may come first
    """

    texts: list[str]
    owners: Ints
    chosen: Ints
    log_weights: Floats
    worth: Floats
    starts: tuple[Ints, ...]


def batch_of(items: Sequence[Item], steps: int, absent: Sequence[bool]) -> Batch:
    """Put items together.

    :param steps: of the schema; the rows after them are stopping and nothing
    :param items: one without paths has nothing that is right
    :param absent: for each item whether the steps that its paths begin with are taken away: then nothing is right
    """
    owners, chosen, weights, starts = [], [], [], []
    longest = 1 + max((len(path) for item in items for path in item.paths), default=0)
    for number, (item, gone) in enumerate(zip(items, absent, strict=True)):
        first = {path[0] for path in item.paths}
        starts.append(np.array([row for row in item.starts if not gone or row not in first], dtype=np.int64))
        nothing = gone or not item.paths
        paths = ((steps + 1,),) if nothing else tuple((*path, steps) for path in item.paths)
        for path, weight in zip(paths, (1.0,) if nothing else item.weights, strict=True):
            owners.append(number)
            chosen.append((*path, *[-1] * (longest - len(path))))
            weights.append(weight)
    return Batch(
        texts=[item.text for item in items],
        owners=np.array(owners, dtype=np.int64),
        chosen=np.array(chosen, dtype=np.int64),
        log_weights=np.log(np.array(weights, dtype=np.float32)),
        worth=np.array([item.worth for item in items], dtype=np.float32),
        starts=tuple(starts),
    )


def drawn(choices: Choices, right: Ints, rng: np.random.Generator) -> tuple[Choices, Floats]:
    """At most :data:`MAX_COLUMNS` of what may come next, and what makes up for the others.

    :param right: rows of the steps that are kept in any case
    :return: the choices, and for each of their columns the log of how many it stands for
    """
    inner = choices.columns[:-2]
    if len(inner) <= MAX_COLUMNS:
        return choices, np.zeros(len(choices.columns), dtype=np.float32)
    kept = np.isin(choices.columns, right)
    kept[-2:] = True
    others = np.flatnonzero(~kept)
    some = rng.choice(others, min(len(others), max(1, MAX_COLUMNS + 2 - int(kept.sum()))), replace=False)
    bias = np.zeros(len(choices.columns), dtype=np.float32)
    bias[some] = math.log(len(others) / len(some)) if len(some) else 0.0
    kept[some] = True
    return Choices(choices.columns[kept], choices.allowed[:, kept]), bias[kept]
