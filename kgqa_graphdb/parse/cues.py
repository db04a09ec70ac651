"""Words by which a question leaves out, compares or counts, where no plan that does so was composed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.language.english_words import (
    AUXILIARIES,
    COMPARATIVES,
    DIMENSIONS,
    EACH,
    EXCEPTIONS,
    HIGH,
    LOW,
    NOBODY,
    PLAIN_PREPOSITIONS,
)
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.types import Link, Relation

_NEGATION = re.compile(
    rf"\b(?:not|never|neither|other than|no one|{'|'.join(sorted(EXCEPTIONS | NOBODY))})\b|n['’]t\b", re.IGNORECASE
)
"""But for "no", which is "in the" in Portuguese."""
_ASIDE = re.compile(
    r"^\W*(?:can|could|do|did|will|would|wo)(?:n?['’]t| not) (?:you|any|some)\w*\b|"
    r"\bi (?:do not|don['’]t) know\b|\bif not\b",
    re.IGNORECASE,
)
"""What denies nothing of what is asked for: "can't you tell me", "I don't know"."""
_WHETHER = re.compile(
    rf"^\W*(?:(?:and|but|so|then|well|now)\W+)?(?:{'|'.join(sorted(AUXILIARIES))}|will|would|should|"
    r"(?:is|are|was|were|do|does|did|has|have|had|ca|could|wo|would)n['’]?t)(?=\s)"
    r"(?!\s+(?:(?:you|i|we)\b|(?:any|some)(?:one|body) (?:know|tell|say|help)))|"
    r"\b(?:whether|(?:tell me|know|wonder|wondering|say|check) if)\b",
    re.IGNORECASE,
)
_DOES_OR_HAS = re.compile(r"\W*(?:does|do|did|has|have|had)\b", re.IGNORECASE)
_PREPOSITION = re.compile(
    rf"\b(?:{'|'.join(sorted(PLAIN_PREPOSITIONS))})(?: either| both)?(?: the)?\W*$", re.IGNORECASE
)
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_COUNTS = "how many"
_DEGREES = "|".join(sorted((HIGH | LOW | {*DIMENSIONS} | {*COMPARATIVES}) - {"max", "min", "best"}))
_COMPARES = re.compile(
    rf"\b(?:{_COUNTS}|the (?:first|last)(?! name)|(?:first|last)(?=\W*$)|(?:more|less|fewer) than|"
    rf"(?:before|after|since) \d{{4}}|{_DEGREES})\b",
    re.IGNORECASE | re.ASCII,
)
_TOTALS = "|".join(sorted(EACH))
_RANKS = "|".join(sorted((HIGH | LOW | {*DIMENSIONS}) - {"max", "min", "best"}))
_REDUCES = re.compile(
    rf"\b(?:{_COUNTS}|the (?:first|last)(?! name)|(?:first|last)(?=\W*$)|{_TOTALS}|{_RANKS})\b", re.IGNORECASE
)
_ALTERNATIVES = re.compile(r"\W*(?:or|nor|and)?(?: the)?\W*", re.IGNORECASE)
"""Stands between two that are left out alike."""
_RELATIVE = re.compile(r"\b(?:that|which|whom?) (?:the )?$", re.IGNORECASE)
"""Stands before who does, or does not do, something to what is asked for: "moons that X did not discover"."""
_ONE_WORD = re.compile(r"\W*\w*\W*")


def negation_in(text: str, links: Sequence[Link], mapping: GraphMapping) -> re.Match[str] | None:
    """The first word that leaves something out; ``None``: there is none, or it belongs to a name or to a relation's."""
    asides = [(found.start(), found.end()) for found in _ASIDE.finditer(text)]
    every = _cues(_NEGATION, text, links, mapping.relations)
    return next((one for one in every if not any(start <= one.start() < end for start, end in asides)), None)


def asks_whether(text: str, links: Sequence[Link], language: Language) -> bool:
    """Whether a question is answered by yes or no; not where it asks which of several: "is Ann male or female?".

    :param links: to what it names
    """
    if language.code != ENGLISH.code or not (found := _WHETHER.search(text)):
        return False

    def is_named(place: int) -> bool:
        return any(link.start <= place < link.end for link in links)

    def joins_two(place: int) -> bool:
        before = [link for link in links if not text[link.end : place].strip() and link.end <= place]
        after = any(link.start > place and _ALTERNATIVES.fullmatch(text, place, link.start) for link in links)
        return after and any(either_will_do(text, link.start) for link in before)

    alternatives = (cue.start() for cue in _OR.finditer(text, found.end()))
    return not is_named(found.end() - 1) and all(is_named(one) or joins_two(one) for one in alternatives)


def either_will_do(text: str, start: int) -> bool:
    """Whether two names may both do, of which the first begins there: "did X visit Y or Z?".

    "Is it Y or Z?" asks which it is.
    """
    return _DOES_OR_HAS.match(text) is not None or _PREPOSITION.search(text[:start]) is not None


def counts(text: str, links: Sequence[Link]) -> bool:
    """Whether a question asks how many there are."""
    return any(cue[0].lower() == _COUNTS for cue in _cues(_COMPARES, text, links, ()))


def left_out(text: str, negation: re.Match[str], one: Link, other: Link) -> Link | None:
    """Of two topics the one that is left out; ``None``: both are, or the question asks whether something is not so.

    It is the first after the negation, or the last before it; of "moons that X did not discover of Y" it is X.
    """
    first, second = sorted((one, other), key=lambda link: link.start)
    before = text[: negation.start()].strip().lower()
    if not before or before in AUXILIARIES:
        return None
    if negation.end() <= first.start:
        return None if _ALTERNATIVES.fullmatch(text, first.end, second.start) else first
    of_first = _RELATIVE.search(text[: first.start]) and _ONE_WORD.fullmatch(text, first.end, negation.start())
    return first if of_first and negation.end() <= second.start else second


def unused_words(text: str, links: Sequence[Link], relations: Iterable[Relation], *, in_values: bool) -> str:
    """The first words that compare or count and belong to no name nor to a relation that was followed; empty: none.

    :param in_values: the answers are values, which may say how many there are
    """
    found = (cue[0] for cue in _cues(_COMPARES, text, links, relations))
    return next((cue for cue in found if not (in_values and cue.lower() == _COUNTS)), "")


def counting_word(text: str, links: Sequence[Link], relations: Iterable[Relation], *, kinds: bool) -> str:
    """The first words that count, sum up or rank and belong to no name nor to a relation that was followed.

    :param kinds: the graph knows the kinds of its entities: what is summed up or ranked then is never a list
    """
    found = (cue[0] for cue in _cues(_REDUCES, text, links, relations))
    return next((cue for cue in found if kinds or cue.lower() == _COUNTS), "")


def _cues(
    pattern: re.Pattern[str], text: str, links: Sequence[Link], relations: Iterable[Relation]
) -> Iterable[re.Match[str]]:
    """The matches that neither a name has nor the words of a relation that the question says."""
    found = [cue for cue in pattern.finditer(text) if not any(link.start <= cue.start() < link.end for link in links)]
    if not found:
        return []
    phrases = {phrase.lower() for one in relations for phrase in (one.phrase, one.inverse_phrase)}
    spoken = " ".join(phrase for phrase in phrases if phrase and phrase in text.lower())
    return [cue for cue in found if not re.search(rf"\b{re.escape(cue[0].lower())}\b", spoken)]
