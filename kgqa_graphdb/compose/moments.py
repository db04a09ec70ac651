"""The point in time that a condition is about where its words name none: when it was done, or that of things."""

from __future__ import annotations

from dataclasses import replace

from kgqa_graphdb.compose.finder import Finder
from kgqa_graphdb.compose.fits import leads_to_entities
from kgqa_graphdb.compose.scale import scale_of
from kgqa_graphdb.compose.since import all_said, moment_of
from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_words import BEGINS_OR_ENDS_LIFE, ENDINGS, UNTIL
from kgqa_graphdb.parse.parsed import Comparison, Condition
from kgqa_graphdb.plan import Plan
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Path, Step


def own_moments(finder: Finder, plan: Plan) -> Steps[list[tuple[Path, float]]]:
    """The only point in time that a plan's answers have.

    When something was born, founded or opened is not when somebody did something with it.
    """
    own: list[tuple[Path, float]] = []
    for path, fit in (yield from finder.properties(plan)):
        words = {*finder.language.words_of(path[-1].relation.type).split()}
        values = yield from finder.values(plan, path)
        if scale_of(path, values, finder.language) == "moment" and not words & BEGINS_OR_ENDS_LIFE:
            own.append((path, fit))
    return own if len(own) == 1 else []


def moments_of_deed(finder: Finder, plan: Plan, said: Condition) -> Steps[list[tuple[Path, float]]]:
    """The paths to when what a condition says was done, where the relationship that it means says that."""
    text = without_until(said.text)
    words = [word for word in text.split() if word not in finder.nouns]
    if not words or said.topic:
        return []
    for path, fit in (yield from finder.paths(plan, text, leads_to_entities, said.clause)):
        qualifier = moment_of(path[0].relation, finder.graph, ended=bool({*said.text.split()} & ENDINGS))
        if len(path) == 1 and qualifier and all_said(path, words, finder.language):
            return [((path[0], Step(qualifier)), fit)]
    return []


def without_until(text: str) -> str:
    """Words without "until", which says what ended at a point in time."""
    return " ".join(word for word in text.split() if word != "until")


def ended(condition: Condition, path: Path, language: Language) -> tuple[Comparison, ...]:
    """The comparisons of a condition; what lasted until some year ended in that."""
    until = "until" in condition.text.split() and bool({*language.words_of(path[-1].relation.type).split()} & UNTIL)
    return tuple(replace(one, op="=") if until and one.op == "<=" else one for one in condition.comparisons)
