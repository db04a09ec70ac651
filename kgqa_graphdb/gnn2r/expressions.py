"""Candidate patterns in words, as the paper's Algorithm 2 writes them: who is the child of an entity that has the …

Where this leaves the paper: topics stand as placeholders, so that patterns of one shape are one expression whatever
they begin at, and are encoded once; and relations that share a phrase are told apart, see
:mod:`kgqa_graphdb.export.words`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kgqa_graphdb.language.masking import OTHER, TOPIC
from kgqa_graphdb.plan import Follow

WH_WORDS = ("who", "what", "when", "where", "which", "how", "whom", "whose", "why")
_WH = re.compile(rf"\b({'|'.join(WH_WORDS)})\b", re.IGNORECASE)


def wh_word(text: str) -> str:
    """The first question word of a text; "what" where it has none."""
    found = _WH.search(text)
    return found[1].lower() if found else "what"


def expression(wh: str, sides: Sequence[Follow], phrases: Mapping[str, str]) -> str:
    """A pattern in words.

    :param wh: the question word that stands for the answer
    :param sides: what is followed from each topic; the first is said as [X], also where nothing joins the
        question's first topic with the answer, the others as [Y]
    :param phrases: of each relation's id
    """
    each = (_side(side, OTHER if place else TOPIC, phrases) for place, side in enumerate(sides))
    return f"{wh} {' and '.join(each)}"


def _side(side: Follow, topic: str, phrases: Mapping[str, str]) -> str:
    """The way from the answer back to a topic; a step that leads to the answer makes it that of the entity before."""
    steps = [
        f"has the {phrases[step.relation.id]}" if step.inverse else f"is the {phrases[step.relation.id]} of"
        for step in reversed(side.path)
    ]
    return " an entity that ".join(steps) + f" {topic}"
