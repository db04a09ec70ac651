"""A relation path said in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from kgqa_graphdb.types import Step
from kgqa_graphdb.wording import PREPOSITIONS, agent_of, is_moment, is_verbal, words_of

_BREAKS = PREPOSITIONS | frozenset("that which who whom whose the a an".split())


def kinds_of(step: Step) -> tuple[str, ...]:
    """What a step arrives at, as far as its words and labels say: "director", "films"; empty when they do not."""
    relation = step.relation
    if relation.kind != "edge" and is_moment(step.phrase):
        return ("date or year",)
    labels = relation.heads if step.inverse else relation.tails
    names = [words_of(label) for label in labels]
    noun = _leading_noun(step.phrase) if step.inverse else ("" if is_verbal(step.phrase) else step.phrase)
    return tuple(dict.fromkeys(name for name in (noun, *names) if name))


@lru_cache(maxsize=20_000)
def _leading_noun(phrase: str) -> str:
    """The noun with which an inverse phrase begins: "films" of "films directed by"; empty for "directed by"."""
    noun = []
    for word in phrase.split():
        lower = word.lower()
        if lower in _BREAKS or agent_of(lower) or re.fullmatch(r"\w+ing", lower):
            break
        noun.append(word)
    return " ".join(noun)


def relation_tails(step: Step) -> tuple[str, ...]:
    """The labels that a step arrives at, if they are few enough to be said."""
    return step.relation.tails if len(step.relation.tails) <= 2 else ()


def _said_of(step: Step) -> str:
    """The label that a step arrives at, unless its phrase begins with that or the step ends in a value."""
    labels = step.relation.heads if step.inverse else step.relation.tails
    if len(labels) != 1:
        return ""
    label, words = words_of(labels[0]), step.phrase.lower().split()
    own = set(_leading_noun(step.phrase).lower().split()) if step.inverse else set(words)
    return "" if {label, f"{label}s"} & own or set(label.split()) <= own else label


def path_text(path: Sequence[Step], topic: str = "X") -> str:
    """A path as a noun phrase, nested around its topic: "the genre of films directed by the director of X"."""
    text = topic
    for step in path:
        phrase = step.phrase
        if step.inverse:
            text = f"{_said_of(step) or ('' if _leading_noun(phrase) else 'things')} {phrase} {text}".strip()
        elif step.relation.kind != "edge" and is_moment(phrase):
            text = f"when {text} was {phrase}"
        elif is_verbal(phrase):
            reached = " or ".join(map(words_of, relation_tails(step)))
            text = f"{reached} that {text} {phrase}" if reached else f"what {text} {phrase}"
        else:
            text = f"the {_said_of(step)} {phrase} of {text}".replace("  ", " ")
    return text
