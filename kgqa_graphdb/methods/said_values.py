"""A value of a relationship that a question says: "who was lead counsel in X" asks for those whose role it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kgqa_graphdb.language import Language
from kgqa_graphdb.link.topics import without_names
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.plan import Follow, Result
from kgqa_graphdb.types import Fact, Link, QualifierTest, Relation

_WORD = re.compile(r"\w+")


def with_said_values(plan: Follow, result: Result, text: str, links: Sequence[Link], mapping: GraphMapping) -> Follow:
    """A plan that walks only relationships which have what the question says of them, where some of its facts do.

    A path that ends in the very property is followed to where the relationship leads.
    """
    said = f" {' '.join(_WORD.findall(without_names(text, links).lower()))} "
    path, last = list(plan.path), plan.path[-1].relation
    for place, step in enumerate(plan.path):
        for qualifier in mapping.qualifiers:
            if step.relation.kind != "edge" or qualifier.of != step.relation.id:
                continue
            value = next((one for one in _texts(result.facts, qualifier) if _says(said, one, mapping.language)), None)
            if value is not None:
                path[place] = replace(step, tests=(*step.tests, QualifierTest(qualifier, "=", value)))
                path = path[:-1] if last == qualifier else path
    return replace(plan, path=tuple(path)) if path else plan


def _texts(facts: Sequence[Fact], qualifier: Relation) -> Iterator[str]:
    """The texts that a property of relationships has in some facts."""
    for fact in facts:
        value = dict(fact.qualifiers).get(qualifier.type) if fact.relation.id == qualifier.of else None
        yield from (value,) if isinstance(value, str) else ()


def _says(text: str, value: str, language: Language) -> bool:
    words = " ".join(_WORD.findall(value.lower()))
    return bool(words) and any(f" {form} " in text for form in (words, language.plural_of(words)))
