"""Plans for what a question was read to do: each of its conditions a path, found by the ranker of paths."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol
from weakref import WeakKeyDictionary

from rapidfuzz import fuzz

from kgqa_graphdb.compile import answers_statement
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.hops import end_labels
from kgqa_graphdb.operators.compare import Test, as_held, has_order, plainly
from kgqa_graphdb.operators.fits import ends_at, explains, in_value, passes
from kgqa_graphdb.operators.kinds import Kind, nouns_of
from kgqa_graphdb.operators.read import Condition, Extreme, Reading, read
from kgqa_graphdb.operators.words import DIMENSIONS, MOMENTS, NUMBERED
from kgqa_graphdb.plan import Aggregate, AggregateOp, Combine, CombineOp, Each, Every, Follow, Plan, yields_values
from kgqa_graphdb.rank import PathRanker, Proposal
from kgqa_graphdb.rank.question import TOPIC, mask_mention
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Entity, Link, Path, Question, Scalar, Step

NAMED = 0.9
"""The score of a link that names its entity."""
LEAST_FIT = 0.5
"""What the words of a condition must have in common with a path."""
LEAST_FIT_OF_KNOWN = 0.4
"""The same where the words say what the path leads to."""
LEAST_FIT_OF_MOMENTS = 0.3
"""The same where no measure is named, only a year: the values then must be moments."""
SAMPLED = 1_000
"""Entities whose values are looked at."""
SAMPLE = 20
"""Answers that are looked at for what can be said of them."""
MAX_HOPS = 3
MAX_PROPERTIES = 10
"""Properties that are tried for a text whose property is not named."""
NEAR = 0.75
"""Of the best path's fit: what is tried after it."""
ALIKE = 0.9
"""Of the best path's fit: what fits as well; the shortest of these is meant."""


class Model(Protocol):
    """Proposes paths; see :class:`kgqa_graphdb.methods.protocols.PathModel`."""

    def propose(
        self, question: str, start_codes: Sequence[str], max_hops: int = 3, limit: int = 32
    ) -> Steps[Proposal]: ...


@dataclass(frozen=True, slots=True)
class Composed:
    """A plan, and how well its paths fit the words that they stand for, 0..1.

    :ivar links: what it starts from
    """

    plan: Plan
    fit: float
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Operators:
    """Composes plans; keeps what it knows of a graph as long as that lives."""

    _rankers: WeakKeyDictionary[Graph, PathRanker] = field(default_factory=WeakKeyDictionary, init=False, repr=False)
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
        topic = named[0] if named else None
        other = next((link for link in named if topic and link.is_apart(topic)), None)
        text, joined = question.text, ""
        if topic and other:
            topic, other = sorted((topic, other), key=lambda link: link.start)
            if found := _JOINED.fullmatch(text[topic.end : other.start]):
                joined, text = found[0], text[: topic.end] + text[other.end :]
        if topic and other and not joined:
            plain = read(f"{text[: other.start]}something{text[other.end :]}", nouns, (topic.start, topic.end))
            asked = plain.wants == "exists" and not (plain.kind or plain.unsure or plain.extreme)
            asked = asked and not any(one.comparisons or one.negated or one.value for one in plain.conditions)
            asked = asked and not _EITHER.search(" ".join((text[topic.end : other.start], text[other.end :])))
            return (yield from _whether(question, topic, other, graph, model)) if asked else None
        reading = read(text, nouns, (topic.start, topic.end) if topic else None)
        if reading.unsure or not (joined or reading.compares or (topic is None and reading.kind)):
            return None
        tells = any(one.comparisons for one in reading.conditions)
        if reading.wants == "exists" and topic and not (reading.kind or tells):
            return None  # "is Tofu sweet or salty?" asks for more than a yes
        composer = _Composer(graph, self._ranker(graph, model), nouns, reading.noun, Memo())
        base = yield from composer.base(reading, topic, model)
        if base and other:
            both = _with_other(base.plan, other.entity, "or" if joined.split()[0] == "or" else "not")
            base = Composed(both, base.fit, (*base.links, other)) if both else None
        return (yield from composer.apply(base, reading)) if base else None

    def _ranker(self, graph: Graph, model: Model) -> PathRanker:
        """The untrained ranker, which says what the words of conditions mean; made when one is first needed."""
        if graph not in self._rankers:
            self._rankers[graph] = model if isinstance(model, PathRanker) else PathRanker(graph.mapping)
        return self._rankers[graph]


_JOINED = re.compile(r"\W+(?:or|(?:and |but )?(?:not|without|except))(?: (?:for|with|by|in|to|from))?\W+")
"""What stands between two topics of which either will do, or the second will not."""

_EITHER = re.compile(r"\bor\b", re.IGNORECASE)
"""Beside two topics: which of two is asked, one of which may be no topic ("is Ann male or female?")."""


def _proposed(topic: Link, text: str, graph: Graph, model: Model) -> Steps[Proposal]:
    """The paths from a topic for a text in which it is masked."""
    starts = yield from graph.first_steps([topic.entity])
    return (yield from model.propose(text, starts.get(topic.entity.element_id, ())))


def _whether(question: Question, topic: Link, other: Link, graph: Graph, model: Model) -> Steps[Composed | None]:
    """Whether the path that a question speaks of leads from one topic to the other."""
    masked = mask_mention(question.text, topic.start, topic.end, [(other.start, other.end)])
    proposal = yield from _proposed(topic, masked, graph, model)
    labels = set(other.entity.labels)
    for one in proposal.paths:
        ends = set(end_labels(one.item[-1]))
        if one.score >= proposal.least_fit and not in_value(one.item) and (not ends or ends & labels):
            plan = Aggregate("exists", Follow(topic.entity, one.item, to=other.entity))
            return Composed(plan, one.score, (topic, other))
    return None


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


@dataclass(slots=True)
class _Composer:
    graph: Graph
    ranker: PathRanker
    nouns: dict[str, Kind]
    noun: str
    memo: Memo
    samples: dict[Plan, tuple[str, ...]] = field(default_factory=dict)

    # ── what is asked for ────────────────────────────────────────────────────────────────────────────────────────────

    def base(self, reading: Reading, topic: Link | None, model: Model) -> Steps[Composed | None]:
        """The entities that conditions are said of."""
        every: Plan | None = Every(reading.kind.label) if reading.kind else None
        if every and reading.kind and reading.kind.by:
            every = Aggregate(">", every, (reading.kind.by,), 0)
        if topic is None:
            return Composed(every, 1.0) if every else None
        said = [one for one in reading.conditions if one.topic]
        text = f"which {reading.noun} {said[0].text if said else f'of {TOPIC}'}"
        proposal = yield from _proposed(topic, text, self.graph, model)
        found = [one for one in proposal.paths if one.score >= proposal.least_fit and ends_at(one.item, reading.kind)]
        if not found:
            return None
        # Of the ways to a kind that fit about as well the shortest is meant.
        near = [one for one in found if reading.kind is None or one.score >= NEAR * found[0].score]
        best = min(near, key=lambda one: len(one.item)) if reading.kind else found[0]
        follow = Follow(topic.entity, best.item)
        if said and said[0].negated:
            return Composed(Combine("not", (every, follow)), best.score, (topic,)) if every else None
        return Composed(follow, best.score, (topic,))

    # ── what holds of it ─────────────────────────────────────────────────────────────────────────────────────────────

    def apply(self, base: Composed, reading: Reading) -> Steps[Composed | None]:
        """The plan with all conditions, the greatest of it, and what is wanted of that."""
        found: Composed | None = base
        for condition in reading.conditions:
            if found is None:
                return None
            found = yield from self._hold(found, condition)
        if found and reading.extreme:
            found = yield from self._extreme(found, reading.extreme)
        if found and reading.wants in ("sum", "mean"):
            return (yield from self._total(found, reading))
        if found is None or reading.wants == "answers":
            return found
        if reading.wants == "count":
            return None if yields_values(found.plan) else replace(found, plan=Aggregate("count", found.plan))
        return replace(found, plan=Aggregate("exists", found.plan))

    def _hold(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those of which a condition holds."""
        if yields_values(found.plan):
            rows = yield from ask(Read(answers_statement(self.graph.mapping, found.plan, SAMPLE)))
            tests = as_held(condition.comparisons, [value for value, _ in rows]) if condition.comparisons else None
            return _compared(found, (), tests) if tests else None
        if condition.topic and not condition.comparisons:
            return found  # the base is what it says
        if condition.comparisons:
            return (yield from self._compare(found, condition))
        if condition.value:
            return (yield from self._equal(found, condition))
        return (yield from self._have(found, condition))

    def _compare(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        moment = any(one.moment or isinstance(one.value, date) for one in condition.comparisons)
        counts = all(isinstance(one.value, int) and one.counted for one in condition.comparisons)
        paths: list[tuple[Path, float]] = []
        for text in (*self._measures(condition), f"{self.noun} {MOMENTS}" if moment else ""):
            paths += (yield from self._paths(found.plan, text, None if counts else in_value)) if text else ()
        for path, fit in paths:
            if moment and not condition.text and len(path) > 1:
                continue
            tests: list[Test] | None = plainly(condition.comparisons)
            if path[-1].relation.kind != "edge":
                tests = as_held(condition.comparisons, (yield from self._values(found.plan, path)))
            if tests is None:
                continue
            within = _compared(found, path, tests, fit, condition.each)
            return _kept(found, within.plan, fit, negated=condition.negated)
        return None

    def _measures(self, condition: Condition) -> list[str]:
        """The words for what a condition compares: beside the topic, those after it or those before."""
        if not condition.topic:
            return [condition.text]
        before, _, after = condition.text.partition(TOPIC)
        return [" ".join(word for word in part.split() if word not in self.nouns) for part in (after, before)]

    def _equal(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those that have a text."""
        paths = (yield from self._paths(found.plan, condition.text, in_value)) if condition.text else []
        if condition.op == "=":
            ways = (yield from self._paths(found.plan, condition.text)) if condition.text else []
            paths += [longer for path, fit in ways[:1] for longer in self._properties_after(path, fit)]
            paths += yield from self._properties(found.plan)
        for path, fit in paths[:MAX_PROPERTIES]:
            plan = Aggregate(condition.op, found.plan, path, condition.value)
            if (yield from ask(Read(answers_statement(self.graph.mapping, plan, 1)))):
                return _kept(found, plan, fit, negated=condition.negated)
        return None

    def _have(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those that have something, or of which something is true; if nothing is said beside."""
        for path, fit in (yield from self._paths(found.plan, condition.text))[:1]:
            if not (self._spoken(condition.text, "") or explains(path, condition.text)):
                return None
            plan = Aggregate(">", found.plan, path, 0)
            if path[-1].relation.kind != "edge":
                values = yield from self._values(found.plan, path)
                if any(isinstance(value, bool) for value in values):
                    true = Aggregate("=", found.plan, path, not condition.negated)
                    return _kept(found, true, fit)
                plan = Aggregate("contains", found.plan, path, "")
            return _kept(found, plan, fit, negated=condition.negated)
        return None

    def _extreme(self, found: Composed, extreme: Extreme) -> Steps[Composed | None]:
        best: tuple[float, AggregateOp, Path] | None = None
        for way, measure in extreme.measures:
            adjective = any(measure == said for known in DIMENSIONS.values() for _, said in known)
            for path, fit in (yield from self._paths(found.plan, measure)):
                if adjective and (len(path) > 1 or path[-1].relation.kind == "edge"):
                    continue  # an adjective speaks of the thing itself
                if best and best[0] >= fit:
                    break
                if path[-1].relation.kind != "edge":
                    values = yield from self._values(found.plan, path)
                    numbers = all(isinstance(value, int | float) for value in values)
                    if not values or not all(map(has_order, values)) or (extreme.each and not numbers):
                        continue
                best = fit, way, path
                break
        if best is None:
            return None
        fit, op, path = best
        plan = Aggregate(op, found.plan, path, most=extreme.most, each=extreme.each)
        return _kept(found, plan, fit)

    def _total(self, found: Composed, reading: Reading) -> Steps[Composed | None]:
        if yields_values(found.plan):
            return None
        for path, fit in (yield from self._paths(found.plan, reading.measure)):
            values = yield from self._values(found.plan, path)
            if values and all(isinstance(value, int | float) for value in values):
                op: AggregateOp = "sum" if reading.wants == "sum" else "mean"
                return _kept(found, Aggregate(op, found.plan, path), fit)
        return None

    # ── what can be said of it ───────────────────────────────────────────────────────────────────────────────────────

    def _paths(
        self, plan: Plan, text: str, wanted: Callable[[Path], bool] | None = None
    ) -> Steps[list[tuple[Path, float]]]:
        """The paths from a plan's answers that some words mean, likeliest first."""
        starts = yield from self._starts(plan)
        proposal = yield from self.ranker.propose(f"which {text} of {TOPIC}", starts, MAX_HOPS)
        found = [one for one in proposal.paths if wanted is None or wanted(one.item)]
        best, least = (found[0].score if found else 0.0), LEAST_FIT if MOMENTS not in text else LEAST_FIT_OF_MOMENTS
        kept = [(one.item, one.score) for one in found if one.score >= max(least, NEAR * best)]
        if spoken := self._spoken(
            text, found[0].item[-1].phrase if found else ""
        ):  # "directed movies" leads to movies, or to something of theirs, the shortest way
            passing = [one for one in found if any(passes(one.item, kind) for kind in spoken)]
            if near := [one for one in passing if one.score >= max(LEAST_FIT_OF_KNOWN, NEAR * passing[0].score)]:
                return [(one.item, one.score) for one in sorted(near, key=lambda one: len(one.item))]
        return sorted(kept, key=lambda one: (one[1] < ALIKE * best, len(one[0]) if one[1] >= ALIKE * best else 0))

    def _spoken(self, text: str, known: str) -> list[Kind]:
        """The kinds that some words speak of, but for words of a phrase that fits them anyhow."""
        if MOMENTS in text:
            return []
        said = {noun: kind for noun, kind in self.nouns.items() if re.search(rf"\b{re.escape(noun)}\b", text)}
        return [kind for noun, kind in said.items() if noun not in known.split()]

    def _properties(self, plan: Plan) -> Steps[list[tuple[Path, float]]]:
        """The properties of a plan's answers."""
        mapping = self.graph.mapping
        steps = [mapping.step(code) for code in (yield from self._starts(plan))]
        return [((step,), 1.0) for step in steps if step.relation.kind == "property" and not step.relation.via]

    def _properties_after(self, path: Path, fit: float) -> list[tuple[Path, float]]:
        """The properties of what a path leads to."""
        labels = set(end_labels(path[-1])) if path[-1].relation.kind == "edge" else set()
        properties = (one for one in self.graph.mapping.relations if one.kind == "property" and labels & set(one.heads))
        return [((*path, Step(one)), fit) for one in properties if not one.via]

    def _starts(self, plan: Plan) -> Steps[tuple[str, ...]]:
        """The steps by which a plan's answers can be left: by their labels, or else as some of them can."""
        plan = _origin(plan)
        labels = {plan.label} if isinstance(plan, Every) else set(end_labels(plan.path[-1]))
        relations = [one for one in self.graph.mapping.relations if one.kind in ("edge", "property")]
        codes = [f">{one.id}" for one in relations if labels & set(one.heads)]
        codes += [f"<{one.id}" for one in relations if labels & set(one.tails) and one.kind == "edge"]
        if codes:
            return tuple(codes)
        result = yield from replace(self.graph, max_edges=SAMPLE, max_facts=0).execute(plan)
        some = [node for node in result.nodes if isinstance(node, Entity)][:SAMPLE]
        found = yield from self.graph.first_steps(some)
        return tuple(sorted({code for codes in found.values() for code in codes}))

    def _values(self, plan: Plan, path: Path) -> Steps[list[Scalar]]:
        """Some values that a path from a plan's answers leads to."""
        origin = _origin(plan)
        if origin not in self.samples:
            statement = answers_statement(self.graph.mapping, origin, SAMPLED)
            self.samples[origin] = tuple(row[0] for row in (yield from ask(Read(statement))))
        walk = yield from self.graph.walker.walk(self.samples[origin], path, self.memo)
        return [value for _, value in walk.values[:SAMPLE]]


def _origin(plan: Plan) -> Every | Follow:
    """What was narrowed down to a plan."""
    while isinstance(plan, Aggregate | Combine):
        plan = plan.over if isinstance(plan, Aggregate) else plan.parts[0]
    if not isinstance(plan, Every | Follow):
        raise UsageError("only entities of a kind, and what a path leads to, can be narrowed down")
    return plan


def _compared(found: Composed, path: Path, tests: Sequence[Test], fit: float = 1.0, each: Each = "") -> Composed:
    plan = found.plan
    for op, value in tests:
        plan = Aggregate(op, plan, path, value, each=each)
    return _kept(found, plan, fit)


def _kept(found: Composed, plan: Plan, fit: float, *, negated: bool = False) -> Composed:
    """What a plan leaves of what was found, or all but that."""
    return replace(found, plan=Combine("not", (found.plan, plan)) if negated else plan, fit=min(found.fit, fit))
