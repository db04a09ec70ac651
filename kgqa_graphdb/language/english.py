"""English: the forms of its words, and words for relations, guessed from their names.

Guesses follow English as schema authors use it: "has genre" is about a genre, whoever something is "directed by" is its
director, whoever "acted in" something is an actor in it.
"""

from __future__ import annotations

import re

from kgqa_graphdb.language import english_words as closed
from kgqa_graphdb.language import names
from kgqa_graphdb.language.english_words import NAME_AUXILIARIES, PREPOSITIONS
from kgqa_graphdb.language.language import Language, PathPatterns

# Agents of common verbs whose past is irregular, or whose agent the rule below misses; general English.
_AGENTS = {
    "built": "builder", "bought": "buyer", "drawn": "artist", "drove": "driver", "gave": "giver", "given": "giver",
    "held": "holder", "led": "leader", "made": "maker", "sang": "singer", "sold": "seller", "sung": "singer",
    "spoke": "speaker", "spoken": "speaker", "taught": "teacher", "won": "winner", "written": "writer",
    "wrote": "writer", "starred": "star", "authored": "author", "governed": "governor", "conquered": "conqueror",
    "studied": "student", "married": "spouse",
}  # fmt: skip
# Base forms of verbs that schemas are made of; general English. A word that ends in -s is a verb only if it is one.
_VERBS = frozenset(
    """accept acquire advise affect announce approve arrive assign attend author belong bind book borrow
    build buy call carry cause cite coach collect comment compete comprise conduct connect consist
    consume contain control cover create cure deliver depart depend describe design develop direct
    donate drive edit employ encode enroll exhibit explain export express extend feature finance find
    fly follow found fund generate govern grant handle have head hire hold host identify implement
    import include influence inherit inhibit insure interact introduce invest invite invoke join know
    launch lead learn lease lend like live locate love maintain make manage manufacture marry measure
    mention mentor monitor mount name need offer open operate order organize own participate pay perform
    play post precede prescribe present process produce promote propose protect provide publish purchase
    rate read receive recommend refer reference register regulate release rent repair replace reply
    report represent require review ride run schedule sell send serve share ship sign speak specialize
    specify sponsor start stock stop store study submit subscribe succeed supervise supply support take
    teach tell track trade train transport travel treat trigger trust use validate view visit want watch
    wear win work write""".split()
)
# Their third persons are plurals of nouns, too: of a type's properties ("music.recording.tracks") only that is meant.
_ALSO_NOUNS = frozenset(
    """book call cause coach comment cover design exhibit feature find fund grant host hire influence lead like love
    make measure mention mount name need offer order process purchase rate release report review ride run schedule ship
    sign start stop store study supply track train transport travel trigger use view visit win work""".split()
)
# Whoever contains something is no "container" of it.
_STATES = frozenset(
    """affect belong cause comprise connect consist contain cover depend describe explain feature have identify include
    influence interact involve know like live locate love measure mention mount need order precede refer reference
    replace represent require share specify succeed support trigger want work""".split()
)
# Whoever "shipped via" something is no shipper: after such a word the past form is passive.
_PASSIVE = frozenset("via through within under".split())
_TAKES_OR = re.compile(r"(ct|at|it|ess|vis|nvest|nvent|dapt|urvey)$")


def words_of(name: str) -> str:
    """A name as words, see :func:`kgqa_graphdb.language.names.words_of`.

    What a domain's type has is a noun: ``music.recording.tracks`` → "track".
    """
    words = names.words_of(name)
    noun = base_of(words) if len(names.levels(name)) > 2 else ""
    return noun if noun in _ALSO_NOUNS else words


def agent_of(verb: str) -> str:
    """Who does what a past form says: "directed" → "director"; empty when the word is no past form that we know."""
    if verb in _AGENTS:
        return _AGENTS[verb]
    if not verb.endswith("ed") or len(verb) < 5:
        return ""
    stem = verb[:-2]
    if _TAKES_OR.search(stem):
        return f"{stem}or"
    if stem.endswith("i"):
        return f"{stem[:-1]}ier"
    return f"{stem}er"


def base_of(verb: str) -> str:
    """The base form of a third person: "follows" → "follow"; empty when the word is none that we know."""
    candidates = [verb[:-1], f"{verb[:-3]}y" if verb.endswith("ies") else ""]
    if re.search(r"(?:s|x|z|ch|sh|o)es$", verb):  # "managers" and "advisees" are none
        candidates.append(verb[:-2])
    return next((base for base in candidates if base in _VERBS), "") if verb.endswith("s") else ""


_IRREGULAR = {
    "built": "build", "bought": "buy", "drawn": "draw", "drove": "drive", "gave": "give", "given": "give",
    "held": "hold", "led": "lead", "made": "make", "sang": "sing", "sold": "sell", "sung": "sing", "spoke": "speak",
    "spoken": "speak", "taught": "teach", "won": "win", "written": "write", "wrote": "write", "found": "find",
    "born": "bear", "known": "know", "sent": "send", "taken": "take", "run": "run",
}  # fmt: skip
_PAST = {
    "build": "built", "buy": "bought", "draw": "drew", "drive": "drove", "give": "gave", "hold": "held",
    "lead": "led", "make": "made", "sing": "sang", "sell": "sold", "speak": "spoke", "teach": "taught", "win": "won",
    "write": "wrote", "find": "found", "bear": "born", "know": "knew", "send": "sent", "take": "took", "run": "ran",
}  # fmt: skip


def is_act(base: str) -> bool:
    """Whether somebody does it, so that a noun made of it is somebody: "direct", but not "contain" or "numb"."""
    return base in _ACTS or (base in _VERBS and base not in _STATES)


_ACTS = frozenset(
    "act star compose paint invent conquer translate illustrate arrange program sculpt dance race".split()
)
"""Further verbs whose agents schemas speak of."""


def base_form(verb: str) -> str:
    """The base form of a past form or a third person: "directed" → "direct", "wrote" → "write", "follows" → "follow".

    Empty when the word is neither, as far as we know.
    """
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if not agent_of(verb):
        return base_of(verb)
    stem = verb[:-2]
    candidates = (
        stem,
        f"{stem}e",
        stem[:-1] if stem[-1:] == stem[-2:-1] else "",
        f"{stem[:-1]}y" if stem.endswith("i") else "",
    )
    known = next((base for base in candidates if base in _VERBS), "")
    if known:
        return known
    if stem.endswith("i"):
        return f"{stem[:-1]}y"
    if re.search(r"([bdgklmnprt])\1$", stem) and not stem.endswith("ll"):
        return stem[:-1]
    return f"{stem}e" if re.search(r"([aiou][bcdgkmnstvz]|[rn][gcs]|[lr]v)$", stem) and len(stem) > 3 else stem


def past_form(base: str) -> str:
    """The past of a base form: "direct" → "directed", "write" → "wrote", "copy" → "copied"."""
    if base in _PAST:
        return _PAST[base]
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return f"{base[:-1]}ied"
    return f"{_doubled(base)}ed"


def plural_of(noun: str) -> str:
    """The plural of a noun, or the noun itself where it is one: "genre" → "genres", "country" → "countries"."""
    irregular = {"person": "people", "people": "people", "child": "children", "man": "men", "woman": "women"}
    first, of, owner = noun.partition(" of ")  # "place of birth" → "places of birth"
    if of:
        return f"{plural_of(first)} of {owner}"
    head, _, last = noun.rpartition(" ")
    if last in irregular:
        plural = irregular[last]
    elif last.endswith("s") and not last.endswith("ss"):
        plural = last
    else:
        plural = _forms(last)[1]
    return f"{head} {plural}".strip()


def _doubled(base: str) -> str:
    """A base form as it stands before -er: "run" → "runn", "write" → "writ", "ship" → "shipp"."""
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")):
        return base[:-1]
    short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", base)
    return base + base[-1] if short and len(base) < 5 else base


def doer_of(base: str) -> str:
    """Who does it: "follow" → "follower", "direct" → "director", "supply" → "supplier"."""
    if _TAKES_OR.search(base):
        return f"{base}or"
    stem = f"{base[:-1]}i" if base.endswith("y") and base[-2:-1] not in "aeiou" else _doubled(base)
    return f"{stem}er"


def begins_clause(phrase: str) -> bool:
    """Whether a phrase goes on after its subject, as in "what X acted in" and "what X follows"."""
    first = phrase.split()[0].lower() if phrase.split() else ""
    return bool(agent_of(first) or base_of(first))


def is_verbal(phrase: str) -> bool:
    """Whether a phrase continues a clause, as in "what X acted in", rather than names a thing, as in "director"."""
    words = phrase.lower().split()
    if not words:
        return False
    alone = len(words) == 1 and words[0] != "star"
    return words[-1] in PREPOSITIONS or (alone and bool(agent_of(words[0]) or base_of(words[0])))


def stranded(phrase: str) -> str:
    """The preposition that ends words for what comes before a name: "about" of "books about"; empty: none alone."""
    *before, last = phrase.lower().split() or [""]
    if not before or before[0] == "that" or last not in PREPOSITIONS - {"of"}:
        return ""
    verb = before[-1] == "born" or (base_form(before[-1]) and not before[-1].endswith("s"))
    return "" if verb else last


def agent_verb(word: str) -> str:
    """The past form of what somebody does: "actors" → "acted"; empty when the word is no agent."""
    match = re.fullmatch(r"(\w{2,}?)(?:o|e)rs?", word)
    return f"{match[1]}ed" if match and base_form(f"{match[1]}ed") else ""


def is_moment(phrase: str) -> bool:
    """Whether a property's name says when something happened, as "released" and "born" do."""
    return phrase.lower() == "born" or (len(phrase.split()) == 1 and bool(agent_of(phrase.lower())))


def guessed_phrase(name: str) -> str:
    """Words for walking a relation from head to tail, when nobody wrote any.

    ``has_genre`` → "genre", ``in_language`` → "language", ``directed_by`` → "director", ``ACTED_IN`` → "acted in".
    """
    words = words_of(name).split()
    while len(words) > 1 and words[0] in NAME_AUXILIARIES:
        words = words[1:]
    if len(words) > 1 and words[-1] == "by" and agent_of(words[-2]):
        return " ".join((*words[:-2], agent_of(words[-2])))
    if len(words) > 1 and words[0] in PREPOSITIONS and words[-1] not in PREPOSITIONS:
        words = words[1:]
    return " ".join(words)


def guessed_inverse(phrase: str) -> str:
    """Words for a relation walked from tail to head, when nobody wrote any; they come before the tail's name.

    "directed by" stays, "genre" → "with genre", "in language" stays, "acted in" → "actor in", "capital of" stays,
    "follows" → "follower of", "contains" → "that contains", "reports to" → "that reports to".
    """
    words = phrase.split()
    while len(words) > 1 and words[0].lower() in NAME_AUXILIARIES:
        words = words[1:]
    first, last = words[0].lower() if words else "", words[-1].lower() if words else ""
    base = base_of(first)
    if len(words) == 1 and base:
        return f"that {phrase}" if base in _STATES else f"{doer_of(base)} of"
    if len(words) == 2 and base and last in PREPOSITIONS:
        return f"that {phrase}"
    if len(words) == 1 and is_verbal(first):
        return f"{agent_of(first)} of"
    if len(words) == 2 and last in PREPOSITIONS and last not in ("by", "of") and agent_of(first):
        return phrase if first.endswith("ated") or last in _PASSIVE else f"{agent_of(first)} {last}"
    if last in PREPOSITIONS or (len(words) > 1 and first in PREPOSITIONS):
        return " ".join(words)
    return f"with {' '.join(words)}"


def guessed_template(phrase: str, *, of_value: bool = False) -> str:
    """A sentence of one fact, when nobody wrote any: "X follows Y.", "X acted in Y.", "X — genre: Y.".

    :param of_value: the tail is a value: nothing "released 1999"
    """
    words = phrase.split()
    plain = len(words) == 1 or (len(words) == 2 and words[1] in PREPOSITIONS - _PASSIVE - {"by"})
    if plain and not of_value and begins_clause(phrase) and words[0] not in ("star", "found"):
        return f"{{head}} {phrase} {{tail}}."
    return f"{{head}} — {phrase}: {{tail}}."


def edge_words(name: str, heads: tuple[str, ...], tails: tuple[str, ...]) -> tuple[str, str, str]:
    """Phrase, inverse phrase and template of a relationship type, from its name and the labels at its ends.

    Labels settle what a word is: ``REVIEWS`` of a person is a verb, of what leads to a ``Review`` a noun. A type whose
    name is what its head is called, such as ``ORDERS`` of an ``Order``, says no more than that the head has something.
    """
    words = words_of(name)
    end_words = [{form for label in some for form in _forms(words_of(label))} for some in (heads, tails)]
    if words in end_words[1] or not set(words.split()) - NAME_AUXILIARIES - PREPOSITIONS - {"belongs", "contains"}:
        noun = words_of(tails[0])
        owner = words_of(heads[0])
        return noun, f"{owner} with {noun}" if noun != owner else f"with {noun}", f"{{head}} — {noun}: {{tail}}."
    if words in end_words[0] and base_of(words):
        noun, owner = words_of(tails[0]), words_of(heads[0])
        return f"{noun} in {owner}", f"{owner} with", f"{{head}} {words} {{tail}}."
    inverse = guessed_inverse(words)
    if inverse.split()[0] in end_words[1]:  # "shipped with" a shipper: the tail does it
        inverse = words
    return guessed_phrase(name), inverse, guessed_template(words)


def _forms(noun: str) -> tuple[str, ...]:
    """A noun and its plural."""
    plural = (
        f"{noun[:-1]}ies"
        if noun.endswith("y") and noun[-2:-1] not in "aeiou"
        else f"{noun}es"
        if noun.endswith(("s", "x", "ch", "sh"))
        else f"{noun}s"
    )
    return noun, plural, f"has {noun}", f"has {plural}"


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
    done = _EVENTS.get(first) or (past_form(base) if base in _VERBS | _ACTS else "")
    return done, last if done else ""


def stem(word: str) -> str:
    """A folded word without the "s" of plurals."""
    return word.rstrip("s")


def root(word: str) -> str:
    """What a word shares with its other forms: "directed" and "director", "wrote" and "written"."""
    base = base_form(word) or word
    return base[:4] if len(base) > 4 else base


def noun_stem(noun: str) -> str:
    """What words of one stem as a noun's begin with: "religious" is no other word for "religion"."""
    singular = next((one for one in (noun[:-1], noun[:-2]) if plural_of(one) == noun), noun) if len(noun) > 3 else noun
    return singular[:5]


def ends_noun(word: str) -> bool:
    """Whether a word ends the noun that a phrase begins with: "directed" of "films directed by"."""
    return word in _AFTER_NOUNS or bool(agent_of(word)) or re.fullmatch(r"\w+ing", word) is not None


_AFTER_NOUNS = PREPOSITIONS | closed.ARTICLES | frozenset("that which who whom whose".split())

ENGLISH = Language(
    code="en",
    stop_words=closed.STOP_WORDS,
    grammar_words=closed.GRAMMAR_WORDS,
    sharing=closed.SHARING,
    sharing_prefix="co-",
    interrogatives=closed.INTERROGATIVES,
    amounts=closed.AMOUNT_QUESTIONS,
    clause_words=closed.CLAUSE_WORDS,
    articles=closed.ARTICLES,
    possessive="'s",
    fillers=closed.FILLERS | closed.PLAIN_PREPOSITIONS,
    joining=closed.JOINING,
    vague=closed.VAGUE,
    patterns=PathPatterns(
        noun="the {what} {phrase} of {start}",
        moment="when {start} was {phrase}",
        clause="what {start} {phrase}",
        clause_about="{what} that {start} {phrase}",
        both="{one} and {other}",
        things="things",
        date="date or year",
    ),
    words_of=words_of,
    stem=stem,
    root=root,
    plural_of=plural_of,
    base_form=base_form,
    happened_at=happened_at,
    is_moment=is_moment,
    is_verbal=is_verbal,
    ends_noun=ends_noun,
    guessed_phrase=guessed_phrase,
    guessed_inverse=guessed_inverse,
    guessed_template=guessed_template,
    edge_words=edge_words,
)
