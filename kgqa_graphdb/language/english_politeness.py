"""What English questions say for politeness alone: "if you don't mind", "could you tell me …", "please"."""

from __future__ import annotations

import re

_YOU = r"(?:can|could|would|will) (?:you|someone|anyone|somebody)(?: please| kindly| possibly)?"
_TELL = r"(?:tell|let|inform)(?: me| us)(?: know)?"
_TELLS = rf"(?:{_YOU} )?(?:please |kindly )?{_TELL}"
_LEAD = re.compile(
    rf"^\W*(?:(?:please|kindly)|(?P<tells>{_TELLS})(?:,? please)?|"
    r"(?:would|do) you mind (?:telling|letting)(?: me| us)(?: know)?|"
    r"(?:i|we)(?: would|['’]d) (?:like|love) to know|i want to know|"
    r"(?:excuse me|pardon me|sorry|hello|hi|hey)(?: there)?(?=,))"
    r"(?:, please)?(?!\w)[,:]?\s*(?=\w)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:who|whom|whose|what|which|when|where|since|how|the|in|on|at|for|please|kindly)\b", re.IGNORECASE
)
"""What follows words that do nothing but ask: "tell me the price", but not "tell me about …"."""
_MIND = (
    r"if you (?:do not|don['’]?t|wouldn['’]?t|would not) mind(?: (?:me|my))?(?: asking| telling me| telling us)?|"
    r"if (?:it is|it['’]s|that is|that['’]s) (?:not too much trouble|no trouble|possible|ok|okay|all right|alright)|"
    r"if i may(?: ask)?|if you (?:please|can|could|know)"
)
_THANKS = r"[,.;?!–-]+\s*(?:(?:many )?thanks|thank you)(?: (?:very|so) much| a lot| in advance)?"
_PLEASE = r",?\s*\bplease(?=\W*$)|,\s*please(?=,)|(?<=\byou )please "
_ASIDE = re.compile(rf"[,;(–-]*\s*\b(?:{_MIND})\b\)?,?|{_THANKS}|{_PLEASE}", re.IGNORECASE)
_INDIRECT = re.compile(r"(who|what|where|when)\s+((?:the|an?|my|our|your|[A-Z])\b.*?)\s+(is|are|was|were)\s*[?.!]*")


def without_politeness(question: str) -> str:
    """A question without what it says for politeness alone, asked directly: "tell me who the oldest is" as "who is …".

    What is written with capitals may be a name: "Please Please Me".
    """
    text = question
    while found := _LEAD.match(text):
        rest = text[found.end() :]
        names = _is_name(found[0]) or rest.lower().startswith("please ")
        if names or ((found["tells"] or rest[:1].isupper()) and not _ASKS.match(rest)):
            break
        text = rest
    spared = _ASIDE.sub(lambda aside: aside[0] if _is_name(aside[0]) else " ", text)
    if spared == question:
        return question
    spared = " ".join(re.sub(r"\s+(?=[?.!,;])", "", spared).split()).lstrip(" ,;:-")
    if not any(map(str.isalnum, spared)):
        return question
    if text != question and (indirect := _INDIRECT.fullmatch(spared)):
        spared = f"{indirect[1]} {indirect[3]} {indirect[2]}?"
    return spared


def _is_name(text: str) -> bool:
    """Whether several words are all written with a capital."""
    words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 1]
    return len(words) > 1 and all(word[0].isupper() for word in words)
