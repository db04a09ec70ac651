"""The searches that linking makes, in as much of Lucene's syntax as it uses."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgqa_graphdb.language.folding import folded_text

_PHRASE = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class Word:
    """A folded word that is searched for.

    :ivar edits: so many letters may be wrong: changed, left out, added, or swapped with the next
    """

    text: str
    edits: int = 0


@dataclass(frozen=True, slots=True)
class NameQuery:
    """What is searched for.

    :ivar phrases: folded names that are meant whole; then there are no words
    :ivar words: in the order of the question
    :ivar all_words: a name must hold all of them
    """

    phrases: tuple[str, ...] = ()
    words: tuple[Word, ...] = ()
    all_words: bool = False


def parse_query(query: str) -> NameQuery:
    """A search, such as ``lantern bay``, ``lantren~2 bay``, ``+lantern +bay`` or ``"Lantern Bay"``."""
    if query.startswith('"'):
        phrases = (folded_text(_ESCAPED.sub(r"\1", text)) for text in _PHRASE.findall(query))
        return NameQuery(phrases=tuple(dict.fromkeys(phrases)))
    words = []
    for part in query.split():
        text, _, edits = part.removeprefix("+").partition("~")
        words += [Word(word, int(edits) if edits.isdecimal() else 0) for word in folded_text(text).split()]
    return NameQuery(words=tuple(words), all_words=query.startswith("+"))
