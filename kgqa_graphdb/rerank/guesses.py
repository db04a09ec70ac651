"""What a language model guessed, as names: without the chatter around them, each once."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kgqa_graphdb.language.folding import folded_text
from kgqa_graphdb.plan import Candidate

LONGEST = 120
"""Characters of a name; what is longer is no name but a text."""
_FRAME = re.compile(r"```\w*|<\|?/?\w+\|?>|</s>")
_BEFORE = re.compile(
    r"^(?:(?:so|well|sure|thus)[,:]?\s+)?(?:(?:the\s+)?(?:final\s+|correct\s+)?answers?(?:\s+is|\s+are)?\s*[:,]?\s+|"
    r"[-*•]\s+|\(?\d{1,2}[.)]\s+)",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s*(?:\(|\[)?\s*(?:confidence|certainty|explanation|score|note|reason(?:ing)?|probability)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_SENTENCE = re.compile(r"(?<=[^\s.A-Z][.!?])\s+(?=[A-Z\"'(])|\n|\s{2,}")
"""Where a new sentence begins; an initial, as in J. Bach, ends none."""
_AROUND = " \t\r\n\"'`“”‘’*_"


def cleaned_guess(text: str) -> str:
    """The name in a text that a language model wrote as its answer; empty: there is none.

    Its first line and sentence, without what announces an answer and what is said about it.
    """
    plain = _FRAME.sub(" ", text).strip(_AROUND)
    plain = _AFTER.sub("", plain)
    plain = _SENTENCE.split(plain.strip(_AROUND), maxsplit=1)[0]
    while (shorter := _BEFORE.sub("", plain)) != plain:
        plain = shorter
    plain = plain.strip(_AROUND).rstrip(",;:").strip(_AROUND)
    if plain.endswith(".") and not re.search(r"\b[A-Z]\.$|\b(?:Jr|Sr|Inc|Ltd|Co|St)\.$", plain):
        plain = plain[:-1].strip(_AROUND)
    return plain if len(plain) <= LONGEST and any(map(str.isalnum, plain)) else ""


def distinct_guesses(texts: Iterable[str], most: int) -> list[Candidate]:
    """The first distinct guesses, in order, with how often each was made; case, accents and marks tell none apart.

    :param texts: likeliest first, as they were written
    :param most: of them that are kept
    """
    names: dict[str, str] = {}
    votes: dict[str, int] = {}
    for text in texts:
        name = cleaned_guess(text)
        key = folded_text(name) or name.lower()
        if not key or (key not in names and len(names) >= most):
            continue
        names.setdefault(key, name)
        votes[key] = votes.get(key, 0) + 1
    return [Candidate(name, place, votes[key]) for place, (key, name) in enumerate(names.items())]
