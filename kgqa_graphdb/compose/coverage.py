"""Whether a plan says all that a question says: a count without one of its conditions is another number.

Each name, number, day and content word of a question must be in its plan: as a topic or a value, as a number that is
compared with, or as a word for a relation, a kind or a unit. Words that rank, leave out or group need a plan that does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from kgqa_graphdb.compose.fits import explains
from kgqa_graphdb.compose.scale import speaks_of_time
from kgqa_graphdb.errors import EncoderError
from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english import is_verb
from kgqa_graphdb.language.english_days import with_days
from kgqa_graphdb.language.english_words import (
    ADJECTIVES,
    AGE,
    AGES,
    AMOUNTS,
    AUXILIARIES,
    BOUNDARIES,
    COMPARATIVES,
    CONTAINS,
    DEFINITE,
    DETAILS,
    DIMENSIONS,
    EACH,
    FILLERS,
    FREQUENT,
    GENERIC,
    GRAMMAR_WORDS,
    HIGH,
    INTERROGATIVES,
    LIGHT,
    LISTED,
    LOW,
    MEASURES,
    NEGATIONS,
    NOBODY,
    NUMBERS,
    PREPOSITIONS,
    RANKED,
    RANKED_BY,
    RELATIVE,
    REQUESTS,
    SHARING,
    STARTS,
    SYNONYMS,
)
from kgqa_graphdb.link.topics import without_names
from kgqa_graphdb.plan import Aggregate, Cite, Combine, Every, Follow, Group, Onward, Plan
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.reductions import REDUCTIONS
from kgqa_graphdb.steps import Embed, Steps, ask
from kgqa_graphdb.types import Link, Path, Scalar, Step

ALIKE_WORDS = 0.5
"""Cosine of two words from which on the one may stand for the other."""
_WORD = re.compile(r"\d{4}-\d\d-\d\d|\d[\d,]*(?:\.\d+)?|[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_NOT = re.compile(r"(?<=\w)n['’]t\b")
_SCALED = {"thousand": 10**3, "k": 10**3, "million": 10**6, "billion": 10**9, "bn": 10**9}
_COMPARES = frozenset(
    """more less fewer greater higher lower larger smaller bigger longer shorter than above below over under exceed
    exceeds exceeding beyond least most exactly equal equals minimum maximum between before after since until earlier
    later prior older younger up average mean overall last recently first ascending descending""".split()
)
_REDUCES = frozenset(("none", "count", "values", "ranking", "comparison", "group"))
_GROUPS = frozenset(("per", "each"))
_ORDERS = frozenset(("first", "last", "recently"))
_AFTER_NOUN = PREPOSITIONS | AUXILIARIES | RELATIVE
_SKIPPED = (
    GRAMMAR_WORDS
    | FILLERS
    | GENERIC
    | SHARING
    | BOUNDARIES
    | CONTAINS
    | STARTS
    | {*INTERROGATIVES}
    | DEFINITE
    | {"amount"}
)


@dataclass(slots=True)
class _Says:
    """What a plan says.

    :ivar paths: that it follows or measures by
    :ivar labels: of the kinds that it begins with, and of its topics
    :ivar values: that it compares with
    :ivar does: the reductions in it, and what it does to several plans
    :ivar topics: the names of its topics
    """

    paths: list[Path] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    values: list[Scalar] = field(default_factory=list)
    does: set[str] = field(default_factory=set)
    topics: set[str] = field(default_factory=set)

    def add(self, plan: Plan) -> None:
        """Add a plan's own."""
        match plan:
            case Follow(topic, path, to):
                self._add_paths(path)
                for one in (topic, *((to,) if to else ())):
                    self.topics.add(one.element_id)
                    self.labels += one.labels
            case Every(label):
                self.labels.append(label)
            case Combine(op, parts):
                self.does.add(op)
                for part in parts:
                    self.add(part)
            case Cite(nodes):
                for node in nodes:
                    self.topics.add(getattr(node, "element_id", ""))
                    self.labels += getattr(node, "labels", ())
            case Aggregate():
                self._add_aggregate(plan)
            case Onward(over, path):
                self._add_paths(path)
                self.add(over)
            case Group(over, by, _, of, each):
                self.does |= {"group", each}
                self._add_paths(by, *([of] if of else []))
                self.add(over)

    def _add_paths(self, *paths: Path) -> None:
        self.paths += paths
        for test in (test for path in paths for step in path for test in step.tests):
            self.paths.append((Step(test.qualifier),))
            self.values.append(test.value)
            self.does |= {test.op, REDUCTIONS[test.op].family}

    def _add_aggregate(self, plan: Aggregate) -> None:
        self.does |= {plan.op, plan.each, REDUCTIONS[plan.op].family}
        if plan.by and plan.by[-1].relation.kind == "edge":  # so many are compared
            self.does.add("count")
        self._add_paths(*(path for path in (plan.by, *plan.meets) if path))
        if plan.most > 1:
            self.values.append(plan.most)
        if isinstance(plan.value, str | int | float | date):
            self.values.append(plan.value)
            if plan.value in (False, "0", "false", "False", "no", "No", "N", "n"):
                self.does.add("not")
        elif plan.value is not None and not isinstance(plan.value, tuple):
            self.does |= {"other"}
            self.add(plan.value)
        for part in (plan.over, plan.within):
            if part is not None:
                self.add(part)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Finds words of a question that are not in its plan.

    :ivar links: the names in the question
    :ivar ranker: knows the words of the graph
    """

    text: str
    links: Sequence[Link]
    ranker: PathRanker

    @property
    def _language(self) -> Language:
        return self.ranker.schema.language

    def lacking(self, plan: Plan, *, named: bool = True) -> Steps[str]:
        """The first word that a plan does not say; empty: it says all, or neither counts nor compares.

        :param named: a noun names the kind that is asked for; else any noun may stand for it
        """
        says = _Says()
        says.add(plan)
        if not says.does & _REDUCES:
            return ""
        language = self._language
        links = [one for one in self.links if one.entity.element_id in says.topics]
        sure = {*LIGHT, *(() if named else (self._noun(),))}
        if any(explains(path, AGE, language) for path in says.paths):
            sure |= {*AGES, "aged", "years", "year"}
        if any(speaks_of_time(path, language) for path in says.paths):
            sure |= {"year", "years", "date", "dates", "day", "days", "time"}
        words = [word for word in _words(self.text, links, says.values) if not _is_done(word, says.does)]
        words = [word for word in words if not {word, language.lemma(word)} & sure]
        known = _vocabulary(says, language)
        words = [word for word in words if not self._goes_without_saying(word, known)]
        return (yield from self._first_unlike(words, known))

    def _goes_without_saying(self, word: str, known: Sequence[str]) -> bool:
        """Whether a word that the graph does not know says no more than the word before it: the freight charges."""
        if word in self.ranker.schema.words or word not in MEASURES | DETAILS:
            return False
        before = re.findall(rf"([^\W\d_]+) {word}\b", self.text.lower())
        return word in DETAILS or any(alike(one, other, self._language) for one in before for other in known)

    def _noun(self) -> str:
        """The noun for what is asked for, where no kind is called so: the first word that nothing else is said of."""
        words = [word.lower() for word in _WORD.findall(without_names(self.text, self.links))]
        for word, after in zip(words, [*words[1:], ""], strict=True):
            bare = is_verb(after) and self._language.lemma(word) != word  # "senators endorse"
            ends = (
                not after or bare or after in PREPOSITIONS | AUXILIARIES | RELATIVE or self._language.base_form(after)
            )
            if ends and not (word in _SKIPPED or word in DIMENSIONS or word in ("many", "much")):
                return str(word)
        return ""

    def unknown(self, nouns: Iterable[str]) -> Steps[str]:
        """The first word that the graph does not know; empty: it knows all.

        :param nouns: for kinds
        """
        does = {*_REDUCES, "not", *EACH.values()} - {"group"}
        content = [word for word in _words(self.text, self.links, ()) if not (word[0].isdigit() or word in NUMBERS)]
        words = [word for word in content if not _is_done(word, does)]
        last = next((word for group in (_GROUPS, _ORDERS) for word in content if word in group), "")
        return (yield from self._first_unlike(words, [*self.ranker.schema.words, *nouns])) or last

    def _first_unlike(self, words: Sequence[str], known: Sequence[str]) -> Steps[str]:
        """The first of some words that neither form, stem nor meaning ties to known ones; of numbers any."""
        meant, language = self.ranker.schema.vocabulary.meant, self._language
        far = {word: word for word in words if not any(alike(meant(word), one, language) for one in known)}
        texts = [word for word in far if not word[0].isdigit() and word not in NUMBERS]
        if texts and known:
            try:
                of_graph = yield from ask(Embed(tuple(known), keep=True))
                cosines = (yield from ask(Embed(tuple(texts)))) @ of_graph.T
            except EncoderError:  # spelling alone tells nothing of other words for the same
                near = set(texts)
            else:
                near = {word for word, row in zip(texts, cosines, strict=True) if row.max() >= ALIKE_WORDS}
            far = {word: word for word in far if word not in near}
        return next(iter(far), "")


def _words(text: str, links: Sequence[Link], values: Sequence[Scalar]) -> Iterator[str]:
    """The content words and numbers of a question, without names, and texts and numbers that a plan compares with."""
    text = _NOT.sub(" not", with_days(without_names(text, links)))
    for value in values:
        if isinstance(value, str) and value:
            text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", " ", text, flags=re.IGNORECASE)
    words = [word.lower().removesuffix("'s").removesuffix("’s") for word in _WORD.findall(text)]
    before = ""
    if words and words[0] in REQUESTS:
        words = words[1:]
    for word, after in zip(words, [*words[1:], ""], strict=True):
        scale = _SCALED.get(after, 1)
        if word[0].isdigit():
            if before not in DEFINITE and not _has_number(word, scale, values):
                yield word
        elif word in NUMBERS:
            if before not in DEFINITE and not _has_number(str(NUMBERS[word]), scale, values):
                yield word
        elif word in LISTED and (not after or after in _AFTER_NOUN or after == "as"):
            pass
        elif (word not in _SKIPPED and word not in _SCALED) or word in _GROUPS or word in NEGATIONS or word in RANKED:
            yield word
        before = word


def _has_number(word: str, scale: int, values: Iterable[Scalar]) -> bool:
    """Whether a plan compares with a number, a year or a day, or with the beginning of what follows it."""
    if "-" in word:
        try:
            day = date.fromisoformat(word)
        except ValueError:  # 0000-00-00 is no day
            return False
        return any(abs(_day(value) - day) <= timedelta(days=1) for value in values if _day(value) != date.min)
    number = float(word.replace(",", "")) * scale
    for value in values:
        if (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and value in (number, number + 10, number + 1)
        ):
            return True
        if isinstance(value, str) and word in value:
            return True
        if _day(value) != date.min and number in (_day(value).year, _day(value).year - 1):
            return True
    return False


def _day(value: Scalar) -> date:
    """A value's day; the first of all: it has none."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, str) and (found := re.match(r"(\d{4})-(\d\d)-(\d\d)", value)):
        return date(*map(int, found.groups()))
    if isinstance(value, str) and re.fullmatch(r"\d{4}", value) and value != "0000":
        return date(int(value), 1, 1)
    return date.min


def _is_done(word: str, does: Set[str]) -> bool:
    """Whether a plan does what a word asks for.

    :param does: what the plan does
    """
    compares = bool(does & {"comparison", "ranking"})
    if word in NEGATIONS or word in NOBODY:
        return bool(does & {"not", "<"})
    if word in _GROUPS:
        return bool(does & {"group", "measure", "mean", "median"})
    if word in FREQUENT:
        return "group" in does or ("count" in does and compares)
    if word in RANKED_BY:
        return compares or "group" in does
    if word in EACH and EACH[word] != "sum":
        return EACH[word] in does
    if word in AMOUNTS or word in ("amount", "many", "much"):
        return bool(does & {"count", "measure", "group", "ranking", "comparison", "sum", "mean", "median"})
    if word in HIGH or word in LOW or word in RANKED or word in DIMENSIONS or word in ADJECTIVES:
        return compares
    return compares and (word in _COMPARES or word in COMPARATIVES)


def _vocabulary(says: _Says, language: Language) -> list[str]:
    """The words for the relations, kinds and units of a plan."""
    texts = [language.words_of(label) for label in says.labels]
    for step in (step for path in says.paths for step in path):
        texts += _words_of_step(step, language)
    return sorted({word for text in texts for word in re.findall(r"[^\W_]+", text.lower())})


def _words_of_step(step: Step, language: Language) -> list[str]:
    """The words for a step, and of the labels that it leads to where there is but one."""
    relation = step.relation
    labels = [some[0] for some in (relation.heads, relation.tails) if len(some) == 1]
    words = [language.words_of(one) for one in (*labels, relation.id, *(relation.type,))]
    return [*words, relation.phrase, relation.inverse_phrase, relation.unit]


def alike(word: str, other: str, language: Language) -> bool:
    """Whether two words are forms of one, have one stem, or are commonly used for one another."""
    if word == other or language.root(word) == language.root(other) or language.same_stem(word, other):
        return True
    said, known = language.lemma(word), language.lemma(other)
    return any(said in words and known in others for words, others in SYNONYMS)
