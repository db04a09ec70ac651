"""Plans for the conditions of a question: what each says is a path, found by its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

from kgqa_graphdb.compile import answers_statement
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.hops import end_labels
from kgqa_graphdb.operators.compare import Test, are_numbers, as_held, flags_of, have_order, plainly
from kgqa_graphdb.operators.finder import NEAR, SAMPLE, Finder, origin_of
from kgqa_graphdb.operators.fits import ends_at, explains, in_value, leads_to_entities
from kgqa_graphdb.operators.kinds import Kind
from kgqa_graphdb.operators.mark import Bound
from kgqa_graphdb.operators.reading import Condition, Extreme, Reading
from kgqa_graphdb.operators.same import Same
from kgqa_graphdb.operators.words import (
    AUXILIARIES,
    DIMENSIONS,
    FILLERS,
    MOMENTS,
    PREPOSITIONS,
    Direction,
    dimensions_of,
)
from kgqa_graphdb.plan import Aggregate, AggregateOp, Cite, Combine, Each, Every, Follow, Plan, yields_values
from kgqa_graphdb.rank import Proposal
from kgqa_graphdb.rank.question import TOPIC
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Link, Path, Scalar, Scored

MAX_PROPERTIES = 10
"""Properties that are tried for a text whose property is not named."""


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


def proposed(topic: Link, text: str, graph: Graph, model: Model) -> Steps[Proposal]:
    """The paths from a topic for a text in which it is masked."""
    starts = yield from graph.first_steps([topic.entity])
    return (yield from model.propose(text, starts.get(topic.entity.element_id, ())))


@dataclass(frozen=True, slots=True)
class Conditions:
    """Composes the plan of one reading.

    :ivar noun: for what is asked for
    :ivar topic: what the question begins at
    :ivar other: what others are compared with
    """

    finder: Finder
    model: Model
    noun: str
    topic: Link | None = None
    other: Link | None = None

    def compose(self, reading: Reading) -> Steps[Composed | None]:
        """The plan of a reading."""
        adjectives = [one for one in reading.conditions if any(test.adjective for test in one.comparisons)]
        if reading.wants == "exists" and self.topic and not reading.kind and adjectives:
            return (yield from self._whether_adjective(self.topic, reading)) if len(reading.conditions) == 1 else None
        if reading.per:
            return (yield from groups_of(self, reading))
        base = yield from self.base(reading)
        return (yield from self.apply(base, reading)) if base else None

    # ── what is asked for ────────────────────────────────────────────────────────────────────────────────────────────

    def base(self, reading: Reading) -> Steps[Composed | None]:
        """The entities that conditions are said of."""
        every: Plan | None = Every(reading.kind.label) if reading.kind else None
        if every and reading.kind and reading.kind.by:
            every = Aggregate(">", every, (reading.kind.by,), 0)
        topic = self.topic
        if topic is None or any(one.topic for within in reading.narrowed for one in within.conditions):
            if every and topic and reading.kind and reading.kind.label in topic.entity.labels:
                every = Combine("not", (every, Cite((topic.entity,), ())))  # "the most films with X": of others
            return Composed(every, 1.0) if every else None
        said = [one for one in reading.conditions if one.topic]
        text = f"which {reading.noun} {said[0].text if said else f'of {TOPIC}'}"
        proposal = yield from proposed(topic, text, self.finder.graph, self.model)
        found = [one for one in proposal.paths if one.score >= proposal.least_fit and ends_at(one.item, reading.kind)]
        if not found:
            return None
        # Of the ways to a kind that fit about as well the shortest is meant.
        near = [one for one in found if reading.kind is None or one.score >= NEAR * found[0].score]
        best = min(near, key=lambda one: len(one.item)) if reading.kind else found[0]
        if said and reading.kind and not said[0].comparisons and _says_nothing(said[0].text):
            best = yield from self._commonest(topic, [one for one in found if len(one.item) == 1] or [best])
        follow = Follow(topic.entity, best.item)
        if said and said[0].negated:
            return Composed(Combine("not", (every, follow)), best.score, (topic,)) if every else None
        return Composed(follow, best.score, (topic,))

    def _whether_adjective(self, topic: Link, reading: Reading) -> Steps[Composed | None]:
        """Whether the topic is as an adjective says: "is X cheaper than 20?", "is X older than Y?"."""
        (condition,) = reading.conditions
        if _says_something(condition.text.replace(TOPIC, "")):
            return None
        (comparison,) = condition.comparisons
        every = Every(topic.entity.labels[0])
        for way, measure in dimensions_of(comparison.adjective):
            for path, fit in (yield from self.finder.paths(every, measure, in_value)):
                if len(path) > 1:
                    continue
                tests = self._tests(condition, way, path, (yield from self.finder.values(every, path)), every)
                if tests:
                    links = (topic, self.other) if self.other else (topic,)
                    found = _compared(Composed(Follow(topic.entity, path), fit, links), (), tests)
                    return replace(found, plan=Aggregate("exists", found.plan))
        return None

    def _commonest(self, topic: Link, found: Sequence[Scored[Path]]) -> Steps[Scored[Path]]:
        """Of single steps that words as vague as "with" may mean, that which most entities of the topic's kind have."""
        counted: list[tuple[int, Scored[Path]]] = []
        for one in found:
            having = Aggregate(">", Every(topic.entity.labels[0]), one.item, 0)
            statement = answers_statement(self.finder.graph.mapping, Aggregate("count", having), 1)
            ((number, _),) = yield from ask(Read(statement))
            counted.append((number, one))
        return max(counted, key=lambda pair: pair[0])[1]

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
            return (yield from self._compare_values(found, condition))
        if condition.same:
            return (yield from self._meet(found, condition, condition.same))
        if condition.topic and not condition.comparisons:
            return found  # the base is what it says
        if condition.comparisons:
            compared = yield from self._compare(found, condition)
        elif condition.value:
            compared = yield from self._equal(found, condition)
        else:
            return (yield from self._have(found, condition))
        return compared or (yield from self._have_such(found, condition))

    def _have_such(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those that have something of which the condition holds: "directed by people born before 1950"."""
        words = condition.text.split()
        place = next((at for at, word in enumerate(words) if word in self.finder.nouns), None)
        if place is None or condition.within or any(one.counted for one in condition.comparisons):
            return None
        noun, kind = words[place], self.finder.nouns[words[place]]
        deed = " ".join(words[:place])
        told = Condition(" ".join(words[place + 1 :]), condition.comparisons, condition.value, condition.op)
        for path, fit in (yield from self.finder.paths(found.plan, f"{deed} {noun}".strip(), leads_to_entities)):
            done = path[-1].relation == kind.by.relation if kind.by and not deed else explains(path, deed)
            if len(path) > 1 or not done or not ends_at(path, kind):
                continue
            inside = yield from self._inside(Reading(kind=Kind(kind.label), noun=noun, conditions=(told,)))
            if inside is None:
                return None
            plan = Aggregate(">", found.plan, path, 0, within=inside.plan)
            return _kept(found, plan, min(fit, inside.fit), negated=condition.negated)
        return None

    def _compare_values(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """The values of the topic itself that compare so."""
        if not (condition.comparisons and isinstance(found.plan, Follow)):
            return None
        rows = yield from ask(Read(answers_statement(self.finder.graph.mapping, found.plan, SAMPLE)))
        tests = self._tests(condition, "max", found.plan.path, [value for value, _ in rows])
        return _compared(found, (), tests) if tests else None

    def _compare(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        if condition.within:
            text, narrowed = yield from self._attributed(found.plan, condition.text, condition.within)
            condition = replace(condition, text=text, within=narrowed)
        inside = (yield from self._inside(condition.within)) if condition.within else None
        if condition.within and inside is None:
            return None
        moment = any(one.moment or isinstance(one.value, date) for one in condition.comparisons)
        counts = all(isinstance(one.value, int) and one.counted for one in condition.comparisons)
        bounds = any(isinstance(one.value, Bound) for one in condition.comparisons)
        counts = counts or (bounds and any(noun in condition.text.split() for noun in self.finder.nouns))
        measures: list[tuple[str, Direction]] = [(text, "max") for text in self._measures(condition) if text]
        if moment:
            measures.append((f"{self.noun} {MOMENTS}", "max"))
        adjective = next((one.adjective for one in condition.comparisons if one.adjective), "")
        if adjective:  # what it compares is in no other words
            if _says_something(condition.text.replace(TOPIC, "")):
                return None
            measures = [(measure, way) for way, measure in dimensions_of(adjective)]
        for text, way in measures:
            for path, fit in (yield from self.finder.paths(found.plan, text, None if counts else in_value)):
                plain = moment and not condition.text
                if (plain or adjective) and (len(path) > 1 or path[-1].relation.kind == "edge"):
                    continue
                values: list[Scalar] = []
                if path[-1].relation.kind != "edge":
                    values = yield from self.finder.values(found.plan, path)
                tests = self._tests(condition, way, path, values, found.plan)
                if not tests or not _leads_through(path, condition.within):
                    continue
                within = _compared(found, path, tests, fit, condition.each, inside.plan if inside else None)
                others = [one for one in condition.comparisons if one.value is Bound.OTHER]
                if others and self.other:
                    within = replace(within, links=(*within.links, self.other))
                    if others[0].op == "=":  # it is not like itself
                        itself = Cite((self.other.entity,), ())
                        within = replace(within, plan=Combine("not", (within.plan, itself)))
                return _kept(replace(within, plan=found.plan), within.plan, fit, negated=condition.negated)
        return None

    def _tests(
        self,
        condition: Condition,
        way: Direction,
        path: Path,
        values: Sequence[Scalar],
        plan: Plan | None = None,
    ) -> list[Test] | None:
        """What the values at the end of a path are compared with; ``None``: they can't be.

        :param way: which way an adjective compares
        :param plan: whose answers have the values; ``None``: the topic has
        """
        in_values = path[-1].relation.kind != "edge"
        bounds = [one for one in condition.comparisons if isinstance(one.value, Bound)]
        if not bounds:
            said = [replace(one, op="<") if one.adjective and way == "min" else one for one in condition.comparisons]
            if any(one.adjective for one in said) and not are_numbers(values):
                return None  # "older than 50" is no year
            return as_held(said, values) if in_values else plainly(said)
        (one, *more) = bounds
        if more or len(condition.comparisons) > 1 or (in_values and one.op != "=" and not have_order(values)):
            return None
        if one.moment and (not in_values or not values):
            return None
        turned: dict[AggregateOp, AggregateOp] = {">": "<", "<": ">"}
        op = turned[one.op] if one.adjective and way == "min" else one.op
        if one.value is Bound.MEAN:
            if plan is None or not in_values or condition.each == "sum":
                return None
            return [(op, Aggregate("mean", origin_of(plan), path))]
        labels = {kind.label for kind in (self._kind_of(plan),) if kind} if plan else set(_labels(self.topic))
        if self.other is None or not labels & set(self.other.entity.labels):
            return None
        bound: Plan = Follow(self.other.entity, path)
        if not in_values:
            bound = Aggregate("count", bound)
        elif condition.each:
            bound = Aggregate(condition.each, bound)
        return [(op, bound)]

    def _kind_of(self, plan: Plan) -> Kind | None:
        origin = origin_of(plan)
        labels = (origin.label,) if isinstance(origin, Every) else end_labels(origin.path[-1])
        return Kind(labels[0]) if len(labels) == 1 else None

    def _inside(self, within: Reading) -> Steps[Composed | None]:
        """What a measure is narrowed down to."""
        inner = replace(self, noun=within.noun)
        found = yield from inner.compose(within)
        return found if found and not yields_values(found.plan) else None

    def _attributed(self, plan: Plan, measure: str, within: Reading) -> Steps[tuple[str, Reading | None]]:
        """A measure with the word before its noun, and what narrows it down, where the measure's path says that word.

        "The most directed films" are those that somebody directed most of, "the most acclaimed films" no such.
        """
        first, *others = within.conditions
        if not first.attributive:
            return measure, within
        said = f"{first.text} {measure}"
        paths = yield from self.finder.paths(plan, said, leads_to_entities)
        if not paths or not explains(paths[0][0], first.text):
            return measure, within
        return said, replace(within, conditions=tuple(others)) if others else None

    def _meet(self, found: Composed, condition: Condition, same: Same) -> Steps[Composed | None]:
        """Those of which several paths lead to the same entity."""
        inside = (yield from self._inside(condition.within)) if condition.within else None
        if condition.within and inside is None:
            return None
        kind = self.finder.nouns.get(same.noun)
        paths: list[Path] = []
        fit = 1.0
        for verb in same.verbs:
            ways = yield from self.finder.paths(found.plan, f"{verb} {same.noun}".strip(), leads_to_entities)
            fitting = [
                (path, score)
                for path, score in ways
                if len(path) == 1 and explains(path, verb) and (kind is None or ends_at(path, kind))
            ]
            if not fitting:
                return None
            paths.append(fitting[0][0])
            fit = min(fit, fitting[0][1])
        if len(set(paths)) < len(paths):
            return None
        first, *others = paths
        plan = Aggregate(">", found.plan, first, 0, meets=tuple(others), within=inside.plan if inside else None)
        return _kept(found, plan, fit)

    def _measures(self, condition: Condition) -> list[str]:
        """The words for what a condition compares: beside the topic, those after it or those before."""
        if not condition.topic:
            return [condition.text]
        before, _, after = condition.text.partition(TOPIC)
        return [" ".join(word for word in part.split() if word not in self.finder.nouns) for part in (after, before)]

    def _equal(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those that have a text."""
        paths = (yield from self.finder.paths(found.plan, condition.text, in_value)) if condition.text else []
        if condition.op == "=":
            ways = (yield from self.finder.paths(found.plan, condition.text)) if condition.text else []
            paths += [longer for path, fit in ways[:1] for longer in self.finder.properties_after(path, fit)]
            paths += yield from self.finder.properties(found.plan)
        for path, fit in paths[:MAX_PROPERTIES]:
            plan = Aggregate(condition.op, found.plan, path, condition.value)
            if (yield from ask(Read(answers_statement(self.finder.graph.mapping, plan, 1)))):
                return _kept(found, plan, fit, negated=condition.negated)
        return None

    def _have(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those that have something, or of which something is true; if nothing is said beside."""
        for path, fit in (yield from self.finder.paths(found.plan, condition.text))[:1]:
            if not (self.finder.spoken(condition.text, "") or explains(path, condition.text)):
                return None
            plan = Aggregate(">", found.plan, path, 0)
            if path[-1].relation.kind != "edge":
                flags = flags_of((yield from self.finder.values(found.plan, path)))
                if flags:
                    return _kept(found, Aggregate("=", found.plan, path, flags[not condition.negated]), fit)
                plan = Aggregate("contains", found.plan, path, "")
            return _kept(found, plan, fit, negated=condition.negated)
        return None

    def _extreme(self, found: Composed, extreme: Extreme) -> Steps[Composed | None]:
        if extreme.within:
            ((way, measure), *_) = extreme.measures
            measure, narrowed = yield from self._attributed(found.plan, measure, extreme.within)
            extreme = replace(extreme, measures=((way, measure),), within=narrowed)
        inside = (yield from self._inside(extreme.within)) if extreme.within else None
        if extreme.within and inside is None:
            return None
        best: tuple[float, AggregateOp, Path] | None = None
        for way, measure in extreme.measures:
            adjective = any(measure == said for known in DIMENSIONS.values() for _, said in known)
            for path, fit in (yield from self.finder.paths(found.plan, measure)):
                if adjective and (len(path) > 1 or path[-1].relation.kind == "edge"):
                    continue  # an adjective speaks of the thing itself
                if best and best[0] >= fit:
                    break
                if not _leads_through(path, extreme.within):
                    continue
                if path[-1].relation.kind != "edge":
                    values = yield from self.finder.values(found.plan, path)
                    if not (are_numbers(values) if extreme.each else have_order(values)):
                        continue
                best = fit, way, path
                break
        if best is None:
            return None
        fit, op, path = best
        within = inside.plan if inside else None
        plan = Aggregate(op, found.plan, path, most=extreme.most, each=extreme.each, within=within)
        return _kept(replace(found, links=(*found.links, *(inside.links if inside else ()))), plan, fit)

    def _total(self, found: Composed, reading: Reading) -> Steps[Composed | None]:
        if yields_values(found.plan):
            return None
        for path, fit in (yield from self.finder.paths(found.plan, reading.measure)):
            values = yield from self.finder.values(found.plan, path)
            if are_numbers(values):
                op: AggregateOp = "sum" if reading.wants == "sum" else "mean"
                return _kept(found, Aggregate(op, found.plan, path), fit)
        return None


def _compared(
    found: Composed, path: Path, tests: Sequence[Test], fit: float = 1.0, each: Each = "", within: Plan | None = None
) -> Composed:
    plan = found.plan
    for op, value in tests:
        plan = Aggregate(op, plan, path, value, each=each, within=within)
    return _kept(found, plan, fit)


def _kept(found: Composed, plan: Plan, fit: float, *, negated: bool = False) -> Composed:
    """What a plan leaves of what was found, or all but that."""
    return replace(found, plan=Combine("not", (found.plan, plan)) if negated else plan, fit=min(found.fit, fit))


def _leads_through(path: Path, within: Reading | None) -> bool:
    """Whether the last entities on a path are of the kind that a measure is narrowed down to."""
    if within is None or within.kind is None:
        return True
    edges = [step for step in path if step.relation.kind == "edge"]
    return bool(edges) and within.kind.label in end_labels(edges[-1])


def _says_something(text: str) -> bool:
    return any(word not in FILLERS | PREPOSITIONS and word not in AUXILIARIES for word in text.split())


def _says_nothing(text: str) -> bool:
    """Whether words tie a topic in without saying how: "with X", where "with" begins a condition, or "of X"."""
    return " ".join(word for word in text.split() if word not in FILLERS) in (TOPIC, f"of {TOPIC}")


def _labels(link: Link | None) -> tuple[str, ...]:
    return link.entity.labels if link else ()
