"""Items as arrays: a batch of paths, and the steps that may come next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.rank.choices import Choices
from kgqa_graphdb.train.data.items import Item
from kgqa_graphdb.types import Floats, Ints

MAX_COLUMNS = 2_048
"""Steps that the paths of a batch are compared with at a hop; where more may come next, the right ones and a draw."""


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
