"""A second entity that a question names: "who played Ellen Ripley in Alien" asks for one of all who played in Alien.

A join node, as a performance is, joins more than two entities. A step across it says two of them; where the question
names a third, or says the first or last words of its name and of no other's, only the join nodes that have it count.
What it names is not what it asks for, either: "who was Sigourney Weaver in Alien" asks for a role, not for who played.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import partial
from typing import TypeAlias, TypeVar

from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.graph.edges import Edge
from kgqa_graphdb.graph.walk import Walk
from kgqa_graphdb.language.folding import Folded, fold, folded_text, occurrences
from kgqa_graphdb.link.places import symbols_fit
from kgqa_graphdb.mapping import GraphMapping, reverse_step
from kgqa_graphdb.plan import Combine, Follow, Result
from kgqa_graphdb.steps import Steps, together
from kgqa_graphdb.types import Entity, Link, Question, Step

K = TypeVar("K")
V = TypeVar("V")
Place: TypeAlias = tuple[int, int]
Places: TypeAlias = Callable[[str, str], Iterable[Place]]
Mention: TypeAlias = tuple[int, Link, Step]
"""How long it is, where, and the step from what is named to where the answers are."""
MAX_ROLES = 12
"""Kinds of things at a join node that are tried."""
_COMPANY = re.compile(
    r"\b(?:with|without|besides?|than|apart from|like|except|excluding|but|and|or|before|after)(?: the)?\W+$",
    re.IGNORECASE,
)
"""What stands before a name where something like it is asked for, with it or in its place."""


def constrain_by_second_entity(
    question: Question, topic: Link, plan: Follow, graph: Graph, memo: Memo
) -> Steps[tuple[Combine, Link] | None]:
    """A plan for those of a plan's answers whose join nodes join a second entity that the question names, too.

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
    every = set(own.ends)
    distinct: list[tuple[Entity, Step]] = []
    for entity, nodes, back in joined:
        kept = set().union(*(reached[node] for node in nodes))
        if entity in known and kept and kept != every:
            distinct.append((known[entity], back))
    text, own_words = fold(question.text), frozenset(folded_text(plan.topic.name).split())
    in_part = partial(_in_part, excluded=own_words, stop_words=graph.mapping.language.stop_words)
    mentioned = partial(_mentioned, distinct, text, question.text, topic)
    found = mentioned(occurrences) or _only(mentioned(in_part))
    if not found:
        return None
    _, link, back = max(found, key=lambda one: (one[0], one[1].entity.id))
    return Combine("and", (plan, Follow(link.entity, (back,)))), link


def named_answers(question: Question, topic: Link, plan: Follow, result: Result, mapping: GraphMapping) -> set[Entity]:
    """What a question names, apart from its topic, of what a path across join nodes leads to.

    A name of one word is left out, which may be a word of the question ("big"), and so is what only goes with what is
    asked for ("who flew with Ann Lee").

    :param topic: where the question names the plan's topic
    :param result: of the plan
    """
    if plan.to is not None or not _roles(mapping, plan.path[-1]):
        return set()
    text = fold(question.text)
    named: set[Entity] = set()
    for node in result.nodes:
        if not (isinstance(node, Entity) and node.is_named and folded_text(node.name) in text.text):
            continue
        words = folded_text(node.name).split()
        says = len(words) > 1 and not mapping.language.stop_words.issuperset(words)
        places = _apart(node, text, question.text, topic, occurrences) if says else ()
        if any(not _COMPANY.search(question.text[: place.start]) for place in places):
            named.add(node)
    return named


def is_other_role(other: Follow, plan: Follow, named: Set[Entity], mapping: GraphMapping) -> bool:
    """Whether a path leads to something else that join nodes join, from the topic of a plan or from what it leads to.

    :param plan: leads across the join nodes to
    :param named: some of its answers
    """
    if other.topic == plan.topic:
        roles = _roles(mapping, plan.path[-1])
        return other.path[:-1] == plan.path[:-1] and other.path[-1] in {away for away, _ in roles}
    there, back = mapping.legs(plan.path[-1]), mapping.legs(other.path[0])
    from_named = other.topic in named and len(other.path) == 1 and len(back) == len(there)
    return from_named and back[0].code == reverse_step(there[-1].code) and back[-1].code != reverse_step(there[0].code)


def _apart(entity: Entity, text: Folded, original: str, topic: Link, places: Places) -> list[Link]:
    """Where a question names an entity, apart from its topic.

    :param original: the question as typed
    :param places: where a name stands in a text, both folded
    """
    stretches = (text.original(*place) for place in places(folded_text(entity.name), text.text))
    found = (Link(*one, entity, 1.0) for one in stretches if symbols_fit(entity.name, original, *one))
    return [link for link in found if link.is_apart(topic)]


def _mentioned(
    distinct: Iterable[tuple[Entity, Step]], text: Folded, original: str, topic: Link, places: Places
) -> list[Mention]:
    """Where a question names some of what join nodes join; see :func:`_apart`."""
    return [
        (link.end - link.start, link, back)
        for entity, back in distinct
        for link in _apart(entity, text, original, topic, places)
    ]


def _only(found: Sequence[Mention]) -> list[Mention]:
    """The longest mentions, if they are all of one entity."""
    most = max((size for size, _, _ in found), default=0)
    longest = [one for one in found if one[0] == most]
    return longest if len({link.entity for _, link, _ in longest}) == 1 else []


def _in_part(name: str, text: str, excluded: Set[str], stop_words: Set[str]) -> Iterator[Place]:
    """Where the first or the last words of a name stand in a text, as many as do: "Ripley" for Ellen Ripley.

    :param excluded: words of which such a name has none: those of the topic's say nothing of another
    """
    words = name.split()
    if excluded.isdisjoint(words):
        for size in range(len(words) - 1, 0, -1):
            parts = [part for part in (words[:size], words[-size:]) if not set(part) <= stop_words]
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
        for back in map(mapping.step, mapping.by_first_leg.get(reverse_step(mapping.legs(away)[-1].code), ())):
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
