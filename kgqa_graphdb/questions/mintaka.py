"""Mintaka (Sen et al. 2022): questions of many kinds over Wikidata, as released, and with a model's answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgqa_graphdb.documents import first_of
from kgqa_graphdb.questions.pair import Gold, Pair

_TRUTH = {True: "true", False: "false"}


def is_mintaka(document: Any) -> bool:
    """``[{"id": …, "question": …, "questionEntity": […], "answer": {"answerType": …, "answer": […]}}]``"""
    first = first_of(document)
    answer = first.get("answer")
    return "questionEntity" in first and isinstance(answer, Mapping) and "answerType" in answer


def read_mintaka(document: Any) -> Iterator[Pair]:
    """Topics are the entities of the question, by their Q ids, where they have one; the type is the kind of complexity.

    A question whose answer is unknown has no gold answer and is left out.
    """
    for entry in document:
        answers = entry["answer"]["answer"] or ()
        golds = tuple(dict.fromkeys(map(_gold, answers)))
        topics = tuple(
            dict.fromkeys(
                one["name"] for one in entry["questionEntity"] if one.get("entityType") == "entity" and one["name"]
            )
        )
        if golds:
            yield Pair(str(entry["id"]), entry["question"], golds, topics, str(entry.get("complexityType") or ""))


def _gold(answer: Any) -> Gold:
    """An entity, a number, a date, yes or no."""
    if isinstance(answer, Mapping):
        label = answer.get("label")
        name = label.get("en") if isinstance(label, Mapping) else label
        return Gold(str(answer["name"]), str(name or ""))
    return Gold(name=_TRUTH[answer] if isinstance(answer, bool) else str(answer))


def is_answered(document: Any) -> bool:
    """``{"…": {"question": …, "answerType": …, "answer": …, "lm_answers": […]}}``"""
    first = next(iter(document.values()), None) if isinstance(document, Mapping) else None
    return isinstance(first, Mapping) and {"question", "answer", "lm_answers"} <= first.keys()


def read_answered(document: Any) -> Iterator[Pair]:
    """The one gold answer is a text; the type is that of the answer; candidates as the language model wrote them."""
    for id_, entry in document.items():
        golds = (Gold(name=str(entry["answer"])),) if str(entry["answer"] or "").strip() else ()
        candidates = tuple(str(one) for one in entry["lm_answers"] if str(one).strip())
        if golds:
            yield Pair(id_, entry["question"], golds, (), str(entry.get("answerType") or ""), candidates=candidates)
