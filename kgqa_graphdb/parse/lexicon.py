"""The words of a graph: nouns for its kinds of entities, and what its properties are called."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_words import (
    AGENT_ENDINGS,
    FILLERS,
    GRAMMAR_WORDS,
    NO_PERSONS,
    ORGANISATIONS,
    PERSONS,
    TIMES,
)
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.types import Step

PEOPLE = "people"
"""The noun of questions that say but "who"."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of entities.

    :ivar label: the label that they carry
    :ivar by: for a noun such as "director": the step that those called so can be left by
    """

    label: str
    by: Step | None = None


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of a graph that questions are read with.

    :ivar nouns: of its kinds
    :ivar phrases: what its properties are called
    :ivar values: nouns for what entities have
    :ivar units: in which values are measured
    """

    nouns: Mapping[str, Kind] = field(default_factory=dict)
    phrases: Collection[str] = ()
    values: Collection[str] = ()
    units: Collection[str] = ()

    @classmethod
    def of(cls, mapping: GraphMapping) -> Lexicon:
        """The words of a graph, by its mapping."""
        return cls(nouns_of(mapping), phrases_of(mapping), value_nouns(mapping), units_of(mapping))


def nouns_of(mapping: GraphMapping) -> dict[str, Kind]:
    """Nouns, of one or several words and in both numbers, and the kinds that they name."""
    found: dict[str, Kind] = {}
    for label in _labels(mapping):
        for form in _forms(mapping.language.words_of(label), mapping.language):
            found.setdefault(form, Kind(label))
    last_words = _last_words(mapping)
    for word, label in last_words.items():
        for form in _forms(word, mapping.language):
            found.setdefault(form, Kind(label))
    for relation in mapping.relations:
        agent = relation.inverse_phrase.split()[0] if relation.kind == "edge" and relation.inverse_phrase else ""
        if agent.endswith(AGENT_ENDINGS):
            for label in relation.heads if len(relation.heads) == 1 else ():  # of several nobody knows which is meant
                for form in _forms(agent, mapping.language):
                    found.setdefault(form, Kind(label, Step(relation)))
    return found


def _last_words(mapping: GraphMapping) -> dict[str, str]:
    """The last words of labels of several words, which people call their nodes by: "order" of ``SalesOrder``.

    Of a word that ends two labels, that is what an entity has, or that grammar needs, nobody knows what it names.
    """
    labels = {label: mapping.language.words_of(label).split() for label in dict.fromkeys(_labels(mapping))}
    other = value_nouns(mapping) | TIMES | FILLERS | GRAMMAR_WORDS
    ends: dict[str, set[str]] = {}
    for label, words in labels.items():
        if len(words) > 1:
            ends.setdefault(words[-1], set()).add(label)
    return {word: min(some) for word, some in ends.items() if len(some) == 1 and word not in other}


def phrases_of(mapping: GraphMapping) -> set[str]:
    """What the properties are called."""
    properties = [relation for relation in mapping.relations if relation.kind != "edge"]
    return {form.lower() for one in properties for form in (mapping.language.words_of(one.type), one.phrase)}


def value_nouns(mapping: GraphMapping) -> set[str]:
    """Nouns for what entities have: the properties' names, their last words, and the plurals of both."""
    properties = [relation for relation in mapping.relations if relation.kind == "property"]
    names = {form.lower() for one in properties for form in (mapping.language.words_of(one.type), one.phrase)}
    names |= {name.split()[-1] for name in names if name}
    return names | {mapping.language.plural_of(name) for name in names}


def units_of(mapping: GraphMapping) -> set[str]:
    """What the properties are measured in."""
    return {relation.unit.lower() for relation in mapping.relations if relation.unit}


def person_kind(nouns: Mapping[str, Kind]) -> Kind | None:
    """The kind that "who" asks for, where there is but one."""
    found = person_kinds(nouns)
    return found[0] if len(found) == 1 else None


def person_kinds(nouns: Mapping[str, Kind]) -> list[Kind]:
    """The kinds that "who" may ask for."""
    named = {noun: kind for noun, kind in nouns.items() if kind.by is None}
    found = {kind.label: kind for noun, kind in named.items() if _is_person(noun.split()[-1])}
    return list(found.values())


def is_agent(noun: str) -> bool:
    """Whether a noun names persons, or organisations of them."""
    return noun in ORGANISATIONS or _is_person(noun)


def _is_person(noun: str) -> bool:
    return noun in PERSONS or (noun.endswith(AGENT_ENDINGS) and noun not in NO_PERSONS)


def _labels(mapping: GraphMapping) -> Iterator[str]:
    """The labels whose entities can be asked for together."""
    if mapping.label is None:
        yield from (kind.label for kind in mapping.entities)
    for relation in mapping.relations:
        if relation.kind != "leg":
            yield from (*relation.heads, *relation.tails)


def _forms(noun: str, language: Language) -> tuple[str, ...]:
    return (noun, "people", "persons") if noun == "person" else (noun, language.plural_of(noun))
