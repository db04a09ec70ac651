"""Which steps can follow which in a graph, from its facts.

Step ``b`` can follow step ``a`` when at least one entity that ``a`` arrives at can leave by ``b``. Steps are numbered:
twice the relation's number, plus one for walking it backwards. A follower is rare when hardly any of the entities that
``a`` arrives at can leave by it: often two entities that share a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

Numbers = np.ndarray[tuple[int], np.dtype[np.uint64]]


RARE_SHARE = 0.02
"""Of the entities that a step arrives at; below it a follower is rare."""
MAX_COUNTED_STEPS = 2_048
"""A graph with more steps has no rare ones: counting takes the square of them."""
_CHUNK = 4_096


@dataclass(frozen=True, slots=True)
class Followers:
    """Number of a step → bit field of the steps that can follow it.

    :ivar after: all that can
    :ivar rare: those among them that hardly ever can
    """

    after: dict[int, int]
    rare: dict[int, int]


def followers(
    heads: Numbers, relations: Numbers, tails: Numbers, values: Iterable[tuple[int, Iterable[int]]]
) -> Followers:
    """The steps that can follow each step.

    Entities that have the same kinds of relations around them count once.

    :param heads: shape (facts,), entity numbers
    :param relations: shape (facts,), relation numbers
    :param tails: shape (facts,), entity numbers
    :param values: number of each property's relation, and the entities that have a value of it
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
    ends = np.r_[starts[1:], len(steps)] if len(starts) else starts
    profiles = Counter(steps[start:end].tobytes() for start, end in zip(starts.tolist(), ends.tolist(), strict=True))
    after: dict[int, int] = {}
    for profile in profiles:
        leaving = np.frombuffer(profile, dtype=np.uint64).tolist()
        field = sum(1 << step for step in leaving)
        for step in leaving:
            if step in edge_steps:
                arriving = step ^ 1  # who can leave over a relation one way was arrived at over it the other way
                after[arriving] = after.get(arriving, 0) | field
    return Followers(after, _rare(profiles, after))


def _rare(profiles: Counter[bytes], after: dict[int, int]) -> dict[int, int]:
    """The followers that fewer than :data:`RARE_SHARE` of the entities have.

    :param profiles: the steps that leave an entity, as bytes of uint64 → number of entities
    """
    departures = [np.frombuffer(profile, dtype=np.uint64) for profile in profiles]
    numbers = np.unique(np.concatenate(departures)) if departures else np.empty(0, dtype=np.uint64)
    if len(numbers) > MAX_COUNTED_STEPS:
        return {}
    counts = np.fromiter(profiles.values(), dtype=np.float64)  # (profiles,)
    both = np.zeros((len(numbers), len(numbers)))  # entities that can be left by both steps
    for start in range(0, len(departures), _CHUNK):
        chunk = departures[start : start + _CHUNK]
        has = np.zeros((len(chunk), len(numbers)))  # (profiles, steps)
        for row, leaving in enumerate(chunk):
            has[row, np.searchsorted(numbers, leaving)] = 1.0
        both += has.T @ (has * counts[start : start + _CHUNK, None])
    found: dict[int, int] = {}
    for row, step in enumerate(numbers.tolist()):
        if step ^ 1 in after:
            rare = (both[row] > 0) & (both[row] < RARE_SHARE * both[row, row])
            found[step ^ 1] = sum(1 << number for number in numbers[rare].tolist())
    return found
