"""Which place a condition gives what is asked for: of two employees only the verb tells who manages the other.

A condition is read again as a clause about ``[X]``, as questions about a topic are: "[X] manages the most employees",
"the most employees report to [X]", "followers of [X]".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from kgqa_graphdb.language.english_deeds import is_participle, may_be_participle, verb_of
from kgqa_graphdb.language.english_words import FILLERS, HIGH, LOW, NEGATIONS, PREPOSITIONS, RELATIVE
from kgqa_graphdb.language.masking import OTHER, TOPIC

_DO = frozenset("do does did can could".split())
_BE = frozenset("is are was were be been being".split())
_HAVE = frozenset("has have had".split())
_DEGREES = HIGH | LOW | frozenset("more less fewer than at over".split())
_EMPTY = FILLERS - _BE - _HAVE - _DO
_RECEIVED = {"citation": "cited", "citations": "cited"}
"""Nouns for what is done to those that have them: a paper with citations is cited."""
_EACH = re.compile(r" (?:(in|for|of|by|from|at|with|on|to) )?(?:each|every|per)\b.*$")


def clause_of(words: Sequence[str], nouns: Collection[str]) -> str:
    """The words of a condition as a clause about what is asked for, ``[X]``; empty: they tell nothing of its place.

    :param words: as they stand, without "who" and "that"
    :param nouns: for kinds
    """
    said = [word for word in words if word not in NEGATIONS or word == "without"]
    kept = [word for word in said if not word.startswith(("{", "#"))]
    if not kept or TOPIC in kept or OTHER in kept or any(word in RELATIVE for word in kept):
        return ""
    first, rest = kept[0], kept[1:]
    if first in _DO:
        return _about(rest) if _begins_with_verb(rest, nouns) else _to(rest, nouns)
    if first in _HAVE:
        if rest[:1] == ["been"]:
            return _about(["was", *rest[1:]])
        return _about(kept) if rest and is_participle(rest[0]) else _had(rest)
    if first in _BE:
        return _to(rest, nouns) if _has_subject(rest, nouns) else _about(kept)
    if first == "without":
        return _had(rest)
    if _begins_with_verb(said, nouns):
        done_to_nobody = words[-1] == "no" and len(kept) == 1  # "defeated nobody" did it to others
        return _about(kept) if done_to_nobody else _done(kept, nouns)
    return _to(kept, nouns) or _had(kept)


def attributive(words: Sequence[str]) -> str:
    """The same of words before the noun for what is asked for: "the most cited papers"."""
    return f"{TOPIC} is {words[-1]}" if words and may_be_participle(words[-1]) else ""


def one_more_verb(before: str, text: str) -> str:
    """A condition that is but a verb, as what the topic does that the one before speaks of; empty: it is none.

    :param before: "does [X] own"
    :param text: "review"
    """
    subject, topic, said = before.partition(TOPIC)
    verb, *more = text.split() or [""]
    first = (said.split() or [""])[0]
    alike = bool(verb_of(first)) and is_participle(first) == is_participle(verb)
    if not (topic and alike and verb_of(verb)) or len(more) > 1 or any(word not in PREPOSITIONS for word in more):
        return ""
    return f"{subject}{topic} {text}"


def clause_of_each(before: str, grouped: str) -> str:
    """The same of what things are grouped by: "how many employees does each employee manage".

    :param before: the words before those that name the groups
    :param grouped: those from there on
    """
    found = _EACH.match(f" {grouped}")
    last = before.split()[-1:] or [""]
    if found is None:
        return ""
    preposition = found[1] or ""
    each = not preposition and re.search(r" (?:each|every)\b", found[0])
    if each or preposition in ("by", "to", "from", "on", "with"):
        return " ".join(filter(None, (before, preposition, TOPIC)))
    if may_be_participle(last[0]):  # "employees managed per employee"
        return f"{before} by {TOPIC}"
    return "" if verb_of(last[0]) and last[0] not in ("reports",) else f"{before} of {TOPIC}"


def _about(words: Sequence[str]) -> str:
    return f"{TOPIC} {' '.join(words)}"


def _begins_with_verb(words: Sequence[str], nouns: Collection[str]) -> bool:
    return bool(words and verb_of(words[0])) and words[0] not in _DEGREES and words[0] not in nouns


def _done(words: Sequence[str], nouns: Collection[str]) -> str:
    """What begins with a verb: "manages the most employees", "cited by Y", "cited most"."""
    content = [word for word in words if word not in _EMPTY | _DEGREES]
    if not is_participle(words[0]):
        return _about(words) if len(content) > 1 or not words[0].endswith("s") else ""
    done_to = len(content) == 1 or not (content[1] in PREPOSITIONS or any(word in nouns for word in content[1:]))
    return _about(["is", *words] if done_to else words)


def _has_subject(words: Sequence[str], nouns: Collection[str]) -> bool:
    """Whether a noun comes before the verb: "are the most employees managed by"."""
    verb = next((at for at, word in enumerate(words) if at and may_be_participle(word)), 0)
    return not _begins_with_verb(words, nouns) and any(word in nouns for word in words[:verb])


def _to(words: Sequence[str], nouns: Collection[str]) -> str:
    """What others do to it: "the most employees report to"; empty: they do nothing."""
    verbs = [at for at, word in enumerate(words) if verb_of(word) and any(one in nouns for one in words[:at])]
    if not verbs or words[verbs[-1]] in nouns:
        return ""
    end = verbs[-1] + 1
    if is_participle(words[end - 1]) and words[end : end + 1] != ["by"]:  # "with the most employees managed"
        return ""
    if end < len(words) and words[end] in PREPOSITIONS:
        end += 1
    return " ".join((*words[:end], TOPIC, *words[end:]))


def _had(words: Sequence[str]) -> str:
    """What it has: "the most followers"; empty: more is said of that."""
    content = [word for word in words if word not in _EMPTY | _DEGREES]
    if not content or any(word in PREPOSITIONS or is_participle(word) for word in content):
        return ""
    noun = content[-1]
    return f"{TOPIC} is {_RECEIVED[noun]}" if noun in _RECEIVED else f"{noun} of {TOPIC}"
