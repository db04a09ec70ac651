"""Topics and answers of question-answer pairs among the entities of an exported graph."""

from __future__ import annotations

from kgqa_graphdb.export import ExportedGraph
from kgqa_graphdb.link.asked import parse_question
from kgqa_graphdb.questions import Gold, Pair


def topic_numbers(graph: ExportedGraph, pair: Pair) -> list[int]:
    """The entities that a question is about, as its data set says: by ``topics``, else what stands in [brackets]."""
    texts = pair.topics or parse_question(pair.question).mentions
    return list(dict.fromkeys(number for text in texts for number in graph.find(text)))


def gold_numbers(graph: ExportedGraph, answer: Gold) -> list[int]:
    """The entities that a gold answer may be: those that have its id, or else those that are called so.

    Of several that share the id, as customer 2 and order 2 do, those that have its name are meant, if any has.
    """
    found = graph.keys.find(answer.id) if answer.id else []
    if answer.name and len(found) > 1:
        called = graph.names.take(found)
        found = [number for number, name in zip(found, called, strict=True) if name == answer.name] or found
    return found or (graph.find(answer.name) if answer.name else [])
