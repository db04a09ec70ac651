"""The words that a question about a graph is made of, apart from names: stop words, and words for its relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.language.english_words import ORIGINS, TIME_WORDS
from kgqa_graphdb.language.folding import folded_text
from kgqa_graphdb.mapping import GraphMapping


@dataclass(frozen=True, slots=True)
class LinkWords:
    """Tells words that may be a name's from others; words are folded.

    :ivar language: of the questions
    :ivar of_relations: stems of words for relations
    :ivar kinds: words for kinds of entities, in both numbers → their labels
    :ivar dated: labels of what has a time, such as the year in which it was released
    :ivar beside: words of the relations of a label's entities with others
    """

    language: Language = ENGLISH
    of_relations: frozenset[str] = frozenset()
    kinds: Mapping[str, str] = field(default_factory=dict, hash=False)
    dated: frozenset[str] = frozenset()
    beside: Mapping[str, frozenset[str]] = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, mapping: GraphMapping) -> Self:
        """Those of a graph, by its mapping."""
        phrases = (phrase for one in mapping.relations for phrase in (one.phrase, one.inverse_phrase))
        stems = {mapping.language.stem(word) for phrase in phrases for word in folded_text(phrase).split()}
        stems -= mapping.language.stop_words
        return cls(mapping.language, frozenset(stems), dict(_kinds(mapping)), _dated(mapping), _beside(mapping))

    @property
    def stop(self) -> frozenset[str]:
        """Words that carry no topic of their own."""
        return self.language.stop_words

    def content(self, words: Iterable[str]) -> list[str]:
        """The words that are no stop words."""
        return [word for word in words if word not in self.stop]

    def content_or_all(self, words: Sequence[str]) -> Sequence[str]:
        """The words that are no stop words; all of them when none is."""
        return self.content(words) or words

    def is_for_relation(self, word: str) -> bool:
        """Whether a question may say a word for a relation rather than as a name."""
        return self.language.stem(word) in self.of_relations

    def are_for_relations(self, words: Iterable[str]) -> bool:
        """Whether all of some words are for relations."""
        return all(map(self.is_for_relation, words))

    def any_for_relation(self, words: Iterable[str]) -> bool:
        """Whether one of some words is for a relation."""
        return any(map(self.is_for_relation, words))


def _dated(mapping: GraphMapping) -> frozenset[str]:
    """The labels of what has a property that holds a time."""
    times = TIME_WORDS | ORIGINS
    timed = (one for one in mapping.relations if one.kind == "property" and times & {*folded_text(one.phrase).split()})
    return frozenset(label for one in timed for label in one.heads)


def _beside(mapping: GraphMapping) -> dict[str, frozenset[str]]:
    """For each label the words of the relations that lead to its entities, or from them to others."""
    found: dict[str, frozenset[str]] = {}
    for one in mapping.relations:
        for label in (*one.heads, *one.tails) if one.kind == "edge" else ():
            said = folded_text(f"{one.phrase} {one.inverse_phrase}").split()
            found[label] = found.get(label, frozenset()) | {*said}
    return found


def _kinds(mapping: GraphMapping) -> Iterator[tuple[str, str]]:
    """The words for a graph's kinds, and the labels of these."""
    labels = [kind.label for kind in mapping.entities if mapping.label is None]
    labels += [label for one in mapping.relations if one.kind != "leg" for label in (*one.heads, *one.tails)]
    for label in dict.fromkeys(labels):
        noun = mapping.language.words_of(label)
        for form in (noun, mapping.language.plural_of(noun)):
            yield folded_text(form), label
