"""Of what a path leads to only what is asked for: what a second entity is joined with, or what is of a kind."""

from __future__ import annotations

from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.language import Language
from kgqa_graphdb.methods.candidates import ExecutedCandidate
from kgqa_graphdb.methods.second_entity import constrain_by_second_entity
from kgqa_graphdb.plan import Combine, Every, Follow, Result
from kgqa_graphdb.rank.question import read_question
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Link, Question


def narrowed(
    question: Question, best: ExecutedCandidate, graph: Graph, memo: Memo
) -> Steps[tuple[tuple[Link, ...], Result]]:
    """A candidate's links and what it leads to, or with what else the question names only what is joined with that."""
    candidate, result = best.candidate, best.result
    if isinstance(candidate.plan, Follow) and len(result.nodes) > 1:
        found = yield from constrain_by_second_entity(question, candidate.links[0], candidate.plan, graph, memo)
        if found is not None:
            plan, link = found
            fewer = yield from graph.execute(plan, memo)
            if fewer.nodes:
                return (*candidate.links, link), fewer
    if label := _asked_label(question, result, graph):
        result = yield from graph.execute(Combine("and", (candidate.plan, Every(label))), memo)
    return candidate.links, result


def _asked_label(question: Question, result: Result, graph: Graph) -> str:
    """The label that the noun for what is asked for names, where but some of a path's answers carry it; empty: none."""
    entities = [node for node in result.nodes if isinstance(node, Entity)]
    labels = {label for node in entities for label in node.labels}
    if graph.mapping.label is not None or len(labels) < 2:
        return ""
    language, asked = graph.mapping.language, read_question(question.text)
    nouns = {form: label for label in labels for form in _forms(language, label)}
    label = nouns.get(asked.kind if asked.noun else "", "")
    return label if label and not all(label in node.labels for node in entities) else ""


def _forms(language: Language, label: str) -> tuple[str, str]:
    noun = language.words_of(label)
    return noun, language.plural_of(noun)
