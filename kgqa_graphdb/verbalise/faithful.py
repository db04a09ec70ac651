"""Whether a text that a language model wrote says what the facts say: all of it, nothing else, in their direction.

A text is faithful where it names both ends of every fact in words of its relation and in its direction, states of no
two names what is no fact, and has no word, name or number but those of the facts, of the question, of the template
sentence, and of grammar; or where it is the template sentence. So what is right in other words may be refused, and
what is wrong is seldom taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.types import Entity, Fact, Node, Relation, Value
from kgqa_graphdb.verbalise.frames import (
    Groups,
    RelationWords,
    Words,
    is_punctuation,
    same_word,
    sentences_of,
    words_of_text,
)
from kgqa_graphdb.verbalise.spelling import MarkedText, is_mark, marked, plain

_CITED = re.compile(r"\s?\[(\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*)\]")
_NAME = re.compile(r"\b[A-Z][\w'-]*(?: [A-Z][\w'-]*)*")
_EMPTY = "it is empty"
_SHOWN = 60
"""Characters of a word that a note shows."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What a text may state.

    :ivar facts: that must be stated, each; those that the language model was shown
    :ivar answers: that must be named
    :ivar question: whose words may be used, too
    :ivar template: the template sentence, the same
    :ivar amounts: by what answers are ranked
    """

    facts: tuple[Fact, ...]
    answers: tuple[Node, ...] = ()
    question: str = ""
    template: str = ""
    amounts: tuple[Value, ...] = ()

    def asked(self, language: Language) -> tuple[Value, ...]:
        """Names in the question, as its capital letters have them: none may be put in the place of another."""
        first, *_ = [*words_of_text(self.question), ""]
        names = [found[0] for found in _NAME.finditer(self.question)]
        known = language.wording.words.glue | language.question_words | language.stop_words
        return tuple(Value(name) for name in names if name.lower() != first or name.lower() not in known)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All that may be named, without repeats."""
        ends = [end for fact in self.facts for end in (fact.head, fact.tail)]
        qualifiers = [Value(value) for fact in self.facts for _, value in fact.qualifiers]
        return tuple(dict.fromkeys((*ends, *self.answers, *self.amounts, *qualifiers)))


def why_unfaithful(text: str, stated: Stated, language: Language = ENGLISH) -> str:
    """Why a text is not faithful; empty: it is."""
    if stated.template and plain(text) == plain(stated.template):
        return ""
    if len(set(stated.amounts)) > 1:
        return "it is about several amounts, and could give one to another's answer"
    found = marked(text, (*stated.nodes, *stated.asked(language)), language)
    cited = [int(number) for one in _CITED.findall(found.text) for number in re.findall(r"\d+", one)]
    wrong = next((number for number in cited if not 1 <= number <= len(stated.facts)), None)
    if wrong is not None:
        return f"it cites fact {wrong} of {len(stated.facts)}"
    found = MarkedText(_CITED.sub("", found.text), found.marks)
    if not words_of_text(found.text):
        return _EMPTY
    if added := _added(found, stated, language):
        return f"it has {added[:_SHOWN]!r}, which is in neither facts nor question"
    for node in stated.answers:
        if found.mark_of(node) not in found.text:
            return f"it does not name {node.name!r}"
    return _why_other_facts(found, stated, language)


# ── nothing is added ─────────────────────────────────────────────────────────────────────────────────────────────────


def _added(found: MarkedText, stated: Stated, language: Language) -> str:
    """The first word or number of a text that stands neither in facts nor question; empty: there is none."""
    template = marked(stated.template, stated.nodes, language).text
    known = language.wording.words
    given = {*words_of_text(template), *words_of_text(stated.question)}
    numbers = {word for word in given if word[0].isdigit()} | {str(len(stated.answers)), str(len(stated.facts))}
    counts = {word for word, number in known.numbers.items() if str(number) in numbers} | {"one"}
    of_relations = _relation_words(stated.facts, language)
    for word in words_of_text(found.text):
        if is_mark(word) or is_punctuation(word) or word in counts:
            continue
        if word in known.negations and word not in words_of_text(template) and word not in of_relations:
            return word
        if word[0].isdigit():
            if word not in numbers:
                return word
        elif not (
            word in given
            or word in known.glue
            or word in known.prepositions
            or word in known.possessive
            or any(same_word(word, one, language) for one in of_relations)
        ):
            return word
    return ""


def _relation_words(facts: Sequence[Fact], language: Language) -> frozenset[str]:
    """The words of relations, units and labels."""
    texts: list[str] = []
    for relation in {fact.relation: None for fact in facts}:
        bare = relation.template.replace("{head}", " ").replace("{tail}", " ")
        texts += [relation.phrase, relation.inverse_phrase, bare, relation.unit, language.words_of(relation.id)]
        texts += map(language.words_of, (*relation.heads, *relation.tails))
    for fact in facts:
        texts += [key for key, _ in fact.qualifiers]
        labels = [label for end in (fact.head, fact.tail) if isinstance(end, Entity) for label in end.labels]
        texts += map(language.words_of, labels)
    words = {word for text in dict.fromkeys(texts) for word in words_of_text(text) if word[0].isalpha()}
    return frozenset(words)


# ── all of it, and in its direction ──────────────────────────────────────────────────────────────────────────────────


def _why_other_facts(found: MarkedText, stated: Stated, language: Language) -> str:
    """Which fact a text does not state, or what it states that is none; empty: it states the facts."""
    words = {fact.relation: RelationWords.make(fact.relation, language) for fact in stated.facts}
    of_facts = {found.mark_of(end) for fact in stated.facts for end in (fact.head, fact.tail)}
    computed = {found.mark_of(node) for node in (*stated.answers, *stated.amounts)} - of_facts
    covered: set[Fact] = set()
    for sentence in sentences_of(found.text):
        groups = Groups.of(sentence, language)
        reached = _Reached(groups, found, words)
        used = reached.cover(stated.facts)
        covered |= used.keys()
        wrong = next((name for name in reached.unused(used) if name not in computed), "")
        if wrong:
            return f"it states of {_name(wrong, found)!r} what is no fact"
    for fact in stated.facts:
        if fact not in covered:
            return f"it does not state that {fact.head.name!r} has the {fact.relation.phrase} {fact.tail.name!r}"
    return ""


def _name(mark: str, found: MarkedText) -> str:
    return next(name for name, one in found.marks.items() if one == mark)


@dataclass(frozen=True, slots=True)
class _Reached:
    """A sentence, and which facts it states between which of its groups."""

    groups: Groups
    found: MarkedText
    words: Mapping[Relation, RelationWords]

    def cover(self, facts: Sequence[Fact]) -> dict[Fact, tuple[int, int]]:
        """The facts that the sentence states, each with the places of its groups.

        Facts between neighbouring groups come first: words that state one of them state nothing of an earlier name.
        """
        used: dict[Fact, tuple[int, int]] = {}
        last = len(self.groups.names)
        for distance in range(last):
            for start in range(last - distance):
                end = start + distance
                if distance > 1 and any(pair == (end - 1, end) for pair in used.values()):
                    continue
                for fact in facts:
                    if fact not in used and self._states(fact, start, end):
                        used[fact] = (start, end)
        return used

    def unused(self, used: Mapping[Fact, tuple[int, int]]) -> Iterator[str]:
        """The names of which the sentence states something beside its facts and their qualifiers."""
        if len(self.groups.names) < 2 and not used:
            return
        for place, names in enumerate(self.groups.names):
            here = [fact for fact, pair in used.items() if place in pair]
            ends = {self.found.mark_of(end) for fact in here for end in (fact.head, fact.tail)}
            qualifiers = self._qualifiers_at(place, used)
            yield from (name for name in names if name not in ends and name not in qualifiers)

    def _qualifiers_at(self, place: int, used: Mapping[Fact, tuple[int, int]]) -> set[str]:
        """The marks of what qualifies the facts that are stated last before a place, or first after it."""
        before = [pair[1] for pair in used.values() if pair[1] <= place]
        end = max(before) if before else min((pair[1] for pair in used.values()), default=place)
        values = (value for fact, pair in used.items() if pair[1] == end for _, value in fact.qualifiers)
        return {self.found.mark_of(Value(value)) for value in values}

    def _states(self, fact: Fact, start: int, end: int) -> bool:
        head, tail = self.found.mark_of(fact.head), self.found.mark_of(fact.tail)
        words, names = self.words[fact.relation], self.groups.names
        before, between, after = self._around(start, end)
        if start == end:
            both = {head, tail} <= set(names[start])
            return both and fact.relation.symmetric and words.are_in((*before, *after))
        if head in names[start] and tail in names[end]:
            wanted = "head"
        elif tail in names[start] and head in names[end]:
            wanted = "tail"
        else:
            return False
        if words.first_is(before, between, after) == wanted:
            return True
        bare = all(is_punctuation(word) for word in between) and end == start + 1
        return bare and wanted == "head" and isinstance(fact.tail, Value) and words.are_in(self._earlier(start))

    def _around(self, start: int, end: int) -> tuple[Words, Words, Words]:
        words = self.groups.words
        return words[start], words[end], words[end + 1]

    def _earlier(self, start: int) -> Words:
        return tuple(word for words in self.groups.words[: start + 1] for word in words)
