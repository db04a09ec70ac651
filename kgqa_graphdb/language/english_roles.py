"""How English says who does what to whom: "who manages X", "who does X manage", "the manager of X", "managed by X".

One reader serves questions, in which the topic is masked, and the words of relations, which are read as a text before a
topic: "employee managed by" is read as "employee managed by X".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from kgqa_graphdb.language import english_words as closed
from kgqa_graphdb.language.english_deeds import TWO_WAYS, deed_of, is_participle, may_be_participle, verb_of
from kgqa_graphdb.language.masking import OTHER, TOPIC
from kgqa_graphdb.language.roles import OTHERS, Places, Role, TopicRoles

_TOKEN = re.compile(r"\[[XY]\]|['’]s\b|(?<=\])['’](?=\s)|[^\W_]+(?:[-'’](?!s\b)[^\W_]+)*|[,;:]")
_BE = frozenset("is are was were be been being am get gets got isn't aren't wasn't weren't".split())
_HAVE = frozenset("has have had having".split())
AUXILIARIES = (
    _BE
    | _HAVE
    | frozenset("do does did can could will would shall should may might must don't doesn't didn't to".split())
)
PREPOSITIONS = closed.PREPOSITIONS | frozenset("upon against between among toward towards behind beside".split())
_DETERMINERS = closed.ARTICLES | frozenset("any some all each every this these those other another my our".split())
_ASKING = frozenset("which what who whom whose how where when".split())
_RELATIVE = frozenset("that which who whom whose where when and or but , ; :".split())
_DO = frozenset("do does did".split())
_PRONOUNS = frozenset("that which who whom".split())
_ADVERBS = frozenset("ever already still also".split())
_NOT_ADVERBS = frozenset("family supply apply reply rely fly ally assembly early".split())
_GENERIC = frozenset(
    "person people persons human humans individual individuals somebody someone anybody anyone thing things something "
    "anything one ones entity entities name names number amount list kind kinds type types many exactly currently now "
    "direct responsible there today yesterday tomorrow right".split()
)
"""Words that say nothing of a relation."""
_NO_NOUNS = frozenset("name names number kind kinds type types list part-time most all each one some any many".split())
_NO_APPOSITION = closed.GRAMMAR_WORDS | closed.NEGATIONS | _RELATIVE | frozenset("like besides apart both".split())
_ORDERED = closed.NEXT | closed.PREVIOUS
_DIRECTLY = frozenset("right just immediately directly".split())
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


def is_adverb(word: str) -> bool:
    """Whether a word says how: "directly"."""
    return (word.endswith("ly") and word not in _NOT_ADVERBS) or word in _ADVERBS


def _expanded(token: str) -> str:
    """A token in lower case; "who's" is "who is"."""
    if token in (TOPIC, OTHER):
        return token
    lower = token.lower().replace("’", "'")
    return "'s" if lower == "'" else lower


def _is_moment(word: str) -> bool:
    """Whether a word after a preposition says when: "2019"."""
    return word[:1].isdigit()


@dataclass(slots=True)
class _Reader:
    """Reads one text.

    :ivar words: of the text
    :ivar topic: the place of the topic among them
    :ivar whole: the places of the first and the last word for what the topic belongs to: "the coach of X"
    """

    words: Sequence[str]
    topic: int
    used: set[str] = field(default_factory=set)
    whole: tuple[int, int] | None = None

    def read(self) -> TopicRoles:
        """What the text says of its topic."""
        found = self._in_order() or self._possessive() or self._modifying() or self._before() or self._after()
        found = [role for role in found if role.word not in TWO_WAYS]
        return TopicRoles(tuple(dict.fromkeys(found)), frozenset(self.used | _GENERIC), self._asked(), self._outer())

    def _outer(self) -> str:
        """The text with the topic in place of what it belongs to."""
        if self.whole is None:
            return ""
        start, end = self.whole
        return " ".join((*self.words[:start], TOPIC, *self.words[end + 1 :]))

    def _belongs(self, noun: int, end: int) -> None:
        """Note that the topic belongs to what a noun names: with "the" and what else stands before the noun.

        :param noun: its place
        :param end: the place of the last word that says so
        """
        if not (word := self.word(noun)) or word in AUXILIARIES | PREPOSITIONS | _ASKING | {TOPIC, OTHER}:
            return
        start = noun
        while self.word(start - 1) in _DETERMINERS:
            start -= 1
        self.whole = start, end

    def _before_clause(self, verb: int) -> int:
        """The place of the noun that a clause is about: of "jockeys" in "jockeys that were coached by X"."""
        at = verb - 1
        while is_adverb(self.word(at)) or self.word(at) in AUXILIARIES:
            at -= 1
        return at - (self.word(at) in _PRONOUNS)

    def word(self, place: int) -> str:
        """The word at a place; empty: there is none."""
        return self.words[place] if 0 <= place < len(self.words) else ""

    def use(self, word: str) -> str:
        """Note that a word says something of the topic."""
        self.used.add(word)
        return word

    # ── the next station after X, what comes before X, X's next station ──────────────────────────────────────────────

    def _in_order(self) -> list[Role]:
        """What comes after the topic, or before it."""
        if self.word(self.topic + 1) == "'s":
            return self._ordered(self.word(self.topic + 2))
        at = self._phrase_start() - 1
        preposition, place = self.word(at), at - 1
        while self.word(place) in _DIRECTLY or is_adverb(self.word(place)):
            place -= 1
        word, before = self.word(place), self.word(place - 1)
        if preposition in ("after", "before"):
            of_noun = before in _ORDERED or before in _DETERMINERS | _ASKING
            verb = verb_of(word) in closed.COMING or (word in _BE and place > 0)
            return self._ordered(preposition) if verb or (of_noun and not is_participle(word)) else []
        return self._ordered(before) if preposition in ("of", "from", "to") and before in _ORDERED else []

    def _ordered(self, word: str) -> list[Role]:
        """The places that a word for an order gives the topic: what is after it follows it."""
        if word not in _ORDERED | {"after", "before"}:
            return []
        self.used |= {one for one in self.words if one in _ORDERED or verb_of(one) in closed.COMING}
        if word in closed.NEXT or word == "after":
            return [Role("succeed", "patient"), Role("follow", "patient")]
        return [Role("precede", "patient"), Role("follow", "agent")]

    # ── X's manager ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _possessive(self) -> list[Role]:
        """ "X's manager": whose it is."""
        if self.word(self.topic + 1) != "'s":
            return []
        noun = self._noun_from(self.topic + 2)
        if not noun:
            return []
        word, place = deed_of(self.use(noun))
        self.whole = self._phrase_start(), self.words.index(noun, self.topic)
        return [Role(word, other) for other in OTHERS[place] - _OBLIQUE]

    def _modifying(self) -> list[Role]:
        """ "the director of X starred movies", "films of the X director": the topic belongs to what follows it."""
        word, before = self.word(self.topic + 1), self.word(self._phrase_start() - 1)
        ends = not word or word in _GENERIC | closed.GRAMMAR_WORDS | _RELATIVE or word in (TOPIC, OTHER)
        # "who does the coach of X mentor" goes on with its own verb
        ends = ends or (verb_of(word) == word and bool(_DO & {*self.words[: self.topic]}))
        if ends or before in AUXILIARIES or is_adverb(word) or not (before in PREPOSITIONS or verb_of(before)):
            return []
        if is_participle(word):  # "directed by X released in 1990" goes on about the films
            modifies = bool(self._noun_from(self.topic + 2))
            return [Role(verb_of(self.use(word)), "agent", unsure=True)] if modifies else []
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
            if word in AUXILIARIES | PREPOSITIONS | _RELATIVE | _ASKING or word in (TOPIC, OTHER, "'s"):
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
        if word in PREPOSITIONS:
            return self._after_preposition(at)
        if word in AUXILIARIES or not word:
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
        if self.word(at - 2) in _DETERMINERS and self.word(at - 1) not in AUXILIARIES | PREPOSITIONS | _RELATIVE:
            return at - 2
        while self.word(at - 1) in _DETERMINERS:
            at -= 1
        return at

    def _is_verb_at(self, at: int) -> bool:
        """Whether a word is a verb there: not the noun of "which calls", nor after "the"."""
        word, before = self.word(at), self.word(at - 1)
        bare = verb_of(word) == word  # "people X manages", "is subordinate to X"
        if not verb_of(word) or before in _DETERMINERS | PREPOSITIONS or (bare and (not at or before in _BE)):
            return False
        asks_noun = before in ("which", "what", "whose") and word.endswith("s") and word[:-1] in closed.ALSO_NOUNS
        return not (asks_noun and self._has_verb_after(at))

    def _has_verb_after(self, at: int) -> bool:
        return any(verb_of(word) or word in AUXILIARIES for word in self.words[at + 1 : self.topic])

    def _objects(self, at: int) -> list[Role]:
        """The topic is what a verb acts on, and one that is joined with it: "wrote and directed X"."""
        found = [Role(verb_of(self.use(self.words[at])), "patient")]
        self._belongs(self._before_clause(at), self.topic)
        if self.word(at - 1) in ("and", "or") and self._is_verb_at(at - 2):
            found += self._objects(at - 2)
        return found

    def _after_preposition(self, at: int) -> list[Role]:
        """The topic follows a preposition: "managed by X", "reports to X", "manager of X"."""
        preposition = self.words[at]
        place = at - 1
        while is_adverb(self.word(place)):
            place -= 1
        word = self.word(place)
        if preposition == "by":
            stranded = word if word in PREPOSITIONS else ""  # "is reported to by X"
            if stranded:
                place, word = place - 1, self.word(place - 1)
            if not (verb_of(word) and (may_be_participle(word) or word.endswith("ing"))):
                return []
            found = [Role(verb_of(self.use(word)), "agent", stranded)]
            self._belongs(self._before_clause(place), self.topic)
            if self.word(place - 1) in ("and", "or") and is_participle(self.word(place - 2)):
                found.append(Role(verb_of(self.use(self.word(place - 2))), "agent"))
            return found
        if not word or word in AUXILIARIES | PREPOSITIONS | _RELATIVE | _ASKING | _NO_NOUNS or word in (OTHER, "'s"):
            return []
        if preposition == "of" and not is_participle(word):
            self._belongs(place, self.topic)
            return self._owned(word)
        if self._is_verb_at(place):
            self._belongs(self._before_clause(place), self.topic)
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
        while (word := self.word(at)) and (word in AUXILIARIES - _HAVE or is_adverb(word) or word in _HAVE):
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
        if at == self.topic + 1 and before in _PRONOUNS:  # "the jockey that X coaches"
            self._belongs(start - 2, at)
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
            noun = self.word(start - 2) if self.word(start - 1) in AUXILIARIES else ""
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
        return noun if said and follows in PREPOSITIONS and not verb_of(noun) else ""

    def _subjects(self, at: int, *, passive: bool) -> list[Role]:
        """The topic does it, or with "is" before a past form has it done to it; with verbs that are joined with it."""
        verb = self.words[at]
        self.use(verb)
        after = next((place for place in range(at + 1, len(self.words)) if not is_adverb(self.words[place])), at + 1)
        preposition = self.word(after) if self.word(after) in PREPOSITIONS else ""
        if may_be_participle(verb) and (passive or preposition == "by"):
            if preposition != "by" and self.word(after + 1) == "by":  # "is X reported to by Y"
                return [Role(verb_of(verb), "oblique", preposition)]
            by = "by" in self.words[at + 1 :]
            if by or not preposition:  # "which prize was X awarded" leaves out who did it
                return [Role(verb_of(verb), "patient", unsure=not by)]
            return [Role(verb_of(verb), "patient", preposition), Role(verb_of(verb), "agent", preposition)]
        if preposition and _is_moment(self.word(after + 1)):  # "teaches in 2019"
            preposition = ""
        stranded = "" if self.word(after + 1) in _DETERMINERS and preposition in ("in", "at") else preposition
        found = [Role(verb_of(verb), "agent", stranded, unsure=not self._has_object(after))]
        if self.word(at + 1) in ("and", "or") and verb_of(self.word(at + 2)):
            found += self._subjects(at + 2, passive=passive)
        return found

    def _has_object(self, after: int) -> bool:
        """Whether more than a place or time is asked for or named: of "where does X play" X may be what is played.

        :param after: the place after the verb
        """
        before = {*self.words[: self.topic]}
        follows = self.word(after) and self.word(after) not in PREPOSITIONS | _RELATIVE | _GENERIC
        return bool(follows) or "many" in before or not before & {"where", "when", "how"}

    def _asked(self) -> str:
        """The noun for what is asked for: "modules" of "which modules", "people" of "how many people"."""
        for at, word in enumerate(self.words):
            start = at + 2 if word == "how" and self.word(at + 1) == "many" else at + 1
            if start > at + 1 or word in ("which", "what"):
                nouns = [noun for noun in self._nouns_from(start) if noun not in self.used]
                return nouns[-1] if nouns else ""
        return ""
