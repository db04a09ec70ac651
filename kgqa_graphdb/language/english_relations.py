"""English words for relations, guessed from their names.

Guesses follow English as schema authors use it: "has genre" is about a genre, whoever something is "directed by" is its
director, whoever "acted in" something is an actor in it.
"""

from __future__ import annotations

import re

from kgqa_graphdb.language import english_words as closed
from kgqa_graphdb.language.english import (
    DEEDS,
    NO_AGENTS,
    UNCHANGED,
    agent_of,
    base_form,
    base_of,
    doer_of,
    is_past,
    named_agent,
    plural_of,
    singular_of,
    third_person,
    verb_of,
    words_of,
)
from kgqa_graphdb.language.english_words import NAME_AUXILIARIES, PREPOSITIONS

# Whoever "shipped via" something is no shipper: after such a word the past form is passive.
_PASSIVE = frozenset("via through within under".split())


def begins_clause(phrase: str) -> bool:
    """Whether a phrase goes on after its subject, as in "what X acted in", "what X flew on" and "what X follows"."""
    first = phrase.split()[0].lower() if phrase.split() else ""
    acts = is_past(first) or bool(base_of(first)) or base_form(first) not in ("", first)
    return first in NAME_AUXILIARIES or acts or (first in UNCHANGED & DEEDS and first == phrase.lower())


def is_verbal(phrase: str) -> bool:
    """Whether a phrase continues a clause, as in "what X acted in", rather than names a thing, as in "director"."""
    words = phrase.lower().split()
    if not words:
        return False
    alone = len(words) == 1 and words[0] != "star"
    return words[-1] in PREPOSITIONS or (alone and (is_past(words[0]) or bool(base_of(words[0]))))


def be_before(phrase: str) -> str:
    """What stands between a subject and what is done to it: "is " of "located in", "was " of "born in", or nothing."""
    first, *others = phrase.lower().split() or [""]
    if not others or others[-1] not in PREPOSITIONS:
        return ""
    if first in closed.WAS_DONE:
        return "was "
    return "is " if first in closed.IS_DONE or (others[-1] == "by" and is_past(first)) else ""


def stranded(phrase: str) -> str:
    """The preposition that ends words for what comes before a name: "about" of "books about"; empty: none alone."""
    *before, last = phrase.lower().split() or [""]
    if not before or before[0] == "that" or last not in PREPOSITIONS - {"of"}:
        return ""
    verb = before[-1] == "born" or (base_form(before[-1]) and not before[-1].endswith("s"))
    return "" if verb else last


def is_moment(phrase: str) -> bool:
    """Whether a property's name says when something happened, as "released" and "born" do."""
    return phrase.lower() == "born" or (len(phrase.split()) == 1 and is_past(phrase.lower()))


def guessed_phrase(name: str) -> str:
    """Words for walking a relation from head to tail, when nobody wrote any.

    ``has_genre`` → "genre", ``in_language`` → "language", ``directed_by`` → "director", ``ACTED_IN`` → "acted in". What
    would read alike from both ends says which it is: ``PART_OF`` → "is part of", ``SENT_TO`` → "is sent to".
    """
    words = words_of(name).split()
    while len(words) > 1 and words[0] in NAME_AUXILIARIES:
        words = words[1:]
    if len(words) > 1 and words[-1] == "by" and named_agent(words[-2]):
        return " ".join((*words[:-2], named_agent(words[-2])))
    if len(words) > 1 and words[0] in PREPOSITIONS and words[-1] not in PREPOSITIONS:
        words = words[1:]
    return _stated(" ".join(words))


def _stated(phrase: str) -> str:
    """What goes on after the head, where the same words before the tail are the way back: "part of" → "is part of"."""
    words = phrase.split()
    alike = len(words) > 1 and words[-1] in PREPOSITIONS and not base_of(words[0]) and guessed_inverse(phrase) == phrase
    return f"{be_before(phrase) or 'is '}{phrase}" if alike else phrase


def guessed_inverse(phrase: str) -> str:
    """Words for a relation walked from tail to head, when nobody wrote any; they come before the tail's name.

    "directed by" stays, "genre" → "with genre", "in language" stays, "acted in" → "actor in", "capital of" stays,
    "follows" → "follower of", "contains" → "that contains", "reports to" → "that reports to", "beat" → "that beat".
    """
    words = phrase.split()
    while len(words) > 1 and words[0].lower() in NAME_AUXILIARIES:
        words = words[1:]
    first, last = words[0].lower() if words else "", words[-1].lower() if words else ""
    base = base_of(first)
    if len(words) == 1 and base:
        return f"that {phrase}" if base in closed.STATES | NO_AGENTS else f"{doer_of(base)} of"
    if len(words) == 2 and base and last in PREPOSITIONS:
        return f"that {phrase}"
    if len(words) == 1 and is_verbal(first):
        return f"{agent_of(first)} of"
    if len(words) == 2 and last in PREPOSITIONS and last not in ("by", "of") and named_agent(first):
        passive = first.endswith("ated") or first == "married" or last in _PASSIVE
        return phrase if passive else f"{named_agent(first)} {last}"
    if len(words) > 1 and last in PREPOSITIONS and first in closed.ONLY_PAST:
        return f"that {' '.join(words)}"
    if last in PREPOSITIONS or (len(words) > 1 and first in PREPOSITIONS):
        return " ".join(words)
    does = len(words) == 1 and (first in DEEDS or verb_of(first))
    return f"{'that' if does else 'with'} {' '.join(words)}"


def guessed_template(phrase: str, *, of_value: bool = False) -> str:
    """A sentence of one fact, when nobody wrote any: "X follows Y.", "X is directed by Y.", "X — genre: Y.".

    :param of_value: the tail is a value: nothing "released 1999"
    """
    stated = "" if of_value or third_person(phrase.split()) else _stated(phrase)
    if stated.startswith(("is ", "was ")) and not stated.endswith(" by"):
        return f"{{head}} {with_article(stated)} {{tail}}."
    words = phrase.split()
    plain = len(words) == 1 or (len(words) == 2 and words[1] in PREPOSITIONS - _PASSIVE)
    clause = begins_clause(phrase) or third_person(words)
    says_who = words[-1] == "by" and not be_before(phrase)  # "stand by", "photo by": no verb of the head
    if plain and not of_value and clause and not says_who and words[0] not in ("star", "found"):
        return f"{{head}} {be_before(phrase)}{phrase} {{tail}}."
    return f"{{head}} — {phrase}: {{tail}}."


_IS_OF = re.compile(r"(is|was) ([a-z]+) of")


def with_article(phrase: str) -> str:
    """What goes on after a subject, with the article of its noun: "is member of" → "is a member of"."""
    found = _IS_OF.fullmatch(phrase)
    if not found or found[2] in ("part", "capital") or is_past(found[2]) or singular_of(found[2]) != found[2]:
        return phrase
    return f"{found[1]} {'an' if found[2][0] in 'aeiou' else 'a'} {found[2]} of"


def edge_words(name: str, heads: tuple[str, ...], tails: tuple[str, ...]) -> tuple[str, str, str]:
    """Phrase, inverse phrase and template of a relationship type, from its name and the labels at its ends.

    Labels settle what a word is: ``REVIEWS`` of a person is a verb, of what leads to a ``Review`` a noun. A type whose
    name is what its head is called, such as ``ORDERS`` of an ``Order``, says no more than that the head has something.
    """
    words = words_of(name)
    end_words = [{form for label in some for form in _forms(words_of(label))} for some in (heads, tails)]
    if words in end_words[1] or not set(words.split()) - NAME_AUXILIARIES - PREPOSITIONS - {"belongs", "contains"}:
        noun = words_of(tails[0])
        owner = words_of(heads[0])
        return noun, f"{owner} with {noun}" if noun != owner else f"with {noun}", f"{{head}} — {noun}: {{tail}}."
    if words in end_words[0] and base_of(words):
        noun, owner = words_of(tails[0]), words_of(heads[0])
        return f"{noun} in {owner}", f"{owner} with", f"{{head}} {words} {{tail}}."
    inverse = guessed_inverse(words)
    if inverse.split()[0] in end_words[1]:  # "shipped with" a shipper: the tail does it
        inverse = words
    return guessed_phrase(name), inverse, guessed_template(words)


def _forms(noun: str) -> tuple[str, ...]:
    """A noun and its plural, as relationship types have them."""
    plural = plural_of(noun)
    return noun, plural, f"has {noun}", f"has {plural}"
