"""The plan of a parsed question: what is asked for, what holds of it, its greatest, and what is wanted of that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgqa_graphdb.compile import answers_statement
from kgqa_graphdb.compose.compare import are_numbers, flags_of, have_order
from kgqa_graphdb.compose.composed import Composed, Model, compared, kept, lacking_step, proposed
from kgqa_graphdb.compose.conditions import Conditions, says_something
from kgqa_graphdb.compose.finder import ALIKE, NEAR, Finder, names_of
from kgqa_graphdb.compose.first import first_done
from kgqa_graphdb.compose.fits import ends_at, in_value, is_direct, keeps_ends, leads_through, tells_when
from kgqa_graphdb.compose.groups import groups_of
from kgqa_graphdb.compose.moments import moments_of_deed
from kgqa_graphdb.compose.scale import admits, is_age, is_moment
from kgqa_graphdb.compose.walked import back_over, followed
from kgqa_graphdb.language.english_words import AGE, DIMENSIONS, FILLERS, MOMENTS, ORIGIN_MEASURES
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.parse.parsed import Condition, Extreme, ParsedQuestion
from kgqa_graphdb.plan import (
    Aggregate,
    AggregateOp,
    Cite,
    Combine,
    Every,
    Follow,
    Plan,
    follow_either_way,
    yields_values,
)
from kgqa_graphdb.reductions import REDUCTIONS
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Link, Path, Scalar, Scored


@dataclass(frozen=True, slots=True)
class Composer:
    """Composes the plan of a parsed question.

    :ivar noun: for what is asked for
    :ivar topic: what the question begins at
    :ivar other: what others are compared with
    :ivar also: a second topic, which stands in a condition as a text
    """

    finder: Finder
    model: Model
    noun: str
    topic: Link | None = None
    other: Link | None = None
    also: Link | None = None

    def compose(self, parsed: ParsedQuestion) -> Steps[Composed | None]:
        """The plan of a parsed question."""
        if parsed.per:
            return (yield from groups_of(self.finder, self.compose, parsed))
        if parsed.wants == "exists" and self.topic and (label := is_labelled(parsed)):
            carriers = Combine("and", (Cite((self.topic.entity,), ()), Every(label)))
            return Composed(Aggregate("exists", carriers), 1.0, (self.topic,))
        if parsed.wants == "exists" and self.topic and not parsed.kind:
            return (yield from self._whether(self.topic, parsed))
        if self.topic and _sums_up_topic(parsed):
            return (yield from self._of_topic_alone(self.topic, parsed))
        base = yield from self.base(parsed)
        return (yield from self.apply(base, parsed)) if base else None

    def _of_topic_alone(self, topic: Link, parsed: ParsedQuestion) -> Steps[Composed | None]:
        """The sum, mean and so on of what a topic has several of, called by its own name: "the total quantity of X"."""
        itself = Composed(Cite((topic.entity,), ()), 1.0, (topic,))
        for path, fit in (yield from self.finder.saying_own_words(itself.plan, parsed.measure, [])):
            values = yield from self.finder.values(itself.plan, path)
            if len(path) > 1 and are_numbers(values):
                return kept(itself, Aggregate(parsed.wants, itself.plan, path), fit)
        return None

    def names_value(self, parsed: ParsedQuestion) -> Steps[bool]:
        """Whether a bare condition on entities of a kind is a value of theirs: "open tasks"."""
        for one in parsed.conditions if parsed.kind and parsed.kind.by is None else ():
            bare = not (one.topic or one.comparisons or one.value or one.negated or one.label or one.same)
            if parsed.kind and bare and (yield from self.conditions.value_named(Every(parsed.kind.label), one.text)):
                return True
        return False

    def whether_any(self, counted: ParsedQuestion) -> Steps[Composed | None]:
        """Whether there are any of what a question counts."""
        found = None if counted.unsure else (yield from self.compose(counted))
        if found and isinstance(found.plan, Aggregate) and found.plan.op == "count":
            return replace(found, plan=replace(found.plan, op="exists"), named=counted.kind is not None)
        return None

    def whether_flag(self, parsed: ParsedQuestion) -> Steps[Composed | None]:
        """Whether the topic has yes in a property that holds but yes and no: "is X customer facing?"."""
        condition = parsed.conditions[0] if len(parsed.conditions) == 1 else None
        if self.topic is None or condition is None or condition.negated:
            return None
        words = {*condition.text.replace(TOPIC, "").split()} - FILLERS
        cited = Cite((self.topic.entity,), ())
        for path, _ in (yield from self.finder.properties(cited)):
            if words in [{*name.split()} - FILLERS for name in names_of(path[-1].relation, self.finder.language)]:
                flags = flags_of((yield from self.finder.values(cited, path)))
                if flags:
                    return Composed(Aggregate("exists", Aggregate("=", cited, path, flags[1])), 1.0, (self.topic,))
        return None

    def inside(self, within: ParsedQuestion) -> Steps[Composed | None]:
        """What a measure is narrowed down to."""
        inner = replace(self, noun=within.noun)
        found = yield from inner.compose(within)
        return found if found and not yields_values(found.plan) else None

    @property
    def conditions(self) -> Conditions:
        """Composes the conditions."""
        return Conditions(self.finder, self.noun, self.topic, self.other, self.inside, self.model, self.also)

    # ── what is asked for ────────────────────────────────────────────────────────────────────────────────────────────

    def base(self, parsed: ParsedQuestion) -> Steps[Composed | None]:
        """The entities that conditions are about."""
        every: Plan | None = Every(parsed.kind.label) if parsed.kind else None
        if every and parsed.kind and parsed.kind.by:
            every = Aggregate(">", every, (parsed.kind.by,), 0)
        topic = self.topic
        if topic is None or any(one.topic for within in parsed.narrowed for one in within.conditions):
            if every and topic and parsed.kind and parsed.kind.label in topic.entity.labels:
                every = Combine("not", (every, Cite((topic.entity,), ())))  # "the most films with X": of others
            return Composed(every, 1.0) if every else None
        about_topic = [one for one in parsed.conditions if one.topic]
        if about_topic and not (parsed.kind or says_something(about_topic[0].text.replace(TOPIC, ""))):
            return None  # "the largest city in X", where nobody knows what cities are
        text = f"which {parsed.noun} {about_topic[0].text if about_topic else f'of {TOPIC}'}"
        proposal = yield from proposed(topic, text, self.finder.graph, self.model)
        found = [one for one in proposal.paths if one.score >= proposal.least_fit and ends_at(one.item, parsed.kind)]
        if not self.model.in_domain:
            found = [one for one in found if keeps_ends(one.item, text, self.finder.language)]
        if not found:
            return None
        # Of the ways to a kind that fit about as well the shortest is meant.
        share = NEAR if parsed.kind else ALIKE
        near = [one for one in found if one.score >= share * found[0].score]
        words = "" if self.model.in_domain or not parsed.kind else text.replace(TOPIC, "")
        best = min(near, key=lambda one: (-self.finder.words_said(one.item, words), len(one.item)))
        if about_topic and parsed.kind and not about_topic[0].comparisons and _says_nothing(about_topic[0].text):
            best = yield from self._commonest(topic, [one for one in found if len(one.item) == 1] or [best])
        if parsed.wants == "count" and len(best.item) > 1 and not self.model.in_domain:
            lacking = lacking_step(topic, text, self.model.untrained)
            if lacking and lacking != best.item[0]:
                best = Scored((lacking,), best.score)  # of which the topic has none
        follow = follow_either_way(Follow(topic.entity, best.item))
        if about_topic and about_topic[0].negated:
            return Composed(Combine("not", (every, follow)), best.score, (topic,)) if every else None
        if parsed.extreme or parsed.wants != "answers":
            follow = yield from self._with_way_back(follow, text)
        return Composed(follow, best.score, (topic,))

    def _with_way_back(self, follow: Plan, text: str) -> Steps[Plan]:
        """A plan whose path goes there and back the same way, with its topic, which a count or a sum is of, too.

        Of a list, and where words speak of others, the topic is none.
        """
        finder = self.finder
        if not isinstance(follow, Follow) or len(follow.path) < 2 or follow.path != back_over(follow.path):
            return follow
        if finder.graph.mapping.label is not None or finder.language.sharing & {*text.split()}:
            return follow
        there = replace(follow, path=follow.path[: len(follow.path) // 2])
        if not (yield from finder.graph.execute(there, finder.memo)).nodes:
            return follow
        return Combine("or", (follow, Cite((follow.topic,), ())))

    def _whether(self, topic: Link, parsed: ParsedQuestion) -> Steps[Composed | None]:
        """Whether the topic compares so: "is X cheaper than 20?", "was X opened before Y?"."""
        bare = [one for one in parsed.conditions if one.topic and one.text == TOPIC and not one.comparisons]
        parsed = replace(parsed, conditions=tuple(one for one in parsed.conditions if one not in bare))
        if len(parsed.conditions) != 1 or not parsed.conditions[0].comparisons or parsed.conditions[0].negated:
            return None
        # Where there are no kinds, what the topic has itself is meant before what anything else may have.
        ways = (self._of_topic, self._of_path) if not topic.entity.labels else (self._of_path, self._of_topic)
        for way in ways if not bare else (self._of_topic,):  # "does X have more beds than Y?" speaks of X alone
            found = yield from way(topic, parsed)
            if found:
                return found
        return None

    def _of_path(self, topic: Link, parsed: ParsedQuestion) -> Steps[Composed | None]:
        """Whether what a path from the topic leads to compares so."""
        if parsed.conditions[0].comparisons[0].adjective:
            return None
        base = yield from self.base(parsed)
        return (yield from self.apply(base, parsed)) if base else None

    def _of_topic(self, topic: Link, parsed: ParsedQuestion) -> Steps[Composed | None]:
        """Whether a value of the topic itself compares so."""
        (condition,) = parsed.conditions
        adjective = condition.comparisons[0].adjective
        every: Plan = Every(topic.entity.labels[0]) if topic.entity.labels else Cite((topic.entity,), ())
        for measure, way in self.conditions.measures(condition, self._called(topic)):
            for path, fit in (yield from self.finder.paths(every, measure, in_value)):
                values = yield from self.finder.values(every, path)
                if not is_direct(path) or (adjective and not admits(path, values, measure, self.finder.language)):
                    continue
                tests = self.conditions.tests(condition, way, path, values, every)
                if tests and (yield from self._have_values(path, topic, self.other)):
                    links = (topic, self.other) if self.other else (topic,)
                    met = compared(Composed(Follow(topic.entity, path), fit, links), (), tests)
                    return replace(met, plan=Aggregate("exists", met.plan))
        return None

    def _have_values(self, path: Path, *links: Link | None) -> Steps[bool]:
        """Whether all that is compared has what is compared: of what is not known neither yes nor no is right."""
        for link in links:
            if link and not (yield from self.finder.graph.execute(Follow(link.entity, path))).nodes:
                return False
        return True

    def _called(self, topic: Link) -> str:
        """The word for a topic's kind."""
        return self.finder.language.words_of(topic.entity.labels[0]) if topic.entity.labels else ""

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

    def apply(self, base: Composed, parsed: ParsedQuestion) -> Steps[Composed | None]:
        """The plan with all conditions, the greatest of it, and what is wanted of that."""
        found: Composed | None = _of_kind(base, parsed.kind)
        conditions = self.conditions
        for condition in parsed.conditions:
            if found is None:
                return None
            found = yield from conditions.hold(found, condition)
        if found and parsed.extreme:
            said = next((one.text for one in parsed.conditions if one.topic), "")
            found = yield from self._extreme(found, parsed.extreme, said)
        if found is None or parsed.wants == "answers":
            return found
        if parsed.wants == "none":
            return None if found.plan == base.plan else replace(found, plan=_lacking(base.plan, found.plan))
        if REDUCTIONS[parsed.wants].family == "values":
            return (yield from self._total(found, parsed))
        if parsed.wants == "count" and yields_values(found.plan):
            return None
        return replace(found, plan=Aggregate(parsed.wants, found.plan))

    def greatest(self, base: Composed, parsed: ParsedQuestion) -> Steps[Composed | None]:
        """The greatest of some entities, where a question asks for nothing else."""
        if parsed.extreme is None or parsed.conditions or parsed.extreme.within:
            return None
        return (yield from self._extreme(base, parsed.extreme))

    def _extreme(self, found: Composed, extreme: Extreme, said: str = "") -> Steps[Composed | None]:
        """The greatest or the least.

        :param said: what the question says of the topic
        """
        if extreme.within:
            ((way, measure), *_) = extreme.measures
            measure, narrowed = yield from self.conditions.attributed(found.plan, measure, extreme.within)
            extreme = replace(extreme, measures=((way, measure),), within=narrowed)
        inside = (yield from self.inside(extreme.within)) if extreme.within else None
        if extreme.within and inside is None:
            return None
        if self.topic and (dated := (yield from first_done(found, self.topic, extreme, self.finder, said))):
            return dated
        best: tuple[float, AggregateOp, Path, str] | None = None
        for way, measure in extreme.measures:
            adjective = any(measure == known_measure for known in DIMENSIONS.values() for _, known_measure in known)
            paths = yield from self.finder.paths(found.plan, measure, clause=extreme.clause)
            if paths and paths[0][0][-1].relation.kind == "edge" and not self.finder.spoken(measure, ""):
                own = yield from self.finder.saying_own_words(found.plan, measure, paths)
                paths = own if extreme.each else own or paths  # entities are not summed up
            if measure.endswith(f" {MOMENTS}"):
                deed = Condition(measure.removesuffix(MOMENTS).strip(), clause=extreme.clause)
                paths = [*(yield from moments_of_deed(self.finder, found.plan, deed)), *paths]
            for path, fit in paths:
                if adjective and (not is_direct(path) or path[-1].relation.kind == "edge"):
                    continue  # an adjective speaks of the thing itself
                if best and best[0] >= fit:
                    break
                if not leads_through(path, extreme.within.kind if extreme.within else None):
                    continue
                if not tells_when(path, measure, self.finder.language):
                    continue
                in_values = path[-1].relation.kind != "edge"
                values = (yield from self.finder.values(found.plan, path)) if in_values else []
                if not self._may_rank(path, values, measure, each=bool(extreme.each), adjective=adjective):
                    continue
                best = fit, way, path, measure
                break
            if best and measure in (*ORIGIN_MEASURES, AGE):
                break  # of what somebody was born at the age is no better measure
        if best is None:
            return None
        fit, op, path, measure = best
        within = inside.plan if inside else self.finder.only(path, measure)
        plan = Aggregate(op, found.plan, path, most=extreme.most, each=extreme.each, within=within)
        return kept(replace(found, links=(*found.links, *(inside.links if inside else ()))), plan, fit)

    def _may_rank(self, path: Path, values: Sequence[Scalar], measure: str, *, each: bool, adjective: bool) -> bool:
        """Whether what a path leads to can be the greatest or the least of a measure."""
        at_an_age = measure.startswith(f"{AGE} ")  # "who died oldest"
        if path[-1].relation.kind == "edge":
            return not (at_an_age or measure.endswith(f" {MOMENTS}"))
        if not (are_numbers(values) if each or at_an_age else have_order(values)):
            return False
        if at_an_age:
            return is_age(path, self.finder.language)
        return not (adjective or is_moment(measure)) or admits(path, values, measure, self.finder.language)

    def _total(self, found: Composed, parsed: ParsedQuestion) -> Steps[Composed | None]:
        if yields_values(found.plan) or not parsed.measure:
            return None
        paths = yield from self.finder.paths(found.plan, parsed.measure)
        for path, fit in (yield from self.finder.saying_own_words(found.plan, parsed.measure, paths)):
            values = yield from self.finder.values(found.plan, path)
            if are_numbers(values):
                return kept(found, Aggregate(parsed.wants, found.plan, path), fit)
        return None


def _lacking(base: Plan, found: Plan) -> Aggregate:
    """Whether all of some are so: none of them is not."""
    return Aggregate("none", Combine("not", (base, found)))


def _of_kind(base: Composed, kind: Kind | None) -> Composed:
    """Those of a kind, where paths lead to others, too: "companies that own X" are no people."""
    ends = {label for path in followed(base.plan) for label in end_labels(path[-1])}
    if kind is None or not ends - {kind.label}:
        return base
    return replace(base, plan=Combine("and", (base.plan, Every(kind.label))))


def _sums_up_topic(parsed: ParsedQuestion) -> bool:
    """Whether a question sums up what a topic has, and says nothing else."""
    alone = len(parsed.conditions) == 1 and parsed.conditions[0].topic and _says_nothing(parsed.conditions[0].text)
    bare = alone and not (parsed.conditions[0].comparisons or parsed.conditions[0].negated)
    return bool(bare and parsed.measure and parsed.kind is None and REDUCTIONS[parsed.wants].family == "values")


def is_labelled(parsed: ParsedQuestion) -> str:
    """The label that a question asks whether the topic carries; empty: it asks for something else."""
    labels = [one.label for one in parsed.conditions if one.topic and not one.negated]
    return labels[0] if len(labels) == len(parsed.conditions) == 1 and parsed.kind is None else ""


def _says_nothing(text: str) -> bool:
    """Whether words tie a topic in without saying how: "with X", where "with" begins a condition, or "of X"."""
    return " ".join(word for word in text.split() if word not in FILLERS) in (TOPIC, f"of {TOPIC}")
