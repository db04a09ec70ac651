"""What a question counts or sums up of two topics: "how many orders did X handle for Y", where orders are Y's one way.

The words tie the first topic in; the second by the only relation between what is counted and its kind, and no word
between the two says anything else.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kgqa_graphdb.compose.composed import Composed, Model
from kgqa_graphdb.compose.composer import Composer
from kgqa_graphdb.compose.finder import Finder
from kgqa_graphdb.compose.fits import is_said
from kgqa_graphdb.graph import Graph, Memo
from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_words import ARTICLES, CLAUSE_WORDS, PREPOSITIONS
from kgqa_graphdb.mapping import GraphMapping
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.parse import Lexicon, Parser
from kgqa_graphdb.parse.cues import negation_in
from kgqa_graphdb.plan import Combine, Follow
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Link, Step

_WORD = re.compile(r"\w+")


def tied_by_kind(
    text: str, topic: Link, other: Link, parser: Parser, lexicon: Lexicon, graph: Graph, model: Model
) -> Steps[Composed | None]:
    """The plan of a question that counts or sums up what belongs to two topics.

    :param topic: that which stands first
    """
    if model.in_domain or negation_in(text, (topic, other), graph.mapping):
        return None
    alone = parser.parse(f"{text[: other.start]}{text[other.end :]}", lexicon, (topic.start, topic.end))
    if not (alone.reduces and alone.kind and alone.kind.by is None):
        return None
    steps = _between(alone.kind.label, other.entity.labels, graph.mapping)
    if len(steps) != 1:
        return None
    start = _begin(text, topic.end, other.start, steps[0], graph.mapping.language)
    parsed = parser.parse(f"{text[:start]} {text[other.end :]}", lexicon, (topic.start, topic.end))
    if parsed.unsure or not parsed.reduces or parsed.kind != alone.kind:
        return None
    composer = Composer(Finder(graph, model.untrained, lexicon.nouns, Memo()), model, parsed.noun, topic)
    base = yield from composer.base(parsed)
    if base is None or topic not in base.links:
        return None
    both = Combine("and", (base.plan, Follow(other.entity, steps)))
    return (yield from composer.apply(replace(base, plan=both, links=(*base.links, other)), parsed))


def _between(label: str, others: tuple[str, ...], mapping: GraphMapping) -> tuple[Step, ...]:
    """The steps from entities of some labels to those of a kind."""
    edges = [Step(one, inverse) for one in mapping.relations if one.kind == "edge" for inverse in (False, True)]
    return tuple(
        step
        for step in edges
        if label in end_labels(step) and {*others} & {*end_labels(replace(step, inverse=not step.inverse))}
    )


def _begin(text: str, first: int, last: int, step: Step, language: Language) -> int:
    """Where the words begin that tie a topic in: prepositions, and what a step says."""
    for word in reversed(list(_WORD.finditer(text, first, last))):
        own = word[0].lower()
        if own in CLAUSE_WORDS or not (own in PREPOSITIONS | ARTICLES or is_said(step, own, language)):
            break
        last = word.start()
    return last
