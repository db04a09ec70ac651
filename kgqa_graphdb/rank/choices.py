"""What may come next, for many paths together: only the steps that one of them may walk are ever compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.types import Bools, Ints

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
