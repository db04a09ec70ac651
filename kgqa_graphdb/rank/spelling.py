"""Slips in the words of a question that carry its relation: "who dircted …", "in which langauge …"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Set
from typing import NamedTuple

from rapidfuzz.distance import OSA

from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.language.english import is_verb
from kgqa_graphdb.language.lemmas import lemma_of

SHORTEST = 5
"""Letters of a word that is looked at: shorter ones have too many neighbours."""
PREFIX = 3
"""Words of one stem agree in so many characters at least."""
STEM_MATCH = 0.9
"""Words of one stem, such as "directed" and "director"."""
_LOWER_CASE_WORD = re.compile(r"(?<![\w\[-])[^\W\d_]+(?![\w\]-])")


class Corrected(NamedTuple):
    """A question as it was probably meant.

    :ivar slips: word as it was typed, and as it was read
    """

    question: str
    slips: tuple[tuple[str, str], ...]


class Vocabulary:
    """The words that a question about a graph is made of: those of its schema, and those of any question.

    :param words: in lower case
    :param grammar: those that questions are built of. A word with another letter in place of one of theirs is most
        often a word of its own ("world" is no "would"), so they are read where letters are missing, extra or swapped.
    :param language: of the questions
    """

    def __init__(self, words: Iterable[str], grammar: Set[str] = frozenset(), language: Language = ENGLISH) -> None:
        self.language = language
        self.words = frozenset(words) | grammar
        self._grammar = grammar
        self._by_start: defaultdict[str, list[str]] = defaultdict(list)
        self._by_size: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        for word in self.words:
            self._by_start[word[:PREFIX]].append(word)
            if len(word) >= SHORTEST:
                self._by_size[word[0], len(word)].append(word)

    def _is_verb(self, word: str) -> bool:
        """Whether a word is a form of a common verb, which a graph that has no such word need not know."""
        return self.language.code == ENGLISH.code and is_verb(lemma_of(word, ENGLISH.code))

    def meant(self, word: str) -> str:
        """The one word that this is a slip of; itself where it is none."""
        if len(word) < SHORTEST or not word.islower() or word in self.words or self._is_verb(word):
            return word
        near = [
            one
            for size in (len(word) - 1, len(word), len(word) + 1)
            for one in self._by_size.get((word[0], size), ())
            if OSA.distance(word, one, score_cutoff=1) <= 1
            and (one not in self._grammar or len(one) != len(word) or sorted(one) == sorted(word))
        ]
        known = any(similarity(word, one, self.language) for one in self._by_start.get(word[:PREFIX], ()))
        return near[0] if len(near) == 1 and not known else word


def corrected(question: str, vocabulary: Vocabulary) -> Corrected:
    """Read words that are one slip away from a word of the vocabulary as that word.

    A slip is a letter too many or too few, another one, or two that changed places; the first letter is right. Words in
    capitals, which may be names, stay as they are, and so do those that share a stem with a word of the vocabulary, or
    that could be two of its words.

    :param question: with its topics masked
    """
    slips: dict[str, str] = {}

    def correct(match: re.Match[str]) -> str:
        typed = match[0]
        read = vocabulary.meant(typed)
        if read != typed:
            slips[typed] = read
        return read

    return Corrected(_LOWER_CASE_WORD.sub(correct, question), tuple(slips.items()))


def beginnings(word: str, language: Language) -> set[str]:
    """What words of one stem begin with as this one, or as its lemma does."""
    return {word[:PREFIX], language.lemma(word)[:PREFIX]}


def similarity(word: str, other: str, language: Language = ENGLISH) -> float:
    """1 for the same word, :data:`STEM_MATCH` for two of one stem, else 0."""
    return 1.0 if word == other else STEM_MATCH if language.same_stem(word, other) else 0.0
