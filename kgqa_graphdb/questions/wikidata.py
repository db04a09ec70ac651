"""Question files over Wikidata: QALD and the form of it that names answers, WikiWebQuestions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kgqa_graphdb.documents import first_of
from kgqa_graphdb.questions.pair import Gold, Pair

_ITEM = re.compile(r"https?://www\.wikidata\.org/entity/([QPL][0-9]+)")
_TOPIC = re.compile(r"\bwd:(Q[0-9]+)")


def is_qald(document: Any) -> bool:
    """``{"questions": [{"question": [{"language": "en", "string": …}], "answers": […]}]}``"""
    return isinstance(document, dict) and isinstance(first_of(document.get("questions")).get("question"), list)


def read_qald(document: Any) -> Iterator[Pair]:
    """Questions in English; a question that has none is left out. The type says whether the query aggregates."""
    for entry in document["questions"]:
        texts = [text["string"] for text in entry["question"] if text["language"] == "en"]
        if texts:
            golds = tuple(dict.fromkeys(gold for answer in entry["answers"] for gold in _bindings(answer)))
            query = str((entry.get("query") or {}).get("sparql") or "")
            yield Pair(
                str(entry["id"]),
                texts[0].strip(),
                golds,
                topics_of(query),
                "aggregate" if entry.get("aggregation") is True else "",
            )


def _bindings(answer: Any) -> Iterator[Gold]:
    if "boolean" in answer:
        yield Gold(name="true" if answer["boolean"] else "false")
    for binding in answer.get("results", {}).get("bindings", ()):
        yield from map(_value, binding.values())


def _value(bound: Any) -> Gold:
    """What a variable of a query is bound to."""
    item = _ITEM.fullmatch(bound["value"])
    return Gold(id=item[1]) if item else Gold(name=bound["value"])


def topics_of(query: str) -> tuple[str, ...]:
    """The items that a SPARQL query names."""
    return tuple(dict.fromkeys(_TOPIC.findall(query)))


def is_named_qald(document: Any) -> bool:
    """``[{"question": …, "answer": {"Q42299": "Bernhard Riemann"}, "sparql": …}]``"""
    first = first_of(document)
    return isinstance(first.get("answer"), dict) and "question" in first


def read_named_qald(document: Any) -> Iterator[Pair]:
    """Answers with their ids and names; numbers and dates have themselves as names."""
    for number, entry in enumerate(document, start=1):
        golds = tuple(
            Gold(key, str(name or "")) if re.fullmatch(r"Q[0-9]+", key) else Gold(name=key.removeprefix("+"))
            for key, name in entry["answer"].items()
        )
        yield Pair(str(number), entry["question"].strip(), golds, tuple(entry.get("qid_topic_entity") or ()))


def is_wikiwebquestions(document: Any) -> bool:
    """``[{"id": …, "utterance": …, "sparql": …}]``, with ``results`` where the queries were run"""
    first = first_of(document)
    return "utterance" in first and "sparql" in first


def read_wikiwebquestions(document: Any) -> Iterator[Pair]:
    """The training part has queries and no answers; ``results`` are bindings, or ids and texts that somebody added.

    Of a binding the first variable is the answer; others, such as a date, are what the query sorts by.
    """
    for entry in document:
        golds = tuple(dict.fromkeys(map(_result, entry.get("results") or ())))
        yield Pair(str(entry["id"]), entry["utterance"].strip(), golds, topics_of(entry["sparql"]))


def _result(result: Any) -> Gold:
    if isinstance(result, Mapping):
        return _value(next(iter(result.values()), None))
    text = str(result)
    return Gold(id=text) if re.fullmatch(r"Q[0-9]+", text) else Gold(name=text)
