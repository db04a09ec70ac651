"""Examples as arrays: rows of steps, and what may come next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.examples import Example
from kgqa_graphdb.types import Bools, Floats, Ints

MAX_PATHS = 12
"""Good paths of an example that are trained on; the best."""
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
    """

    text: str
    starts: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...]
    weights: tuple[float, ...]
    worth: float


def items_of(examples: Sequence[Example], schema: Schema) -> list[Item]:
    """The examples that a ranker of this schema can learn from; those without a path are left out."""
    found = []
    for example in examples:
        rows = {code: schema.row_of[code] for code in example.starts if code in schema.row_of}
        paths = [path for path in example.paths if all(code in schema.row_of for code in path.codes)][:MAX_PATHS]
        if not paths or not rows:
            continue
        best = paths[0].f1
        found.append(
            Item(
                text=read_question(example.question, schema.vocabulary).text,
                starts=tuple(sorted({*rows.values(), *(schema.row_of[path.codes[0]] for path in paths)})),
                paths=tuple(tuple(schema.row_of[code] for code in path.codes) for path in paths),
                weights=tuple((path.f1 / best) ** F1_POWER for path in paths),
                worth=best,
            )
        )
    return found


def wrong_items(examples: Sequence[Example], schema: Schema) -> list[Item]:
    """The examples' questions, as they read from wrong topics: nothing is right there."""
    found = []
    for example in examples:
        for wrong in example.wrong:
            starts = tuple(sorted({schema.row_of[code] for code in wrong.starts if code in schema.row_of}))
            if starts:
                found.append(Item(read_question(wrong.question, schema.vocabulary).text, starts, (), (1.0,), 1.0))
    return found


@dataclass(frozen=True, slots=True)
class Batch:
    """Some items, as one array per hop of all their paths.

    :ivar texts: of the items
    :ivar owners: shape (paths,): the item of each path
    :ivar chosen: shape (paths, hops + 1): rows of steps, then that of stopping; -1 where a path is over
    :ivar log_weights: shape (paths,)
    :ivar worth: shape (items,)
    :ivar starts: shape (items, steps + 2): what may come first
    """

    texts: list[str]
    owners: Ints
    chosen: Ints
    log_weights: Floats
    worth: Floats
    starts: Bools


def batch_of(items: Sequence[Item], steps: int, absent: Sequence[bool]) -> Batch:
    """Put items together.

    :param steps: of the schema; the rows after them are stopping and nothing
    :param absent: for each item whether the steps that its paths begin with are taken away: then nothing is right
    """
    owners, chosen, weights = [], [], []
    longest = max((len(path) for item in items for path in item.paths), default=0)
    starts = np.zeros((len(items), steps + 2), dtype=bool)
    starts[:, -1] = True
    for number, (item, gone) in enumerate(zip(items, absent, strict=True)):
        first = {path[0] for path in item.paths}
        starts[number, [row for row in item.starts if not gone or row not in first]] = True
        paths = ((steps + 1,),) if gone or not item.paths else tuple((*path, steps) for path in item.paths)
        for path, weight in zip(paths, item.weights, strict=False):
            owners.append(number)
            chosen.append((*path, *[-1] * (longest + 1 - len(path))))
            weights.append(1.0 if gone else weight)
    return Batch(
        texts=[item.text for item in items],
        owners=np.array(owners, dtype=np.int64),
        chosen=np.array(chosen, dtype=np.int64),
        log_weights=np.log(np.array(weights, dtype=np.float32)),
        worth=np.array([item.worth for item in items], dtype=np.float32),
        starts=starts,
    )
