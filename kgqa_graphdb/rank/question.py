"""What a ranker reads in a question: its content words, how far they stand from the topic, and what it asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgqa_graphdb.masking import OTHER, TOPIC
from kgqa_graphdb.rank.spelling import Vocabulary, corrected
from kgqa_graphdb.wording import PREPOSITIONS

_WORD = re.compile(r"\[[XY]\]|[^\W_]+(?:[-'’][^\W_]+)*")

# Closed classes of English: they carry grammar, not content.
STOPWORDS = PREPOSITIONS | frozenset(
    """a an the and or nor but not no if so than then that this these those there here it its it's he him his she her
    they them their theirs we us our you your i me my mine is isn't are was were be been being am do does did done
    has have had having can could will would shall should may might must what what's which who who's whom whose when
    when's where where's why how please tell give show list name find me s us all any some each every as out up off
    only just""".split()
)  # fmt: skip
SHARING = frozenset(
    "same share shares shared sharing also other others another both common similar together too else fellow".split()
)
"""Words that say that two things have something in common, or that one more thing is meant: a walk out and back."""

_ASKED = {"who": "person", "whom": "person", "who's": "person", "when": "date or year", "when's": "date or year",
          "where": "place", "where's": "place"}  # fmt: skip
_INTERROGATIVES = frozenset((*_ASKED, "what", "what's", "which"))
FUNCTION_WORDS = STOPWORDS | SHARING | _INTERROGATIVES
"""What questions are built of, whatever they ask for."""
_CLAUSE = frozenset("do does did has have had can could will would".split())
_NOUN_WINDOW = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a ranker sees it.

    :ivar text: the question with placeholders for the topics, for the encoder
    :ivar words: content words, lower case, in the order of the question
    :ivar apposed: for each word, whether it says what a topic is ("the film X") rather than what is asked of it
    :ivar orders: the orders in which the words may follow a walk, as indices into ``words``: outwards from the topic,
        towards the side where the interrogative stands
    :ivar distances: for each word, how many words away from the topic it stands
    :ivar sharing: the question speaks of things in common
    :ivar kind: what it asks for, e.g. "person", "genres"; empty when it does not say
    :ivar noun: ``kind`` is a word of the question, not read off "who", "when" or "where"
    :ivar notes: words that were not read as they stand
    """

    text: str
    words: tuple[str, ...]
    orders: tuple[tuple[int, ...], ...]
    apposed: tuple[bool, ...]
    distances: tuple[int, ...]
    sharing: bool
    kind: str
    noun: bool
    notes: tuple[str, ...] = ()


def read_question(question: str, vocabulary: Vocabulary | None = None) -> Asked:
    """Read a question whose topic is masked, see :mod:`kgqa_graphdb.masking`; without a mask the topic is its end.

    :param vocabulary: words one slip away from one of these are read as that; ``None``: all are read as they stand
    """
    slips: tuple[tuple[str, str], ...] = ()
    if vocabulary is not None:
        question, slips = corrected(question, vocabulary)
    words = [word if word in (TOPIC, OTHER) else word.lower().replace("’", "'") for word in _WORD.findall(question)]
    topic = words.index(TOPIC) if TOPIC in words else len(words)
    content: list[str] = []
    places: list[int] = []
    sharing = False
    for place, word in enumerate(words):
        word = word.removesuffix("'s")
        if word in (TOPIC, OTHER):
            continue
        if word in SHARING or word.startswith("co-"):
            sharing = True
            word = word.removeprefix("co-") if word.startswith("co-") else ""
        if not word or word in STOPWORDS:
            continue
        content.append(word)
        places.append(place)
    indices = range(len(content))
    left = tuple(index for index in reversed(indices) if places[index] < topic)
    right = tuple(index for index in indices if places[index] > topic)
    interrogative = _interrogative(words)
    orders = {left + right, right + left}
    if interrogative >= 0:
        orders = {left + right} if interrogative > topic else {right + left}
    return Asked(
        text=question.replace(TOPIC, "X").replace(OTHER, "Y"),
        words=tuple(content),
        orders=tuple(sorted(orders)),
        apposed=tuple(_is_apposition(words, place) for place in places),
        distances=tuple(abs(place - topic) for place in places),
        sharing=sharing,
        kind=_kind(words, interrogative),
        noun=interrogative >= 0 and words[interrogative] not in _ASKED,
        notes=tuple(f'"{typed}" was read as "{read}"' for typed, read in slips),
    )


def _is_apposition(words: list[str], place: int) -> bool:
    """Whether a word says what the topic is, as in "the film X"."""
    return place + 1 < len(words) and words[place + 1] in (TOPIC, OTHER) and place > 0 and words[place - 1] in _ARTICLES


_ARTICLES = ("the", "a", "an")


def _interrogative(words: list[str]) -> int:
    """Where the word that asks stands, -1 if nowhere; other such words begin relative clauses.

    A question that begins with one, or with a preposition and one, asks with it; any other asks with its last.
    """
    places = [place for place, word in enumerate(words) if word in _INTERROGATIVES]
    if not places:
        return -1
    return places[0] if places[0] <= 1 else places[-1]


def _amount(words: list[str]) -> str:
    """What "how many X" and "how much" ask for, where X is a topic: a number that the graph holds."""
    for place, word in enumerate(words[:-1]):
        if word == "how" and words[place + 1] in ("many", "much"):
            of_topic = words[place + 2 : place + 3] in ([TOPIC], [OTHER])
            return "quantity" if of_topic else "price or amount" if words[place + 1] == "much" else ""
    return ""


def _kind(words: list[str], interrogative: int) -> str:
    """What a question asks for: the interrogative, or the noun that follows "what" and "which"."""
    if interrogative < 0:
        return _amount(words)
    if words[interrogative] in _ASKED:
        return _ASKED[words[interrogative]]
    for follower in words[interrogative + 1 : interrogative + 1 + _NOUN_WINDOW]:
        if follower in (TOPIC, OTHER) or follower in _CLAUSE:
            return ""
        if follower not in STOPWORDS and follower not in SHARING:
            return follower
    return ""
