"""Which steps can follow which in a graph, from its facts.

Step ``b`` can follow step ``a`` when at least one entity that ``a`` arrives at can leave by ``b``. Steps are numbered:
twice the relation's number, plus one for walking it backwards.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

Numbers = np.ndarray[tuple[int], np.dtype[np.uint64]]


def followers(
    heads: Numbers, relations: Numbers, tails: Numbers, values: Iterable[tuple[int, Iterable[int]]]
) -> dict[int, int]:
    """The steps that can follow each step.

    Entities that have the same kinds of relations around them count once.

    :param heads: shape (facts,), entity numbers
    :param relations: shape (facts,), relation numbers
    :param tails: shape (facts,), entity numbers
    :param values: number of each property's relation, and the entities that have a value of it
    :return: number of a step → bit field of the steps that can follow it
    """
    columns = [(heads, relations * np.uint64(2)), (tails, relations * np.uint64(2) + np.uint64(1))]
    for relation, entities in values:
        owners = np.fromiter(entities, dtype=np.uint64)
        columns.append((owners, np.full(len(owners), relation * 2, dtype=np.uint64)))
    edge_steps = {int(step) for pair in columns[:2] for step in np.unique(pair[1])}
    around = np.concatenate([entity for entity, _ in columns])  # (departures,)
    steps = np.concatenate([step for _, step in columns])  # (departures,)
    order = np.lexsort((steps, around))
    around, steps = around[order], steps[order]
    fresh = np.ones(len(steps), dtype=bool)
    fresh[1:] = (around[1:] != around[:-1]) | (steps[1:] != steps[:-1])
    around, steps = around[fresh], steps[fresh]
    starts = np.flatnonzero(np.r_[True, around[1:] != around[:-1]]) if len(around) else np.empty(0, dtype=np.int64)
    ends = np.r_[starts[1:], len(steps)]
    profiles = {steps[start:end].tobytes() for start, end in zip(starts.tolist(), ends.tolist(), strict=True)}
    after: dict[int, int] = {}
    for profile in profiles:
        leaving = np.frombuffer(profile, dtype=np.uint64).tolist()
        field = sum(1 << step for step in leaving)
        for step in leaving:
            if step in edge_steps:
                arriving = step ^ 1  # who can leave over a relation one way was arrived at over it the other way
                after[arriving] = after.get(arriving, 0) | field
    return after
