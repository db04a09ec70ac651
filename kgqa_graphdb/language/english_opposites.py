"""English words that say the opposite of each other, so that what says the one is no answer to the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kgqa_graphdb.language.english_deeds import deed_of, verb_of
from kgqa_graphdb.language.lemmas import lemma_of

_OPPOSITES = tuple(
    (frozenset(one.split()), frozenset(other.split()))
    for one, other in (
        ("open opening reopen", "close closing closure shut"),
        (
            "start begin beginning commence onset",
            "end ending finish stop terminate termination expire expiry expiration conclude complete completion",
        ),
        (
            "found foundation establish establishment create creation launch build construct start begin",
            "dissolve dissolution abolish demolish demolition disband liquidate decommission close closing closure end",
        ),
        ("bear born birth birthday birthdate birthplace", "die death dead deathdate deathplace"),
        (
            "hire employ recruit appoint appointment join enter start begin",
            "dismiss dismissal fired leave quit resign resignation retire retirement",
        ),
        ("arrive arrival", "depart departure leave"),
        ("enter entry entrance admit admission", "leave exit discharge"),
        ("win", "lose loss"),
        ("gain", "lose loss"),
        ("import", "export"),
        ("load", "unload"),
        ("lock", "unlock"),
        ("enable", "disable"),
        ("install add", "uninstall remove removal"),
        ("include", "exclude"),
        ("accept approve approval", "reject rejection refuse decline"),
        ("allow permit", "forbid prohibit"),
        ("pass", "fail"),
        ("rise increase", "fall decrease"),
        ("promote promotion", "demote demotion"),
        ("attack", "defend"),
        ("upload", "download"),
        ("marry marriage wedding", "divorce"),
        ("deposit", "withdraw withdrawal"),
        ("minimum min", "maximum max"),
        ("like love", "dislike hate"),
        ("activate", "inhibit deactivate"),
        ("input", "output"),
        ("friend ally", "enemy"),
    )
)
"""Verbs in their base forms, and the nouns that are made of them."""
_GIVING = frozenset("sell lend send".split())
_TAKING = frozenset("buy purchase acquire borrow receive".split())
"""What one end does where the other does the opposite: who something was "sold to" bought it."""


def stances(words: Sequence[str]) -> frozenset[int]:
    """What some words say of what has an opposite, as numbers; the opposite has the same number below zero.

    :param words: of a question, or of a relation in their order
    """
    forms = {form for word in words for form in _forms(word.lower())}
    found = set[int]()
    for number, (one, other) in enumerate(_OPPOSITES, 1):
        found |= {number} if one & forms else set()
        found |= {-number} if other & forms else set()
    number = len(_OPPOSITES) + 1
    if forms & _GIVING:
        found |= {number, -number} if "to" in words else {number}
    if forms & _TAKING:
        found |= {number, -number} if "from" in words else {-number}
    return frozenset(found)


@lru_cache(maxsize=16_384)
def _forms(word: str) -> frozenset[str]:
    """A word, the verb that it is a form of, and the deed of whom it names: "seller" sells."""
    noun, place = deed_of(word)
    doer = noun if place == "agent" and word.removesuffix("s").endswith(("er", "or")) else ""
    return frozenset(filter(None, (word, verb_of(word), lemma_of(word, "en"), doer)))
