"""Plans for what a question was read to do: each of its conditions a path, found by the ranker of paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

from kgqa_graphdb.compose.composed import Composed, Model, NotCovered, NoValue, is_among
from kgqa_graphdb.compose.composer import Composer
from kgqa_graphdb.compose.coverage import Coverage
from kgqa_graphdb.compose.doers import together_of, with_doers
from kgqa_graphdb.compose.either import of_two
from kgqa_graphdb.compose.finder import Finder
from kgqa_graphdb.compose.missing import missing_value
from kgqa_graphdb.compose.since import asks_when, since_when
from kgqa_graphdb.compose.tied import tied_by_kind
from kgqa_graphdb.compose.whether import asks_whether_so, of_each, whether, whether_compared
from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.link.topics import named_links, topics_of
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.parse import Lexicon, ParsedQuestion, Parser, parser_of
from kgqa_graphdb.parse.cues import asks_whether, counts, negation_in
from kgqa_graphdb.parse.joined import EachOf, Joined, each_of_two, how_many, is_compared_with, joined
from kgqa_graphdb.parse.lexicon import PEOPLE, Kind, person_kinds
from kgqa_graphdb.parse.parsed import Bound, Condition
from kgqa_graphdb.plan import Cite, Combine, Follow, Plan
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Link, Question


@dataclass(frozen=True, slots=True)
class QuestionComposer:
    """Composes plans of questions; keeps the words of a graph as long as that lives.

    :ivar parser: takes questions apart; ``None``: the one of the graph's language
    """

    parser: Parser | None = None
    _lexica: WeakKeyDictionary[Graph, Lexicon] = field(default_factory=WeakKeyDictionary, init=False, repr=False)

    def compose(
        self, question: Question, links: Sequence[Link], graph: Graph, model: Model
    ) -> Steps[Composed | NotCovered | NoValue | None]:
        """A plan for a question that compares, counts or ranks; ``None``: it does not, or it is not understood.

        :param links: likeliest first
        :param model: finds the path from a topic
        """
        found = yield from self._covered(question, links, graph, model)
        text = question.text
        asks = asks_whether(text, links, graph.mapping.language) or counts(text, links) or asks_when(text)
        if isinstance(found, Composed | NoValue) or (found is None and not asks):
            return found
        nouns = self._lexicon(graph).nouns
        if named_links(text, links, nouns, parts=True) == named_links(text, links, nouns):
            return found
        again = yield from self._covered(question, links, graph, model, parts=True)
        return again if again and (found is None or isinstance(again, Composed)) else found

    def _covered(
        self, question: Question, links: Sequence[Link], graph: Graph, model: Model, *, parts: bool = False
    ) -> Steps[Composed | NotCovered | NoValue | None]:
        """See :meth:`compose`.

        :param parts: parts of names count as names, which else are texts that something may have
        """
        found = yield from self._compose(question, links, graph, model, parts=parts)
        if isinstance(found, NoValue):
            return found
        if not isinstance(found, Composed):
            found = (yield from self._tied(question.text, links, graph, model, parts=parts)) or found
        if found is None:
            return None
        coverage = Coverage(question.text, links, model.untrained)
        if isinstance(found, NotCovered):
            return NotCovered((yield from coverage.unknown(self._lexicon(graph).nouns)))
        word = yield from coverage.lacking(found.plan, named=found.named)
        return NotCovered(word) if word else found

    def _compose(
        self, question: Question, links: Sequence[Link], graph: Graph, model: Model, *, parts: bool
    ) -> Steps[Composed | NotCovered | NoValue | None]:
        """See :meth:`compose`; a question that counts or ranks entities of a kind has a plan or is not covered."""
        parser = self.parser or parser_of(graph.mapping.language)
        if parser is None:
            return None
        lexicon = self._lexicon(graph)
        names = _Names.of(question.text, links, lexicon, parts=parts)
        topic, other, bound = names.topic, names.other, names.bound
        if names.three and (both := each_of_two(question.text, names.three)):
            return (yield from self._whether_each(both, graph, model))
        if names.unclear(question.text, graph.mapping):
            return None  # which of three is left out?
        text, pair, also = question.text, None, None
        if topic and not names.more and (value := (yield from _value_of(text, topic, names, graph, model))):
            return value
        if topic and other:
            if asked := of_two(text, topic, other):
                return (yield from self._greater(parser.parse(asked, lexicon), (topic, other), lexicon, graph, model))
            pair = joined(text, topic, other)
        if pair:
            text, topic = pair.text, pair.topic
        elif topic and other:
            if whether_so := asks_whether_so(parser, text, topic, other, lexicon):
                return (yield from self._whether(whether_so, question, topic, other, graph, model))
            also, other = other, None
            text = f'{text[: also.start]}"{also.entity.name}"{text[also.end :]}'
        one, than = ((link.start, link.end) if link else None for link in (topic, bound))
        parsed = _alike(parser.parse(text, lexicon, one, than), bound, lexicon)
        if topic is None and not model.in_domain:
            parsed = with_doers(parsed, text, lexicon.nouns, model.untrained)
        # Who learned from the graph's own questions knows of two paths together what the words of each alone don't say.
        apart = also and not model.in_domain and _has_clause(parsed, also)
        if also and not (apart or _does_more(parsed, also)):
            return None
        if topic is None and parsed.kind is None and parsed.noun == PEOPLE and parsed.compares and not parsed.unsure:
            return (yield from self._of_persons(parsed, question, links, bound, graph, model))
        more = pair or parsed.compares or (topic is None and parsed.kind)
        if parsed.unsure or not (more or (parsed.kind and not model.in_domain)):
            return _nothing(parsed, bound)
        tells = any(one.comparisons or one.label for one in parsed.conditions)
        if parsed.wants == "exists" and topic and not (parsed.kind or tells):
            return None if also else (yield from _whether_it(parsed, parser, text, topic, lexicon, graph, model))
        finder = Finder(graph, model.untrained, lexicon.nouns, Memo())
        composer = Composer(finder, model, parsed.noun, topic, bound, also)
        return (yield from _of_parsed(parsed, composer, pair, other))

    def _of_persons(
        self,
        parsed: ParsedQuestion,
        question: Question,
        links: Sequence[Link],
        bound: Link | None,
        graph: Graph,
        model: Model,
    ) -> Steps[Composed | NotCovered | None]:
        """The plan of a question that says but "who", where several kinds are persons: of those that it fits best."""
        nouns = self._lexicon(graph).nouns
        finder = Finder(graph, model.untrained, nouns, Memo())
        coverage = Coverage(question.text, links, model.untrained)
        every: list[Composed] = []
        for kind in person_kinds(nouns):
            composer = Composer(finder, model, parsed.noun, other=bound)
            found = yield from _of_parsed(replace(parsed, kind=kind), composer, None, None)
            if isinstance(found, Composed) and not (yield from coverage.lacking(found.plan, named=found.named)):
                every.append(found)
        best = [one for one in every if one.fit == max(other.fit for other in every)]
        return together_of(best) or _nothing(parsed, bound)

    def _whether(
        self, asked: ParsedQuestion, question: Question, topic: Link, other: Link, graph: Graph, model: Model
    ) -> Steps[Composed | None]:
        """Whether something leads from one topic to the other, and what is said of it holds.

        :param asked: the question, with no name in the place of the other
        """
        condition = next((one for one in asked.conditions if one.comparisons), None)
        if condition is None:
            return (yield from whether(question, topic, other, graph, model))
        finder = Finder(graph, model.untrained, self._lexicon(graph).nouns, Memo())
        conditions = Composer(finder, model, "", topic).conditions
        return (yield from whether_compared(condition, topic, other, conditions))

    def _whether_each(self, both: EachOf, graph: Graph, model: Model) -> Steps[Composed | None]:
        """Whether something is so of either or both of two; ``None``: of one of them that is not understood."""
        parser, lexicon = self.parser or parser_of(graph.mapping.language), self._lexicon(graph)
        found: list[Composed] = []
        for text, topic, other in both.each:
            asked = asks_whether_so(parser, text, topic, other, lexicon) if parser else None
            one = (yield from self._whether(asked, Question(text), topic, other, graph, model)) if asked else None
            if one is None:
                return None
            found.append(one)
        return of_each(both.op, found)

    def _tied(
        self, text: str, links: Sequence[Link], graph: Graph, model: Model, *, parts: bool
    ) -> Steps[Composed | None]:
        """The plan of a question that counts or sums up what belongs to two topics."""
        parser, lexicon = self.parser or parser_of(graph.mapping.language), self._lexicon(graph)
        names = _Names.of(text, links, lexicon, parts=parts)
        if not (parser and names.topic and names.other) or names.more or names.bound:
            return None
        return (yield from tied_by_kind(text, names.topic, names.other, parser, lexicon, graph, model))

    def _greater(
        self, parsed: ParsedQuestion, links: tuple[Link, ...], lexicon: Lexicon, graph: Graph, model: Model
    ) -> Steps[Composed | NotCovered]:
        """Which of some topics is the greatest, as a question asks of all."""
        composer = Composer(Finder(graph, model.untrained, lexicon.nouns, Memo()), model, parsed.noun)
        base = Composed(Cite(tuple(link.entity for link in links), ()), 1.0, links)
        if parsed.kind is None and [len(one.text.split()) for one in parsed.conditions] == [1]:
            (noun,) = parsed.conditions  # for the two: "which spacecraft was launched first"
            if noun == Condition(noun.text, clause=noun.clause):
                parsed, base = replace(parsed, conditions=()), replace(base, named=False)
        return (yield from composer.greatest(base, parsed)) or NotCovered("")

    def _lexicon(self, graph: Graph) -> Lexicon:
        if graph not in self._lexica:
            self._lexica[graph] = Lexicon.of(graph.mapping)
        return self._lexica[graph]


@dataclass(frozen=True, slots=True)
class _Names:
    """What a question names.

    :ivar links: to what is named, but for what others are compared with; likeliest first
    :ivar bound: what others are compared with
    :ivar topic: what the question begins at; where there are two, that which stands first
    :ivar other: the other of two topics
    :ivar more: there is a third
    :ivar three: all three, where there are no more
    """

    links: Sequence[Link]
    bound: Link | None = None
    topic: Link | None = None
    other: Link | None = None
    more: bool = False
    three: tuple[Link, ...] = ()

    @classmethod
    def of(cls, text: str, links: Sequence[Link], lexicon: Lexicon, *, parts: bool) -> _Names:
        """What a question names of what it is linked to."""
        named = named_links(text, links, lexicon.nouns, parts=parts)
        if bound := next((link for link in named if is_compared_with(text, link)), None):
            apart = [link for link in named if link.is_apart(bound)]
            return cls(apart, bound, apart[0] if apart else None)
        topics = topics_of(text, named)
        first, second = (*sorted(topics[:2], key=lambda link: link.start), None, None)[:2]
        return cls(named, None, first, second, len(topics) > 2, tuple(topics) if len(topics) == 3 else ())

    def unclear(self, text: str, mapping: GraphMapping) -> bool:
        """Whether something is left out, and no kinds tell which of three topics it belongs to."""
        return self.more and not self.links[0].entity.labels and negation_in(text, self.links, mapping) is not None


def _value_of(text: str, topic: Link, names: _Names, graph: Graph, model: Model) -> Steps[Composed | NoValue | None]:
    """When something was so of a topic, or what a question asks for that the graph lacks of just that."""
    since = (yield from since_when(text, topic, names.other, graph, model.untrained)) if asks_when(text) else None
    if since or names.bound or model.in_domain:
        return since
    return (yield from missing_value(text, topic, names.other, graph, model.untrained))


def _nothing(parsed: ParsedQuestion, bound: Link | None) -> NotCovered | None:
    """What is found where a question is not understood; what something itself has is no answer to what is more."""
    tests = [test for one in parsed.conditions for test in one.comparisons]
    # "looks after X" compares nothing.
    bounds = any(isinstance(test.value, Bound) and not test.moment for test in tests)
    more = any(test.op != "=" for test in tests)  # not "the same missions as X"
    of_others = bounds and bound is not None and (parsed.kind is not None or (more and parsed.wants == "answers"))
    return NotCovered("") if parsed.reduces or of_others else None


def _alike(parsed: ParsedQuestion, bound: Link | None, lexicon: Lexicon) -> ParsedQuestion:
    """A question that names no kind, as one of such as others are compared with: who has more sons than X is like X."""
    noun = next((noun for noun, kind in lexicon.nouns.items() if bound and kind == _kind_of(bound)), "")
    compares = any(isinstance(test.value, Bound) for one in parsed.conditions for test in one.comparisons)
    if not (noun and compares) or parsed.kind or parsed.wants != "answers":
        return parsed
    return replace(parsed, kind=lexicon.nouns[noun], noun=noun)


def _kind_of(link: Link) -> Kind | None:
    labels = link.entity.labels
    return Kind(labels[0]) if len(labels) == 1 else None


def _of_parsed(
    parsed: ParsedQuestion, composer: Composer, pair: Joined | None, other: Link | None
) -> Steps[Composed | NotCovered | None]:
    """The plan of a parsed question.

    :param pair: how its two topics are joined
    :param other: the second of two topics that no condition ties in
    """
    nothing = _nothing(parsed, composer.other)
    if not (pair or parsed.compares or (composer.topic is None and parsed.kind)):
        if not (yield from composer.names_value(parsed)):
            return nothing
        nothing = NotCovered("")  # "open tasks of X" are not all tasks of X
    found: Composed | None
    if other is None:
        found = yield from composer.compose(parsed)
    else:
        found = yield from composer.base(parsed)
        if found and pair:
            joint = yield from _with_other(found.plan, other.entity, pair, composer.finder.graph)
            found = Composed(joint, found.fit, (*found.links, other)) if joint else None
        found = (yield from composer.apply(found, parsed)) if found else None
    return replace(found, named=parsed.kind is not None) if found else nothing


def _whether_it(
    parsed: ParsedQuestion, parser: Parser, text: str, topic: Link, lexicon: Lexicon, graph: Graph, model: Model
) -> Steps[Composed | None]:
    """Whether a topic is as a property says, or has some; ``None``: more than a yes is asked for, "sweet or salty?"."""
    finder = Finder(graph, model.untrained, lexicon.nouns, Memo())
    if flag := (yield from Composer(finder, model, "", topic).whether_flag(parsed)):
        return flag
    counted = how_many(text, topic, graph.mapping.language)
    if counted is None:
        return None
    some = parser.parse(counted.text, lexicon, (counted.topic.start, counted.topic.end))
    return (yield from Composer(finder, model, some.noun, topic).whether_any(some))


def _does_more(parsed: ParsedQuestion, also: Link) -> bool:
    """Whether a question does more than to name two topics, the second in a condition of its own."""
    compares = any(one.comparisons or one.negated for one in parsed.conditions)
    more = compares or parsed.extreme is not None or parsed.wants not in ("answers", "exists")
    return more and len(_own(parsed.conditions, also)) == 1


def _has_clause(parsed: ParsedQuestion, also: Link) -> bool:
    """Whether each of two topics has words of its own: "crew members of X who walked on Y"."""
    first, *others = parsed.conditions or (None,)
    own = [one for one in _own(others, also) if one.text]
    return bool(parsed.kind is None and first and first.topic and first.text != TOPIC and len(own) == len(others) == 1)


def _own(conditions: Sequence[Condition], also: Link) -> list[Condition]:
    """The conditions that are of a second topic alone."""
    return [one for one in conditions if one.value == also.entity.name and not (one.topic or one.comparisons)]


def _with_other(plan: Plan, other: Entity, joined: Joined, graph: Graph) -> Steps[Plan | None]:
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
