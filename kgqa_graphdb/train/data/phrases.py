"""The words that the steps of a schema can be said with."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from kgqa_graphdb.language.english import agent_of, is_act, words_of
from kgqa_graphdb.language.english_relations import is_moment, is_verbal, stranded
from kgqa_graphdb.language.english_words import PREPOSITIONS
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.rank.text import kinds_of
from kgqa_graphdb.train.data.verbs import Verb, verb_of, verbs_of_agents
from kgqa_graphdb.types import Step

_NOUN_OF = re.compile(r"(?:(?:is|was|are|were) (?:the |an? )?)?(.+) of")


@dataclass(frozen=True, slots=True)
class StepPhrases:
    """The words of a step that leads from x to y.

    :ivar nouns: y is the … of x
    :ivar owned: x is the … of y
    :ivar verbs: what one does to the other
    :ivar kinds: what y is called; empty: nobody knows
    :ivar called: the same in the schema's own words
    :ivar placed: the preposition before the noun: "in" of "in language"; empty: none
    :ivar phrase: the step's own words: before x where it is walked backwards
    :ivar person: y is somebody
    """

    nouns: tuple[str, ...]
    owned: tuple[str, ...]
    verbs: tuple[Verb, ...]
    kinds: tuple[str, ...]
    called: tuple[str, ...]
    phrase: str
    before: bool
    placed: str
    person: bool
    moment: bool


def nouns_of(schema: Schema) -> list[str]:
    """What things of a schema are called."""
    phrases = map(phrases_of, schema.steps)
    return sorted({noun for own in phrases for noun in (*own.nouns, *own.owned, *own.kinds)})


def shortened(phrases: StepPhrases, heads: Counter[str]) -> StepPhrases:
    """With the last word of longer nouns too, where no other step's noun ends in it: "year" of "release year"."""
    longer = [noun.split() for noun in (*phrases.nouns, *phrases.owned) if " " in noun and " of " not in noun]
    more = [words[-1] for words in longer if heads[words[-1]] == 1]
    nouns = (*phrases.nouns, *(word for word in more if phrases.nouns and word not in phrases.nouns))
    owned = (*phrases.owned, *(word for word in more if phrases.owned and word not in phrases.owned))
    return replace(phrases, nouns=nouns, owned=owned)


def phrases_of(step: Step) -> StepPhrases:
    """The words that a step can be said with."""
    relation, own = step.relation, step.phrase.lower()
    nouns: dict[str, None] = {}
    owned: dict[str, None] = {}
    verbs: dict[Verb, None] = {}
    into_y, into_x = (owned, nouns) if step.inverse else (nouns, owned)
    for text in dict.fromkeys((words_of(relation.id), relation.phrase.lower())):
        verb = verb_of(text, inverse=step.inverse)
        if verb:
            verbs[verb] = None
            agent = agent_of(verb.done) if is_act(verb.base) else ""
            if agent and not verb.particle:
                (nouns if verb.by_end else owned)[agent] = None
        elif (match := _NOUN_OF.fullmatch(text)) and not is_verbal(match[1]):
            into_x[match[1]] = None  # "capital of": the head is the capital
        elif relation.kind == "edge" or not is_moment(text):
            noun = re.sub(r"^(?:has|have|had|is|was|in|of|at|from|on) ", "", text)
            if not is_verbal(noun):
                into_y[noun] = None
                bases = {verb.base for verb in verbs}
                agents = [verb for verb in verbs_of_agents(noun, inverse=step.inverse) if verb.base not in bases]
                verbs |= dict.fromkeys(agents)
    labels = map(words_of, relation.heads if step.inverse else relation.tails)
    kinds = dict.fromkeys((*(kinds_of(step) if step.inverse else ()), *labels))
    acts = any(verb.by_end and is_act(verb.base) for verb in verbs)
    person = acts or bool(set(kinds) & {"person", "people", "human"})
    moment = relation.kind != "edge" and is_moment(own)
    first = words_of(relation.id).split()[0]
    placed = first if first in PREPOSITIONS else "" if step.inverse else stranded(relation.inverse_phrase)
    return StepPhrases(
        tuple(nouns),
        tuple(owned),
        tuple(verbs),
        tuple(kinds),
        tuple(kinds),
        own,
        step.inverse,
        "" if verbs else placed,
        person and not moment,
        moment,
    )
