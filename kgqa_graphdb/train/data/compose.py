"""Composes questions from a schema alone: what can be asked about paths whose steps have words.

It knows no graph: all nouns and verbs come from the steps' phrases and labels, what is around them from the closed
classes of English and a list of everyday nouns for what a schema does not name. Each step is said by what its words
are: a noun ("the director of X"), a verb that either side does ("who directed X", "what did X direct"), or the phrase
as it stands; steps nest in each other, and a step that goes back over the one before speaks of things in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType

import numpy as np

from kgqa_graphdb.language.english import (
    agent_of,
    base_form,
    happened_at,
    is_act,
    past_form,
    plural_of,
)
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.rank.schema import Schema
from kgqa_graphdb.train.data.phrases import StepPhrases, phrases_of, shortened
from kgqa_graphdb.train.data.synonyms import SynonymAugmenter

_ANYTHING = """thing item work title entry place product book film movie song album show series game event person
company group team project document article record city country building vehicle machine animal plant disease drug gene
protein recipe dish course school student award law case account order invoice part""".split()
"""What heads are called where a schema does not say: one of these in a question."""
_PEOPLE = ("person", "people", "one", "ones")
_ASK = (
    "what is {}", "what are {}", "what's {}", "what were {}", "name {}", "list {}", "tell me {}", "show me {}",
    "give me {}", "can you name {}", "could you tell me {}", "do you know {}", "i want to know {}", "find {}",
    "please list {}", "i'm looking for {}", "{}", "what was {}", "what is the name of {}",
)  # fmt: skip
_WHO = ("who is {}", "who are {}", "who was {}", "who were {}", "who's {}")
_WHICH = ("which", "what")
_SORTS = ("type", "kind", "sort", "genre", "category", "class", "style", "form")
_OF_HOPS = (0.3, 0.38, 0.32)
"""How often a question has one, two and three hops."""
_SHARED = 0.7
"""How often a step back over the one before is said as a thing in common."""
_BACK = 0.3
"""How often a step goes back over the one before where it may: what has something in common is often asked for."""
_APPOSED = 0.25
"""How often it is said what the topic is: "the river X"."""
_MAX_STARTS = 200
_STARTS = 0.75
"""Share of the other steps that the topic could be left by which an example has."""


def compose(
    schema: Schema, seed: int, max_hops: int = 3, alike: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """Questions without end.

    :param alike: other words for nouns of the schema
    :return: question with its topic masked, its path, and steps that leave the topic; both as rows of the schema
    """
    rng = Random(seed)
    composer = Composer(schema, rng, alike)
    firsts = [row for row, step in enumerate(schema.steps) if not (step.inverse and schema.terminal[row])]
    while firsts:
        path = [rng.choice(firsts)]
        hops = rng.choices(range(1, max_hops + 1), _OF_HOPS[:max_hops])[0]
        while len(path) < hops and len(after := schema.followers(path[-1])):
            back = path[-1] ^ 1
            path.append(back if rng.random() < _BACK and back in after else int(rng.choice(after.tolist())))
        if schema.rare_turns(np.array([path])).any():
            continue
        beside = [int(row) for row in schema.followers(path[0] ^ 1)] if not schema.terminal[path[0]] else firsts
        beside = rng.sample(beside, min(_MAX_STARTS, len(beside)))
        starts = {path[0], *(row for row in beside if rng.random() < _STARTS)}
        yield composer.question(path), tuple(path), tuple(sorted(starts))


class Composer:
    """Says paths as questions."""

    def __init__(self, schema: Schema, rng: Random, alike: Mapping[str, Sequence[str]] = MappingProxyType({})) -> None:
        phrases = [phrases_of(step) for step in schema.steps]
        heads = Counter(noun.split()[-1] for own in phrases for noun in {*own.nouns})
        self._phrases = SynonymAugmenter([shortened(own, heads) for own in phrases], alike, rng)
        said = (text for own in phrases for text in (*own.nouns, *own.owned, *own.kinds, own.phrase))
        named = {word for text in said for word in text.split()}.union(*alike.values())
        self._parts = [noun for noun in _ANYTHING if not named & {noun, plural_of(noun)}] or _ANYTHING
        self._rng = rng

    def question(self, path: Sequence[int]) -> str:
        """One way of asking for what a path leads to from its topic."""
        self._phrases.begin()
        self._anything = self._rng.choice(_ANYTHING)
        self._topic = f"the {self._topic_kind(path[0])} {TOPIC}" if self._rng.random() < _APPOSED else TOPIC
        text = self._asked(path)
        return " ".join(text.split()) + ("?" if self._rng.random() < 0.3 else "")

    def _pick(self, options: Sequence[str]) -> str:
        return self._rng.choice(options)

    def _asked(self, path: Sequence[int]) -> str:
        """The question for a path."""
        phrases, said = self._phrases[path[-1]], self._said(path)
        plain = self._pick(_WHO if phrases.person and self._rng.random() < 0.6 else _ASK).format(said)
        if self._returns(path):
            return self._asked_alike(path, plain)
        if self._rng.random() >= 0.7:
            return plain
        return self._pick([plain, *self._direct(phrases, self._said(path[:-1]), self._topic_kind(path[-1]))])

    def _direct(self, phrases: StepPhrases, x: str, head: str) -> list[str]:
        """Questions that begin or end with what is asked for; x is called by its head."""
        which, found = self._pick(_WHICH), []
        for noun in phrases.nouns:
            many = self._number(noun)
            found += [f"{which} {noun} does {x} have", f"{x} has {which} {noun}", f"{which} {many} is {x}",
                      f"{x} is {which} {noun}", f"{which} is the {noun} of {x}",
                      f"the {many} of {x} is {which}"]  # fmt: skip
            found += [f"who is the {noun} of {x}"] if phrases.person else []
            found += [f"{which} {self._pick(_SORTS)} of {head} is {x}"] * 2 if noun.split()[-1] in _SORTS else []
        kind = self._kind(phrases)
        for verb in phrases.verbs:
            particle = verb.particle
            if verb.by_end:
                who = "who" if phrases.person or self._rng.random() < 0.5 else f"{which} {kind}"
                found += [f"{w} {verb.past} {particle} {x}" for w in (who, f"{which} {self._pick(_PEOPLE)}")]
                if not particle:
                    found += [f"{x} was {verb.done} by {self._pick(('who', 'whom'))}", f"who was {x} {verb.done} by",
                              f"by whom was {x} {verb.done}"]  # fmt: skip
                    # What is done to a part of x is done to x: words that no step has are no further step.
                    found.append(f"{who} {verb.past} the {self._pick(self._parts)} {self._pick(('of', 'for'))} {x}")
            else:
                found += [f"what did {x} {verb.base} {particle}", f"{which} {kind} did {x} {verb.base} {particle}",
                          f"{x} {verb.past} {particle} {which} {kind}",
                          f"{which} {kind} has {x} {verb.done} {particle}"]  # fmt: skip
                if not particle:
                    found += [f"{which} {kind} were {verb.done} by {x}", f"what was {verb.done} by {x}"]
        for noun in phrases.owned:
            found += [f"{which} {kind} have {x} as {noun}", f"{which} {kind} have the {noun} {x}",
                      f"{x} is the {noun} of {which} {kind}", f"{which} {kind} has {noun} {x}",
                      f"{which} {kind} is {x} the {noun} of", f"what is {x} the {noun} of"]  # fmt: skip
            done, _ = happened_at(noun)
            found += [f"{which} {kind} were {done} in {x}", f"{which} {kind} was {done} in {x}"] if done else []
            found += [f"{which} {kind} are {phrases.placed} {x}"] if phrases.placed and phrases.before else []
            past, _ = _clause(noun)
            found += [f"{which} {kind} {past} {x}", f"{x} was {past} in {which} {kind}"] if past else []
        if phrases.before:
            said = self._with_kind(phrases)
            found.append(f"{which} {said.replace(' that ', ' ', 1) if ' that ' in said else f'are the {said}'} {x}")
        found += [f"when was {x} {phrases.phrase}", f"{x} was {phrases.phrase} when"] if phrases.moment else []
        for noun in phrases.nouns:
            if phrases.placed:
                found += [f"what is {x} {phrases.placed}", f"{which} {noun} is {x} {phrases.placed}",
                          f"{phrases.placed} {which} {noun} is {x}",
                          f"{x} is {phrases.placed} {which} {noun}"]  # fmt: skip
            done, time = happened_at(noun)
            base = base_form(done)
            was = self._pick(("was", "were"))
            if done:
                found += [f"when {was} {x} {done}", f"what {time} {was} {x} {done}", f"{x} {was} {done} when",
                          f"in which {time} {was} {x} {done}", f"{x} {was} {done} in {which} {time}"]  # fmt: skip
            past, others = _clause(noun)
            found += (
                [f"{x} {past} {which} {others}", f"{x} {past} {'who' if phrases.person else 'what'}"] if past else []
            )
            known = base not in ("", "bear")
            found += [f"when did {x} {base}", f"{which} {time} did {x} {base}"] if known else []
        return found

    def _said(self, path: Sequence[int]) -> str:
        """A path as a noun phrase."""
        if not path:
            return self._topic
        if self._returns(path):
            return self._alike(path)
        phrases, x = self._phrases[path[-1]], self._said(path[:-1])
        return self._pick(self._noun_phrases(phrases, x, bare=len(path) == 1))

    def _noun_phrases(self, phrases: StepPhrases, x: str, *, bare: bool) -> list[str]:
        kind, the = self._kind(phrases), self._pick(("the", "the", ""))
        found = []
        for noun in phrases.nouns:
            many = self._number(noun)
            found += [f"the {noun} of {x}", f"the {many} of {x}", f"{the} {many} for {x}", f"the {noun} that {x} has"]
            found += [f"{x}'s {many}"] if bare or x.startswith(TOPIC) else []
            entered = any(verb.particle == "in" and verb.by_end for verb in phrases.verbs)
            found += [f"{the} {many} in {x}"] if entered else []
        for verb in phrases.verbs:
            if verb.by_end:
                who = self._pick(("people", "person", "one", "ones")) if phrases.person else kind
                found += [f"the {who} {self._pick(('who', 'that'))} {verb.past} {verb.particle} {x}"]
            else:
                found += [f"{the} {kind} {self._pick(('that ', 'which ', ''))}{x} {verb.past} {verb.particle}"]
                found += [] if verb.particle else [f"{the} {kind} {self._pick(('', 'that were '))}{verb.done} by {x}"]
        for noun in phrases.owned:
            found += [f"{the} {kind} with {noun} {x}", f"{the} {kind} whose {noun} is {x}",
                      f"{kind} that have {x} as {noun}",
                      f"{kind} of the {noun} {x}"]  # fmt: skip
            found += [f"{x} {kind}"] if bare and self._rng.random() < 0.3 else []
            found += [f"{the} {kind} {phrases.placed} {x}"] if phrases.placed and phrases.before else []
            done, _ = happened_at(noun)
            found += [f"{the} {kind} {done} in {x}", f"{the} {kind} {done} in the year {x}"] if done else []
            past, _ = _clause(noun)
            found += [f"{the} {kind} {self._pick(('that', 'which'))} {past} {x}"] if past else []
        if phrases.before:
            found.append(f"{the} {self._with_kind(phrases)} {x}")
        elif not phrases.nouns and not phrases.verbs:
            found.append(f"what {x} {phrases.phrase}")
        return found

    def _returns(self, path: Sequence[int]) -> bool:
        return len(path) > 1 and path[-1] == path[-2] ^ 1 and self._rng.random() < _SHARED

    def _alike(self, path: Sequence[int]) -> str:
        """What has something in common with what comes before."""
        phrases, back, x = self._phrases[path[-2]], self._phrases[path[-1]], self._said(path[:-2])
        kind, other = self._kind(back), self._pick(("other", "", ""))
        found = [f"{other} {kind} {text}" for text in self._in_common(phrases, x)]
        for verb in back.verbs:
            if verb.by_end:  # y did to what x did it to
                kinds, agent = self._kind(phrases), agent_of(verb.done)
                found += [f"people who {verb.past} {verb.particle} the same {kinds} as {x}",
                          f"the ones who {verb.past} {verb.particle} {kinds} with {x}"]  # fmt: skip
                found += [f"co-{plural_of(agent)} of {x}"] if agent and is_act(verb.base) else []
        return self._pick(found)

    def _in_common(self, phrases: StepPhrases, x: str) -> list[str]:
        found = []
        for noun in phrases.nouns or ((self._kind(phrases),) if not phrases.verbs else ()):
            many = self._number(noun)
            found += [f"with the same {many} as {x}", f"that share {many} with {x}", f"sharing the {many} of {x}",
                      f"that have the same {many} as {x}", f"with {many} in common with {x}",
                      f"that share the {noun} with {x}", f"with {many} that {x} has too"]  # fmt: skip
        for verb in phrases.verbs:
            if verb.by_end:
                agent = self._number(agent_of(verb.done) or "person")
                same = f"the same {self._pick((agent, *_PEOPLE[:2]))} {self._pick(('as', 'of'))} {x}"
                done = f"{self._pick(('', 'that are ', 'that were '))}{verb.done} by {same}"
                found += [f"that the {agent} of {x} also {verb.past} {verb.particle}",
                          f"whose {agent} also {verb.past} {verb.particle} {x}",
                          done if not verb.particle else f"with those who {verb.past} {verb.particle} {x}"]  # fmt: skip
            else:
                found += [f"that {verb.past} {verb.particle} the same {self._kind(phrases)} as {x}",
                          f"that {verb.past} {verb.particle} {self._kind(phrases)} together with {x}"]  # fmt: skip
        return found or [f"connected to {x}"]

    def _asked_alike(self, path: Sequence[int], plain: str) -> str:
        phrases, back = self._phrases[path[-2]], self._phrases[path[-1]]
        x, which = self._said(path[:-2]), self._pick(_WHICH)
        kind, found = self._kind(back), [plain]
        for text in self._in_common(phrases, x):
            verbal = text.split()[0] in ("that", "which")
            found += [f"{which} {kind} {text.removeprefix('that ')}" if verbal else f"{which} {kind} are {text}",
                      f"{which} other {kind} are there {text}"]  # fmt: skip
        for verb in phrases.verbs:
            if verb.by_end:
                agent = f"the {agent_of(verb.done) or 'person'} of {x}"
                found += [f"{agent} also {verb.past} {verb.particle} {which} {kind}",
                          f"{agent} also {verb.past} {kind}",
                          f"what else did {agent} {verb.base} {verb.particle}",
                          f"{which} other {kind} did {agent} {verb.base} {verb.particle}"]  # fmt: skip
        for verb in back.verbs:
            if verb.by_end:
                found += [f"who {verb.past} {verb.particle} {self._kind(phrases)} together with {x}",
                          f"who else {verb.past} {verb.particle} the {self._kind(phrases)} of {x}",
                          f"who co-{verb.past} {verb.particle} {self._kind(phrases)} with {x}"]  # fmt: skip
        return self._pick(found)

    def _topic_kind(self, row: int) -> str:
        """What x is called: by the step's own nouns, by what the step back arrives at, or in general."""
        phrases, back = self._phrases[row], self._phrases[row ^ 1]
        return self._pick((*phrases.owned, *back.kinds) or (("person",) if back.person else (self._anything,)))

    def _kind(self, phrases: StepPhrases) -> str:
        """What y is called here, most often plural."""
        kind = (
            self._pick(phrases.kinds)
            if phrases.kinds
            else self._pick(_PEOPLE[:2])
            if phrases.person
            else self._anything
        )
        return plural_of(kind) if self._rng.random() < 0.7 else kind

    def _with_kind(self, phrases: StepPhrases) -> str:
        """The step's own phrase, which comes before x, with what y is called if it does not say."""
        first, _, rest = phrases.phrase.partition(" ")
        if not any(first.lower() in (kind, plural_of(kind)) for kind in phrases.called):
            return f"{self._kind(phrases)} {phrases.phrase}"
        return phrases.phrase if phrases.kinds == phrases.called else f"{self._kind(phrases)} {rest}"

    def _number(self, noun: str) -> str:
        return plural_of(noun) if self._rng.random() < 0.4 else noun


def _clause(noun: str) -> tuple[str, str]:
    """The verb and the noun of words that are a clause, too: "starred actors" is what a film did; else empty."""
    verb, _, rest = noun.partition(" ")
    return (past_form(base_form(verb)), rest) if rest and agent_of(verb) and is_act(base_form(verb)) else ("", "")
