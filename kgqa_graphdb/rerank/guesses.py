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
_LABEL = re.compile(r"\s+(?:answers?|source)\s*:.*$", re.IGNORECASE | re.DOTALL)
_SENTENCE = re.compile(r"(?<=[^\s.A-Z][.!?])\s+(?=[A-Z\"'(])|\n|\s{2,}")
"""Where a new sentence begins; an initial, as in J. Bach, ends none."""
_VERB = re.compile(
    r"\s+(?:is|are|was|were|has|have|had|won|did|does|hosted|directed|wrote|plays|played)\s.*$", re.DOTALL
)
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]?\s*$")
_QUOTED = re.compile(r"[\"“]([^\"“”]{2,})[\"”]?")
_NUMBERED = re.compile(r"^\d+(?:st|nd|rd|th)?[^,]*,\s*(?=[A-Z])")
_MOST_WORDS = 6
"""Of the subject of a sentence that may be a name."""
_AROUND = " \t\r\n\"'`“”‘’*_"


def cleaned_guess(text: str) -> str:
    """The name in a text that a language model wrote as its answer; empty: there is none.

    Its first line and sentence, without what announces an answer and what is said about it.
    """
    plain = _unannounced(_FRAME.sub(" ", text).strip(_AROUND))
    plain = _LABEL.sub("", _AFTER.sub("", plain)).strip(_AROUND)
    plain = _unannounced(_SENTENCE.split(plain, maxsplit=1)[0])
    plain = plain.strip(_AROUND).rstrip(",;:").strip(_AROUND)
    if plain.endswith(".") and not re.search(r"\b[A-Z]\.$|\b(?:Jr|Sr|Inc|Ltd|Co|St)\.$", plain):
        plain = plain[:-1].strip(_AROUND)
    return plain if len(plain) <= LONGEST and any(map(str.isalnum, plain)) else ""


def _unannounced(text: str) -> str:
    """A text without what announces an answer before it."""
    while (shorter := _BEFORE.sub("", text)) != text:
        text = shorter
    return text


def readings_of(name: str) -> tuple[str, ...]:
    """What a guess may name, likeliest first: itself, and the name in it.

    Without what stands in brackets after it, "Iron Man (2008)"; what it has in quotes; the subject of a sentence,
    "Hawaii is the state …"; what comes before a comma, "Saddam Hussein, the President of Iraq", or after one, "43rd
    president, George W. Bush".
    """
    bare = _BRACKETS.sub("", name)
    found = [name, bare]
    if quoted := _QUOTED.search(name):
        found.append(quoted[1].rstrip(".,"))
    subject = _VERB.sub("", bare)
    if subject != bare and len(subject.split()) <= _MOST_WORDS and subject[:1].isupper():
        found.append(subject)
    found += [_NUMBERED.sub("", bare), bare.split(",")[0]]
    return tuple(dict.fromkeys(one for one in (text.strip(_AROUND) for text in found) if one))


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
