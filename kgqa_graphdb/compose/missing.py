"""Values that a question asks for and the graph lacks: what others have, and what others do, is no answer then.

A property of the topic's kind, or of a relationship between two topics' kinds, must be all that the question says.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from kgqa_graphdb.compile import answers_statement
from kgqa_graphdb.compose.composed import Composed, NoValue
from kgqa_graphdb.compose.fits import kind_words, says
from kgqa_graphdb.compose.since import all_said, barred_steps, leads_between, words_of_question
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_words import AGE, AMOUNTS, FILLERS
from kgqa_graphdb.plan import Aggregate, Every, Follow
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.steps import Read, Steps, ask
from kgqa_graphdb.types import Link, Relation, Step

_ASKS = re.compile(r"\W*(?:(?:in|on|at|for|since|until) )?(?:what|which|when|how)\b", re.IGNORECASE)
_SAID_OF = {"old": (AGE, "birth", "born"), "born": ("birth",), "tall": ("height",), "long": ("length", "duration")}
_SAID_OF |= {"heavy": ("weight", "mass"), "high": ("height", "elevation"), "large": ("size", "area")}
"""Words by which a question asks for a property, beside its own."""


def missing_value(
    text: str, topic: Link, other: Link | None, graph: Graph, ranker: PathRanker
) -> Steps[Composed | NoValue | None]:
    """What a question asks for of one topic, or of what relates two, where the graph lacks just that; else ``None``.

    A property that is called "count" or "total" is answered.
    """
    if not _ASKS.match(text) or not topic.entity.labels:
        return None
    words = words_of_question(text, [topic, *([other] if other else [])])
    if not other and (own := (yield from _called_as_amount(words, topic, graph))):
        return own
    words = [word for word in words if word not in AMOUNTS | {"many", "much"}]
    if not words:
        return None
    if other:
        return (yield from _of_relationship(text, words, (topic, other), graph, ranker))
    language = graph.mapping.language
    properties = [one for one in graph.mapping.relations if one.kind == "property" and not one.via]
    asked = [one for one in properties if _asks_for(one, words, topic, language)]
    if not asked:
        return None
    starts = yield from graph.first_steps([topic.entity])
    steps = [graph.mapping.step(code) for code in starts.get(topic.entity.element_id, ())]
    if any(step.relation in asked or says(step.relation, words, language) for step in steps):
        return None
    for one in asked:
        if (yield from _is_of_kind(one, topic, graph)):
            return NoValue(one.phrase or language.words_of(one.type), (topic,))
    return None


def _called_as_amount(words: Sequence[str], topic: Link, graph: Graph) -> Steps[Composed | None]:
    """The topic's property called as what counts or sums up is, where it alone is asked for: "the count of X"."""
    language = graph.mapping.language
    kinds = kind_words(topic, language)
    asked = " ".join(word for word in words if word not in kinds)
    if not AMOUNTS & {*asked.split()}:
        return None
    starts = yield from graph.first_steps([topic.entity])
    for step in map(graph.mapping.step, starts.get(topic.entity.element_id, ())):
        if step.relation.kind == "property" and language.words_of(step.relation.type) == asked:
            return Composed(Follow(topic.entity, (step,)), 1.0, (topic,))
    return None


def _is_of_kind(relation: Relation, topic: Link, graph: Graph) -> Steps[bool]:
    """Whether others of a topic's kinds have a property."""
    if relation.heads:
        return bool({*topic.entity.labels} & {*relation.heads})
    for label in topic.entity.labels:
        having = Aggregate("contains", Every(label), (Step(relation),), "")
        if (yield from ask(Read(answers_statement(graph.mapping, having, 1)))):
            return True
    return False


def _asks_for(relation: Relation, words: Sequence[str], topic: Link, language: Language) -> bool:
    """Whether some words ask for a property and say nothing else but the topic's kind."""
    own = {*language.words_of(relation.type).split(), *relation.phrase.lower().split()}
    kinds = kind_words(topic, language)
    left = [word for word in words if word not in kinds | {"year", "month"} | FILLERS]
    return bool(left) and all(says(relation, [word], language) or own & {*_SAID_OF.get(word, ())} for word in left)


def _of_relationship(
    text: str, words: Sequence[str], links: tuple[Link, Link], graph: Graph, ranker: PathRanker
) -> Steps[Composed | NoValue | None]:
    """The property that is asked for of a relationship between two topics, where it has none, or there is none."""
    language, (topic, other) = graph.mapping.language, links
    barred = barred_steps(text, topic, other, graph, ranker)
    lacking: Relation | None = None
    for relation in graph.mapping.relations if other.entity.labels else ():
        own = [one for one in graph.mapping.qualifiers if one.of == relation.id and says(one, words, language)]
        for step in (Step(relation), Step(relation, inverse=True)) if own else ():
            if not leads_between(step, topic, other) or not all_said((step, Step(own[0])), words, language):
                continue
            plan = Follow(topic.entity, (step, Step(own[0])), to=other.entity)
            if step.code not in barred and (yield from graph.execute(plan)).nodes:
                return Composed(plan, 1.0, links)
            lacking = own[0]
    if lacking is None:
        return (yield from _of_the_one(text, words, links, barred, graph))
    return NoValue(lacking.phrase or language.words_of(lacking.type), links) if lacking else None


def _of_the_one(
    text: str, words: Sequence[str], links: tuple[Link, Link], barred: Collection[str], graph: Graph
) -> Steps[Composed | None]:
    """The property that is asked for by its noun, where but one relationship of two topics has it, whatever its verb.

    "How many hours did X put into Y?" asks for the hours of what relates them.
    """
    noun, (topic, other) = _NOUN.match(text), links
    asked = words if noun is None else [noun[1].lower()] if noun[1] else _LENGTHS
    if noun is None and not _WHAT_IS.match(text):
        return None
    found: list[Composed] = []
    for qualifier in graph.mapping.qualifiers:
        relation = next((one for one in graph.mapping.relations if one.id == qualifier.of), None)
        if relation is None or not says(qualifier, asked, graph.mapping.language):
            continue
        for step in (Step(relation), Step(relation, inverse=True)):
            plan = Follow(topic.entity, (step, Step(qualifier)), to=other.entity)
            if step.code not in barred and leads_between(step, topic, other) and (yield from graph.execute(plan)).nodes:
                found.append(Composed(plan, 1.0, links))
    return found[0] if len(found) == 1 else None


_NOUN = re.compile(r"\W*how (?:(?:many|much) (\w+)|long)\b", re.IGNORECASE)
_WHAT_IS = re.compile(r"\W*what(?: is| was|'s|’s)\b", re.IGNORECASE)
_LENGTHS = ("hours", "minutes", "days", "weeks", "months", "duration")
