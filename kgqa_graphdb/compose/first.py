"""What was done first or last with a topic: by the date of the relationship, or by that of what came to be then."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgqa_graphdb.compose.compare import have_order
from kgqa_graphdb.compose.composed import Composed, kept
from kgqa_graphdb.compose.finder import Finder
from kgqa_graphdb.compose.scale import scale_of
from kgqa_graphdb.compose.since import moment_of
from kgqa_graphdb.compose.walked import followed
from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_words import ORIGINS, TIME_WORDS
from kgqa_graphdb.language.masking import TOPIC
from kgqa_graphdb.parse.parsed import Extreme
from kgqa_graphdb.plan import Aggregate, Cite
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Link, Path, Scalar, Step

_SUBJECT = re.compile(rf"{re.escape(TOPIC)} \w")
"""A topic that does something, before that."""
_LIFE = frozenset(("born", "birth", "birthday", "death"))
"""Words of dates that are of a person's life, not of what was done with them."""


def first_done(found: Composed, topic: Link, extreme: Extreme, finder: Finder, said: str) -> Steps[Composed | None]:
    """Of what a step from a topic leads to, that with the first or the last date of that step's relationship.

    Where the topic does it and the relationships have no date, one that says when something came to be counts, if there
    is but one: films directed first by when they were released. ``None``: it is not asked for, or has no date.

    :param said: what the question says of the topic, ``[X]``: "did [X] direct", "worked on [X]"
    """
    ways = [way for way, measure in extreme.measures if _dates(measure, said, finder.language)]
    walked = followed(found.plan)
    if not ways or extreme.within or [len(path) for path in walked] != [1]:
        return None
    (way,), (step,) = ways, walked[0]
    if step.relation.kind != "edge" or topic not in found.links:
        return None
    if qualifier := moment_of(step.relation, finder.graph, ended=False):
        path: Path = (Step(step.relation, not step.inverse), Step(qualifier))
        if _are_moments(path, (yield from finder.values(found.plan, path)), finder):
            only = Cite((topic.entity,), ())
            return kept(found, Aggregate(way, found.plan, path, most=extreme.most, within=only), 1.0)
    own: list[Path] = []
    for path, _ in (yield from finder.properties(found.plan)) if _SUBJECT.search(said) else ():
        words = {*finder.language.words_of(path[-1].relation.type).split()}
        came_to_be = bool(words & (ORIGINS | TIME_WORDS)) and not words & _LIFE
        if came_to_be and _are_moments(path, (yield from finder.values(found.plan, path)), finder):
            own.append(path)
    return kept(found, Aggregate(way, found.plan, own[0], most=extreme.most), 1.0) if len(own) == 1 else None


def _dates(measure: str, said: str, language: Language) -> bool:
    """Whether a measure is the date of what a question says of its topic: "directed year date"."""
    verb, *rest = measure.split()
    return {*rest} - {"or"} == {"year", "date"} and language.root(verb) in map(language.root, said.split())


def _are_moments(path: Path, values: Sequence[Scalar], finder: Finder) -> bool:
    return have_order(values) and scale_of(path, values, finder.language) == "moment"
