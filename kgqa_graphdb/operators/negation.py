"""Where a question leaves something out: "not discovered by X", "without Y"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.operators.words import EXCEPTIONS
from kgqa_graphdb.types import Link

_NEGATION = re.compile(rf"\b(?:not|never|{'|'.join(sorted(EXCEPTIONS))})\b|n['’]t\b", re.IGNORECASE)
"""But for "no", which is "in the" in Portuguese."""


def negation_in(text: str, links: Sequence[Link], mapping: GraphMapping) -> re.Match[str] | None:
    """The first word that leaves something out; ``None``: there is none, or it belongs to a name or to a relation's."""
    for found in _NEGATION.finditer(text):
        named = any(link.start <= found.start() < link.end for link in links)
        if not named and found[0].lower() not in _words(mapping):
            return found
    return None


def left_out(negation: re.Match[str], one: Link, other: Link) -> Link:
    """Of two topics the one that is left out: the first after the negation, or the last before it."""
    first, second = sorted((one, other), key=lambda link: link.start)
    return first if negation.end() <= first.start else second


def _words(mapping: GraphMapping) -> Iterable[str]:
    return {word for one in mapping.relations for word in f"{one.phrase} {one.inverse_phrase}".lower().split()}
