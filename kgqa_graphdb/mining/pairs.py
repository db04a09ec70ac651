"""Two relation paths, each from a topic of its own, that meet in gold answers."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from itertools import product

from kgqa_graphdb.mining.around import Around, follow
from kgqa_graphdb.mining.gold import GoldEnds
from kgqa_graphdb.mining.paths import GOOD_SHARE, MAX_CANDIDATES, candidates
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Link, Value

MAX_SIDE = 20
"""Paths of a topic that are intersected with the other's: those that come nearest to the answers."""
MAX_ENDS = 2_000
"""Ends of a path that is intersected: of a much wider set the other path says nearly all."""


@dataclass(frozen=True, slots=True)
class GoodPair:
    """A path from each of two topics, as step codes, and the F1 of what both lead to."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    f1: float


def good_pairs(
    one: Link, other: Link, gold: GoldEnds, around: Around, max_hops: int = 3
) -> Steps[tuple[GoodPair, ...]]:
    """The pairs of paths whose common ends come nearest to the gold answers, best and shortest first."""
    first = yield from _sides(one, gold, around, max_hops)
    second = yield from _sides(other, gold, around, max_hops)
    found = [
        GoodPair(codes, others, f1)
        for (codes, ends), (others, met) in product(first.items(), second.items())
        if (f1 := gold.f1(ends & met))
    ]
    best = max((pair.f1 for pair in found), default=0.0)
    kept = [pair for pair in found if pair.f1 >= GOOD_SHARE * best]
    return tuple(sorted(kept, key=lambda pair: (-pair.f1, len(pair.first) + len(pair.second), pair.first, pair.second)))


def _sides(link: Link, gold: GoldEnds, around: Around, max_hops: int) -> Steps[dict[tuple[str, ...], Set[str | Value]]]:
    """Paths from a topic, and the sets that they lead to."""
    topic = link.entity.element_id
    found: list[tuple[float, tuple[str, ...], Set[str | Value]]] = []
    for codes in (yield from candidates(topic, gold, around, max_hops))[:MAX_CANDIDATES]:
        ends = yield from follow(codes, topic, around, MAX_ENDS)
        if ends is not None and gold.meets(ends):
            found.append((gold.f1(ends), codes, ends))
    best = sorted(found, key=lambda one: (-one[0], len(one[1]), one[1]))
    return {codes: ends for _, codes, ends in best[:MAX_SIDE]}
