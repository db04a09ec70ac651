"""Which of two topics is the greater: "who is older, Ada or Bo?"."""

from __future__ import annotations

import re

from kgqa_graphdb.language.english_words import ADJECTIVES, COMPARATIVES, DIMENSIONS
from kgqa_graphdb.types import Link

_BETWEEN = re.compile(r"\W+(?:or|and)(?: the)?\W+", re.IGNORECASE)
_ASKS = re.compile(r"\W*(?:which|who|what)\b", re.IGNORECASE)
_AFTER_VERB = {"earlier": "first", "sooner": "first", "later": "last"}
_DEGREES = re.compile(
    rf"\b(?:(more|less) ({'|'.join(ADJECTIVES)})|({'|'.join((*COMPARATIVES, *_AFTER_VERB))}))\b", re.IGNORECASE
)

_SUPERLATIVES = re.compile(
    rf"\b(?:(?:most|least) (?:{'|'.join(ADJECTIVES)})|{'|'.join(one for one in DIMENSIONS if one not in ADJECTIVES)}|"
    r"(?:first|last)(?=$))\b",
    re.IGNORECASE,
)
"""What says the same of two: "which was launched first", "which is the largest"."""


def of_two(text: str, topic: Link, other: Link) -> str:
    """What a question asks of two topics, as of all: "who is oldest"; empty: it does not ask which of them is more so.

    :param topic: that which stands first
    """
    asked, ended = text[: topic.start], not text[other.end :].strip(" ?.!")
    bound = re.search(r"\bthan\W*(?:the )?$", asked, re.IGNORECASE)
    if bound or not (ended and _ASKS.match(asked) and _BETWEEN.fullmatch(text[topic.end : other.start])):
        return ""
    bare = re.sub(r"\W+(?:between )?(?:the )?$", "", asked)
    found, times = _DEGREES.subn(_superlative, bare)
    return found if times + len(_SUPERLATIVES.findall(bare)) == 1 else ""


def _superlative(found: re.Match[str]) -> str:
    degree, adjective, comparative = found.groups()
    if adjective:
        return f"{'most' if degree.lower() == 'more' else 'least'} {adjective}"
    return _AFTER_VERB.get(comparative.lower()) or COMPARATIVES[comparative.lower()]
