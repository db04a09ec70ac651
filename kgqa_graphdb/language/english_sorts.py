"""Questions for what kind of something a thing is, which a graph tells by a genre, a category or a species."""

from __future__ import annotations

import re
from collections.abc import Set

from kgqa_graphdb.language.masking import TOPIC

_WHAT_SORT = re.compile(
    r"^\s*(?P<what>what|which) (?:kind|type|sort)s? of (?:[\w-]+ ){1,3}?(?P<be>is|was|are|were) (?:the (?:[\w-]+ )?)?"
    rf"(?P<topic>{re.escape(TOPIC)})\W*$",
    re.IGNORECASE,
)
SORTS = ("genre", "species", "breed", "category", "style")
"""Words for the kind that something is of, first those of which fewer things have one."""


def sort_asked(question: str, known: Set[str]) -> str:
    """A question for what kind of something its topic is with the graph's own word: "what genre is [X]?".

    :param question: with its topic masked
    :param known: the graph's words; where none of :data:`SORTS` is among them, the question stays as it is
    """
    found = _WHAT_SORT.match(question)
    sort = next((word for word in SORTS if word in known), "")
    return f"{found['what']} {sort} {found['be']} {found['topic']}?" if found and sort else question
