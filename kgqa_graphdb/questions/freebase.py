"""Question files over Freebase: WebQSP as released, ComplexWebQuestions, JSON lines with topics and answers by mid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgqa_graphdb.questions.pair import Gold, Pair


def is_webqsp(document: Any) -> bool:
    """``{"Questions": [{"QuestionId": …, "Parses": […]}]}``"""
    questions = document.get("Questions") if isinstance(document, dict) else None
    return isinstance(questions, list) and bool(questions) and "Parses" in questions[0]


def read_webqsp(document: Any) -> Iterator[Pair]:
    """Answers are those of all parses together; questions without any are left out, as all published figures do."""
    for entry in document["Questions"]:
        parses = entry["Parses"]
        golds = tuple(dict.fromkeys(_answer(answer) for parse in parses for answer in parse["Answers"]))
        if not golds:
            continue
        given = (parse.get(key) for parse in parses for key in ("TopicEntityMid", "TopicEntityName"))
        topics = tuple(dict.fromkeys(topic for topic in given if topic))
        paths = tuple(dict.fromkeys(tuple(parse["InferentialChain"] or ()) for parse in parses))
        paths = tuple(path for path in paths if path)
        hops = min(map(len, paths), default=0)
        yield Pair(entry["QuestionId"], entry["ProcessedQuestion"], golds, topics, "", hops, paths)


def _answer(answer: Mapping[str, Any]) -> Gold:
    argument, name = str(answer["AnswerArgument"]), str(answer.get("EntityName") or "")
    return Gold(argument, name) if answer["AnswerType"] == "Entity" else Gold(name=argument)


def is_cwq(document: Any) -> bool:
    """``[{"ID": …, "question": …, "answers": [{"answer_id": …, "answer": …}], "sparql": …}]``"""
    first = document[0] if isinstance(document, list) and document else None
    return isinstance(first, dict) and "ID" in first and "question" in first and "answers" in first


def read_cwq(document: Any) -> Iterator[Pair]:
    """The question type is the composition type."""
    for entry in document:
        answers = entry["answers"]
        golds = tuple(dict.fromkeys(
            Gold(str(answer.get("answer_id") or ""), str(answer.get("answer") or "")) for answer in answers
            if answer.get("answer_id") or answer.get("answer")
        ))  # fmt: skip
        yield Pair(str(entry["ID"]), entry["question"], golds, (), str(entry.get("compositionality_type") or ""))


def is_mids(document: Any) -> bool:
    """``{"id": …, "question": …, "entities": ["m.0c9c0"], "answers": [{"kb_id": …, "text": …}]}`` a line"""
    first = document[0] if isinstance(document, list) and document else None
    return isinstance(first, dict) and "entities" in first and "answers" in first and "question" in first


def read_mids(document: Any) -> Iterator[Pair]:
    """The subgraphs that come with such files are not read: questions are asked of the whole graph."""
    for entry in document:
        golds = tuple(dict.fromkeys(
            Gold(str(answer.get("kb_id") or ""), str(answer.get("text") or "")) for answer in entry["answers"]
            if answer.get("kb_id") or answer.get("text")
        ))  # fmt: skip
        yield Pair(str(entry["id"]), entry["question"], golds, tuple(map(str, entry["entities"])))
