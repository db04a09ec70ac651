"""Words for relations, guessed from their names.

Guesses follow English as schema authors use it: "has genre" is about a genre, whoever something is "directed by" is its
director, whoever "acted in" something is an actor in it.
"""

from __future__ import annotations

import re

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

PREPOSITIONS = frozenset("about after at before by for from in into near of on over since to under until with".split())
_AUXILIARIES = frozenset(("has", "have", "had", "is", "are", "was", "were"))

# Agents of common verbs whose past is irregular, or whose agent the rule below misses; general English.
_AGENTS = {
    "built": "builder", "bought": "buyer", "drawn": "artist", "drove": "driver", "gave": "giver", "given": "giver",
    "held": "holder", "led": "leader", "made": "maker", "sang": "singer", "sold": "seller", "sung": "singer",
    "spoke": "speaker", "spoken": "speaker", "taught": "teacher", "won": "winner", "written": "writer",
    "wrote": "writer", "starred": "star", "authored": "author", "governed": "governor", "conquered": "conqueror",
    "studied": "student", "married": "spouse",
}  # fmt: skip
_TAKES_OR = re.compile(r"(ct|at|it|ess|vis|nvest|nvent|dapt|urvey)$")


def words_of(name: str) -> str:
    """A relation's name as words: ``directed_by`` → "directed by", ``DIRECTED_BY`` and ``directedBy`` alike.

    Of a Freebase path or an IRI the last part counts: ``people.person.place_of_birth`` → "place of birth".
    """
    local = re.split(r"[/#]", name.rstrip("/#"))[-1] or name
    local = local.rsplit(".", 1)[-1] or local
    spaced = _CAMEL.sub(" ", re.sub(r"[_\-:\s]+", " ", local)).strip().lower()
    return spaced or name


def agent_of(verb: str) -> str:
    """Who does what a past form says: "directed" → "director"; empty when the word is no past form that we know."""
    if verb in _AGENTS:
        return _AGENTS[verb]
    if not verb.endswith("ed") or len(verb) < 5:
        return ""
    stem = verb[:-2]
    if _TAKES_OR.search(stem):
        return f"{stem}or"
    if stem.endswith("i"):
        return f"{stem[:-1]}ier"
    return f"{stem}er"


def is_verbal(phrase: str) -> bool:
    """Whether a phrase continues a clause, as in "what X acted in", rather than names a thing, as in "director"."""
    words = phrase.lower().split()
    if not words:
        return False
    return words[-1] in PREPOSITIONS or (len(words) == 1 and bool(agent_of(words[0])) and words[0] != "star")


def is_moment(phrase: str) -> bool:
    """Whether a property's name says when something happened, as "released" and "born" do."""
    return phrase.lower() == "born" or (len(phrase.split()) == 1 and bool(agent_of(phrase.lower())))


def guessed_phrase(name: str) -> str:
    """Words for walking a relation from head to tail, when nobody wrote any.

    ``has_genre`` → "genre", ``in_language`` → "language", ``directed_by`` → "director", ``ACTED_IN`` → "acted in".
    """
    words = words_of(name).split()
    while len(words) > 1 and words[0] in _AUXILIARIES:
        words = words[1:]
    if len(words) > 1 and words[-1] == "by" and agent_of(words[-2]):
        return " ".join((*words[:-2], agent_of(words[-2])))
    if len(words) > 1 and words[0] in PREPOSITIONS and words[-1] not in PREPOSITIONS:
        words = words[1:]
    return " ".join(words)


def guessed_inverse(phrase: str) -> str:
    """Words for a relation walked from tail to head, when nobody wrote any; they come before the tail's name.

    "directed by" stays, "genre" → "with genre", "in language" stays, "acted in" → "actor in", "capital of" stays.
    """
    words = phrase.split()
    while len(words) > 1 and words[0].lower() in _AUXILIARIES:
        words = words[1:]
    first, last = words[0].lower() if words else "", words[-1].lower() if words else ""
    if len(words) == 1 and is_verbal(first):
        return f"{agent_of(first)} of"
    if len(words) == 2 and last in PREPOSITIONS and last not in ("by", "of") and agent_of(first):
        return phrase if first.endswith("ated") else f"{agent_of(first)} {last}"
    if last in PREPOSITIONS or (len(words) > 1 and first in PREPOSITIONS):
        return " ".join(words)
    return f"with {' '.join(words)}"


def guessed_template(phrase: str) -> str:
    """A sentence of one fact, when nobody wrote any."""
    return f"{{head}} — {phrase}: {{tail}}."
