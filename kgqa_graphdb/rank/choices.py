"""What may come next, for many paths together: only the steps that one of them may walk are ever compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.rank.decoder import FAR_BELOW
from kgqa_graphdb.types import Bools, Floats, Ints

NO_ROWS: Ints = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Choices:
    """What may come next.

    :ivar columns: shape (columns,): rows of the steps that some path may walk, ascending; then stopping, then nothing
    :ivar allowed: shape (paths, columns): what each path may do
    """

    columns: Ints
    allowed: Bools


def choices_of(after: Sequence[Ints], steps: int, others: Ints = NO_ROWS, *, begun: bool) -> Choices:
    """Put together what each of some paths may do.

    :param after: of each path, the rows of the steps that may come next
    :param steps: of the schema; the rows after them are stopping and nothing
    :param others: rows of steps that have a column, too
    :param begun: the paths have a step, so that they may end; else it may be that no path is meant
    """
    used = np.zeros(steps, dtype=bool)
    used[others] = True
    for rows in after:
        used[rows] = True
    columns = np.append(np.flatnonzero(used), (steps, steps + 1))
    place = np.cumsum(used) - 1  # (steps,): where a step stands among the columns
    allowed = np.zeros((len(after), len(columns)), dtype=bool)
    for path, rows in enumerate(after):
        allowed[path, place[rows]] = True
    allowed[:, -2 if begun else -1] = True
    return Choices(columns, allowed)


def likeliest(owners: Ints, log_p: Floats, count: int, most: int) -> tuple[Ints, Ints]:
    """Of each question the likeliest ways on: rows of paths, and columns.

    :param owners: shape (paths,): the question of each, ascending
    :param log_p: shape (paths, columns)
    :param count: questions
    :param most: ways on of each
    """
    rows: list[Ints] = []
    columns: list[Ints] = []
    bounds = np.searchsorted(owners, np.arange(count + 1))
    for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        own = log_p[start:end].ravel()
        number = min(most, int((own > FAR_BELOW / 2).sum()))
        if number:
            best = np.argpartition(-own, number - 1)[:number]
            best = best[np.argsort(-own[best], kind="stable")]
            rows.append(start + best // log_p.shape[1])
            columns.append(best % log_p.shape[1])
    return np.concatenate([NO_ROWS, *rows]), np.concatenate([NO_ROWS, *columns])
