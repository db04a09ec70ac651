"""A mapping's steps as arrays: made once per mapping, used by every question."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kgqa_graphdb.language import Language
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.mapping.next_steps import NextByLabel
from kgqa_graphdb.rank.direction import Directions
from kgqa_graphdb.rank.spelling import Vocabulary, beginnings
from kgqa_graphdb.rank.text import kinds_of
from kgqa_graphdb.steps import Embed, Steps, ask
from kgqa_graphdb.types import Bools, Floats, Ints, Path, Relation, Step, Vectors, WalkRule

MAX_WORDS = 10
"""Words of a step that count; the rest of a longer phrase is left out."""
MAX_KINDS = 4
"""Words for what a step arrives at that count: its noun and labels."""
OTHER_WORDS = 0.85
"""What a word of the relation's name or of its other direction is worth beside one of the step's own phrase."""
MAX_EMBEDDED = 5_000
"""Words and kinds of a schema that are all embedded for the first question, in some seconds."""
MOST_USED = 2_000
"""Of a schema that has more: so many of the most used, beside those of the steps that a question is about."""


@dataclass(frozen=True, slots=True)
class SchemaVectors:
    """Embeddings of a schema's words.

    :ivar words: shape (words, dim)
    :ivar kinds: shape (kinds, dim): what steps arrive at
    :ivar has_word: shape (words,): which words are embedded; ``None``: all
    :ivar has_kind: shape (kinds,): which kinds are embedded; ``None``: all
    """

    words: Vectors
    kinds: Vectors
    has_word: Bools | None = None
    has_kind: Bools | None = None


class Schema:
    """The steps of a mapping: step ``2·i`` walks relation ``i`` forwards, step ``2·i + 1`` backwards.

    :ivar steps: all steps
    :ivar language: of the mapping
    :ivar words: distinct content words of the steps' phrases, and of the labels that they arrive at
    :ivar vocabulary: ``words``, words for what steps arrive at, plurals of both, and what questions are built of
    :ivar words_by_prefix: how words or their lemmas begin → indices into ``words``
    :ivar word_rows: shape (steps, most words of a step): indices into ``words``; filled up with ``len(words)``
    :ivar word_weights: of the same shape, 0..1: how much a word says for a step; the filling's is 0
    :ivar kinds: distinct words for what steps arrive at
    :ivar kind_rows: shape (steps, most kinds of a step): indices into ``kinds``; -1: none
    :ivar embeds_all: whether all words and kinds are embedded; else those of very many that a question needs
    """

    def __init__(self, mapping: GraphMapping) -> None:
        self.steps: tuple[Step, ...] = tuple(
            Step(relation, inverse=backwards)
            for relation in mapping.relations
            if relation.kind != "leg"  # those are only walked as parts of others
            for backwards in (False, True)
        )
        self.row_of: dict[str, int] = {step.code: row for row, step in enumerate(self.steps)}
        self.walk: WalkRule = mapping.walk
        self.terminal = np.array([step.relation.kind != "edge" for step in self.steps], dtype=bool)
        self.language = mapping.language
        self._mapping = mapping
        self._next = mapping.next_steps or NextByLabel(mapping)
        self._followers: dict[int, Ints] = {}
        inverse = np.arange(len(self.steps)) % 2 == 1
        # Into a value's entities there is no way through a property.
        self._any: Ints = np.flatnonzero(~(self.terminal & inverse))
        self._vectors: Vectors | None = None  # (words + kinds, dim)
        self._lock = threading.Lock()
        self._rare: Ints | None = None
        self._directions: Directions | None = None

        of_steps = [_content_words(step, self.language) for step in self.steps]
        counts = Counter(word for words in of_steps for word in words)
        weighted = [
            _weighted(step, of_steps[row], of_steps[row ^ 1], self.language) for row, step in enumerate(self.steps)
        ]
        self.words: tuple[str, ...] = tuple(dict.fromkeys(word for words in weighted for word in words))
        row_of_word = {word: row for row, word in enumerate(self.words)}
        self.word_rows = np.full((len(self.steps), MAX_WORDS), len(self.words), dtype=np.int64)
        self.word_weights = np.zeros((len(self.steps), MAX_WORDS), dtype=np.float32)
        for row, words in enumerate(weighted):
            for column, (word, weight) in enumerate(list(words.items())[:MAX_WORDS]):
                self.word_rows[row, column] = row_of_word[word]
                self.word_weights[row, column] = weight * _idf_weight(counts[word], len(self.steps))
        width = max(1, max((min(len(words), MAX_WORDS) for words in weighted), default=1))
        self.word_rows, self.word_weights = self.word_rows[:, :width], self.word_weights[:, :width]
        self.words_by_prefix: dict[str, list[int]] = {}
        for word, row in row_of_word.items():
            for beginning in beginnings(word, self.language):
                self.words_by_prefix.setdefault(beginning, []).append(row)

        kinds = [kinds_of(step, self.language)[:MAX_KINDS] for step in self.steps]
        self.kinds: tuple[str, ...] = tuple(dict.fromkeys(kind for some in kinds for kind in some))
        known = {*self.words, *(word for kind in self.kinds for word in kind.lower().split())}
        plurals = set(map(self.language.regular_plural, known))
        self.vocabulary = Vocabulary(known | plurals, self.language.question_words, self.language)
        row_of_kind = {kind: row for row, kind in enumerate(self.kinds)}
        self.kind_rows = np.full((len(self.steps), max(1, max(map(len, kinds), default=1))), -1, dtype=np.int64)
        for row, some in enumerate(kinds):
            self.kind_rows[row, : len(some)] = [row_of_kind[kind] for kind in some]
        self._texts = (*self.words, *self.kinds)
        self._embedded = np.zeros(len(self._texts), dtype=bool)
        self._always = self._most_used()
        self.embeds_all = bool(self._always.all())

    @property
    def directions(self) -> Directions:
        """What the words of its relations say of the direction of its steps; read when a question first asks."""
        if self._directions is None:
            self._directions = Directions(self.steps, self.language)
        return self._directions

    def opposed(self, asked: Sequence[str]) -> Bools:
        """Which steps say the opposite of some words, shape (steps,): the opening of what "closed" asks for."""
        barred = np.zeros(len(self.steps), dtype=bool)
        if self.language.stances(asked):
            for row, words in self._having_opposites:
                barred[row] = self.language.are_opposite(asked, words)
        return barred

    @cached_property
    def _having_opposites(self) -> list[tuple[int, list[str]]]:
        """The steps of relations that say what has an opposite, with their words."""
        words = [_all_words(step.relation, self.language) for step in self.steps]
        return [(row, some) for row, some in enumerate(words) if self.language.stances(some)]

    def rows(self, path: Path) -> tuple[int, ...]:
        """A path as step numbers."""
        return tuple(self.row_of[step.code] for step in path)

    def start_rows(self, codes: Sequence[str]) -> Ints:
        """Steps' codes as their numbers, ascending; codes that the mapping does not have are left out."""
        return np.array(sorted({self.row_of[code] for code in codes if code in self.row_of}), dtype=np.int64)

    def path(self, rows: Sequence[int]) -> Path:
        """Step numbers as a path."""
        return tuple(self.steps[row] for row in rows)

    def codes(self, rows: Sequence[int]) -> tuple[str, ...]:
        """Step numbers as the steps' codes."""
        return tuple(self.steps[row].code for row in rows)

    def followers(self, row: int) -> Ints:
        """The steps that can come after a step; none after a property."""
        found = self._followers.get(row)
        if found is None:
            if self.terminal[row]:
                found = np.zeros(0, dtype=np.int64)
            else:
                codes = self._next.get(self.steps[row].code)
                if codes is None:  # nothing says what can follow
                    found = self._any
                else:
                    rows = [self.row_of[code] for code in codes if code in self.row_of]
                    found = np.array(sorted(rows), dtype=np.int64)
            self._followers[row] = found
        return found

    def rare_turns(self, paths: Ints) -> Floats:
        """How many steps of each path hardly any entity reached can be left by.

        :param paths: shape (paths, hops): step numbers
        :return: shape (paths,)
        """
        count = len(self.steps)
        if self._rare is None:
            pairs = [
                self.row_of[code] * count + self.row_of[after]
                for code, afters in self._mapping.rare_steps.items()
                if code in self.row_of
                for after in afters
                if after in self.row_of
            ]
            self._rare = np.array(sorted(pairs), dtype=np.int64)
        turns = paths[:, :-1] * count + paths[:, 1:]  # (paths, hops - 1)
        if not len(self._rare):
            return np.zeros(len(paths), dtype=np.float32)
        places = np.searchsorted(self._rare, turns).clip(max=len(self._rare) - 1)
        rare: Floats = (self._rare[places] == turns).sum(axis=1, dtype=np.float32)
        return rare

    def embed(self, rows: Ints | Sequence[int] = ()) -> Steps[SchemaVectors]:
        """The embeddings of the schema's words, of very many the most used; each is asked for once.

        :param rows: steps that the question is about, whose words are embedded whether they are much used or not
        :raises EncoderError: there is no encoder
        """
        needed = self._needed(rows)
        missing = np.flatnonzero(needed & ~self._embedded)
        if len(missing) or self._vectors is None:
            fresh = yield from ask(Embed(tuple(self._texts[row] for row in missing.tolist()), keep=True))
            with self._lock:
                if self._vectors is None:
                    self._vectors = np.zeros((len(self._texts), fresh.shape[1]), dtype=np.float32)
                self._vectors[missing] = fresh
                self._embedded[missing] = True
        vectors, count = self._vectors, len(self.words)
        if self.embeds_all:
            return SchemaVectors(vectors[:count], vectors[count:])
        return SchemaVectors(vectors[:count], vectors[count:], needed[:count], needed[count:])

    def _most_used(self) -> Bools:
        """Which words and kinds are embedded for every question, shape (words + kinds,)."""
        count, most = len(self.words), MOST_USED // 2
        always = np.ones(len(self._texts), dtype=bool)
        if len(always) > MAX_EMBEDDED:
            words = np.bincount(self.word_rows.ravel(), minlength=count + 1)[:count]
            kinds = np.bincount(self.kind_rows.ravel() + 1, minlength=len(self.kinds) + 1)[1:]
            always[np.argsort(-words, kind="stable")[most:]] = False
            always[count + np.argsort(-kinds, kind="stable")[most:]] = False
        return always

    def _needed(self, rows: Ints | Sequence[int]) -> Bools:
        """Which words and kinds a question about some steps needs: it is answered alike whatever was asked before."""
        if self.embeds_all:
            return self._always
        some, needed = np.asarray(rows, dtype=np.int64), self._always.copy()
        words, kinds = self.word_rows[some], self.kind_rows[some]
        needed[words[words < len(self.words)]] = True
        needed[len(self.words) + kinds[kinds >= 0]] = True
        return needed


def _content_words(step: Step, language: Language) -> list[str]:
    """The words of a step's phrase and of the labels that it arrives at."""
    relation = step.relation
    labels = relation.heads if step.inverse else relation.tails
    text = " ".join((step.phrase, *map(language.words_of, labels))).lower()
    found = dict.fromkeys(re.findall(r"[^\W_]+", text))
    return [word for word in found if word not in language.grammar_words] or list(found)


def _all_words(relation: Relation, language: Language) -> list[str]:
    text = " ".join((language.words_of(relation.id), relation.phrase, relation.inverse_phrase))
    return re.findall(r"[^\W_]+", text.lower())


def _weighted(step: Step, own: Sequence[str], other: Sequence[str], language: Language) -> dict[str, float]:
    """What speaks for a step: its own words, and, for less, the relation's name and the words of its other direction.

    A word of the other direction that says what *it* arrives at ("films" of "films starring") does not count.
    """
    back = Step(step.relation, inverse=not step.inverse)
    arrives = set(re.findall(r"[^\W_]+", " ".join(kinds_of(back, language)).lower())) if back.inverse else set()
    name = re.findall(r"[^\W_]+", language.words_of(step.relation.id))
    found = dict.fromkeys(own, 1.0)
    for word in (*name, *other):
        if word not in language.grammar_words and word not in arrives:
            found.setdefault(word, OTHER_WORDS)
    return found


def _idf_weight(count: int, steps: int) -> float:
    """How much a word tells steps apart: 1 for one that a single step has, 0 for one that all have."""
    return 1.0 if steps <= 2 or not count else float(np.log(steps / count) / np.log(steps))
