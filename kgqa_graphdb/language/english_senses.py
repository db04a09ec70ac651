"""What the words of a relation say of its ends: of "reports to" the head does it, of "treated by" the tail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kgqa_graphdb.language import english_words as closed
from kgqa_graphdb.language.english import UNCHANGED
from kgqa_graphdb.language.english_deeds import RECIPROCAL, SYMMETRIC, deed_of, is_participle, verb_of
from kgqa_graphdb.language.english_relations import guessed_inverse
from kgqa_graphdb.language.english_roles import AUXILIARIES, PREPOSITIONS, is_adverb, roles
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.language.roles import OTHERS, Places, Sense

_AGENT: Places = frozenset(("agent",))
_PATIENT: Places = frozenset(("patient",))
_OBLIQUE: Places = frozenset(("oblique",))
_IN_PLACES = frozenset("bear bury locate situate base station house set".split())
"""Verbs whose past form alone says where something is, not what it does."""


def senses(name: str, phrase: str, inverse: str) -> tuple[Sense, ...]:
    """What the words of a relation say of its ends.

    :param name: its name in words: "reports to", "treated by"
    :param phrase: words for walking from head to tail
    :param inverse: words for walking from tail to head, which stand before the tail
    """
    found: dict[str, Sense] = {}
    written = _forwards(name, phrase, inverse)
    if inverse != guessed_inverse(name):
        written += [
            Sense(one.word, OTHERS[one.place], frozenset((one.place,)), one.preposition)
            for one in roles(f"{inverse} {TOPIC}").roles
        ]
    named = of_name(name)
    known = {sense.word for sense in named}
    written = [replace(sense, whole=sense.whole and (not known or sense.word in known)) for sense in written]
    # Sources differ in how they word the way back: "owner of" of the head, or of the tail. The way there counts.
    for sense in (*written, *named):
        other = found.get(sense.word, sense)
        found[sense.word] = _agreed(other, sense) or other
    return tuple(found.values())


def _forwards(name: str, phrase: str, inverse: str) -> list[Sense]:
    """The senses of the words for walking from head to tail.

    "employee managed by" and "child of" stand before the head; what is a verb, begins with "is" or "has", or is the
    words of the way back, too, goes on after it: "owned by", "has part", "part of".
    """
    words = phrase.lower().split()
    if not words or phrase.lower() == name:
        return []
    clause = words[0] in AUXILIARIES or phrase.lower() == inverse.lower()
    if clause or (_begins_clause(words) and words[-1] != "of" and (len(words) == 1 or words[-1] in PREPOSITIONS)):
        return list(of_name(phrase))
    if len(words) > 1 and is_participle(words[-1]):  # who used, or was used, in "countries used"?
        return []
    text = f"{phrase} {TOPIC}" if words[-1] in PREPOSITIONS else f"{phrase} of {TOPIC}"
    some = [Sense(one.word, frozenset((one.place,)), OTHERS[one.place], one.preposition) for one in roles(text).roles]
    more = words[-1] not in PREPOSITIONS and len(words) > 1  # "gdp per head currency" is more than a currency
    return list(_in_part(some)) if more else _united(some)


def _begins_clause(words: Sequence[str]) -> bool:
    """Whether a phrase begins with a verb, not with a noun of the same form: not "tracks produced by"."""
    verb = verb_of(words[0])
    sure = verb in closed.VERBS - closed.ALSO_NOUNS
    return bool(verb) and (is_participle(words[0]) or sure or (len(words) < 3 and words[0].endswith("s")))


def _united(some: Sequence[Sense]) -> list[Sense]:
    """Senses of which each word has one, with all places that it gives."""
    found: dict[str, Sense] = {}
    for one in some:
        other = found.get(one.word, one)
        found[one.word] = replace(one, heads=one.heads | other.heads, tails=one.tails | other.tails)
    return list(found.values())


def _agreed(one: Sense, other: Sense) -> Sense | None:
    """What two senses of a word have in common; ``None``: each says the opposite of the other."""
    heads, tails = one.heads & other.heads, one.tails & other.tails
    whole = one.whole and other.whole
    is_verb = one.is_verb or other.is_verb
    return replace(one, heads=heads, tails=tails, whole=whole, is_verb=is_verb) if heads and tails else None


def is_symmetric(name: str) -> bool:
    """Whether what a relation's name says of one end it says of the other: "married to", "borders", "sibling of"."""
    return any(sense.word in SYMMETRIC for sense in of_name(name))


def of_name(name: str) -> tuple[Sense, ...]:
    """The senses of a relation's name in words, which is read after its head: "is part of", "treated by", "genre"."""
    words = [word for word in name.lower().split() if not is_adverb(word)]
    while len(words) > 1 and words[0] in AUXILIARIES | closed.ARTICLES:
        words = words[1:]
    if len(words) > 1 and words[0] in PREPOSITIONS and words[-1] not in PREPOSITIONS:
        words = words[1:]
    if not words:
        return ()
    if in_order := _of_order(words):
        return (*in_order, *_in_part(_noun_alone(words[-1])))
    *before, last = words
    if last == "by" and before:
        verb = verb_of(before[-1])
        return (Sense(verb, _PATIENT, _AGENT, is_verb=True),) if verb else ()
    if last in PREPOSITIONS and before:
        return _with_preposition(before[-1], last)
    if len(words) == 1:
        return (*_verb_alone(last), *_noun_alone(last))
    if "of" in before:
        return _in_part(_noun_alone(words[words.index("of") - 1]))
    if verb_of(last) and is_participle(last):
        return ()
    first = words[0]
    finite = first.endswith("s") and first not in closed.ALSO_NOUNS and verb_of(first) in closed.VERBS
    return _in_part(_verb_alone(first) if finite else _noun_alone(last))


def _of_order(words: Sequence[str]) -> tuple[Sense, ...]:
    """The senses of a name that says what comes next, or before: "next station", "previous version", "comes after"."""
    first, last = words[0], words[-1]
    if first in closed.NEXT or first in closed.PREVIOUS:
        tails, heads = _AGENT, _PATIENT | _OBLIQUE
    elif last in ("after", "before") and (len(words) == 1 or (len(words) == 2 and verb_of(first) in closed.COMING)):
        heads, tails = _AGENT, _PATIENT | _OBLIQUE
    else:
        return ()
    if first in closed.NEXT or last == "after":
        return Sense("succeed", heads, tails), Sense("follow", heads, tails)
    return (Sense("precede", heads, tails),)


def _in_part(some: Iterable[Sense]) -> tuple[Sense, ...]:
    return tuple(replace(sense, whole=False) for sense in some)


def _with_preposition(word: str, preposition: str) -> tuple[Sense, ...]:
    """The senses of a verb or a noun with a preposition: "reports to", "sent to", "parent of"."""
    verb = verb_of(word)
    if verb and is_participle(word):
        return (Sense(verb, _AGENT | _PATIENT, _OBLIQUE, preposition, is_verb=_tells_ends(verb, preposition)),)
    finite = verb in closed.VERBS and (word.endswith("s") or word not in closed.ALSO_NOUNS)
    if verb and preposition != "of" and (finite or word.endswith("s")):
        return (Sense(verb, _AGENT, OTHERS["agent"], preposition, is_verb=_tells_ends(verb, preposition)),)
    noun, place = deed_of(word)
    return (Sense(noun, frozenset((place,)), OTHERS[place] | _OBLIQUE - {place}),)


def _verb_alone(word: str) -> tuple[Sense, ...]:
    """The sense of a verb that is all of a name: "manages", "acquired"."""
    verb = verb_of(word)
    acts = word.endswith("s") or is_participle(word) or verb in closed.VERBS or word in UNCHANGED
    if verb in _IN_PLACES and is_participle(word):  # "buried" is where
        return (Sense(verb, _PATIENT, _OBLIQUE),)
    is_noun = deed_of(word)[0] == verb and verb not in closed.VERBS  # "parents" are no deed
    return (Sense(verb, _AGENT, OTHERS["agent"], is_verb=_tells_ends(verb)),) if verb and acts and not is_noun else ()


def _tells_ends(verb: str, preposition: str = "") -> bool:
    """Whether a verb holds one way only: those who work with somebody are worked with by them."""
    return preposition != "with" and verb not in SYMMETRIC | RECIPROCAL


def _noun_alone(word: str) -> tuple[Sense, ...]:
    """The sense of a noun for the tail: "genre", "manager"."""
    noun, place = deed_of(word)
    verb = verb_of(word)
    if not word.replace("-", "").isalpha() or is_participle(word):  # "P361" says nothing
        return ()
    if word.endswith("s") and verb in closed.VERBS - closed.ALSO_NOUNS:
        return ()
    return (Sense(noun, OTHERS[place], frozenset((place,))),)
