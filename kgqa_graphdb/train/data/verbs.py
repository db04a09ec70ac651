"""Verbs in the words of relations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kgqa_graphdb.language.english import agent_of, agent_verb, base_form, is_act, past_form
from kgqa_graphdb.language.english_words import PREPOSITIONS


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb that one end of a step does to the other.

    :ivar by_end: what the step arrives at does it: "who directed X"; else what it leaves: "what did X direct"
    :ivar particle: the preposition that goes with it; empty: none, so it can be said in the passive
    """

    base: str
    past: str
    done: str
    by_end: bool
    particle: str = ""


def verb_of(text: str, *, inverse: bool) -> Verb | None:
    """The verb that a relation's words are: "directed by", "acted in", "follows"."""
    words = re.sub(r"^(?:was|is|were|are|has been) ", "", text).split()
    if not words or len(words) > 2 or (len(words) == 2 and words[1] not in PREPOSITIONS):
        return None
    base = base_form(words[0])
    if not base:
        return None
    particle = words[1] if len(words) == 2 else ""
    passive, past = particle == "by", past_form(base)
    done = words[0] if agent_of(words[0]) else past
    return Verb(base, past, done, by_end=passive != inverse, particle="" if passive else particle)


def verbs_of_agents(noun: str, *, inverse: bool) -> Iterator[Verb]:
    """Verbs inside a noun: whoever is an "actor" acted, "starred actors" starred."""
    for word in noun.split():
        base = base_form(word) if agent_of(word) else base_form(agent_verb(word))
        if is_act(base):
            past = past_form(base)
            for particle in ("in", ""):
                yield Verb(base, past, past, by_end=not inverse, particle=particle)
