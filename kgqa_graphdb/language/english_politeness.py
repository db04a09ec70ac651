"""What English questions say for politeness alone: "if you don't mind", "could you tell me …", "please"."""

from __future__ import annotations

import re

from kgqa_graphdb.language.english import base_form
from kgqa_graphdb.language.english_words import AUXILIARIES, RELATIVE

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
    r"without (?:any )?(?:further|more) ado|not that (?:it (?:really )?matters|i (?:really )?care)|"
    r"if i may(?: ask)?|if you (?:please|can|could|know)"
)
_THANKS = r"[,.;?!–-]+\s*(?:(?:many )?thanks|thank you)(?: (?:very|so) much| a lot| in advance)?"
_PLEASE = r",?\s*\bplease(?=\W*$)|,\s*please(?=,)|(?<=\byou )please "
_ASIDE = re.compile(rf"[,;(–-]*\s*\b(?:{_MIND})\b\)?,?|{_THANKS}|{_PLEASE}", re.IGNORECASE)
_WHETHER = re.compile(
    rf"^\W*(?:(?:{_TELLS}|(?:(?:{_YOU}|do you|does (?:any|some)(?:one|body)) )?(?:please )?"
    r"(?:say|know|check|confirm|verify|find out|see)|"
    r"(?:i|we)(?: am|['’]m| are|['’]re)? (?:wonder|wondering)|(?:i|we)(?: would|['’]d) (?:like|love) to know|"
    r"(?:i|we) (?:want|need) to know),? )?(?:whether|if)(?: or not)? "
    r"(?!(?:you|i|we|not|possible|that|it|this)\b)(?P<clause>\w.*)$|"
    r"^\W*is it (?:true|so|right|correct|the case|a fact) that (?P<fact>\w.*)$",
    re.IGNORECASE,
)
"""What wraps a question whether something is so."""
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
        return _directly(question)
    spared = " ".join(re.sub(r"(?<=[?!])\s*\.+\s*$|\s+(?=[?.!,;])", "", spared).split()).lstrip(" ,;:-")
    if not any(map(str.isalnum, spared)):
        return question
    if text != question and (indirect := _INDIRECT.fullmatch(spared)):
        spared = f"{indirect[1]} {indirect[3]} {indirect[2]}?"
    return _directly(spared)


def _directly(question: str) -> str:
    """A question that another wraps, asked directly: "I wonder if Ann manages Bo" as "does Ann manage Bo?"."""
    if not (found := _WHETHER.match(question)):
        return question
    words = (found["clause"] or found["fact"]).rstrip(" ?.!").split()
    for place, word in enumerate(words):
        if word in RELATIVE:
            break  # "the moon that was …": the verb of the sentence comes later
        if place and word in AUXILIARIES:
            return f"{word} {' '.join([*words[:place], *words[place + 1 :]])}?"
        if place and words[place - 1][0].isupper() and word[0].islower() and (base := base_form(word)):
            auxiliary = "does" if word.endswith("s") else "did"
            return f"{auxiliary} {' '.join([*words[:place], base, *words[place + 1 :]])}?"
    if words[0].lower() in AUXILIARIES or len(words) < 2:
        return question
    return f"is it so that {' '.join(words)}?"


def _is_name(text: str) -> bool:
    """Whether several words are all written with a capital."""
    words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 1]
    return len(words) > 1 and all(word[0].isupper() for word in words)
