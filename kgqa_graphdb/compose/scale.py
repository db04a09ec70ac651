"""What a property measures, a point in time or an amount, and whether that is what a comparing word speaks of.

The older of two has the greater age, but the earlier date of birth: which way "older" compares is for the property to
say. So each adjective's measures (:data:`kgqa_graphdb.language.english_words.DIMENSIONS`) are either points in time or
amounts, and a path is taken for one only where its values are of that sort.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal, TypeAlias

from kgqa_graphdb.compose.compare import are_numbers, have_order
from kgqa_graphdb.compose.fits import explains
from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_words import AGE, AGE_ITSELF, AGES, ENDS, ORIGIN_MEASURES, ORIGINS, TIME_WORDS, UNTIL
from kgqa_graphdb.types import Path, Scalar

Scale: TypeAlias = Literal["moment", "amount", ""]
FIRST_YEAR, LAST_YEAR = 1000, 2999
"""Whole numbers that may be years."""


def scale_of(path: Path, values: Sequence[Scalar], language: Language) -> Scale:
    """What a path leads to, by its values and, of whole numbers that may be years, its words; empty: what has no order.

    :param values: some that it leads to
    """
    if are_numbers(values):
        return "moment" if may_be_years(values) and speaks_of_time(path, language) else "amount"
    return "moment" if have_order(values) else ""


def may_be_years(values: Sequence[Scalar]) -> bool:
    """Whether all values are whole numbers that may be years."""
    return all(isinstance(one, int) and FIRST_YEAR <= one <= LAST_YEAR for one in values)


def may_be_moment(value: object) -> bool:
    """Whether what is compared with is a day, or a number that may be a year."""
    return isinstance(value, date) or (isinstance(value, int) and FIRST_YEAR <= value <= LAST_YEAR)


def is_moment(measure: str) -> bool:
    """Whether words for a measure mean a point in time: "date of birth", "launched year or date"."""
    return bool({"date", "year"} & {*measure.split()})


def admits(path: Path, values: Sequence[Scalar], measure: str, language: Language) -> bool:
    """Whether an adjective's measure may be what a path leads to.

    Something is as old as it has been there: since it was born or founded, not since it was shipped.

    :param measure: one of those of the adjective
    """
    scale = scale_of(path, values, language)
    if measure == AGE:
        return scale == "amount" and is_age(path, language) and _words(path, language) <= _of_now(path, language)
    if not is_moment(measure):
        return scale == "amount"
    if scale != "moment" or measure not in ORIGIN_MEASURES:
        return scale == "moment"
    events = _events(path, language)
    return not events or not events.isdisjoint(ORIGINS)


def is_age(path: Path, language: Language) -> bool:
    """Whether a path leads to how old something is or was at some event."""
    return any(explains(path, word, language) for word in AGES)


def _of_now(path: Path, language: Language) -> frozenset[str]:
    """The words that a path to how old something is may have: nobody is as old as the age of retirement."""
    kinds = {word for label in path[-1].relation.heads for word in language.words_of(label).split()}
    return AGE_ITSELF | kinds


def _words(path: Path, language: Language) -> set[str]:
    relation = path[-1].relation
    return {*language.words_of(relation.id).split(), *relation.phrase.lower().split()}


def speaks_of_time(path: Path, language: Language) -> bool:
    """Whether a path's words are of points in time, as "release year", "opened" and "since" are."""
    if path[-1].relation.unit:
        return False
    words = _words(path, language)
    ends = path[-1].relation.kind == "qualifier" and words <= UNTIL
    return ends or bool(words & TIME_WORDS) or any(map(language.is_moment, words))


def _events(path: Path, language: Language) -> set[str]:
    """What happened at a point in time, as far as the path's words say: "founded" of "founding date"."""
    words = _words(path, language)
    names = {language.words_of(step.relation.id) for step in path}
    done = {language.happened_at(name)[0] for name in names} - {""}
    return done | words & ENDS | {word for word in words if language.base_form(word) or language.is_moment(word)}
