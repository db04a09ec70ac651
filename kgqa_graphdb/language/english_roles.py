"""How English says who does what to whom: "who manages X", "who does X manage", "the manager of X", "managed by X".

One reader serves questions, in which the topic is masked, and the words of relations, which are read as a text before a
topic: "employee managed by" is read as "employee managed by X".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from kgqa_graphdb.language import english_words as closed
from kgqa_graphdb.language.english import guessed_inverse
from kgqa_graphdb.language.english_deeds import SYMMETRIC, deed_of, is_participle, verb_of
from kgqa_graphdb.language.masking import OTHER, TOPIC
from kgqa_graphdb.language.roles import OTHERS, Places, Role, Sense, TopicRoles

_TOKEN = re.compile(r"\[[XY]\]|['’]s\b|(?<=\])['’](?=\s)|[^\W_]+(?:[-'’](?!s\b)[^\W_]+)*|[,;:]")
_BE = frozenset("is are was were be been being am get gets got isn't aren't wasn't weren't".split())
_HAVE = frozenset("has have had having".split())
_AUXILIARIES = (
    _BE
    | _HAVE
    | frozenset("do does did can could will would shall should may might must don't doesn't didn't to".split())
)
_PREPOSITIONS = closed.PREPOSITIONS | frozenset("upon against between among toward towards behind beside".split())
_DETERMINERS = closed.ARTICLES | frozenset("any some all each every this these those other another my our".split())
_ASKING = frozenset("which what who whom whose how where when".split())
_RELATIVE = frozenset("that which who whom whose where when and or but , ; :".split())
_NOT_ADVERBS = frozenset("family supply apply reply rely fly ally assembly early".split())
_GENERIC = frozenset(
    "person people persons human humans individual individuals somebody someone anybody anyone thing things something "
    "anything one ones entity entities name names number amount list kind kinds type types many exactly currently now "
    "direct responsible there today yesterday tomorrow right".split()
)
"""Words that say nothing of a relation."""
_NO_NOUNS = frozenset("name names number kind kinds type types list part-time most all each one some any many".split())
_NO_APPOSITION = closed.GRAMMAR_WORDS | closed.NEGATIONS | _RELATIVE | frozenset("like besides apart both".split())
_IN_PLACES = frozenset("bear bury locate situate base station house set".split())
"""Verbs whose past form alone says where something is, not what it does."""
_LONGEST_NOUN = 4
"""Words of a noun."""
_AGENT: Places = frozenset(("agent",))
_PATIENT: Places = frozenset(("patient",))
_OBLIQUE: Places = frozenset(("oblique",))


@lru_cache(maxsize=16_384)
def roles(text: str) -> TopicRoles:
    """What a text says of its topic, which is masked in it; see :class:`TopicRoles`."""
    words = [_expanded(word) for word in _TOKEN.findall(text)]
    words = [one for word in words for one in word.split()]
    if TOPIC not in words:
        return TopicRoles()
    return _Reader(words, words.index(TOPIC)).read()


def senses(name: str, phrase: str, inverse: str) -> tuple[Sense, ...]:
    """What the words of a relation say of its ends.

    :param name: its name in words: "reports to", "treated by"
    :param phrase: words for walking from head to tail
    :param inverse: words for walking from tail to head, which stand before the tail
    """
    found: dict[str, Sense] = {}
    written = _forwards(name, phrase, inverse)
    if inverse != guessed_inverse(name):
        written += [
            Sense(one.word, OTHERS[one.place], frozenset((one.place,)), one.preposition)
            for one in roles(f"{inverse} {TOPIC}").roles
        ]
    named = of_name(name)
    known = {sense.word for sense in named}
    written = [replace(sense, whole=not known or sense.word in known) for sense in written]
    # Sources differ in how they word the way back: "owner of" of the head, or of the tail. The way there counts.
    for sense in (*written, *named):
        other = found.get(sense.word, sense)
        found[sense.word] = _agreed(other, sense) or other
    return tuple(found.values())


def _forwards(name: str, phrase: str, inverse: str) -> list[Sense]:
    """The senses of the words for walking from head to tail.

    "employee managed by" and "child of" stand before the head; what is a verb, begins with "is" or "has", or is the
    words of the way back, too, goes on after it: "owned by", "has part", "part of".
    """
    words = phrase.lower().split()
    if not words or phrase.lower() == name:
        return []
    clause = words[0] in _AUXILIARIES or phrase.lower() == inverse.lower()
    if clause or (_begins_clause(words) and words[-1] != "of" and (len(words) == 1 or words[-1] in _PREPOSITIONS)):
        return list(of_name(phrase))
    text = f"{phrase} {TOPIC}" if words[-1] in _PREPOSITIONS else f"{phrase} of {TOPIC}"
    some = [Sense(one.word, frozenset((one.place,)), OTHERS[one.place], one.preposition) for one in roles(text).roles]
    return _united(some)


def _begins_clause(words: Sequence[str]) -> bool:
    """Whether a phrase begins with a verb, not with a noun of the same form: not "tracks produced by"."""
    verb = verb_of(words[0])
    sure = verb in closed.VERBS - closed.ALSO_NOUNS
    return bool(verb) and (is_participle(words[0]) or sure or (len(words) < 3 and words[0].endswith("s")))


def _united(some: Sequence[Sense]) -> list[Sense]:
    """Senses of which each word has one, with all places that it gives."""
    found: dict[str, Sense] = {}
    for one in some:
        other = found.get(one.word, one)
        found[one.word] = replace(one, heads=one.heads | other.heads, tails=one.tails | other.tails)
    return list(found.values())


def _agreed(one: Sense, other: Sense) -> Sense | None:
    """What two senses of a word have in common; ``None``: each says the opposite of the other."""
    heads, tails = one.heads & other.heads, one.tails & other.tails
    whole = one.whole and other.whole
    return replace(one, heads=heads, tails=tails, whole=whole) if heads and tails else None


def is_symmetric(name: str) -> bool:
    """Whether what a relation's name says of one end it says of the other: "married to", "borders", "sibling of"."""
    return any(sense.word in SYMMETRIC for sense in of_name(name))


def of_name(name: str) -> tuple[Sense, ...]:
    """The senses of a relation's name in words, which is read after its head: "is part of", "treated by", "genre"."""
    words = [word for word in name.lower().split() if not _is_adverb(word)]
    passive = False
    while len(words) > 1 and words[0] in _AUXILIARIES | closed.ARTICLES:
        passive = passive or words[0] in _BE
        words = words[1:]
    if len(words) > 1 and words[0] in _PREPOSITIONS and words[-1] not in _PREPOSITIONS:
        words = words[1:]
    if not words:
        return ()
    *before, last = words
    if last == "by" and before:
        verb = verb_of(before[-1])
        return (Sense(verb, _PATIENT, _AGENT),) if verb else ()
    if last in _PREPOSITIONS and before:
        return _with_preposition(before[-1], last)
    if len(words) == 1:
        return (*_verb_alone(last), *_noun_alone(last))
    if "of" in before:
        return _in_part(_noun_alone(words[words.index("of") - 1]))
    if verb_of(last) and is_participle(last):
        return ()
    first = words[0]
    finite = first.endswith("s") and first not in closed.ALSO_NOUNS and verb_of(first) in closed.VERBS
    return _in_part(_verb_alone(first) if finite else _noun_alone(last))


def _in_part(some: Iterable[Sense]) -> tuple[Sense, ...]:
    return tuple(replace(sense, whole=False) for sense in some)


def _with_preposition(word: str, preposition: str) -> tuple[Sense, ...]:
    """The senses of a verb or a noun with a preposition: "reports to", "sent to", "parent of"."""
    verb = verb_of(word)
    if verb and is_participle(word):
        return (Sense(verb, _AGENT | _PATIENT, _OBLIQUE, preposition),)
    finite = verb in closed.VERBS and (word.endswith("s") or word not in closed.ALSO_NOUNS)
    if verb and preposition != "of" and (finite or word.endswith("s")):
        return (Sense(verb, _AGENT, OTHERS["agent"], preposition),)
    noun, place = deed_of(word)
    return (Sense(noun, frozenset((place,)), OTHERS[place] | _OBLIQUE - {place}),)


def _verb_alone(word: str) -> tuple[Sense, ...]:
    """The sense of a verb that is all of a name: "manages", "acquired"."""
    verb = verb_of(word)
    acts = word.endswith("s") or is_participle(word) or verb in closed.VERBS
    if verb in _IN_PLACES and is_participle(word):  # "buried" is where
        return (Sense(verb, _PATIENT, _OBLIQUE),)
    is_noun = deed_of(word)[0] == verb and verb not in closed.VERBS  # "parents" are no deed
    return (Sense(verb, _AGENT, OTHERS["agent"]),) if verb and acts and not is_noun else ()


def _noun_alone(word: str) -> tuple[Sense, ...]:
    """The sense of a noun for the tail: "genre", "manager"."""
    noun, place = deed_of(word)
    verb = verb_of(word)
    if not word.replace("-", "").isalpha() or is_participle(word):  # "P361" says nothing
        return ()
    if word.endswith("s") and verb in closed.VERBS - closed.ALSO_NOUNS:
        return ()
    return (Sense(noun, OTHERS[place], frozenset((place,))),)


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") and word not in _NOT_ADVERBS


def _expanded(token: str) -> str:
    """A token in lower case; "who's" is "who is"."""
    if token in (TOPIC, OTHER):
        return token
    lower = token.lower().replace("’", "'")
    return "'s" if lower == "'" else lower


@dataclass(slots=True)
class _Reader:
    """Reads one text.

    :ivar words: of the text
    :ivar topic: the place of the topic among them
    """

    words: Sequence[str]
    topic: int
    used: set[str] = field(default_factory=set)

    def read(self) -> TopicRoles:
        """What the text says of its topic."""
        found = self._possessive() or self._modifying() or self._before() or self._after()
        return TopicRoles(tuple(dict.fromkeys(found)), frozenset(self.used | _GENERIC), self._asked())

    def word(self, place: int) -> str:
        """The word at a place; empty: there is none."""
        return self.words[place] if 0 <= place < len(self.words) else ""

    def use(self, word: str) -> str:
        """Note that a word says something of the topic."""
        self.used.add(word)
        return word

    # ── X's manager ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _possessive(self) -> list[Role]:
        """ "X's manager": whose it is."""
        if self.word(self.topic + 1) != "'s":
            return []
        noun = self._noun_from(self.topic + 2)
        if not noun:
            return []
        word, place = deed_of(self.use(noun))
        return [Role(word, other) for other in OTHERS[place] - _OBLIQUE]

    def _modifying(self) -> list[Role]:
        """ "the director of X starred movies", "films of the X director": the topic belongs to what follows it."""
        word, before = self.word(self.topic + 1), self.word(self._phrase_start() - 1)
        ends = not word or word in _GENERIC | closed.GRAMMAR_WORDS | _RELATIVE or word in (TOPIC, OTHER)
        if ends or before in _AUXILIARIES or _is_adverb(word) or not (before in _PREPOSITIONS or verb_of(before)):
            return []
        if is_participle(word):  # "directed by X released in 1990" goes on about the films
            modifies = bool(self._noun_from(self.topic + 2))
            return [Role(verb_of(self.use(word)), "agent")] if modifies else []
        nouns = self._nouns_from(self.topic + 1)
        agents = [noun for noun in nouns if not deed_of(noun)[0].startswith("a_")]
        return self._owned((agents or nouns)[-1]) if nouns else []

    def _noun_from(self, start: int) -> str:
        """The noun that begins at a place: the last word before another kind of word, or before "'s"."""
        return (self._nouns_from(start) or [""])[-1]

    def _nouns_from(self, start: int) -> list[str]:
        """The words of a noun that begins at a place."""
        nouns: list[str] = []
        for at in range(start, min(start + _LONGEST_NOUN, len(self.words))):
            word = self.words[at]
            if word in _AUXILIARIES | _PREPOSITIONS | _RELATIVE | _ASKING or word in (TOPIC, OTHER, "'s"):
                break
            if nouns and (is_participle(word) or verb_of(word) in closed.VERBS - closed.ALSO_NOUNS):
                break
            nouns.append(word)
        return nouns

    # ── manages X, managed by X, manager of X ────────────────────────────────────────────────────────────────────────

    def _before(self) -> list[Role]:
        """What stands before the topic says its place."""
        at = self._phrase_start() - 1
        word = self.word(at)
        if word in _PREPOSITIONS:
            return self._after_preposition(at)
        if word in _AUXILIARIES or not word:
            return []
        if self.word(at - 1) == "with":  # "with parent X"
            noun, place = deed_of(self.use(word))
            return [Role(noun, place)]
        if self._is_verb_at(at):
            return self._objects(at)
        # "manages team X"
        return self._objects(at - 1) if word not in _NO_APPOSITION and self._is_verb_at(at - 1) else []

    def _phrase_start(self) -> int:
        """Where the words for the topic begin: with "the module" of "the module X"."""
        at = self.topic
        if self.word(at - 2) in _DETERMINERS and self.word(at - 1) not in _AUXILIARIES | _PREPOSITIONS | _RELATIVE:
            return at - 2
        while self.word(at - 1) in _DETERMINERS:
            at -= 1
        return at

    def _is_verb_at(self, at: int) -> bool:
        """Whether a word is a verb there: not the noun of "which calls", nor after "the"."""
        word, before = self.word(at), self.word(at - 1)
        bare = verb_of(word) == word  # "people X manages", "is subordinate to X"
        if not verb_of(word) or before in _DETERMINERS | _PREPOSITIONS or (bare and (not at or before in _BE)):
            return False
        asks_noun = before in ("which", "what", "whose") and word.endswith("s") and word[:-1] in closed.ALSO_NOUNS
        return not (asks_noun and self._has_verb_after(at))

    def _has_verb_after(self, at: int) -> bool:
        return any(verb_of(word) or word in _AUXILIARIES for word in self.words[at + 1 : self.topic])

    def _objects(self, at: int) -> list[Role]:
        """The topic is what a verb acts on, and one that is joined with it: "wrote and directed X"."""
        found = [Role(verb_of(self.use(self.words[at])), "patient")]
        if self.word(at - 1) in ("and", "or") and self._is_verb_at(at - 2):
            found += self._objects(at - 2)
        return found

    def _after_preposition(self, at: int) -> list[Role]:
        """The topic follows a preposition: "managed by X", "reports to X", "manager of X"."""
        preposition = self.words[at]
        place = at - 1
        while _is_adverb(self.word(place)):
            place -= 1
        word = self.word(place)
        if preposition == "by":
            if word in _PREPOSITIONS:  # "is reported to by X"
                place, word = place - 1, self.word(place - 1)
            if not (verb_of(word) and (is_participle(word) or word.endswith("ing"))):
                return []
            found = [Role(verb_of(self.use(word)), "agent")]
            if self.word(place - 1) in ("and", "or") and is_participle(self.word(place - 2)):
                found.append(Role(verb_of(self.use(self.word(place - 2))), "agent"))
            return found
        if not word or word in _AUXILIARIES | _PREPOSITIONS | _RELATIVE | _ASKING | _NO_NOUNS or word in (OTHER, "'s"):
            return []
        if preposition == "of" and not is_participle(word):
            return self._owned(word)
        if self._is_verb_at(place):
            return [Role(verb_of(self.use(word)), "oblique", preposition)]
        noun, part = deed_of(word)
        if part == "agent" and (not noun.startswith("a_") or preposition == "to"):
            self.use(word)
            return [Role(noun, "patient" if noun.startswith("a_") else "oblique", preposition)]
        return []

    def _owned(self, noun: str) -> list[Role]:
        """ "manager of X": whose it is."""
        word, place = deed_of(self.use(noun))
        return [Role(word, other) for other in OTHERS[place] - _OBLIQUE]

    # ── does X manage, is X managed by, whose manager is X ───────────────────────────────────────────────────────────

    def _after(self) -> list[Role]:
        """The topic is what a clause is about."""
        start = self._phrase_start()
        before = self.word(start - 1)
        passive, at = before in _BE, self.topic + 1
        while (word := self.word(at)) and (word in _AUXILIARIES - _HAVE or _is_adverb(word) or word in _HAVE):
            if word in _HAVE and not is_participle(self.word(at + 1)):
                break
            passive = passive or word in _BE
            at += 1
        if before in _BE and self.word(start - 3) == "whose":  # "whose manager is X"
            word, place = deed_of(self.use(self.word(start - 2)))
            return [Role(word, place)]
        if before in _HAVE and self.word(self.topic + 1) == "as":  # "who has X as manager"
            return self._filled(self.topic + 2)
        if self.word(at) in _HAVE:
            return self._had(at, start)
        noun = self._predicate(at) if passive else ""
        if noun:
            word, place = deed_of(self.use(noun))
            return [Role(word, place)]
        verb = self.word(at)
        if not verb_of(verb) or verb in (TOPIC, OTHER):
            return []
        return self._subjects(at, passive=passive)

    def _filled(self, at: int) -> list[Role]:
        """The topic is somebody's manager."""
        while self.word(at) in _DETERMINERS | {"their", "his", "her", "its"}:
            at += 1
        noun = self._noun_from(at)
        if not noun:
            return []
        word, place = deed_of(self.use(noun))
        return [Role(word, place)]

    def _had(self, at: int, start: int) -> list[Role]:
        """What the topic has: "which manager does X have", "who does X have as a manager"."""
        if self.word(at + 1) == "as":
            place = at + 2
            while self.word(place) in _DETERMINERS | {"their", "his", "her", "its"}:
                place += 1
            noun = self._noun_from(place)
        else:
            noun = self.word(start - 2) if self.word(start - 1) in _AUXILIARIES else ""
            noun = "" if noun in _ASKING | _RELATIVE | _NO_NOUNS else noun
        if not noun:
            return []
        word, place_of = deed_of(self.use(noun))
        return [Role(word, other) for other in OTHERS[place_of] - _OBLIQUE]

    def _predicate(self, at: int) -> str:
        """The noun for what the topic is: "the parent of", "part of", "a member of"; empty: there is none."""
        article = self.word(at) in _DETERMINERS
        if self.word(at) == OTHER and self.word(at + 1) == "'s":  # "is X Y's manager"
            return self._noun_from(at + 2)
        noun = self._noun_from(at + article)
        if not noun:
            return ""
        end = next(place for place in range(at + article, len(self.words)) if self.words[place] == noun)
        follows = self.word(end + 1)
        if follows == "of" and not is_participle(noun):
            return noun
        said = article or not deed_of(noun)[0].startswith("a_")  # "dependent on"
        return noun if said and follows in _PREPOSITIONS and not verb_of(noun) else ""

    def _subjects(self, at: int, *, passive: bool) -> list[Role]:
        """The topic does it, or with "is" before a past form has it done to it; with verbs that are joined with it."""
        verb = self.words[at]
        self.use(verb)
        after = next((place for place in range(at + 1, len(self.words)) if not _is_adverb(self.words[place])), at + 1)
        preposition = self.word(after) if self.word(after) in _PREPOSITIONS else ""
        if is_participle(verb) and (passive or preposition == "by"):
            if "by" in self.words[at + 1 :] or not preposition:
                return [Role(verb_of(verb), "patient")]
            return [Role(verb_of(verb), "patient", preposition), Role(verb_of(verb), "agent", preposition)]
        stranded = "" if self.word(after + 1) in (*_DETERMINERS, OTHER) and preposition in ("in", "at") else preposition
        found = [Role(verb_of(verb), "agent", stranded)]
        if self.word(at + 1) in ("and", "or") and verb_of(self.word(at + 2)):
            found += self._subjects(at + 2, passive=passive)
        return found

    def _asked(self) -> str:
        """The noun for what is asked for: "modules" of "which modules", "people" of "how many people"."""
        for at, word in enumerate(self.words):
            start = at + 2 if word == "how" and self.word(at + 1) == "many" else at + 1
            if start > at + 1 or word in ("which", "what"):
                nouns = [noun for noun in self._nouns_from(start) if noun not in self.used]
                return nouns[-1] if nouns else ""
        return ""
