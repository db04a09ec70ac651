"""Plans for what a question was read to do: each of its conditions a path, found by the ranker of paths."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

from rapidfuzz import fuzz

from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.operators.composed import Composed, Model, is_among, may_end_at, proposed
from kgqa_graphdb.operators.composer import Composer
from kgqa_graphdb.operators.cues import negation_in
from kgqa_graphdb.operators.finder import ALIKE, NEAR, Finder
from kgqa_graphdb.operators.fits import in_value
from kgqa_graphdb.operators.kinds import Kind, Lexicon
from kgqa_graphdb.operators.read import read
from kgqa_graphdb.operators.reading import Condition, Reading
from kgqa_graphdb.operators.words import NUMBERED
from kgqa_graphdb.plan import Aggregate, Cite, Combine, CombineOp, Follow, Plan
from kgqa_graphdb.rank.question import TOPIC, mask_mention
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Link, Path, Question, Scored

NAMED = 0.9
"""The score of a link that names its entity."""
NO_NOUN = 2 / 3
"""Of the first topic's score: what a word in lower case must have to be the second, where names have capitals."""


@dataclass(frozen=True, slots=True)
class Operators:
    """Composes plans; keeps what it knows of a graph as long as that lives."""

    _lexica: WeakKeyDictionary[Graph, Lexicon] = field(default_factory=WeakKeyDictionary, init=False, repr=False)

    def compose(self, question: Question, links: Sequence[Link], graph: Graph, model: Model) -> Steps[Composed | None]:
        """A plan for a question that compares, counts or ranks; ``None``: it does not, or it is not understood.

        :param links: likeliest first
        :param model: finds the path from a topic
        """
        if graph not in self._lexica:
            self._lexica[graph] = Lexicon.of(graph.mapping)
        lexicon = self._lexica[graph]
        nouns = lexicon.nouns
        named = [link for link in links if _names(question.text, link, nouns)]
        bound = next((link for link in named if _BOUND.search(question.text[: link.start])), None)
        named = [link for link in named if bound is None or link.is_apart(bound)]
        topic = named[0] if named else None
        other = None
        if topic and bound is None:
            _, *others = topics_of(question.text, named)
            other = others[0] if others else None
            if len(others) > 1 and not topic.entity.labels and negation_in(question.text, named, graph.mapping):
                return None  # which of three is left out?
        text, joined, also = question.text, None, None
        if topic and other:
            topic, other = sorted((topic, other), key=lambda link: link.start)
            joined = _joined(text, topic, other)
        if joined:
            text, topic = joined.text, joined.topic
        elif topic and other:
            plain = read(f"{text[: other.start]}something{text[other.end :]}", nouns, (topic.start, topic.end))
            asked = plain.wants == "exists" and not (plain.kind or plain.unsure or plain.extreme)
            asked = asked and not any(one.comparisons or one.negated or one.value for one in plain.conditions)
            asked = asked and not _EITHER.search(" ".join((text[topic.end : other.start], text[other.end :])))
            if asked:
                return (yield from _whether(question, topic, other, graph, model))
            also, other = other, None
            text = f'{text[: also.start]}"{also.entity.name}"{text[also.end :]}'
        one, than = ((link.start, link.end) if link else None for link in (topic, bound))
        reading = read(text, nouns, one, than, lexicon.phrases, lexicon.values, lexicon.units)
        # Who learned from the graph's own questions knows of two paths together what the words of each alone don't say.
        apart = also and not model.at_home and _has_clause(reading, also)
        if also and not (apart or _does_more(reading, also)):
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
        if base and joined:
            joint = yield from _with_other(base.plan, other.entity, joined, graph)
            base = Composed(joint, base.fit, (*base.links, other)) if joint else None
        return (yield from composer.apply(base, reading)) if base else None


@dataclass(frozen=True, slots=True)
class _Joined:
    """Two topics of which the question says one thing: "visited by X but not by Y", "both X and Y".

    :ivar text: the question about the first alone
    :ivar topic: where that names the first
    :ivar alike: the words before the first are meant of the second, too; not so in "launched on X but not from Y"
    :ivar excepted: the second may also be one of those that are asked for
    """

    op: CombineOp
    text: str
    topic: Link
    alike: bool = True
    excepted: bool = False


_JOINED = re.compile(
    r"\W+(or|(?:and |but )?(?:not|without|except|excluding|other than))(?: (for|with|by|in|to|from|on|at))?(?: the)?\W+"
)
"""What stands between two topics of which either will do, or the second will not."""
_BOTH = re.compile(r"\bboth (?:of )?(?:the )?$", re.IGNORECASE)
"""What stands before two topics that are joined by :data:`_AND`."""
_AND = re.compile(r" and (?:(?:for|with|by|in|to|from) )?(?:the )?")
_BEFORE = re.compile(r"(\w*)(?: the)?\W*$", re.IGNORECASE)
"""The word before a topic."""


def _joined(text: str, topic: Link, other: Link) -> _Joined | None:
    """How two topics are joined; ``None``: each has words of its own.

    :param topic: that which stands first
    """
    before, between = text[: topic.start], text[topic.end : other.start]
    if found := _JOINED.fullmatch(between):
        word = found[1].split()[-1]
        preposition = "with" if word == "without" else found[2]
        own = _BEFORE.search(before)
        alike = word == "or" or not preposition or (own is not None and own[1].lower() == preposition)
        rest = text[: topic.end] + text[other.end :]
        return _Joined("or" if word == "or" else "not", rest, topic, alike, excepted=word not in ("or", "not"))
    if (both := _BOTH.search(before)) and _AND.fullmatch(between):
        gap = both.end() - both.start()
        rest = text[: both.start()] + text[both.end() : topic.end] + text[other.end :]
        return _Joined("and", rest, replace(topic, start=topic.start - gap, end=topic.end - gap))
    return None


_DECADE = re.compile(r"[12]\d\d0s", re.ASCII)
"""A mention that is a decade."""

_EITHER = re.compile(r"\bor\b", re.IGNORECASE)
"""Beside two topics: which of two is asked, one of which may be no topic ("is Ann male or female?")."""


_BOUND = re.compile(
    r"\b(?:(?<!other )than|before|(?<!named )after|the same (?:\w+ ){1,3}as)(?: the| an?)?(?: [a-z]+)?\W+$"
)
"""What stands before an entity that others are compared with."""


def _whether(question: Question, topic: Link, other: Link, graph: Graph, model: Model) -> Steps[Composed | None]:
    """Whether the path that a question speaks of leads from one topic to the other."""
    found, may_end = yield from _leading(question, topic, other, graph, model)
    if other.entity.labels:
        return next((_ends(topic, one, other) for one in found if one.item in may_end), None)
    # Where there are no kinds, nothing tells what longer paths lead to: one step from either of the two is meant.
    least = NEAR * found[0].score if found else 0.0
    direct = [one for one in found if len(one.item) == 1 and one.item in may_end and one.score >= least]
    if direct:
        return _ends(topic, direct[0], other)
    back, _ = yield from _leading(question, other, topic, graph, model)
    if back and len(back[0].item) == 1 and back[0].item[0].inverse and back[0].score >= least:
        return _ends(other, back[0], topic)
    told = found and (len(found[0].item) == 1 or found[0].item in may_end)
    return _ends(topic, found[0], other) if told else None


def _leading(
    question: Question, topic: Link, other: Link, graph: Graph, model: Model
) -> Steps[tuple[list[Scored[Path]], list[Path]]]:
    """The paths to entities that fit a question from a topic, best first, and those that may lead to the other."""
    masked = mask_mention(question.text, topic.start, topic.end, [(other.start, other.end)])
    proposal = yield from proposed(topic, masked, graph, model)
    fitting = [one for one in proposal.paths if one.score >= proposal.least_fit and not in_value(one.item)]
    return fitting, (yield from may_end_at([one.item for one in fitting], other.entity, graph))


def _ends(topic: Link, path: Scored[Path], other: Link) -> Composed:
    """Whether a path from a topic ends at the other."""
    plan = Aggregate("exists", Follow(topic.entity, path.item, to=other.entity))
    return Composed(plan, path.score, (topic, other))


def _does_more(reading: Reading, also: Link) -> bool:
    """Whether a question does more than to name two topics, the second in a condition of its own."""
    compares = any(one.comparisons or one.negated for one in reading.conditions)
    more = compares or reading.extreme is not None or reading.wants in ("count", "sum", "mean")
    return more and len(_own(reading.conditions, also)) == 1


def _has_clause(reading: Reading, also: Link) -> bool:
    """Whether each of two topics has words of its own: "crew members of X who walked on Y"."""
    first, *others = reading.conditions or (None,)
    own = [one for one in _own(others, also) if one.text]
    return bool(reading.kind is None and first and first.topic and first.text != TOPIC and len(own) == len(others) == 1)


def _own(conditions: Sequence[Condition], also: Link) -> list[Condition]:
    """The conditions that are of a second topic alone."""
    return [one for one in conditions if one.value == also.entity.name and not (one.topic or one.comparisons)]


def _with_other(plan: Plan, other: Entity, joined: _Joined, graph: Graph) -> Steps[Plan | None]:
    """A plan from one topic, as one from two; of what is not there from the one, nor from the other."""
    if joined.op == "not" and (yield from is_among(other, plan, graph)):
        return Combine("not", (plan, Cite((other,), ())))  # "the moons of X except Y"
    follow = plan.parts[-1] if isinstance(plan, Combine) else plan
    if not (isinstance(follow, Follow) and joined.alike):
        return None
    if joined.excepted:
        starts = yield from graph.first_steps([other])
        if follow.path[0].code not in starts.get(other.element_id, ()):
            return None
    also = replace(follow, topic=other)
    if isinstance(plan, Combine):
        return replace(plan, parts=(*plan.parts, also)) if joined.op == "or" else None
    return Combine(joined.op, (plan, also))


def topics_of(text: str, links: Sequence[Link]) -> list[Link]:
    """Of links those that stand apart, likeliest first; "film" is none because something happens to be called so."""
    found: list[Link] = []
    for link in links:
        mention = text[link.start : link.end]
        noun = found and mention.islower() and link.score < NO_NOUN * found[0].score
        if all(map(link.is_apart, found)) and not (noun and not text[found[0].start : found[0].end].islower()):
            found.append(link)
    return found


def _names(text: str, link: Link, nouns: dict[str, Kind]) -> bool:
    """Whether a link is to something named, not to a kind or a number."""
    mention = text[link.start : link.end].lower()
    before = text[: link.start].lower().split()[-1:]
    decade = _DECADE.fullmatch(mention) is not None and {*before} <= {"the", *NUMBERED}
    number = mention.isdigit() and bool({*before} & NUMBERED)
    if mention in nouns or decade or number:  # "after 1984" and "the 1990s" are no films
        return False
    return link.score >= NAMED or fuzz.ratio(mention, link.entity.name.lower()) >= 100 * ALIKE
