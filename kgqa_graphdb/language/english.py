"""English: the forms of its words, and who and what they name: whoever something is "directed by" is its director."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from kgqa_graphdb.language import english_words as closed
from kgqa_graphdb.language import names
from kgqa_graphdb.language.english_words import PREPOSITIONS
from kgqa_graphdb.language.language import same_beginning
from kgqa_graphdb.language.lemmas import is_known, lemma_of

if TYPE_CHECKING:
    from pluralizer import Pluralizer

# Agents of common verbs whose past is irregular, or whose agent the rule below misses; general English.
_AGENTS = {
    "built": "builder", "bought": "buyer", "drawn": "artist", "drove": "driver", "gave": "giver", "given": "giver",
    "held": "holder", "led": "leader", "made": "maker", "sang": "singer", "sold": "seller", "sung": "singer",
    "spoke": "speaker", "spoken": "speaker", "taught": "teacher", "won": "winner", "written": "writer",
    "wrote": "writer", "starred": "star", "authored": "author", "governed": "governor", "conquered": "conqueror",
    "studied": "student", "married": "spouse", "succeeded": "successor", "preceded": "predecessor",
    "mentored": "mentor", "coached": "coach", "hosted": "host", "sponsored": "sponsor",
}  # fmt: skip
NO_AGENTS = frozenset("treat diagnose replace cause affect".split())
"""Verbs with whose agents nobody is called: whoever treats somebody is a doctor."""
_TAKES_OR = re.compile(r"(ct|\w{3}ate|it|ess|vise|nvest|nvent|dapt|urvey)$")
_NO_PAST = frozenset(
    "biped bleed breed creed embed greed hatred hundred indeed infrared kindred moped naked sacred speed steed tweed "
    "wicked".split()
)
"""Words in -ed that are no past forms."""


def words_of(name: str) -> str:
    """A name as words, see :func:`kgqa_graphdb.language.names.words_of`.

    What a domain's type has is a noun: ``music.recording.tracks`` → "track".
    """
    words = names.words_of(name)
    noun = base_of(words) if len(names.levels(name)) > 2 else ""
    return noun if noun in closed.ALSO_NOUNS else words


def is_past(word: str) -> bool:
    """Whether a word is a past form, as far as its ending tells: "directed", "wrote", but not "hundred" or "flew"."""
    return word in _AGENTS or (word.endswith("ed") and len(word) > 4 and word not in _NO_PAST)


def agent_of(verb: str) -> str:
    """Who does what a past form says: "directed" → "director"; empty when the word is no past form that we know."""
    return _AGENTS.get(verb) or (doer_of(base_form(verb) or verb[:-2]) if is_past(verb) else "")


def named_agent(verb: str) -> str:
    """Who does what a past form says, where somebody is called so: empty for "treated" and "recommended"."""
    agent = agent_of(verb)
    if not agent or base_form(verb) in NO_AGENTS:
        return ""
    return agent if verb in _AGENTS or is_known(agent, "en") else ""


def base_of(verb: str) -> str:
    """The base form of a third person: "follows" → "follow"; empty when the word is none that we know."""
    candidates = [verb[:-1], f"{verb[:-3]}y" if verb.endswith("ies") else ""]
    if re.search(r"(?:s|x|z|ch|sh|o)es$", verb):  # "managers" and "advisees" are none
        candidates.append(verb[:-2])
    return next((base for base in candidates if base in closed.VERBS), "") if verb.endswith("s") else ""


@lru_cache(maxsize=65_536)
def verb_of(word: str) -> str:
    """The base form of a third person, also of verbs that schemas seldom have: "endorses" → "endorse".

    Empty where the word may be the plural of a noun, such as "awards".
    """
    if known := base_of(word):
        return known
    base = lemma_of(word, "en")
    if not word.endswith("s") or base == word or not is_verb(base) or base in closed.NOUNS_TOO or _NOUN.search(base):
        return ""
    stem = base.removesuffix("e")
    acts = (f"{base}ment", f"{stem}ion", f"{stem}ation", f"{stem}ance", f"{stem}al", f"{stem[:-1]}ication")
    return base if base in closed.ONLY_VERBS or any(is_known(act, "en") for act in acts) else ""


def third_person(words: Sequence[str]) -> str:
    """The base form of the verb that words begin with, which a preposition may follow: "cares for" → "care"."""
    first, *others = words or ("",)
    if known := base_of(first):
        return known
    joins = len(others) == 1 and others[0].lower() in PREPOSITIONS - {"of"}
    base = lemma_of(first.lower(), "en") if joins and first.endswith("s") else ""
    return base if base != first and is_verb(base) else ""


_NOUN = re.compile(r"(?:[^e]ct|ment)$")


_PAST = {
    "bear": "born", "beat": "beat", "become": "became", "begin": "began", "bid": "bid", "bind": "bound",
    "break": "broke", "bring": "brought", "build": "built", "burst": "burst", "buy": "bought", "choose": "chose",
    "come": "came", "cut": "cut", "draw": "drew", "drive": "drove",
    "fall": "fell", "feed": "fed", "fight": "fought", "find": "found", "fly": "flew", "get": "got", "give": "gave",
    "go": "went", "grow": "grew", "have": "had", "hear": "heard", "hit": "hit", "hold": "held", "hurt": "hurt",
    "keep": "kept", "know": "knew", "lead": "led", "leave": "left", "lend": "lent", "let": "let", "lose": "lost",
    "make": "made", "mean": "meant", "meet": "met", "outbid": "outbid", "pay": "paid", "put": "put",
    "quit": "quit", "read": "read",
    "ride": "rode", "rise": "rose", "run": "ran", "say": "said", "see": "saw", "sell": "sold", "send": "sent",
    "set": "set", "shed": "shed", "shoot": "shot", "shut": "shut", "sing": "sang", "speak": "spoke", "spend": "spent",
    "split": "split", "spread": "spread", "stand": "stood", "take": "took", "teach": "taught", "tell": "told",
    "think": "thought", "thrust": "thrust", "upset": "upset", "wear": "wore", "win": "won", "write": "wrote",
}  # fmt: skip
"""Past forms that no rule makes; the way back is the lemmatiser's."""
UNCHANGED = frozenset(base for base, past in _PAST.items() if base == past)
"""Verbs whose past form is their base form: "Reds beat Blues"."""
DEEDS = (
    (frozenset(_PAST.values()) | closed.ONLY_PAST)
    - (UNCHANGED & frozenset("bid burst cut set shed split spread thrust".split()))
    - frozenset("born bound felt found left rose shot".split())
)
"""Past forms that alone name a relation by what is done, as nouns of the same form do not."""


def is_act(base: str) -> bool:
    """Whether somebody does it, so that a noun made of it is somebody: "direct", but not "contain" or "numb"."""
    return base in _ACTS or (base in closed.VERBS and base not in closed.STATES)


_ACTS = frozenset(
    "act star compose paint invent conquer translate illustrate arrange program sculpt dance race".split()
)
"""Further verbs whose agents schemas speak of."""


_LEMMAS = {
    "beaten": "beat", "born": "bear", "gone": "go", "run": "run", "sang": "sing", "sung": "sing", "won": "win",
    "best": "", "ca": "", "don": "", "least": "", "wan": "", "worst": "",
}  # fmt: skip
"""Forms of verbs that the lemmatiser takes for other words, and other words that it takes for verbs."""


@lru_cache(maxsize=65_536)
def base_form(verb: str) -> str:
    """The base form of a past form or a third person: "directed" → "direct", "flew" → "fly", "follows" → "follow".

    Empty when the word is neither, as far as we know.
    """
    if verb.endswith("s"):
        return base_of(verb)
    if verb in _LEMMAS:
        return _LEMMAS[verb]
    if verb in closed.GRAMMAR_WORDS or verb.endswith(("er", "est", "ing")) or not verb.replace("-", "").isalpha():
        return ""
    base = lemma_of(verb, "en")
    if base == verb or not base.islower():  # "fred" is Fred
        return ""
    regular = verb.endswith("ed") and not verb.endswith("eed")
    return base if regular or (is_verb(base) and singular_of(verb) == verb) else ""


def is_verb(base: str) -> bool:
    """Whether a base form is a verb's: one of those that schemas are made of, or one that has a present participle."""
    participle = f"{base[:-2]}ying" if base.endswith("ie") else f"{_doubled(base)}ing"
    return base in closed.VERBS | _ACTS | _PAST.keys() or (
        is_known(participle, "en") and lemma_of(participle, "en") == base
    )


def past_form(base: str) -> str:
    """The past of a base form: "direct" → "directed", "write" → "wrote", "copy" → "copied"."""
    if base in _PAST:
        return _PAST[base]
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return f"{base[:-1]}ied"
    return f"{_doubled(base)}ed"


def is_regular(base: str) -> bool:
    """Whether the past form of a verb is its participle, too, made by a rule."""
    return base not in _PAST


def plural_of(noun: str) -> str:
    """The plural of a noun, or the noun itself where it is one: "genre" → "genres", "wolf" → "wolves"."""
    first, of, owner = noun.partition(" of ")  # "place of birth" → "places of birth"
    if of:
        return f"{plural_of(first)} of {owner}"
    head, _, last = noun.rpartition(" ")
    return f"{head} {_plurals().plural(last) if last else last}".strip()


def regular_plural(word: str) -> str:
    """A word with an "s"; rarer plurals attract words of other kinds: "movies" is no slip of "monies"."""
    return f"{word}s"


@lru_cache(maxsize=65_536)
def singular_of(noun: str) -> str:
    """The singular of a noun, or the noun itself where it is one: "wolves" → "wolf", "bus" → "bus"."""
    return str(_plurals().singular(noun)) if noun else noun


@cache
def _plurals() -> Pluralizer:
    from pluralizer import Pluralizer

    found = Pluralizer()
    found.add_plural_rule(re.compile(r"(ger|hu|nor|otto|ro|sha|talis)man$", re.IGNORECASE), "$1mans")
    found.add_plural_rule(re.compile(r"(\w)ova$", re.IGNORECASE), "$1ovas")  # "supernova" is no plural
    found.add_singular_rule(re.compile(r"(\w)ova$", re.IGNORECASE), "$1ova")
    return found


def _doubled(base: str) -> str:
    """A base form as it stands before -er: "run" → "runn", "write" → "writ", "ship" → "shipp"."""
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")):
        return base[:-1]
    short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", base)
    return base + base[-1] if short and len(base) < 5 else base


def doer_of(base: str) -> str:
    """Who does it: "follow" → "follower", "direct" → "director", "supply" → "supplier"."""
    if _TAKES_OR.search(base):
        return f"{base.removesuffix('e')}or"
    stem = f"{base[:-1]}i" if base.endswith("y") and base[-2:-1] not in "aeiou" else _doubled(base)
    return f"{stem}er"


def agent_verb(word: str) -> str:
    """The past form of what somebody does: "actors" → "acted"; empty when the word is no agent."""
    match = re.fullmatch(r"(\w{2,}?)(?:o|e)rs?", word)
    return f"{match[1]}ed" if match and base_form(f"{match[1]}ed") else ""


_TIMES = frozenset(("date", "year", "time", "day", "month", "century", "decade"))
_EVENTS = {
    "birth": "born", "publication": "published", "creation": "created", "foundation": "founded",
    "establishment": "established", "marriage": "married", "construction": "built", "completion": "completed",
    "production": "produced", "election": "elected", "invention": "invented", "introduction": "introduced",
    "destruction": "destroyed", "arrival": "arrived", "adoption": "adopted", "discovery": "discovered",
}  # fmt: skip
"""What happened at the time of something; general English."""


def happened_at(noun: str) -> tuple[str, str]:
    """What happened at a time, and what kind of time: "release year" → "released", "year"; empty for other nouns."""
    first, _, last = noun.rpartition(" ")
    if not first or last not in _TIMES:
        return "", ""
    base = first.removesuffix("ing")
    done = _EVENTS.get(first) or (past_form(base) if base in closed.VERBS | _ACTS else "")
    return done, last if done else ""


def lemma(word: str) -> str:
    """The form of a word that stands in a dictionary: of a verb the base form, of a noun the singular."""
    return base_form(word) or singular_of(word)


def same_stem(word: str, other: str) -> bool:
    """Whether two words begin alike or have one lemma: "directed" and "director", "sold" and "sell"."""
    return same_beginning(word, other) or lemma(word) == lemma(other)


def root(word: str) -> str:
    """What a word shares with its other forms: "directed" and "director", "wrote" and "written"."""
    base = base_form(word) or word
    return base[:4] if len(base) > 4 else base


def noun_stem(noun: str) -> str:
    """What words of one stem as a noun's begin with: "religious" is no other word for "religion"."""
    return singular_of(noun)[:5]


def ends_noun(word: str) -> bool:
    """Whether a word ends the noun that a phrase begins with: "directed" of "films directed by"."""
    return word in _AFTER_NOUNS or is_past(word) or re.fullmatch(r"\w+ing", word) is not None


_AFTER_NOUNS = PREPOSITIONS | closed.ARTICLES | frozenset("that which who whom whose".split())
