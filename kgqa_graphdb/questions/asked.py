"""Pairs as questions that are asked, and the questions of one file with the candidates of another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.link.asked import parse_question, question_key
from kgqa_graphdb.questions.pair import Pair
from kgqa_graphdb.questions.recognise import read_pairs
from kgqa_graphdb.types import Question


def question_of(pair: Pair) -> Question:
    """What is asked of a pair, with its topics and candidates.

    :raises UsageError: it can't be asked
    """
    return replace(parse_question(pair.question, pair.topics), candidates=pair.candidates)


def read_asked(questions: Path | None, candidates: Path | None = None) -> list[Pair]:
    """The pairs of a file of questions, of one with candidates, or of the first with the candidates of the second.

    :raises UsageError: neither is named, or the second has candidates for none of the questions
    :raises QuestionsError: a file can't be read
    """
    if questions is None and candidates is None:
        raise UsageError("name a file of --questions, or one of --candidates, which holds questions, too")
    if candidates is None or questions is None:
        pairs = read_pairs(questions or candidates or "")
        if questions is None and not any(pair.candidates for pair in pairs):
            raise UsageError(f"{candidates} holds questions, but no candidates; name it with --questions")
        return pairs
    guessed = {question_key(pair.question): pair.candidates for pair in read_pairs(candidates)}
    pairs = read_pairs(questions)
    found = [replace(pair, candidates=guessed.get(question_key(pair.question), pair.candidates)) for pair in pairs]
    if not any(question_key(pair.question) in guessed for pair in pairs):
        raise UsageError(f"{candidates} holds candidates for none of the questions in {questions}")
    return found
