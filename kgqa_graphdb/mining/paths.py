"""The relation paths that lead from a topic to gold answers, each scored by the F1 of the set that it leads to.

Nothing but the answers is used: no question types, no gold paths, no gold number of hops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kgqa_graphdb.mapping import reverse_step
from kgqa_graphdb.mining.around import Around, Reached, follow
from kgqa_graphdb.mining.gold import GoldEnds
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Link, Value

MAX_TARGETS = 2
"""Gold answers that paths are looked for from: those with the fewest neighbours."""
MAX_FIRST = 2_000
"""Nodes after the first step that are gone on from while paths are looked for; all count when paths are scored."""
MAX_CANDIDATES = 200
WIDEST = 20
"""A path that reaches so many times as many as are gold, and :data:`NARROW` more, is not scored."""
NARROW = 50
GOOD_SHARE = 0.8
"""Of the best path's F1: what comes so near is good too."""
LEAST_F1 = 0.1
MAX_TOPICS = 3
"""Linked topics that paths are looked for from."""


@dataclass(frozen=True, slots=True)
class GoodPath:
    """A path, as step codes, and the F1 of the set that it leads to."""

    codes: tuple[str, ...]
    f1: float


def best_topic(
    links: Sequence[Link], gold: GoldEnds, around: Around, max_hops: int = 3
) -> Steps[tuple[Link, tuple[GoodPath, ...]] | None]:
    """The linked topic from which the best path leaves, and its good paths; ``None``: none leads to a gold answer."""
    topics = yield from ranked_topics(links, gold, around, max_hops)
    return topics[0] if topics and topics[0][1] else None


def ranked_topics(
    links: Sequence[Link], gold: GoldEnds, around: Around, max_hops: int = 3
) -> Steps[list[tuple[Link, tuple[GoodPath, ...]]]]:
    """Linked topics and the good paths that leave them; the topic from which the best path leaves first.

    :param links: best first; :data:`MAX_TOPICS` are looked at
    """
    found = []
    for link in links[:MAX_TOPICS] if gold.count else ():
        found.append((link, (yield from good_paths(link.entity.element_id, gold, around, max_hops))))
    return sorted(found, key=lambda one: -one[1][0].f1 if one[1] else 0.0)


def good_paths(topic: str, gold: GoldEnds, around: Around, max_hops: int = 3) -> Steps[tuple[GoodPath, ...]]:
    """The paths from a topic whose sets of ends come nearest to the gold answers, best and shortest first.

    :param topic: element id
    """
    found = []
    for codes in (yield from candidates(topic, gold, around, max_hops))[:MAX_CANDIDATES]:
        f1 = yield from f1_of(codes, topic, gold, around)
        if f1 >= LEAST_F1:
            found.append(GoodPath(codes, f1))
    best = max((path.f1 for path in found), default=0.0)
    kept = [path for path in found if path.f1 >= GOOD_SHARE * best]
    return tuple(sorted(kept, key=lambda path: (-path.f1, len(path.codes), path.codes)))


def f1_of(codes: Sequence[str], topic: str, gold: GoldEnds, around: Around) -> Steps[float]:
    """How near what a path leads to comes to the gold answers, 0..1; 0 where that is far more than is gold.

    :param codes: the path's steps
    :param topic: element id
    """
    ends = yield from follow(codes, topic, around, WIDEST * gold.count + NARROW)
    return 0.0 if ends is None else gold.f1(ends)


def candidates(topic: str, gold: GoldEnds, around: Around, max_hops: int) -> Steps[list[tuple[str, ...]]]:
    """Paths that lead from a topic to a gold answer, among others; shortest first.

    :param topic: element id
    """
    first = (yield from around.steps_from([topic]))[topic]
    found: dict[tuple[str, ...], None] = {(code,): None for code, ends in first.items() if gold.meets(ends)}
    if max_hops == 1:
        return list(found)
    each = max(1, MAX_FIRST // max(1, len(first)))
    nodes = {code: sorted(end for end in ends if isinstance(end, str))[:each] for code, ends in first.items()}
    second = yield from around.steps_from(node for some in nodes.values() for node in some)
    targets = yield from _targets(gold, around)
    by_id = around.graph.mapping.by_id
    longer: dict[tuple[str, ...], None] = {}
    for one, some in nodes.items():
        for node in some:
            for two, ends in second[node].items():
                if gold.meets(ends):
                    found[one, two] = None
                if max_hops > 2 and by_id[two[1:]].kind == "edge":  # no path goes on from a value
                    longer |= dict.fromkeys((one, two, last) for last in _into(ends, targets))
    return [*found, *longer]


def _into(ends: Iterable[str | Value], targets: Sequence[Reached]) -> Iterator[str]:
    """The steps that lead from some nodes to a target."""
    for target in targets:
        for code, sources in target.items():
            if not sources.isdisjoint(ends):
                yield reverse_step(code)


def _targets(gold: GoldEnds, around: Around) -> Steps[list[Reached]]:
    """What lies around the gold answers with the fewest neighbours."""
    nodes = sorted(gold.nodes)[: 10 * MAX_TARGETS]
    steps = yield from around.steps_from(nodes)
    known = [reached for node in nodes if (reached := steps[node])]
    return sorted(known, key=lambda reached: sum(map(len, reached.values())))[:MAX_TARGETS]
