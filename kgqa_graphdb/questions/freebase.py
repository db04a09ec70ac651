"""Question files over Freebase: WebQSP as released, ComplexWebQuestions, JSON lines with topics and answers by mid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgqa_graphdb.documents import first_of
from kgqa_graphdb.questions.pair import Gold, Pair


def is_webqsp(document: Any) -> bool:
    """``{"Questions": [{"QuestionId": …, "Parses": […]}]}``"""
    return isinstance(document, dict) and "Parses" in first_of(document.get("Questions"))


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
    """``[{"ID": …, "question": …, "answers": [{"answer_id": …, "answer": …}], "sparql": …}]``, or ``"answer": "…"``"""
    first = first_of(document)
    return "ID" in first and "question" in first and ("answers" in first or "answer" in first)


def read_cwq(document: Any) -> Iterator[Pair]:
    """The question type is the composition type.

    Answers are objects, or names alone: a list of them, or one; files of the data set differ in that.
    """
    for entry in document:
        answers = entry["answers"] if "answers" in entry else entry["answer"]
        found = [_cwq_answer(answer) for answer in (answers if isinstance(answers, list) else [answers])]
        golds = tuple(dict.fromkeys(gold for gold in found if gold))
        yield Pair(str(entry["ID"]), entry["question"], golds, (), str(entry.get("compositionality_type") or ""))


def _cwq_answer(answer: Any) -> Gold | None:
    """An answer; ``None`` where it is blank."""
    if not isinstance(answer, dict):
        answer = {"answer": answer}
    id_, name = (str(answer.get(key) or "") for key in ("answer_id", "answer"))
    return Gold(id_, name) if id_ or name else None


def is_mids(document: Any) -> bool:
    """``{"id": …, "question": …, "entities": ["m.0c9c0"], "answers": [{"kb_id": …, "text": …}]}`` a line"""
    first = first_of(document)
    return "entities" in first and "answers" in first and "question" in first


def read_mids(document: Any) -> Iterator[Pair]:
    """The subgraphs that come with such files are not read: questions are asked of the whole graph."""
    for entry in document:
        golds = tuple(dict.fromkeys(
            Gold(str(answer.get("kb_id") or ""), str(answer.get("text") or "")) for answer in entry["answers"]
            if answer.get("kb_id") or answer.get("text")
        ))  # fmt: skip
        yield Pair(str(entry["id"]), entry["question"], golds, tuple(map(str, entry["entities"])))
