"""Names beside a topic's: "who played Ellen Ripley in Alien" asks for one of all who played in Alien.

A join node, as a performance is, joins more than two entities. A step across it says two of them; where the question
names a third, or says the first or last words of its name and of no other's, only the join nodes that have it count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from functools import partial
from typing import TypeVar

from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.graph.walk import Edge, Walk
from kgqa_graphdb.link.text import STOP_WORDS, fold, folded_text, occurrences
from kgqa_graphdb.mapping import GraphMapping, turned
from kgqa_graphdb.plan import Combine, Follow
from kgqa_graphdb.steps import Steps, together
from kgqa_graphdb.types import Entity, Link, Question, Step

K = TypeVar("K")
V = TypeVar("V")
MAX_ROLES = 12
"""Kinds of things at a join node that are looked at."""


def beside(
    question: Question, topic: Link, plan: Follow, graph: Graph, memo: Memo
) -> Steps[tuple[Combine, Link] | None]:
    """A plan for those of a plan's answers whose join nodes join what the question names beside its topic, too.

    :param topic: where the question names the plan's topic
    :param memo: the plan was executed with
    :return: the plan, and where the question names it; ``None``: nothing tells the answers apart so
    """
    roles = _roles(graph.mapping, plan.path[-1]) if plan.to is None else ()
    if not roles:
        return None
    starts = (plan.topic.element_id,)
    paths = [plan.path, *((*plan.path[:-1], away) for away, _ in roles)]
    own, *others = yield from together(graph.walker.walk(starts, path, memo, topics=starts) for path in paths)
    reached = _grouped((edge.between, edge.right) for edge in _last(own))
    joined = [
        (entity, reached.keys() & nodes, back)
        for walk, (_, back) in zip(others, roles, strict=True)
        for entity, nodes in _grouped((edge.right, edge.between) for edge in _last(walk)).items()
        if entity not in starts
    ]
    known = yield from graph.describe({entity for entity, nodes, _ in joined if nodes}, memo)
    text, every = fold(question.text), set(own.ends)
    telling: list[tuple[Entity, Step]] = []
    for entity, nodes, back in joined:
        kept = set().union(*(reached[node] for node in nodes))
        if entity in known and kept and kept != every:
            telling.append((known[entity], back))
    for mentions in (occurrences, partial(_in_part, besides=frozenset(folded_text(plan.topic.name).split()))):
        found = [
            (end - start, Link(*text.original(start, end), entity, 1.0), back)
            for entity, back in telling
            for start, end in mentions(folded_text(entity.name), text.text)
        ]
        apart = [one for one in found if one[1].is_apart(topic)]
        if apart:
            size, link, back = max(apart, key=lambda one: (one[0], one[1].entity.id))
            rivals = {one[1].entity for one in apart if one[0] == size}
            both = Combine("and", (plan, Follow(link.entity, (back,))))
            return (both, link) if mentions is occurrences or len(rivals) == 1 else None
    return None


def _in_part(name: str, text: str, besides: Set[str]) -> Iterator[tuple[int, int]]:
    """Where the first or the last words of a name stand in a text, as many as do: "Ripley" for Ellen Ripley.

    :param besides: words of which such a name has none: those of the topic's say nothing of another
    """
    words = name.split()
    if besides.isdisjoint(words):
        for size in range(len(words) - 1, 0, -1):
            parts = [part for part in (words[:size], words[-size:]) if not STOP_WORDS.issuperset(part)]
            found = [place for part in parts for place in occurrences(" ".join(part), text)]
            if found:
                yield from found
                return


def _roles(mapping: GraphMapping, step: Step) -> tuple[tuple[Step, Step], ...]:
    """What else a step's join nodes join: the step that leads there, and the one from there to where the step leads."""
    legs = mapping.legs(step)
    if len(legs) != 2 or step.relation.kind != "edge":
        return ()
    found = []
    for away in map(mapping.step, mapping.by_first_leg[legs[0].code]):
        if away == step or away.relation.kind != "edge":
            continue
        for back in map(mapping.step, mapping.by_first_leg.get(turned(mapping.legs(away)[-1].code), ())):
            if mapping.legs(back)[1:] == legs[1:]:
                found.append((away, back))
    return tuple(found[:MAX_ROLES])


def _last(walk: Walk) -> tuple[Edge, ...]:
    """The edges of a walk's last hop, across the join nodes."""
    return walk.hops[-1] if walk.hops else ()


def _grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, set[V]]:
    found: defaultdict[K, set[V]] = defaultdict(set)
    for key, value in pairs:
        found[key].add(value)
    return found
