"""Words by which a question leaves out, compares or counts, where no plan that does so was composed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.operators.words import COMPARATIVES, DIMENSIONS, EXCEPTIONS, HIGH, LOW
from kgqa_graphdb.types import Link, Relation

_NEGATION = re.compile(rf"\b(?:not|never|{'|'.join(sorted(EXCEPTIONS))})\b|n['’]t\b", re.IGNORECASE)
"""But for "no", which is "in the" in Portuguese."""
_COUNTS = "how many"
_COMPARES = re.compile(
    rf"\b(?:{_COUNTS}|(?:more|less|fewer) than|(?:before|after|since) \d{{4}}|"
    rf"{'|'.join(sorted((HIGH | LOW | {*DIMENSIONS} | {*COMPARATIVES}) - {'max', 'min'}))})\b",
    re.IGNORECASE | re.ASCII,
)
_ALTERNATIVES = re.compile(r"\W*(?:or|nor|and)?(?: the)?\W*", re.IGNORECASE)
"""Stands between two that are left out alike."""


def negation_in(text: str, links: Sequence[Link], mapping: GraphMapping) -> re.Match[str] | None:
    """The first word that leaves something out; ``None``: there is none, or it belongs to a name or to a relation's."""
    return _first(_NEGATION, text, links, mapping.relations)


def left_out(text: str, negation: re.Match[str], one: Link, other: Link) -> Link | None:
    """Of two topics the one that is left out: the first after the negation, or the last before it; ``None``: both."""
    first, second = sorted((one, other), key=lambda link: link.start)
    if negation.end() > first.start:
        return second
    return None if _ALTERNATIVES.fullmatch(text, first.end, second.start) else first


def passed_over(text: str, links: Sequence[Link], relations: Sequence[Relation], *, in_values: bool) -> str:
    """The first words that compare or count and belong to no name nor to a relation that was followed; empty: none.

    :param in_values: the answers are values, which may say how many there are
    """
    found = _first(_COMPARES, text, links, relations)
    return "" if found is None or (in_values and found[0].lower() == _COUNTS) else found[0]


def _first(
    pattern: re.Pattern[str], text: str, links: Sequence[Link], relations: Iterable[Relation]
) -> re.Match[str] | None:
    """The first match that no name has, nor a relation."""
    for found in pattern.finditer(text):
        if not any(link.start <= found.start() < link.end for link in links):
            words = {word for one in relations for word in f"{one.phrase} {one.inverse_phrase}".lower().split()}
            return None if found[0].lower() in words else found
    return None
