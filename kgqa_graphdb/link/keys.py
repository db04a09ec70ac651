"""What of a question is looked up as it stands: words that a full-text index leaves out, or takes apart otherwise."""

from __future__ import annotations

import re
from collections.abc import Set
from itertools import islice

from kgqa_graphdb.language.folding import folded_text, symbols_of

MAX_WORDS = 120
"""Different words of a question that are searched for together."""
MAX_CLAUSES = 500
"""The same in letters of scripts without spaces, each of which is searched for; Lucene allows 1,024."""
MAX_KEYS = 24
"""Words of each sort that are looked up."""
_FIRST_UNSPACED = "\u2e80"
_AROUND = "\"'`“”‘’„«»‹›()[]{}<>,;:¿¡…"
_POSSESSIVE = re.compile(r"'s?$", re.IGNORECASE)
_PARTED = re.compile(r"\w[^\w\s]+\w|[^\W_]_+[^\W_]")


def searchable_words(text: str) -> list[str]:
    """The different words of a folded question, as many as the full-text index can be asked for at once."""
    found: list[str] = []
    room = MAX_CLAUSES
    for word in islice(dict.fromkeys(text.split()), MAX_WORDS):
        if any(char >= _FIRST_UNSPACED for char in word):
            word = word[:room]
            room -= len(word)
        if word:
            found.append(word)
    return found


def is_cased(text: str) -> bool:
    """Whether capitals in a question mean anything: there is one after its first letter, and not all are."""
    return any(char.isupper() for char in text[1:]) and any(char.islower() for char in text)


def capital_stop_words(text: str, stop_words: Set[str]) -> list[str]:
    """Stretches of stop words inside a question that begin with a capital, such as the name of the film "They"."""
    words = re.findall(r"\w+", text) if is_cased(text) else []
    found: list[str] = []
    for start in range(1, len(words)):
        for end in range(start + 1, min(start + 6, len(words) + 1)):
            if not words[start][0].isupper() or folded_text(words[end - 1]) not in stop_words:
                break
            found.append(" ".join(words[start:end]))
    return list(dict.fromkeys(found))[:MAX_KEYS]


def codes(text: str) -> list[str]:
    """Words that may be keys: with a digit, or all in capitals, such as 10248 and ALFKI."""
    words = re.findall(r"\w+(?:[-/.]\w+)*", text)
    found = [word for word in words if any(map(str.isdigit, word)) or (len(word) > 1 and word.isupper())]
    return list(dict.fromkeys(found))[:MAX_KEYS]


def words_with_marks(text: str, stop_words: Set[str]) -> list[str]:
    """Words with symbols or marks that are parts of them: "C++", "$9.99", "O'Brien", "="; with and without the ends.

    Folding takes the marks away, and the full-text index takes words apart in a way of its own.
    """
    found: dict[str, None] = {}
    for token in text.replace("’", "'").split():
        whole = token.strip(_AROUND)
        for word in (whole.rstrip("?"), whole.rstrip("?!."), _POSSESSIVE.sub("", whole.rstrip("?!."))):
            marked = _PARTED.search(word) or word[:1] == "." or (word and not any(map(str.isalnum, word)))
            if symbols_of(word) or (marked and not {*folded_text(word).split()} <= stop_words):
                found[word] = None
        if len(found) >= MAX_KEYS:
            break
    return list(found)[:MAX_KEYS]


def phrase_query(words: str) -> str:
    """Words inside a phrase of Lucene's query syntax."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
