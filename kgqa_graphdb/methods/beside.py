"""The verb that stands beside a topic, and whether a path is walked by it: "X VERBs", "VERBed by X", "VERB X"."""

from __future__ import annotations

from collections.abc import Mapping

from kgqa_graphdb.compose.fits import says
from kgqa_graphdb.language.english_deeds import deed_of, verb_of
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.types import Path

SAID = 0.3
"""How well a word must fit a step at least to say something of it. It was chosen on 44 of 66 questions that three made
companies' graphs can't answer, beside 48 that they can; the other 22 were not looked at."""


def skipped_verb(masked: str, path: Path, fits: Mapping[str, float], mapping: GraphMapping) -> str:
    """The verb beside the topic that the first edge of a path is not walked by; empty: nothing says so.

    Of several edges the first must fit the verb; a single one must not stand in for what says the verb itself.

    :param masked: the question with its topic masked
    :param fits: how well each word of the question fits the first step
    """
    edges = [step.relation for step in path if step.relation.kind == "edge"]
    found = mapping.language.roles(masked)
    verbs = {role.word: role.preposition for role in found.roles if not role.is_noun}
    beside = {
        word: preposition
        for word in fits
        for verb, preposition in verbs.items()
        if word in found.used and verb in (verb_of(word), deed_of(word)[0])
    }
    if len(edges) > 1:
        if _passes_record(path, mapping):
            return ""
        return next(iter(beside), "") if not any(fits[word] >= SAID for word in beside) else ""
    others = (word for word, preposition in beside.items() if _is_of_other(word, preposition, path, mapping))
    return next(others, "") if edges else ""


def _passes_record(path: Path, mapping: GraphMapping) -> bool:
    """Whether a path passes what has no name, such as an order: it stands for what those that it joins do together.

    Customers buy the products of their orders, though it is the orders that they placed.
    """
    nameless = {one.label for one in mapping.entities if not one.names}
    return any(nameless.issuperset(ends) for step in path[:-1] if (ends := end_labels(step)))


def _is_of_other(word: str, preposition: str, path: Path, mapping: GraphMapping) -> bool:
    """Whether another edge at what a path leads to says a verb with its preposition, and the path does not."""
    language, ends = mapping.language, {*end_labels(path[-1])}
    if not preposition or any(says(step.relation, [word], language) for step in path):
        return False
    edges = [one for one in mapping.relations if one.kind == "edge" and ends & {*one.heads, *one.tails}]
    return any(says(one, [word], language) and preposition in language.words_of(one.id).split() for one in edges)
