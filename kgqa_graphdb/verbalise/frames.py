"""Who stands where in a sentence: whether what it says of two names is what a relation says, in that direction.

A sentence is taken as groups of names with words before, between and after them. For a relation whose words are
"director" and "films directed by", "the director of A is B", "A was directed by B" and "B directed A" say that A is the
head; "B is the director of A" says so, too. What none of the known forms fits says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kgqa_graphdb.language import Language
from kgqa_graphdb.language.scripts import has_cjk
from kgqa_graphdb.types import Relation
from kgqa_graphdb.verbalise.spelling import is_mark

Words: TypeAlias = tuple[str, ...]
End: TypeAlias = Literal["head", "tail", ""]
TOKEN = re.compile(
    r"[\ue000-\uf8ff]|'s\b|[^\W\d_\u2e80-\u9fff\uac00-\ud7af]+(?:['-][^\W\d_\u2e80-\u9fff]+)*|\d+(?:[.,:/-]\d+)*|\S"
)
_PUNCTUATION = frozenset(".,;:!?()\"'-–—/“”‘’《》「」、。，；：！？（）…·")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")


def words_of_text(text: str) -> Words:
    """The words, numbers, marks and signs of a text, in lower case."""
    return tuple(word.lower() for word in TOKEN.findall(text))


def sentences_of(text: str) -> list[str]:
    """The sentences of a marked text."""
    return [part for part in _SENTENCE_END.split(text) if part.strip()]


@dataclass(frozen=True, slots=True)
class Groups:
    """A sentence as groups of names.

    :ivar names: marks of the names of each group: "A, B and C" is one
    :ivar words: before the first group, between each two, and after the last: one more than groups
    """

    names: tuple[Words, ...]
    words: tuple[Words, ...]

    @classmethod
    def of(cls, sentence: str, language: Language) -> Groups:
        """The groups of a marked sentence."""
        joining = language.wording.words.joining
        names: list[list[str]] = []
        words: list[list[str]] = [[]]
        for word in words_of_text(sentence):
            if not is_mark(word):
                words[-1].append(word)
            elif names and all(one in joining for one in words[-1]) and (words[-1] or len(words) > 1):
                names[-1].append(word)
                words[-1] = []
                continue
            else:
                names.append([word])
                words.append([])
        return cls(tuple(map(tuple, names)), tuple(map(tuple, words)))


@dataclass(frozen=True, slots=True)
class RelationWords:
    """The words by which a relation may be stated.

    :ivar phrase: for the way from head to tail
    :ivar inverse: for the way back
    :ivar template: what its sentence has before, between and after the names
    :ivar template_head: whether that names the head first
    :ivar variants: words of each way to name it; all words of one must be there
    """

    relation: Relation
    language: Language
    phrase: Words
    inverse: Words
    template: tuple[Words, Words, Words]
    template_head: bool
    variants: tuple[Words, ...]

    @classmethod
    def make(cls, relation: Relation, language: Language) -> RelationWords:
        """The words of a relation in a language."""
        template = relation.template or "{head} {tail}"
        parts = re.split(r"\{(head|tail)\}", template)
        between = parts[0], parts[2] if len(parts) > 2 else "", parts[4] if len(parts) > 4 else ""
        pieces = tuple(_without_points(words_of_text(part)) for part in between)
        phrase, inverse = words_of_text(relation.phrase), words_of_text(relation.inverse_phrase)
        named = words_of_text(language.words_of(relation.id))
        ways = (phrase, inverse, _verb_part(inverse, language), named, tuple(word for one in pieces for word in one))
        found = (_content(way, language) for way in ways)
        return cls(
            relation, language, phrase, inverse, (pieces[0], pieces[1], pieces[2]),
            len(parts) > 1 and parts[1] == "head", tuple(dict.fromkeys(one for one in found if one)),
        )  # fmt: skip

    def are_in(self, words: Words) -> bool:
        """Whether words name the relation."""
        return any(self.has_all(words, variant) for variant in self.variants)

    def has_all(self, words: Words, wanted: Words) -> bool:
        """Whether words have forms of all of some others."""
        return bool(wanted) and all(any(same_word(word, one, self.language) for word in words) for one in wanted)

    def first_is(self, before: Words, between: Words, after: Words) -> End:
        """Which end the first of two names is, by the words before it, between both and after the second.

        Empty: the words don't say.
        """
        before, between, after = map(_without_points, (before, between, after))
        if self._is_template(before, between, after):
            return "head" if self.template_head else "tail"
        if not between and not before and not after:
            return ""
        known = self.language.wording.words
        if self._is_bare(between):
            if after[:1] and after[0] in known.possessive and self.are_in(after):
                return "tail"  # "B is A's director"
            return self._led_to(before)
        if between[0] in known.possessive and not self.are_in(between) and before[-1:] and before[-1] in known.be:
            return "tail" if self.are_in(before) else ""  # of Chinese: "导演是B的电影是A"
        return self._between(between)

    def _is_template(self, before: Words, between: Words, after: Words) -> bool:
        start, middle, end = self.template
        if not any(self.template) or (start and before[-len(start) :] != start) or between != middle:
            return False
        return after[: len(end)] == end and (bool(_content(middle, self.language)) or bool(start) or bool(end))

    def _is_bare(self, words: Words) -> bool:
        """Whether words say but that something is something."""
        known = self.language.wording.words
        return all(word in known.be or (word in known.glue and word not in known.prepositions) for word in words)

    def _led_to(self, before: Words) -> End:
        """The end that a name is which follows words, where what they lead to comes next: "the director of A: B"."""
        known, last = self.language.wording.words, before[-1:]
        there, back = self.phrase, self.inverse
        if self._is_symmetric(before):
            return "head"
        if back and self.has_all(before, _content(back, self.language)) and self._ends_as(before, back):
            return "tail"
        if self.has_all(before, _content(there, self.language)) and last and last[0] in known.of:
            return "head" if not self._is_verbal(there) else ""
        return ""

    def _between(self, between: Words) -> End:
        """Which end the first name is by what stands between both."""
        known, last = self.language.wording.words, _preposition(between, self.language)
        if self._is_symmetric(between):
            return "head"
        if not self.are_in(between):
            return ""
        if last in known.by:
            return self._passive(between)
        core = _content(self.inverse, self.language)
        if self._is_agent(between):
            return "tail"
        if core and self.has_all(between, core) and last and last == _preposition(self.inverse, self.language):
            return "head"
        if self._is_verbal(self.phrase):
            return "head" if last == _preposition(self.phrase, self.language) else ""
        if last in known.of:
            has: End = "head" if known.have & set(between) else "tail"  # "A has a height of B", "B is the height of A"
            return has if self.has_all(between, _content(self.phrase, self.language)) else ""
        return "head" if not last else ""

    def _passive(self, between: Words) -> End:
        """The first of two names where the second does it: the head of what is "directed by" somebody."""
        by = self.language.wording.words.by
        does = {"head" if words and words[-1] in by else "" for words in (self.inverse, self._id_words)}
        if "head" in does or (self.phrase and self.phrase[-1] in by):
            return "head"
        return "tail" if self._is_verbal(self.phrase) else ""

    @property
    def _id_words(self) -> Words:
        return words_of_text(self.language.words_of(self.relation.id))

    def _is_agent(self, between: Words) -> bool:
        """Whether a verb between names says what the second of a passive relation does: "B directed A"."""
        by = self.language.wording.words.by
        if not any(words and words[-1] in by for words in (self.inverse, self._id_words)):
            return False
        nouns = set(self.phrase)
        verbs = [word for word in between if self.language.base_form(word) and word not in nouns]
        return not _preposition(between, self.language) and any(
            same_word(verb, one, self.language) for verb in verbs for one in (*self.inverse, *self._id_words)
        )

    def _is_symmetric(self, words: Words) -> bool:
        return self.relation.symmetric and self.are_in(words)

    def _is_verbal(self, words: Words) -> bool:
        phrase = " ".join(words)
        language = self.language
        if has_cjk(phrase):
            phrase = phrase.replace(" ", "")
        return language.is_verbal(phrase) or (len(words) == 1 and bool(language.base_form(words[0])))

    def _ends_as(self, words: Words, wanted: Words) -> bool:
        """Whether words end in the same preposition as others, or in their last word where they end in none."""
        last = _preposition(wanted, self.language)
        if last:
            return words[-1] == last
        return bool(words) and bool(wanted) and same_word(words[-1], wanted[-1], self.language)


def same_word(word: str, other: str, language: Language) -> bool:
    """Whether two words are forms of one."""
    if word == other:
        return True
    if len(word) < 3 or len(other) < 3 or not (word.isalpha() and other.isalpha()):
        return False
    return language.same_stem(word, other)


def is_punctuation(word: str) -> bool:
    """Whether a sign only parts words."""
    return word in _PUNCTUATION


def _without_points(words: Sequence[str]) -> Words:
    return tuple(word for word in words if word not in _PUNCTUATION)


def _content(words: Words, language: Language) -> Words:
    """The words that say something; all where none does."""
    known = language.wording.words
    plain = _without_points(words)
    return tuple(one for one in plain if one not in known.glue and one not in known.prepositions) or plain


def _verb_part(inverse: Words, language: Language) -> Words:
    """Of "films directed by" what comes after the noun."""
    return inverse[-2:] if len(inverse) > 2 and _preposition(inverse, language) else ()


def _preposition(words: Words, language: Language) -> str:
    """The preposition that words end in, but for articles; empty: they end in another word."""
    known = language.wording.words
    plain = [word for word in _without_points(words) if word not in language.articles]
    return plain[-1] if plain and plain[-1] in known.prepositions | known.of | known.by else ""
