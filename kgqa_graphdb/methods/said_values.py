"""Values of walked relationships that a question says: "who was lead counsel in X" asks for one of all in X."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_words import STOP_WORDS
from kgqa_graphdb.link.topics import without_names
from kgqa_graphdb.methods.candidates import Candidate, ExecutedCandidate
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Link, QualifierTest, Step, Value

_WORD = re.compile(r"[^\W_]+")


def with_said_value(
    text: str, links: Sequence[Link], best: ExecutedCandidate, graph: Graph, memo: Memo
) -> Steps[ExecutedCandidate]:
    """A candidate, or where a question says a text that the last relationship of its path may have, one with that.

    :param text: of the question
    :param links: to what it names, whose words say nothing of a relationship
    """
    plan, mapping = best.candidate.plan, graph.mapping
    if not isinstance(plan, Follow) or plan.to or plan.path[-1].relation.kind != "edge" or mapping.label is not None:
        return best
    last = plan.path[-1]
    words = " ".join(_WORD.findall(without_names(text, links).casefold()))
    for one in mapping.qualifiers:
        if one.of not in ("", last.relation.id):
            continue
        result = yield from graph.execute(replace(plan, path=(*plan.path, Step(one))), memo)
        texts = {node.value for node in result.nodes if isinstance(node, Value) and isinstance(node.value, str)}
        said = [value for value in texts if _is_said(value, words, last, mapping.language)]
        if len(said) == 1 and len(texts) > 1:
            (value,) = said
            tested = replace(last, tests=(*last.tests, QualifierTest(one, "=", value)))
            candidate: Candidate = replace(best.candidate, plan=replace(plan, path=(*plan.path[:-1], tested)))
            return ExecutedCandidate(candidate, (yield from graph.execute(candidate.plan, memo)))
    return best


def _is_said(value: str, words: str, step: Step, language: Language) -> bool:
    """Whether a text stands among some words, one or several of it, and is no word of the step itself."""
    folded = " ".join(_WORD.findall(value.casefold()))
    own = {*step.relation.phrase.lower().split(), *language.words_of(step.relation.id).split()}
    if not folded or {*folded.split()} <= own | STOP_WORDS:
        return False
    return any(f" {form} " in f" {words} " for form in (folded, language.plural_of(folded)))
