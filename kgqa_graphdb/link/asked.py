"""What may be asked: a question's text, the topics that it marks or is given, and how long they may be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.language.folding import MAX_CHARACTERS, lone_surrogate, several
from kgqa_graphdb.types import Question

_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
MAX_TOPICS = 100
"""Entities that a question may be said to be about."""


def parse_question(text: str, topics: Iterable[str] = ()) -> Question:
    """A question, its topics taken out of [brackets] if the asker marked any.

    :param topics: ids or names of the entities that it is about
    :raises UsageError: there is nothing in it to ask, it is too long, or it is no text
    """
    _check_text("the question", text)
    mentions = tuple(" ".join(match.split()) for match in _BRACKETS.findall(text) if match.strip())
    plain = " ".join(_BRACKETS.sub(r"\1", text).split())
    if not any(char.isalnum() for char in plain):
        raise UsageError('the question is empty; ask for instance: "who directed Inception?"')
    return _checked_topics(Question(plain, mentions, several("topics", topics)))


def question_key(question: str) -> str:
    """A question as it is looked up: without brackets, case and a question mark at its end."""
    return " ".join(question.replace("[", "").replace("]", "").lower().split()).rstrip("?\uff1f ")


def checked_question(question: Question) -> Question:
    """A question that may be asked.

    :raises UsageError: there is nothing in it to ask, it is too long, or its topics are no texts
    """
    if not isinstance(question, Question):
        raise UsageError(f"a question is a text or a Question, not {question!r:.100}")
    parse_question(question.text)
    mentions, topics = several("mentions", question.mentions), several("topics", question.topics)
    return _checked_topics(replace(question, mentions=mentions, topics=topics))


def _checked_topics(question: Question) -> Question:
    """A question whose topics may be looked up.

    :raises UsageError: they are too many, or one is too long or no text
    """
    topics = (*question.topics, *question.mentions)
    if len(topics) > MAX_TOPICS:
        raise UsageError(f"{len(topics):,} topics are given or marked; a question may be about {MAX_TOPICS} at most")
    for topic in topics:
        _check_text("a topic", topic)
    return question


def _check_text(what: str, text: str) -> None:
    """See that a text can be looked for in names.

    :raises UsageError: it is no text, is too long, or has half a character
    """
    if not isinstance(text, str):
        raise UsageError(f"{what} is a text, not {text!r:.100}")
    if len(text) > MAX_CHARACTERS:
        raise UsageError(
            f"{what} has {len(text):,} characters, and {MAX_CHARACTERS:,} is the limit; ask for one thing at a time"
        )
    if half := lone_surrogate(text):
        raise UsageError(
            f"{what} has half a character, {half!r}, at place {text.index(half) + 1}, which is no text: decode it as "
            "UTF-8, or leave that out"
        )
