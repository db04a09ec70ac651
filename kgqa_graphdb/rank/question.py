"""What a ranker reads in a question: its content words, how far they stand from the topic, and what it asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgqa_graphdb.language import ENGLISH, Language
from kgqa_graphdb.language.masking import OTHER, TOPIC
from kgqa_graphdb.rank.spelling import Vocabulary, corrected

_WORD = re.compile(r"\[[XY]\]|[^\W_]+(?:[-'’][^\W_]+)*")

_NOUN_WINDOW = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a ranker sees it.

    :ivar text: the question with placeholders for the topics, for the encoder
    :ivar masked: the same with the topics masked, for readers of words
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
    masked: str = ""


def read_question(question: str, vocabulary: Vocabulary | None = None) -> Asked:
    """Read a question whose topic is masked by ``mask_mention``; without a mask the topic is its end.

    :param vocabulary: words one slip away from one of these are read as that; ``None``: English, and all are read as
        they stand
    """
    slips: tuple[tuple[str, str], ...] = ()
    language = ENGLISH
    if vocabulary is not None:
        language = vocabulary.language
        question = language.sort_asked(question, vocabulary.words)
        question, slips = corrected(question, vocabulary)
    words = [word if word in (TOPIC, OTHER) else word.lower().replace("’", "'") for word in _WORD.findall(question)]
    topic = words.index(TOPIC) if TOPIC in words else len(words)
    content: list[str] = []
    places: list[int] = []
    sharing = False
    for place, word in enumerate(words):
        word = word.removesuffix(language.possessive)
        if word in (TOPIC, OTHER):
            continue
        shared_by = language.sharing_prefix and word.startswith(language.sharing_prefix)
        if word in language.sharing or shared_by:
            sharing = True
            word = word.removeprefix(language.sharing_prefix) if shared_by else ""
        if not word or word in language.grammar_words or word in language.interrogatives:
            continue
        content.append(word)
        places.append(place)
    indices = range(len(content))
    left = tuple(index for index in reversed(indices) if places[index] < topic)
    right = tuple(index for index in indices if places[index] > topic)
    interrogative = _interrogative(words, language)
    orders = {left + right, right + left}
    if interrogative >= 0:
        orders = {left + right} if interrogative > topic else {right + left}
    return Asked(
        text=question.replace(TOPIC, "X").replace(OTHER, "Y"),
        words=tuple(content),
        orders=tuple(sorted(orders)),
        apposed=tuple(_is_apposition(words, place, language) for place in places),
        distances=tuple(abs(place - topic) for place in places),
        sharing=sharing,
        kind=_kind(words, interrogative, language),
        noun=interrogative >= 0 and not language.interrogatives[words[interrogative]],
        notes=tuple(f'"{typed}" was read as "{read}"' for typed, read in slips),
        masked=question,
    )


def _is_apposition(words: list[str], place: int, language: Language) -> bool:
    """Whether a word says what the topic is, as in "the film X"."""
    before_topic = place + 1 < len(words) and words[place + 1] in (TOPIC, OTHER)
    return before_topic and place > 0 and words[place - 1] in language.articles


def _interrogative(words: list[str], language: Language) -> int:
    """Where the word that asks stands, -1 if nowhere; other such words begin relative clauses.

    A question that begins with one, or with a preposition and one, asks with it; any other asks with its last.
    """
    places = [place for place, word in enumerate(words) if word in language.interrogatives]
    if not places:
        return -1
    return places[0] if places[0] <= 1 else places[-1]


def _amount(words: list[str], language: Language) -> str:
    """What "how many X" and "how much" ask for, where X is a topic: a number that the graph holds."""
    for place in range(len(words) - 1):
        asked = language.amounts.get(" ".join(words[place : place + 2]))
        if asked:
            of_topic = words[place + 2 : place + 3] in ([TOPIC], [OTHER])
            return asked[0] if of_topic else asked[1]
    return ""


def _kind(words: list[str], interrogative: int, language: Language) -> str:
    """What a question asks for: the interrogative, or the noun that follows "what" and "which"."""
    if interrogative < 0:
        return _amount(words, language)
    if kind := language.interrogatives[words[interrogative]]:
        return kind
    for follower in words[interrogative + 1 : interrogative + 1 + _NOUN_WINDOW]:
        if follower in (TOPIC, OTHER) or follower in language.clause_words:
            return ""
        if follower not in language.grammar_words and follower not in language.sharing:
            return follower
    return ""
