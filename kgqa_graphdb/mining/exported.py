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
    """The entities that a gold answer may be: those that have its id, or else those that are called so."""
    return (graph.keys.find(answer.id) if answer.id else []) or (graph.find(answer.name) if answer.name else [])
