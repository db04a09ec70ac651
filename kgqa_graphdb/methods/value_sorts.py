"""Whether values may be what a question's noun asks for: "which journal" for no day, "which company" for no sector."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, time

from kgqa_graphdb.compose.fits import says
from kgqa_graphdb.compose.scale import may_be_moment
from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_deeds import is_participle
from kgqa_graphdb.language.english_words import (
    AGES,
    AUXILIARIES,
    BEGINS_OR_ENDS_LIFE,
    CLAUSE_WORDS,
    GRAMMAR_WORDS,
    MEASURES,
    SYNONYMS,
    TIME_WORDS,
    TIMES,
    UNTIL,
)
from kgqa_graphdb.types import Path, Relation, Scalar

_WORD = re.compile(r"\[[XY]\]|[^\W_]+(?:['’]s)?")
_SINCE = re.compile(r"\W*(since|from|until|till) when\b", re.IGNORECASE)
_ASKING = frozenset(("what", "which", "what's", "what’s"))
_NOT_IN_NOUNS = (GRAMMAR_WORDS | AUXILIARIES | CLAUSE_WORDS) - {"name", "list"}
_OF_TIMES = TIME_WORDS | TIMES | frozenset(f"{one}s" for one in TIMES) | frozenset(AGES)
_OF_ANY = MEASURES | frozenset(
    """amount number count quantity size share percentage rate total sum percent score rank position order
    kind sort type part parts name title""".split()
)
"""Nouns that ask for whatever is measured or called so."""


def noun_phrase(masked: str) -> tuple[str, ...]:
    """The words of the noun for what is asked for: "hourly", "rate"; empty: "what" or "which" has none.

    :param masked: a question with its topic masked
    """
    words = [word if word.startswith("[") else word.lower() for word in _WORD.findall(masked)]
    start = next((at + 1 for at, word in enumerate(words) if word in _ASKING), len(words))
    while start < len(words) and words[start] in {"is", "was", "are", "were", "the"}:
        start += 1
    found: list[str] = []
    for word in words[start : start + 4]:
        if word.startswith("[") or word in _NOT_IN_NOUNS or (found and is_participle(word)):
            break
        found.append(word)
    return tuple(found)


def may_be_noun(nouns: Sequence[str], relation: Relation, values: Sequence[Scalar], language: Language) -> bool:
    """Whether values of a relation may be what a noun names: numbers and days only where the relation's words say it.

    Of texts its words alone do not tell.
    """
    if not nouns or not any(isinstance(one, int | float | date | time) for one in values):
        return True
    if any(isinstance(one, bool) for one in values) or {*nouns} & _OF_ANY or {*nouns} & _OF_TIMES:
        return True
    return is_called(nouns[:3], relation, language)


def may_be_since(question: str, words: Sequence[str], path: Path, language: Language) -> bool:
    """Whether a path may lead to when something began or ended to be so: no birth or opening that is not said.

    :param words: of the question
    """
    found, last = _SINCE.match(question), path[-1].relation
    if found is None or last.kind == "edge" or says(last, words, language):
        return True
    own = {*language.words_of(last.id).split(), *last.phrase.lower().split()}
    begins = last.kind == "property" and (len(path) > 1 or bool(own & BEGINS_OR_ENDS_LIFE))
    return not begins and (found[1].lower() in ("since", "from") or bool(own & UNTIL))


def is_of_sort(value: Scalar, kind: str) -> bool:
    """Whether a value may be what an interrogative asks for.

    :param kind: as :class:`kgqa_graphdb.language.Language` has it of the interrogative
    """
    is_number = isinstance(value, int | float)
    match kind:
        case "person" | "place":
            return not (is_number or isinstance(value, date | time))
        case "date or year":
            return may_be_moment(value) or (isinstance(value, str) and any(map(str.isdigit, value)))
        case _:
            return True


def is_called(nouns: Sequence[str], relation: Relation, language: Language) -> bool:
    """Whether a relation's words, or words that say the same, are among some."""
    own = {*language.words_of(relation.id).lower().split(), *relation.phrase.lower().split(), relation.unit.lower()}
    if says(relation, [*nouns, *map(language.lemma, nouns)], language):
        return True
    forms = {*map(language.lemma, nouns)}
    return any((forms & one and own & other) or (forms & other and own & one) for one, other in SYNONYMS)
