"""Plans for what a question was read to do: each of its conditions a path, found by the ranker of paths."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

from rapidfuzz import fuzz

from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.hops import end_labels
from kgqa_graphdb.operators.composed import Composed, Model, proposed
from kgqa_graphdb.operators.composer import Composer
from kgqa_graphdb.operators.finder import ALIKE, Finder
from kgqa_graphdb.operators.fits import in_value
from kgqa_graphdb.operators.kinds import Kind, nouns_of, phrases_of, value_nouns
from kgqa_graphdb.operators.read import read
from kgqa_graphdb.operators.reading import Reading
from kgqa_graphdb.operators.words import NUMBERED
from kgqa_graphdb.plan import Aggregate, Combine, CombineOp, Follow, Plan
from kgqa_graphdb.rank.question import mask_mention
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Link, Question

NAMED = 0.9
"""The score of a link that names its entity."""


@dataclass(frozen=True, slots=True)
class Operators:
    """Composes plans; keeps what it knows of a graph as long as that lives."""

    _nouns: WeakKeyDictionary[Graph, dict[str, Kind]] = field(default_factory=WeakKeyDictionary, init=False, repr=False)

    def compose(self, question: Question, links: Sequence[Link], graph: Graph, model: Model) -> Steps[Composed | None]:
        """A plan for a question that compares, counts or ranks; ``None``: it does not, or it is not understood.

        :param links: likeliest first
        :param model: finds the path from a topic
        """
        if graph not in self._nouns:
            self._nouns[graph] = nouns_of(graph.mapping)
        nouns = self._nouns[graph]
        named = [link for link in links if _names(question.text, link, nouns)]
        bound = next((link for link in named if _BOUND.search(question.text[: link.start])), None)
        named = [link for link in named if bound is None or link.is_apart(bound)]
        topic = named[0] if named else None
        other = next((link for link in named if topic and link.is_apart(topic)), None) if bound is None else None
        text, joined, also = question.text, "", None
        if topic and other:
            topic, other = sorted((topic, other), key=lambda link: link.start)
            if found := _JOINED.fullmatch(text[topic.end : other.start]):
                joined, text = found[0], text[: topic.end] + text[other.end :]
        if topic and other and not joined:
            plain = read(f"{text[: other.start]}something{text[other.end :]}", nouns, (topic.start, topic.end))
            asked = plain.wants == "exists" and not (plain.kind or plain.unsure or plain.extreme)
            asked = asked and not any(one.comparisons or one.negated or one.value for one in plain.conditions)
            asked = asked and not _EITHER.search(" ".join((text[topic.end : other.start], text[other.end :])))
            if asked:
                return (yield from _whether(question, topic, other, graph, model))
            also, other = other, None
            text = f'{text[: also.start]}"{also.entity.name}"{text[also.end :]}'
        one, than = ((link.start, link.end) if link else None for link in (topic, bound))
        reading = read(text, nouns, one, than, phrases_of(graph.mapping), value_nouns(graph.mapping))
        if also and not _does_more(reading, also):
            return None
        if reading.unsure or not (joined or reading.compares or (topic is None and reading.kind)):
            return None
        tells = any(one.comparisons for one in reading.conditions)
        if reading.wants == "exists" and topic and not (reading.kind or tells):
            return None  # "is Tofu sweet or salty?" asks for more than a yes
        finder = Finder(graph, model.untrained, nouns, Memo())
        composer = Composer(finder, model, reading.noun, topic, bound, also)
        if other is None:
            return (yield from composer.compose(reading))
        base = yield from composer.base(reading)
        if base:
            both = _with_other(base.plan, other.entity, "or" if joined.split()[0] == "or" else "not")
            base = Composed(both, base.fit, (*base.links, other)) if both else None
        return (yield from composer.apply(base, reading)) if base else None


_JOINED = re.compile(r"\W+(?:or|(?:and |but )?(?:not|without|except))(?: (?:for|with|by|in|to|from))?\W+")
"""What stands between two topics of which either will do, or the second will not."""

_EITHER = re.compile(r"\bor\b", re.IGNORECASE)
"""Beside two topics: which of two is asked, one of which may be no topic ("is Ann male or female?")."""


_BOUND = re.compile(r"\b(?:than|before|after|the same (?:\w+ ){1,3}as)(?: the| an?)?(?: [a-z]+)?\W+$")
"""What stands before an entity that others are compared with."""


def _whether(question: Question, topic: Link, other: Link, graph: Graph, model: Model) -> Steps[Composed | None]:
    """Whether the path that a question speaks of leads from one topic to the other."""
    masked = mask_mention(question.text, topic.start, topic.end, [(other.start, other.end)])
    proposal = yield from proposed(topic, masked, graph, model)
    labels = set(other.entity.labels)
    for one in proposal.paths:
        ends = set(end_labels(one.item[-1]))
        if one.score >= proposal.least_fit and not in_value(one.item) and (not ends or ends & labels):
            plan = Aggregate("exists", Follow(topic.entity, one.item, to=other.entity))
            return Composed(plan, one.score, (topic, other))
    return None


def _does_more(reading: Reading, also: Link) -> bool:
    """Whether a question does more than to name two topics, the second in a condition of its own."""
    texts = [one for one in reading.conditions if one.value == also.entity.name and not (one.topic or one.comparisons)]
    compares = any(one.comparisons or one.negated for one in reading.conditions)
    return len(texts) == 1 and (compares or reading.extreme is not None or reading.wants in ("count", "sum", "mean"))


def _with_other(plan: Plan, other: Entity, op: CombineOp) -> Plan | None:
    """A plan from one topic, as one from two; of what is not there from the one, nor from the other."""
    if isinstance(plan, Follow):
        return Combine(op, (plan, replace(plan, topic=other)))
    if isinstance(plan, Combine) and isinstance(plan.parts[-1], Follow) and op == "or":
        return replace(plan, parts=(*plan.parts, replace(plan.parts[-1], topic=other)))
    return None


def _names(text: str, link: Link, nouns: dict[str, Kind]) -> bool:
    """Whether a link is to something named, not to a kind or a number."""
    mention = text[link.start : link.end].lower()
    before = text[: link.start].lower().split()[-1:]
    if mention in nouns or (mention.isdigit() and NUMBERED & {*before}):  # "after 1984" is no film
        return False
    return link.score >= NAMED or fuzz.ratio(mention, link.entity.name.lower()) >= 100 * ALIKE
