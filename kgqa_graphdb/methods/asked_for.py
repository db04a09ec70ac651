"""Whether what a relation path leads to is what a question asks for; an untrained ranker only says what fits best.

Nobody is asked for by "who" who is a number or a day, and where the graph knows kinds, "which projects" asks for
projects. What a graph's own word says ("who supervises X") no path answers that does not say it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from functools import cached_property
from itertools import pairwise

from kgqa_graphdb.compile import answers_statement
from kgqa_graphdb.compose.composed import lacking_step
from kgqa_graphdb.compose.fits import contradicts, goes_back_unsaid, is_said, returns, says, stops_at
from kgqa_graphdb.errors import EncoderError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language import ENGLISH
from kgqa_graphdb.language.english_words import GENERIC, STOP_WORDS, TIME_WORDS
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.link.topics import mask_topic, named_links, without_names
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.methods.beside import SAID, skipped_verb
from kgqa_graphdb.methods.value_sorts import is_called, is_of_sort, may_be_noun, may_be_since, noun_phrase
from kgqa_graphdb.parse.cues import counting_word
from kgqa_graphdb.parse.lexicon import Kind, is_agent, nouns_of
from kgqa_graphdb.plan import Answer, Every, Follow, Plan
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.rank.direction import start_labels
from kgqa_graphdb.rank.question import Asked, read_question
from kgqa_graphdb.rank.score import gather_evidence
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Entity, Floats, Link, Node, Path, Scalar, Step, Value

OWN_WORD = 0.8
"""How well a word fits a step of the graph from which on it is the graph's own word for that. See
:data:`kgqa_graphdb.methods.beside.SAID` for what it was chosen on."""
UNKNOWN = 0.2
"""A noun that fits no step of the graph so well is unknown to it."""
MOST_UNSAID = 1
"""Of two steps those that a question need not speak of, such as the order between a customer and a product."""
MAX_READ = 300
"""Entities of a kind whose values are read for words of the question."""
WHY_TOGETHER = "what it asks of {} and {} together was not understood"
_WORD = re.compile(r"[^\W_]+")
_COUNTED = re.compile(r"\bhow many (.+)", re.IGNORECASE)
_HOW_LONG = re.compile(r"\W*(?:for )?how (?:long|many|much)\b", re.IGNORECASE)
_HOW_MEASURED = re.compile(r"\W*how (?!many|much)\w+ (?:is|are|was|were)\b", re.IGNORECASE)
_OF_ITSELF = re.compile(rf"\bhow (?!many|much)\w+ (?:is|are|was|were) (?:the \w+ )?{re.escape(TOPIC)}", re.IGNORECASE)
"""A question for an own property: how old somebody is, the age of others does not tell."""
_COMMON = TIME_WORDS | GENERIC | {"kind", "sort", "type", "number", "part", "parts"}
"""Nouns that ask for what is called otherwise: "which year" for a release date."""


@dataclass(frozen=True)
class AskedFor:
    """What a question asks for, in the words of a graph; read once for all candidates.

    :ivar question: as it was asked
    :ivar ranker: knows the words of the graph
    :ivar mapping: of the graph
    """

    question: str
    ranker: PathRanker
    mapping: GraphMapping
    _asked: dict[Link, Asked] = field(default_factory=dict, init=False, repr=False)

    def is_sort_of(self, link: Link, path: Path, nodes: Sequence[Node]) -> bool:
        """Whether some answers are of the sort that is asked for: of a kind, a point in time, no number."""
        asked = self._read(link)
        text = " ".join(_WORD.findall(mask_topic(self.question, link)))
        if contradicts(path, text, self.mapping.language):
            return False
        if self.mapping.label is None and not asked.sharing and self._goes_back(link, path):
            return False
        values = [node.value for node in nodes if isinstance(node, Value)]
        if values and not may_be_since(self.question, asked.words, path, self.mapping.language):
            return False
        if self.mapping.label is None and values and not self._may_be_asked(link, path, values):
            return False
        if _HOW_LONG.match(self.question) and values and all(isinstance(value, date | time) for value in values):
            return False
        measured = asked.kind == "date or year" or _HOW_MEASURED.match(self.question)
        if measured and not asked.noun and not values and not any(map(self._may_be_measure, nodes)):
            return False
        if not asked.noun:
            return len(values) < len(nodes) or any(is_of_sort(value, asked.kind) for value in values)
        kind = self._kinds.get(asked.kind) if self.mapping.label is None else None
        if kind is None or kind.by is not None or asked.kind in self._words_of(path):
            return True
        labels = {label for node in nodes if isinstance(node, Entity) for label in node.labels}
        return kind.label in labels

    def _may_be_asked(self, link: Link, path: Path, values: Sequence[Scalar]) -> bool:
        """Whether values may be what a noun, or "who", asks for: nobody is a text that the question itself has."""
        asked, text = self._read(link), without_names(self.question, [link]).casefold()
        if asked.kind == "person" and not asked.noun:
            return not any(isinstance(one, str) and one.casefold() in text for one in values)
        if not (asked.noun and asked.kind):
            return True
        last, language = path[-1].relation, self.mapping.language
        if last.kind == "property" and self._means_edge(link) and not says(last, asked.words, language):
            return False
        nouns = noun_phrase(mask_topic(self.question, link))
        if is_agent(asked.kind) and not (nouns and is_called(nouns, last, language)):  # no company is a text
            return False
        return may_be_noun(nouns or (asked.kind,), last, values, language)

    def _means_edge(self, link: Link) -> bool:
        """Whether a word of the question is that of a relation of the topic's kinds: "the parent of X"."""
        labels, schema = {*link.entity.labels}, self.ranker.schema
        codes = [step.code for step in schema.steps if labels & {*start_labels(step)}]
        way = self.ranker.directed(mask_topic(self.question, link), codes)
        rows = [schema.row_of[code] for code in codes]
        return way is not None and bool((way.meant & way.said)[rows].any())

    def _goes_back(self, link: Link, path: Path) -> bool:
        """Whether a path goes back over a relation, and the question does not."""
        words = _WORD.findall(without_names(self.question, [link]).lower())
        return goes_back_unsaid(path, words, self._kinds, self.mapping.language)

    def goes_on(self, link: Link, path: Path) -> Steps[bool]:
        """Whether a path goes on from what it might end at, and no word says so: from a depot's trains to other trains.

        See :meth:`unsaid` for the graphs in which words tell that.
        """
        asked = self._read(link)
        passed = stops_at(path, end_labels(path[-1])) if path[-1].relation.kind == "edge" else []
        passed = [at for at in passed if at not in stops_at(path, link.entity.labels)]  # that is told by `unsaid`
        if self.mapping.label is not None or not (passed and asked.words):
            return False
        rows = list(self.ranker.schema.rows(path))
        try:
            evidence = yield from gather_evidence(asked, self.ranker.schema, rows)
        except EncoderError:
            return False
        deeds = self._said_of(path, asked, evidence.match[:, rows])
        return not all(deeds[passed[0] + 1 :])

    def _said_of(self, path: Path, asked: Asked, match: Floats) -> list[bool]:
        """Of each step whether a word says it: not the noun for what it ends at; none says that it leads back at once.

        :param match: (words, steps of the path)
        """
        ends = {noun for noun, kind in self._kinds.items() if kind.by is None and kind.label in end_labels(path[-1])}
        fits = match[[word not in ends | {asked.kind} for word in asked.words]].max(axis=0, initial=0.0)
        back = [False, *(one.relation == other.relation for one, other in pairwise(path))]
        return [bool(fit >= SAID) and not again for fit, again in zip(fits, back, strict=True)]

    def _may_be_measure(self, node: Node) -> bool:
        """Whether an entity may be a number or a point in time: of no known kind, of times, or named with digits."""
        if not isinstance(node, Entity) or not node.labels or any(map(str.isdigit, node.name)):
            return True
        return any(TIME_WORDS & {*self.mapping.language.words_of(label).split()} for label in node.labels)

    def words_said(self, link: Link, path: Path) -> frozenset[str]:
        """The words of the question that are those of a step of a path, or of the kinds at its ends."""
        words, language = self._read(link).words, self.mapping.language
        return frozenset(word for word in words if any(is_said(step, word, language) for step in path))

    def unsaid(self, link: Link, plan: Follow, graph: Graph, links: Sequence[Link] = ()) -> Steps[str]:
        """Why a path is no answer, though none fits better; empty: nothing speaks against it.

        What its words say only of graphs that know the kinds of their entities: elsewhere a relation's words are few,
        and what a question calls otherwise is often meant.

        :param links: to all that the question may name
        """
        if why := self._way_round(link, plan, links):
            return why
        if self.mapping.label is not None or not (asked := self._read(link)).words:
            return ""
        if len(plan.path) > 1 and _OF_ITSELF.search(mask_topic(self.question, link)):
            return f"the graph has no such fact about {link.entity.name} itself"
        if noun := self._of_another(link, plan.path, links):
            return f"the graph has no such fact about the {noun} of {link.entity.name}"
        again = asked.noun and returns(plan.path) and _is_of_own_kind(link, plan.path)
        if again and not any(asked.kind in noun for noun in self._own_nouns(link)):
            return f"the graph has no such fact about {link.entity.name} itself"
        schema = self.ranker.schema
        rows, around = list(schema.rows(plan.path)), self._near(link, plan.path)
        try:
            evidence = yield from gather_evidence(asked, schema, [*rows, *around])
        except EncoderError:  # spelling alone does not tell what is not said
            return ""
        said = evidence.match[:, rows]  # (words, steps of the path)
        near = evidence.match[:, around].max(axis=1, initial=0.0)
        best_of = dict(zip(asked.words, evidence.match.max(axis=1).tolist(), strict=True))
        if why := self._unknown_noun(link, plan.path, best_of, said):
            return why
        for word, best, own in zip(asked.words, near, said.max(axis=1), strict=True):
            if best >= OWN_WORD and own < SAID:
                return f"the graph has no fact about {link.entity.name} that says {word!r}"
        fits = dict(zip(asked.words, said[:, 0].tolist(), strict=True))
        if skipped := skipped_verb(mask_topic(self.question, link), plan.path, fits, self.mapping):
            return f"the graph has no fact about {link.entity.name} itself that says {skipped!r}"
        of_steps = said.max(axis=0)
        edges = [fit for fit, step in zip(of_steps, plan.path, strict=True) if step.relation.kind == "edge"]
        if sum(fit < SAID for fit in edges) > (MOST_UNSAID if len(edges) < 3 else 0):
            return f"what the graph knows about {link.entity.name} is not what the question asks for"
        deeds = self._said_of(plan.path, asked, said)
        if any(not all(deeds[: at + 1]) for at in stops_at(plan.path, link.entity.labels)):
            return f"the graph has no such fact about {link.entity.name} itself"  # but about others of its kind
        if of_steps[0] < SAID and len(edges) > 1:
            starts = yield from graph.first_steps([link.entity])
            lacking = self._lacking(link, starts.get(link.entity.element_id, ()))
            if lacking and evidence.match[:, lacking].max() >= OWN_WORD:
                return f"the graph has no such fact about {link.entity.name} itself"
        return ""

    def _unknown_noun(self, link: Link, path: Path, best_of: Mapping[str, float], said: Floats) -> str:
        """Why a path does not lead to what the noun of the question is for; empty: it may.

        :param best_of: how well each word of the question, in their order, fits any step that was looked at
        :param said: shape (words, steps of the path): how well each fits that
        """
        asked, language, last = self._read(link), self.mapping.language, path[-1].relation
        if not asked.noun or asked.kind in _COMMON:
            return ""
        why = f"nothing in the graph is called {asked.kind!r} or the like"
        if best_of.get(asked.kind, 1.0) < UNKNOWN:
            return why
        if last.kind != "edge":
            nouns = noun_phrase(mask_topic(self.question, link))
            rows = [row for row, word in enumerate(asked.words) if word in nouns]
            known = not rows or {*nouns} & _COMMON or is_called(nouns, last, language) or said[rows, -1].max() >= SAID
            return "" if known else f"the graph has no {asked.kind} of {link.entity.name}"
        if asked.kind not in best_of or asked.kind.isdigit():
            return ""
        named = said[asked.words.index(asked.kind), -1] >= SAID
        in_own_words = any(says(step.relation, asked.words, language) for step in path)
        unlike = said.max() < SAID and _is_of_own_kind(link, path)
        return why if unlike or not (named or in_own_words) else ""

    def _of_another(self, link: Link, path: Path, links: Sequence[Link]) -> str:
        """The noun of another kind whose property is asked for, where a path is the topic's own property; else empty.

        How old the keeper of an animal is, the age of the animal does not tell.
        """
        if len(path) > 1 or path[0].relation.kind != "property":
            return ""
        text = f" {' '.join(_WORD.findall(without_names(self.question, [link, *links]).lower()))} "
        own = {*link.entity.labels, *path[0].relation.heads}
        words = self._words_of(path) | {word for label in own for word in self.mapping.language.words_of(label).split()}
        others = [noun for noun, kind in self._kinds.items() if kind.by is None and kind.label not in own]
        return next((noun for noun in others if f" {noun} " in text and not words & {*noun.split()}), "")

    def left_out(self, answer: Answer, graph: Graph) -> Steps[str]:
        """A word of a question without which its answer would be another, and that no path says; empty: none."""
        if self.mapping.language.code != ENGLISH.code:
            return ""
        return self._uncounted(answer) or (yield from self._unread_value(answer, graph))

    def _uncounted(self, answer: Answer) -> str:
        """The words that count, sum up or rank where a path's answers are but a list; empty: none, or they say it.

        One number may be what is asked for, but not where entities of a kind are counted and it is said of no such.
        """
        text, kinds = answer.question.text, self.mapping.label is None
        values = [one.item.value if isinstance(one.item, Value) else None for one in answer.answers]
        relations = {fact.relation for scored in answer.proof for fact in scored.item.facts}
        numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in values)
        if numbers and (len(values) == 1 or not kinds):
            counted = _COUNTED.search(text) if kinds else None
            nouns = [noun for noun in self._kinds if counted and counted[1].lower().startswith(noun)]
            plan = answer.proof[0].item.plan
            path = plan.path if isinstance(plan, Follow) else ()
            if not nouns or (path and any({*noun.split()} <= self._words_of(path) for noun in nouns)):
                return ""
        return counting_word(text, answer.links, relations, kinds=kinds)

    def _unread_value(self, answer: Answer, graph: Graph) -> Steps[str]:
        """A word of the question that is a value of the answers, or of others of their kinds, and in no plan.

        Of shipped orders not all orders are asked for.
        """
        entities = [one.item for one in answer.answers if isinstance(one.item, Entity)]
        labels = {label for one in entities for label in one.labels}
        if self.mapping.label is not None or not labels:
            return ""
        named = named_links(answer.question.text, answer.links, self._kinds)
        sure = [one for one in answer.links if one in named or not answer.question.text[one.start : one.end].islower()]
        text = without_names(answer.question.text, sure)  # "enzymes" is more likely a keyword than a part of a title
        relations = {fact.relation for scored in answer.proof for fact in scored.item.facts}
        known = {word for one in relations for word in self._words_of((Step(one),))}
        known |= {word for noun in self._kinds for word in noun.split()} | STOP_WORDS
        words = _words_in(text) - known
        of_kind: dict[str, list[str]] = {}  # read once for all properties of a kind
        for one in self.mapping.relations if words else ():
            if one.kind != "property" or one.via or not labels & {*one.heads}:
                continue
            found = yield from graph.walker.values(one, [entity.element_id for entity in entities])
            kind = one.heads[0]
            if kind not in of_kind:
                others = yield from ask(Read(answers_statement(self.mapping, Every(kind), MAX_READ)))
                of_kind[kind] = [element_id for element_id, _ in others]
            more = yield from graph.walker.values(one, of_kind[kind])
            values = {value.casefold() for _, value in (*found[0], *more[0]) if isinstance(value, str)}
            if said := next((word for word in sorted(words) if word in values), ""):
                return said
        return ""

    def _way_round(self, link: Link, plan: Follow, links: Sequence[Link]) -> str:
        """Why a longer path only goes round what is asked for; empty: it does not.

        It does where the question says one step that the topic has not, as "moons of Venus" does, or nothing but two
        names, as "what was X on Y" does.
        """
        if why := self._of_one_alone(link, plan, links):
            return why
        if len(plan.path) == 1:
            return ""
        if returns(plan.path):
            step = lacking_step(link, mask_topic(self.question, link), self.ranker)
            if step and step != plan.path[0]:
                return f"the graph has no such fact about {link.entity.name} itself"
        others = self._others(link, plan, links)
        if others and plan.to is None and not read_question(mask_topic(self.question, link, others)).words:
            return WHY_TOGETHER.format(link.entity.name, others[0].entity.name)
        return ""

    def passed_over(self, named: Sequence[Link], plan: Plan, links: Sequence[Link]) -> str:
        """Why an answer about one entity is none, in a graph that knows kinds: the question names another; else empty.

        :param named: what the answer is about
        :param links: to all that the question may name
        """
        if self.mapping.label is not None or len(named) > 1 or not isinstance(plan, Follow) or plan.to is not None:
            return ""
        others = self._others(named[0], plan, links)
        return WHY_TOGETHER.format(named[0].entity.name, others[0].entity.name) if others else ""

    def _of_one_alone(self, link: Link, plan: Follow, links: Sequence[Link]) -> str:
        """Why what some relationship of the topic says is not that of one with what else is named; empty: it may be."""
        if plan.to is not None or len(plan.path) < 2 or plan.path[-1].relation.kind != "qualifier":
            return ""
        kinds = {*end_labels(plan.path[-2])}
        for one in self._others(link, plan, links):
            if not (kinds and one.entity.labels) or kinds & {*one.entity.labels}:
                return f"the graph has no such fact about {link.entity.name} and {one.entity.name}"
        return ""

    def _others(self, link: Link, plan: Follow, links: Sequence[Link]) -> list[Link]:
        """What else a question names than a plan's topic, and what is no word of its path: "the artist"."""
        own = {word for step in plan.path for word in self._words_of((step,))}
        named = [one for one in named_links(self.question, links, self._kinds) if one.is_apart(link)]
        return [one for one in named if not own.issuperset(_words_in(self.question[one.start : one.end]))]

    @cached_property
    def _kinds(self) -> dict[str, Kind]:
        return nouns_of(self.mapping)

    def _own_nouns(self, link: Link) -> set[str]:
        """The nouns for a topic's kinds."""
        return {noun for noun, kind in self._kinds.items() if kind.label in link.entity.labels}

    def _read(self, link: Link) -> Asked:
        if link not in self._asked:
            self._asked[link] = read_question(mask_topic(self.question, link), self.ranker.schema.vocabulary)
        return self._asked[link]

    def _words_of(self, path: Path) -> set[str]:
        relation = path[-1].relation
        language = self.mapping.language
        text = " ".join((relation.phrase, relation.inverse_phrase, language.words_of(relation.id)))
        words = _words_in(text)
        return words | {language.plural_of(word) for word in words}

    def _near(self, link: Link, path: Path) -> list[int]:
        """The steps that leave the kinds of the topic, or those that a path comes by."""
        labels = {*link.entity.labels}.union(*(end_labels(step) for step in path))
        return [row for row, step in enumerate(self.ranker.schema.steps) if not labels.isdisjoint(start_labels(step))]

    def _lacking(self, link: Link, start_codes: Sequence[str]) -> list[int]:
        """The steps that leave others of the topic's kinds, but not it."""
        labels, starts = {*link.entity.labels}, {*start_codes}
        return [
            row
            for row, step in enumerate(self.ranker.schema.steps)
            if step.code not in starts and not labels.isdisjoint(start_labels(step))
        ]


def _is_of_own_kind(link: Link, path: Path) -> bool:
    """Whether a path leads to entities of the topic's own kinds."""
    return path[-1].relation.kind == "edge" and bool({*link.entity.labels} & {*end_labels(path[-1])})


def _words_in(text: str) -> set[str]:
    return {*_WORD.findall(text.lower())}
