"""Which way a question walks: a step that says what the question does the wrong way round is no answer to it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.language import Language
from kgqa_graphdb.language.roles import Role, Sense
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.types import Bools, Ints, Relation, Step

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Directed:
    """What a question says of the steps that leave its topic.

    :ivar meant: shape (steps,): those that a word stands for whose topic it is: ``<manages`` of "who manages X"
    :ivar barred: of the same shape: those that would say it the other way round
    :ivar said: of the same shape: all steps of the relations that say nothing else
    :ivar values: of the same shape: those that lead to values, of which no word of this kind says anything
    :ivar alone: the question says nothing else, so that it means one of those alone
    :ivar later: of the same shape: those that would turn round what it says of what the first step leads to
    :ivar again: of the same shape: all steps of the relations that it says of that
    :ivar onward: of each step that it says from there, in walking order: those of the relations that have its word,
        shape (steps,)
    """

    meant: Bools
    barred: Bools
    said: Bools
    values: Bools
    alone: bool
    later: Bools
    again: Bools
    onward: tuple[Bools, ...]

    def admits(self, paths: Ints) -> Bools:
        """Which paths may be meant, shape (paths,).

        What the question says of the topic, the first step says: a later one would say it of something else.

        :param paths: shape (paths, hops): rows of steps
        """
        first: Bools = self.meant[paths[:, 0]]
        if self.alone:
            either: Bools = first | self.values[paths[:, 0]]
            return either
        later: Bools = np.asarray(self.said[paths[:, 1:]].any(axis=1), dtype=bool)
        reversed_later: Bools = np.asarray(self.later[paths[:, 1:]].any(axis=1), dtype=bool)
        repeated: Bools = np.asarray((paths[:, 1:] == paths[:, :1]).any(axis=1), dtype=bool)
        twice = first & self.said[paths[:, 0]] & repeated & ~self.again[paths[:, 0]]  # what is said once
        admitted: Bools = ~self.barred[paths[:, 0]] & (first | ~later) & ~reversed_later & ~twice
        return admitted

    def says_all(self, path: Sequence[int]) -> bool:
        """Whether a path goes on by the steps that the question says from where the first leads, if it says any.

        "Who mentors the coach of X" says one, "the children of the parents of X's parents" two.
        """
        if not (self.onward and (self.meant & self.said).any()):
            return True
        later = list(path[1:])
        return len(later) >= len(self.onward) and all(bool(step[later].any()) for step in self.onward)

    def admits_path(self, path: Sequence[int]) -> bool:
        """Whether one path may be meant."""
        return bool(self.admits(np.array([path], dtype=np.int64))[0])


@dataclass(frozen=True, slots=True)
class Relative:
    """A noun for a relative of the topic that no relation has: "the grandparents of X".

    :ivar steps: rows of the steps that lead there, in walking order; empty: none do
    """

    noun: str
    steps: tuple[int, ...]


class Directions:
    """The words of a schema's relations, with the direction in which each says what.

    :param steps: of the schema: row ``2·i`` forwards, ``2·i + 1`` backwards
    """

    def __init__(self, steps: Sequence[Step], language: Language) -> None:
        self._language, self._count = language, len(steps)
        self._symmetric = [step.relation.symmetric for step in steps]
        self._apart = [_of_different_kinds(step.relation) for step in steps]
        self._kinds = [frozenset(start_labels(step)) for step in steps]
        self._values = np.array([step.relation.kind != "edge" for step in steps], dtype=bool)
        self._words = [_words_of(step.relation, language) for step in steps]
        self._known = frozenset(word for step in steps for word in _nouns_of(step.relation, language))
        self._named: dict[str, list[int]] = defaultdict(list)
        self._senses: dict[str, list[tuple[int, Sense]]] = defaultdict(list)
        for row, step in enumerate(steps):
            relation = step.relation
            for word in _lemmas(language.words_of(relation.id), language):
                self._named[word].append(row)
            if not step.inverse and relation.kind == "edge":
                name = language.words_of(relation.id)
                for sense in language.senses(name, relation.phrase, relation.inverse_phrase):
                    self._senses[sense.word].append((row, sense))

    def of(
        self, question: str, words: Sequence[str], starts: Ints, also: Sequence[str] = (), *, sharing: bool = False
    ) -> Directed | None:
        """What a question says of its topic; ``None``: nothing that the schema knows of.

        :param question: with its topic masked
        :param words: its content words
        :param starts: rows of the steps that leave its topic
        :param also: those of them that say what the topic is
        :param sharing: it speaks of things in common, to which the way goes on and back
        """
        found = self._language.roles(question)
        if not found.roles:
            return None
        kinds = frozenset(kind for row in starts.tolist() for kind in self._kinds[row])
        meant, barred, said = self._steps_of(found.roles, kinds)
        out_later, back_later, of_whole = (np.zeros(self._count, dtype=bool) for _ in range(3))
        onward = []
        for roles in self._further(found.outer):
            out, back, whole = self._steps_of(roles, frozenset())
            out_later, back_later, of_whole = out_later | out, back_later | back, of_whole | whole
            if whole.any():
                onward.append(out | back | self._with_words_of(roles))
        later = back_later & ~out_later
        known = bool((meant & said).any())
        if known:  # what is said of "the coach of X" is not said of X
            barred = barred | (of_whole & ~meant)
        # Of a topic of no known kind, relations that it has nothing to do with say nothing.
        tied = meant | barred if kinds else (meant | barred)[starts]
        if not (tied.any() or later.any()):
            return None
        rest = [word for word in words if word not in found.used and word not in also]
        # Who asks for the faith of "X's son", or for the tracks of "X's track", asks for more than one step.
        asked = "" if any(role.is_noun for role in found.roles) else found.asked
        again = any(self._says_again(word, found.roles) for word in rest)
        alone = known and not (sharing or again or of_whole.any())
        alone = alone and self._goes_without_saying({*rest}, asked, np.flatnonzero(meant))
        return Directed(meant, barred, said, self._values, alone, later, of_whole, tuple(onward))

    def _further(self, text: str) -> list[tuple[Role, ...]]:
        """What a question says of where the first step leads, and of where the next does: "X's child's friends".

        :param text: the question with the topic in place of what it belongs to
        """
        roles = []
        while text:
            found = self._language.roles(text)
            roles.append(found.roles)
            text = found.outer
        return roles

    def _with_words_of(self, roles: Sequence[Role]) -> Bools:
        """The steps of relations in whose names a word of some roles stands, shape (steps,)."""
        found = np.zeros(self._count, dtype=bool)
        for role in roles:
            found[self._named.get(role.word.removeprefix("a_"), [])] = True
        return found

    def _steps_of(self, roles: Sequence[Role], kinds: frozenset[str]) -> tuple[Bools, Bools, Bools]:
        """The steps that roles mean, bar, and say, each of shape (steps,); see :class:`Directed`.

        :param kinds: that what has them may be of; empty: any
        """
        meant, against, said = (np.zeros(self._count, dtype=bool) for _ in range(3))
        known = False
        for role in roles:
            known = self._add(role, kinds, meant, against, said) or known
        # Words that say the same count where no relation has the question's own.
        other, other_against, other_said = (np.zeros(self._count, dtype=bool) for _ in range(3))
        for role in roles:
            for same in self._language.related_roles(role):
                self._add(same, kinds, other, other_against, other_said)
        if not known:
            meant, said = meant | other, said | other_said
        return meant, (against | other_against) & ~(meant | other), said

    def relative(self, question: str) -> Relative | None:
        """The relative of its topic that a question names; ``None``: none, or one that a relation says by its own word.

        :param question: with its topic masked
        """
        found = self._language.roles(question)
        role, *others = found.roles or (None,)
        steps = self._language.kin(role) if role and not others else None
        if role is None or steps is None:
            return None
        forms = {one.word.removeprefix("a_") for one in (role, *self._language.related_roles(role))}
        if any(not forms.isdisjoint(words) for words in self._words):
            return None
        said = (
            word for word in sorted(found.used) if {self._language.stem(word), self._language.base_form(word)} & forms
        )
        noun = next(said, role.word.removeprefix("a_"))
        ways = [self._rows_of(step) for step in steps]
        # Which of several relations each step is nobody says: of a graph with mothers and fathers not all are there.
        rows = tuple(some[0] for some in ways) if all(len(some) == 1 for some in ways) else ()
        return Relative(noun, rows)

    def _rows_of(self, role: Role) -> list[int]:
        """The steps that leave what has a role, by its own word or else by those that say the same."""
        for roles in ((role,), self._language.related_roles(role)):
            meant, against, said = (np.zeros(self._count, dtype=bool) for _ in range(3))
            for one in roles:
                self._add(one, frozenset(), meant, against, said)
            if (meant & said).any():
                return [int(row) for row in np.flatnonzero(meant & said & ~against)]
        return []

    def _says_again(self, word: str, roles: Iterable[Role]) -> bool:
        """Whether a word names what another noun has named already."""
        return any(role.is_noun and role.word.removeprefix("a_") == self._language.lemma(word) for role in roles)

    def _goes_without_saying(self, words: Iterable[str], asked: str, rows: Ints) -> bool:
        """Whether words say no more than the steps of some rows do: how, what they lead to, or what else is asked for.

        "Which rockets were launched from X" asks for more than what was launched from X, where rockets are known.
        """
        own = set[str]().union(*(self._words[row] for row in rows.tolist()))
        return all(
            word.endswith("ly")
            or (lemma := self._language.lemma(word)) in own
            or (word == asked and lemma not in self._known)
            for word in words
        )

    def _add(self, role: Role, kinds: frozenset[str], meant: Bools, against: Bools, said: Bools) -> bool:
        """Add the steps that a role stands for, and those against it; whether a relation has its word and no other.

        :param kinds: that the topic may be of; relations of others say nothing of it
        """
        entries = [
            (row, sense)
            for row, sense in self._senses.get(role.word, ())
            if not (kinds and self._kinds[row] and self._kinds[row + 1])
            or not kinds.isdisjoint(self._kinds[row] | self._kinds[row + 1])
        ]
        exact = [one for one in entries if role.preposition and one[1].preposition == role.preposition]
        for row, sense in exact or entries:
            out, back = sense.is_left_from_head(role.place), sense.is_left_from_tail(role.place)
            either = self._symmetric[row] or (self._apart[row] and not sense.binds(role))
            if out or back:
                meant[row] |= out or either
                meant[row + 1] |= back or either
                against[row] |= not (out or either)
                against[row + 1] |= not (back or either)
                said[row : row + 2] |= sense.whole
        return any(sense.whole for _, sense in entries)


def start_labels(step: Step) -> tuple[str, ...]:
    """The labels of the nodes that a step leaves; empty: any."""
    return end_labels(Step(step.relation, not step.inverse))


def _of_different_kinds(relation: Relation) -> bool:
    """Whether the labels at a relation's ends tell its directions apart."""
    return bool(relation.heads and relation.tails) and not {*relation.heads} & {*relation.tails}


def _nouns_of(relation: Relation, language: Language) -> frozenset[str]:
    """The lemmas of the nouns for what a relation leads to, and of the labels at its ends."""
    labels = map(language.words_of, (*relation.heads, *relation.tails))
    noun = "" if language.is_verbal(relation.phrase) else relation.phrase
    return _lemmas(" ".join((noun, *labels)), language)


def _words_of(relation: Relation, language: Language) -> frozenset[str]:
    """The lemmas of the words of a relation and of the labels at its ends."""
    labels = map(language.words_of, (*relation.heads, *relation.tails))
    text = " ".join((language.words_of(relation.id), relation.phrase, relation.inverse_phrase, *labels))
    return _lemmas(text, language)


def _lemmas(text: str, language: Language) -> frozenset[str]:
    """The lemmas of the words of a text."""
    return frozenset(map(language.lemma, _WORD.findall(text.lower())))
