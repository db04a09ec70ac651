"""A relation path said in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.types import Step


def kinds_of(step: Step, language: Language = ENGLISH) -> tuple[str, ...]:
    """What a step arrives at, as far as its words and labels say: "director", "films"; empty when they do not."""
    relation = step.relation
    if relation.kind != "edge" and language.is_moment(step.phrase):
        return (language.patterns.date,)
    labels = relation.heads if step.inverse else relation.tails
    names = [language.words_of(label) for label in labels]
    noun = (
        _leading_noun(step.phrase, language)
        if step.inverse
        else ("" if language.is_verbal(step.phrase) else step.phrase)
    )
    return tuple(dict.fromkeys(name for name in (noun, *names) if name))


@lru_cache(maxsize=20_000)
def _leading_noun(phrase: str, language: Language) -> str:
    """The noun with which an inverse phrase begins: "films" of "films directed by"; empty for "directed by"."""
    noun = []
    for word in phrase.split():
        if language.ends_noun(word.lower()):
            break
        noun.append(word)
    return " ".join(noun)


def relation_tails(step: Step) -> tuple[str, ...]:
    """The labels that a step arrives at, if they are few enough to be said."""
    return step.relation.tails if len(step.relation.tails) <= 2 else ()


def _said_of(step: Step, language: Language) -> str:
    """The label that a step arrives at, unless its phrase begins with that or the step ends in a value."""
    labels = step.relation.heads if step.inverse else step.relation.tails
    if len(labels) != 1:
        return ""
    label, words = language.words_of(labels[0]), step.phrase.lower().split()
    own = set(_leading_noun(step.phrase, language).lower().split()) if step.inverse else set(words)
    return "" if {label, language.plural_of(label)} & own or set(label.split()) <= own else label


def path_text(path: Sequence[Step], topic: str = "X", language: Language = ENGLISH) -> str:
    """A path as a noun phrase, nested around its topic: "the genre of films directed by the director of X"."""
    text, patterns = topic, language.patterns
    for step in path:
        phrase, what = step.phrase, _said_of(step, language)
        if step.inverse:
            noun = what or ("" if _leading_noun(phrase, language) else patterns.things)
            text = f"{noun} {phrase} {text}".strip()
        elif step.relation.kind != "edge" and language.is_moment(phrase):
            text = patterns.moment.format(start=text, phrase=phrase)
        elif language.is_verbal(phrase):
            reached = " or ".join(map(language.words_of, relation_tails(step)))
            pattern = patterns.clause_about if reached else patterns.clause
            text = pattern.format(what=reached, start=text, phrase=phrase)
        else:
            text = patterns.noun.format(what=what, phrase=phrase, start=text).replace("  ", " ").strip()
    return text
