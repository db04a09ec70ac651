"""Plans for the conditions of a question: what each says is a path, found by its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from kgqa_graphdb.compile import answers_statement
from kgqa_graphdb.compose.compare import Test, are_numbers, as_stored, flags_of, have_order, plainly
from kgqa_graphdb.compose.composed import Composed, Model, compared, is_among, kept, may_end_at, proposed
from kgqa_graphdb.compose.coverage import alike
from kgqa_graphdb.compose.finder import SAMPLE, Finder, origin_of
from kgqa_graphdb.compose.fits import ends_at, in_value, is_direct, leads_through, leads_to_entities, says
from kgqa_graphdb.compose.moments import ended, moments_of_deed, own_moments, without_until
from kgqa_graphdb.compose.scale import admits, may_be_moment, scale_of
from kgqa_graphdb.compose.walked import bound_to_walk, followed, retraces, walked_first
from kgqa_graphdb.language.english_words import (
    AUXILIARIES,
    FILLERS,
    MOMENTS,
    MOST,
    PLAIN_PREPOSITIONS,
    SIZES,
    TIMES,
    Direction,
    dimensions_of,
)
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.parse.parsed import Bound, Comparison, Condition, ParsedQuestion, Same
from kgqa_graphdb.plan import (
    Aggregate,
    AggregateOp,
    Cite,
    Combine,
    CombineOp,
    Every,
    Follow,
    Plan,
    follow_either_way,
    yields_values,
)
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Link, Path, Scalar, Step

MAX_PROPERTIES = 10
"""Properties that are tried for a text whose property is not named."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Composes the plans of what holds of what is asked for.

    :ivar noun: for what is asked for
    :ivar topic: what the question begins at
    :ivar other: what others are compared with
    :ivar inside: composes what a measure is narrowed down to
    :ivar model: finds the paths from the topic
    :ivar also: a second topic, which stands in a condition as a text
    """

    finder: Finder
    noun: str
    topic: Link | None
    other: Link | None
    inside: Callable[[ParsedQuestion], Steps[Composed | None]]
    model: Model
    also: Link | None = None

    def hold(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those of which a condition holds."""
        if yields_values(found.plan):
            return (yield from self._compare_values(found, condition))
        if condition.same:
            return (yield from self._meet(found, condition, condition.same))
        if condition.label and (yield from self._share_nodes(found.plan, condition.label)):
            op: CombineOp = "not" if condition.negated else "and"
            return replace(found, plan=Combine(op, (found.plan, Every(condition.label))))
        if condition.topic and not condition.comparisons:
            return (yield from self._about_topic(found, condition)) if condition.again else found
        if condition.comparisons:
            met = yield from self._compare(found, condition)
        elif condition.value:
            met = yield from self._equal(found, condition)
        else:
            valued = yield from self._have_value(found, condition)
            return valued or (yield from self._have(found, condition))
        return met or (yield from self._have_such(found, condition))

    def _about_topic(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those that one more verb of the topic speaks of: "owns but does not review"."""
        if self.topic is None:
            return None
        proposal = yield from proposed(self.topic, f"which {self.noun} {condition.text}", self.finder.graph, self.model)
        verb = condition.text.replace(TOPIC, "")
        best = next(
            (one for one in proposal.paths if len(one.item) == 1 and self.finder.explains(one.item, verb)), None
        )
        if best is None or best.score < proposal.least_fit:
            return None
        plan = follow_either_way(Follow(self.topic.entity, best.item))
        fit = min(found.fit, best.score)
        return replace(found, plan=Combine("not" if condition.negated else "and", (found.plan, plan)), fit=fit)

    def _share_nodes(self, plan: Plan, label: str) -> Steps[bool]:
        """Whether some nodes of a plan's kinds carry another label, too."""
        origin = origin_of(plan)
        if isinstance(origin, Cite):
            return False
        labels = (origin.label,) if isinstance(origin, Every) else end_labels(origin.path[-1])
        if label in labels:
            return True
        for own in labels:
            both = Combine("and", (Every(own), Every(label)))
            if (yield from ask(Read(answers_statement(self.finder.graph.mapping, both, 1)))):
                return True
        return False

    def _have_such(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those that have something of which the condition holds: "directed by people born before 1950"."""
        words = condition.text.split()
        place = next((at for at, word in enumerate(words) if word in self.finder.nouns), None)
        if place is None or condition.within or any(one.counted for one in condition.comparisons):
            return None
        noun, kind = words[place], self.finder.nouns[words[place]]
        deed = " ".join(words[:place])
        of_such = Condition(" ".join(words[place + 1 :]), condition.comparisons, condition.value, condition.op)
        text = f"{deed} {noun}".strip()
        for path, fit in (yield from self.finder.paths(found.plan, text, leads_to_entities, condition.clause)):
            done = path[-1].relation == kind.by.relation if kind.by and not deed else self.finder.explains(path, deed)
            if len(path) > 1 or not done or not ends_at(path, kind):
                continue
            inside = yield from self.inside(ParsedQuestion(kind=Kind(kind.label), noun=noun, conditions=(of_such,)))
            if inside is None:
                return None
            plan = Aggregate(">", found.plan, path, 0, within=inside.plan)
            return kept(found, plan, min(fit, inside.fit), negated=condition.negated)
        return None

    def _compare_values(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """The values of the topic itself that compare so."""
        if not (condition.comparisons and isinstance(found.plan, Follow)):
            return None
        rows = yield from ask(Read(answers_statement(self.finder.graph.mapping, found.plan, SAMPLE)))
        tests = self.tests(condition, "max", found.plan.path, [value for value, _ in rows])
        return compared(found, (), tests) if tests else None

    def _share(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those of which a path leads to an entity to which it leads from another, too: "the same project as X"."""
        kind, other = self._kind_of(found.plan), self.other
        if len(condition.comparisons) > 1 or kind is None or other is None or kind.label not in other.entity.labels:
            return None
        for path, fit in (
            yield from self.finder.paths(found.plan, condition.text, leads_to_entities, condition.clause)
        ):
            if not self.finder.spoken(condition.text, "") or len(path) > 1:
                continue
            within = follow_either_way(Follow(other.entity, path))
            alike = Aggregate(">", found.plan, path, 0, within=within)
            plan = Combine("not", (alike, Cite((other.entity,), ())))  # it is not like itself
            linked = replace(found, links=(*found.links, other))
            return kept(linked, plan, fit, negated=condition.negated)
        return None

    def _compared_by(
        self, plan: Plan, condition: Condition, text: str, paths: Sequence[tuple[Path, float]]
    ) -> Iterator[tuple[Path, float, bool]]:
        """Those of some paths that a condition may be about, and whether each goes back the way to a plan's answers."""
        moment = any(one.moment or isinstance(one.value, date) for one in condition.comparisons)
        adjective = any(one.adjective for one in condition.comparisons)
        walked = self._walked(plan, condition)
        if walked and not adjective and not condition.within:
            paths = walked_first(list(paths), walked, text, self.finder.graph.mapping, moment=moment)
        for path, fit in paths:
            # Without kinds nothing tells whose moment one at the end of a longer path is.
            plain = moment and not (condition.text and self.finder.nouns)
            on_walk = retraces(path, walked)
            if (plain or adjective) and not on_walk and (not is_direct(path) or path[-1].relation.kind == "edge"):
                continue
            said = " ".join(word for word in text.split() if word not in self.noun.split())
            if not moment or on_walk or is_direct(path) or self.finder.says_when(path, said):
                yield path, fit, on_walk

    def _compare(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        if any(one.value is Bound.SHARED for one in condition.comparisons):
            return None if condition.within else (yield from self._share(found, condition))
        if condition.within:
            text, narrowed = yield from self.attributed(found.plan, condition.text, condition.within)
            condition = replace(condition, text=text, within=narrowed)
        inside = (yield from self.inside(condition.within)) if condition.within else None
        if condition.within and inside is None:
            return None
        counts = all(one.counted and _may_be_count(one) for one in condition.comparisons)
        bounds = any(isinstance(one.value, Bound) for one in condition.comparisons)
        counts = counts or (bounds and any(noun in condition.text.split() for noun in self.finder.nouns))
        of_others = bounds and not counts and all(one.counted for one in condition.comparisons)
        adjective = next((one.adjective for one in condition.comparisons if one.adjective), "")
        measures = self.measures(condition, self.noun)
        dated = not (condition.within or adjective) and all(one.moment for one in condition.comparisons)
        done = (yield from moments_of_deed(self.finder, found.plan, condition)) if dated else []
        for text, way in measures:
            wanted = None if counts or of_others else in_value
            paths = yield from self.finder.paths(found.plan, without_until(text), wanted, condition.clause)
            if of_others:  # "more children than X" is not what a child has more of
                paths = [one for one in paths if self._may_be_had(one[0], text)]
            paths = [*done, *paths] if not self._says_property(paths[:1], text) else [*paths, *done]
            own = self._compared_by(found.plan, condition, text, paths)
            if met := (yield from self._compare_by(found, condition, inside, text, way, own)):
                return met if isinstance(met, Composed) else None
        if not dated or [one.op for one in condition.comparisons] == [">="]:
            return None  # since when something holds is not when things came to be
        moments = [(path, fit, False) for path, fit in (yield from own_moments(self.finder, found.plan))]
        met = yield from self._compare_by(found, condition, inside, condition.text, "max", moments)
        return met if isinstance(met, Composed) else None

    def _compare_by(
        self,
        found: Composed,
        condition: Condition,
        inside: Composed | None,
        text: str,
        way: Direction,
        paths: Iterable[tuple[Path, float, bool]],
    ) -> Steps[Composed | Literal["unclear"] | None]:
        """Those of which a condition holds by the first of some paths that it may be about; ``None``: by none.

        :param inside: what the measure is narrowed down to
        :param text: the words for the measure
        """
        adjective = next((one.adjective for one in condition.comparisons if one.adjective), "")
        for path, fit, on_walk in paths:
            values: list[Scalar] = []
            if path[-1].relation.kind != "edge":
                values = yield from self.finder.values(found.plan, path)
            if adjective and not admits(path, values, text, self.finder.language):
                continue
            tested = replace(condition, comparisons=ended(condition, path, self.finder.language))
            tests = self.tests(tested, way, path, values, found.plan)
            if not tests or not leads_through(path, condition.within.kind if condition.within else None):
                continue
            taken = condition.negated and condition.topic
            if on_walk:
                bound = bound_to_walk(found.plan, path, tests, taken=taken)
                return kept(found, bound, fit, negated=condition.negated and not taken) if bound else "unclear"
            if taken:
                return "unclear"  # "not placed by X in 2024": what of it is denied?
            only = inside.plan if inside else self.finder.only(path, text)
            within = compared(found, path, tests, fit, condition.each, only)
            others = [one for one in condition.comparisons if one.value is Bound.OTHER]
            if others and self.other:
                within = replace(within, links=(*within.links, self.other))
                if others[0].op == "=":  # it is not like itself
                    itself = Cite((self.other.entity,), ())
                    within = replace(within, plan=Combine("not", (within.plan, itself)))
            return kept(replace(within, plan=found.plan), within.plan, fit, negated=condition.negated)
        return None

    def _says_property(self, found: Sequence[tuple[Path, float]], text: str) -> bool:
        """Whether words say the property that the first of some paths ends in: "launched" of those launched in 1998."""
        words = [word for word in text.split() if word not in MOMENTS.split()]
        return any(in_value(path) and says(path[-1].relation, words, self.finder.language) for path, _ in found)

    def _may_be_had(self, path: Path, text: str) -> bool:
        """Whether words may say how much there is at a path's end: entities, a value of its own, or one called so."""
        return is_direct(path) or not in_value(path) or self.finder.says_when(path, text)

    def _walked(self, plan: Plan, condition: Condition) -> Path:
        """The path by which the topic was left for a plan's answers, or for those that are taken away; empty: none."""
        if condition.negated and condition.topic and isinstance(plan, Combine):
            plan = plan.parts[-1]
        return next(iter(followed(plan)), ())

    def tests(
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
        scale = scale_of(path, values, self.finder.language) if in_values else ""
        if any(one.moment for one in condition.comparisons) and scale != "moment":
            return None
        if not bounds:
            comparisons = [
                replace(one, op=_OPPOSITE[one.op]) if one.adjective and way == "min" else one
                for one in condition.comparisons
            ]
            if scale == "moment" and any(one.adjective and not may_be_moment(one.value) for one in comparisons):
                return None  # "older than 50" is no year
            return as_stored(comparisons, values) if in_values else plainly(comparisons)
        (one, *more) = bounds
        if more or len(condition.comparisons) > 1 or (in_values and one.op != "=" and not have_order(values)):
            return None
        if one.op == "=" and TIMES & {*condition.text.split()} and not are_numbers(values):
            return None  # the same year is not the same day
        op = _OPPOSITE[one.op] if one.adjective and way == "min" else one.op
        if one.value is Bound.MEAN:
            if (
                plan is None
                or not in_values
                or condition.each == "sum"
                or not self.finder.explains(path, condition.mean_of)
            ):
                return None
            if isinstance(plan, Cite) or not are_numbers(values):  # the mean of one is no mean, that of days no day
                return None
            kind = self._kind_of(plan)  # of all such, not only of those that a topic leads to
            return [(op, Aggregate("mean", Every(kind.label) if kind else origin_of(plan), path))]
        labels = {kind.label for kind in (self._kind_of(plan),) if kind} if plan else set(_labels(self.topic))
        if self.other is None or (self.other.entity.labels and not labels & set(self.other.entity.labels)):
            return None
        bound = follow_either_way(Follow(self.other.entity, path))
        if not in_values:
            bound = Aggregate("count", bound)
        elif condition.each:
            bound = Aggregate(condition.each, bound)
        return [(op, bound)]

    def _kind_of(self, plan: Plan) -> Kind | None:
        origin = origin_of(plan)
        if isinstance(origin, Cite):
            return None
        labels = (origin.label,) if isinstance(origin, Every) else end_labels(origin.path[-1])
        return Kind(labels[0]) if len(labels) == 1 else None

    def attributed(self, plan: Plan, measure: str, within: ParsedQuestion) -> Steps[tuple[str, ParsedQuestion | None]]:
        """A measure with the word before its noun, and what narrows it down, where the measure's path says that word.

        "The most directed films" are those that somebody directed most of, "the most acclaimed films" no such.
        """
        first, *others = within.conditions
        if not first.attributive:
            return measure, within
        whole = f"{first.text} {measure}"
        paths = yield from self.finder.paths(plan, whole, leads_to_entities)
        deeds = " ".join(word for word in whole.split() if word not in self.finder.nouns)
        if not paths or not self.finder.explains(paths[0][0], deeds):
            return measure, within
        return whole, replace(within, conditions=tuple(others)) if others else None

    def _meet(self, found: Composed, condition: Condition, same: Same) -> Steps[Composed | None]:
        """Those of which several paths lead to the same entity."""
        inside = (yield from self.inside(condition.within)) if condition.within else None
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
                if len(path) == 1 and self.finder.explains(path, verb) and (kind is None or ends_at(path, kind))
            ]
            if not fitting:
                return None
            paths.append(fitting[0][0])
            fit = min(fit, fitting[0][1])
        if len(set(paths)) < len(paths):
            return None
        first, *others = paths
        plan = Aggregate(">", found.plan, first, 0, meets=tuple(others), within=inside.plan if inside else None)
        return kept(found, plan, fit)

    def measures(self, condition: Condition, noun: str) -> list[tuple[str, Direction]]:
        """The words for what a condition compares, and which way: what its adjective measures, or its own words.

        :param noun: for that of which it holds
        """
        if adjective := next((one.adjective for one in condition.comparisons if one.adjective), ""):
            own = " ".join(word for word in condition.text.replace(TOPIC, "").split() if word not in FILLERS)
            if not says_something(own):
                return [(measure, way) for way, measure in dimensions_of(adjective)]
            return [(own, way) for way, _ in dimensions_of(adjective)[:1]] if adjective in SIZES else []
        texts = [condition.text]
        if condition.topic:
            before, _, after = condition.text.partition(TOPIC)
            texts = [
                " ".join(word for word in part.split() if word not in self.finder.nouns) for part in (after, before)
            ]
        if any(one.moment or isinstance(one.value, date) for one in condition.comparisons):
            texts.append(f"{noun} {MOMENTS}".strip())
        return [(text, "max") for text in texts if {*text.split()} - PLAIN_PREPOSITIONS - AUXILIARIES]

    def _equal(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those that have a text."""
        if self.also and condition.value == self.also.entity.name:
            return (yield from self._tied(found, condition, self.also))
        paths = (yield from self.finder.paths(found.plan, condition.text, in_value)) if condition.text else []
        if condition.op == "=":
            clause = condition.clause
            ways = (yield from self.finder.paths(found.plan, condition.text, clause=clause)) if condition.text else []
            paths += [longer for path, fit in ways[:1] for longer in self.finder.properties_after(path, fit)]
            paths += yield from self.finder.properties(found.plan)
        for path, fit in paths[:MAX_PROPERTIES]:
            plan = Aggregate(condition.op, found.plan, path, condition.value)
            if (yield from ask(Read(answers_statement(self.finder.graph.mapping, plan, 1)))):
                return kept(found, plan, fit, negated=condition.negated)
        return None

    def _tied(self, found: Composed, condition: Condition, also: Link) -> Steps[Composed | None]:
        """Those from which a path leads to a second topic, or all but that."""
        bare = condition.negated and not condition.text  # "the missions of X except Apollo 11"
        if bare and (yield from is_among(also.entity, found.plan, self.finder.graph)):
            return kept(replace(found, links=(*found.links, also)), Cite((also.entity,), ()), 1.0, negated=True)
        paths = yield from self.finder.paths(found.plan, condition.text, leads_to_entities, condition.clause)
        may_end = yield from may_end_at([path for path, _ in paths], also.entity, self.finder.graph)
        for path, fit in paths:
            if condition.op == "=" and path in may_end:
                back = tuple(Step(step.relation, not step.inverse) for step in reversed(path))
                follow = Follow(also.entity, back)
                plan = Combine("not" if condition.negated else "and", (found.plan, follow_either_way(follow)))
                return kept(replace(found, links=(*found.links, also)), plan, fit)
        return None

    def _have_value(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those that have a value which the question writes like any word: "shipped orders", "the status shipped"."""
        named = yield from self.value_named(found.plan, condition.text)
        if named is None:
            return None
        path, fit, value = named
        return kept(found, Aggregate("=", found.plan, path, value), fit, negated=condition.negated)

    def value_named(self, plan: Plan, text: str) -> Steps[tuple[Path, float, str] | None]:
        """The property of a plan's answers, or of others of their kind, of which words are a value, and that."""
        words = [word for word in text.split() if word not in FILLERS]
        kind = self._kind_of(plan)
        for path, fit in (yield from self.finder.properties(plan)):
            own = {*self.finder.language.words_of(path[-1].relation.id).split(), *path[-1].relation.phrase.split()}
            said = [word for word in words if not any(alike(word, one, self.finder.language) for one in own)]
            if len(said) < len(words) and said and said[0] in PLAIN_PREPOSITIONS:
                said = said[1:]  # "specialise in tax law"
            wanted = " ".join(said)
            values = (yield from self.finder.values(Every(kind.label) if kind else plan, path)) if wanted else []
            value = next((one for one in values if isinstance(one, str) and one.casefold() == wanted), None)
            if value is not None:
                return path, fit, value
        return None

    def _have(self, found: Composed, condition: Condition) -> Steps[Composed | None]:
        """Those that have something, or of which something is true."""
        walked = self._walked(found.plan, condition)
        if walked and not condition.negated and self.finder.explains(walked, condition.text):
            return found  # "diagnosed" of those whom the topic is the diagnosis of
        for path, fit in (yield from self.finder.paths(found.plan, condition.text, clause=condition.clause))[:1]:
            if not (is_direct(path) or self.finder.nouns):
                return None
            if not (self.finder.spoken(condition.text, "") or self.finder.explains(path, condition.text)):
                return None
            if not self.finder.is_said(path, condition.text):
                return None
            plan = Aggregate(">", found.plan, path, 0, within=self.finder.only(path, condition.text))
            if path[-1].relation.kind != "edge":
                flags = flags_of((yield from self.finder.values(found.plan, path)))
                if flags:
                    return kept(found, Aggregate("=", found.plan, path, flags[not condition.negated]), fit)
                plan = Aggregate("contains", found.plan, path, "")
            return kept(found, plan, fit, negated=condition.negated)
        return None


_OPPOSITE: dict[AggregateOp, AggregateOp] = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "=": "="}


def _may_be_count(one: Comparison) -> bool:
    """Whether a number may say how many; "in 1988" does not."""
    return isinstance(one.value, int) and not (one.op == "=" and one.value > MOST)


def _labels(link: Link | None) -> tuple[str, ...]:
    return link.entity.labels if link else ()


def says_something(text: str) -> bool:
    """Whether there are words that mean something by themselves."""
    return any(word not in FILLERS | PLAIN_PREPOSITIONS and word not in AUXILIARIES for word in text.split())
