"""Since when something holds between two topics, as their relationship says: "when was X diagnosed with Y?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgqa_graphdb.compose.composed import Composed
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_words import BEGINNINGS, ENDINGS, FILLERS, GRAMMAR_WORDS, SINCE, UNTIL
from kgqa_graphdb.link.topics import mask_topic
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Link, Relation, Step

_ASKS_WHEN = re.compile(
    r"\W*(?:(?:since|from|until) when|when|(?:(?:on|at|since|from) )?(?:what|which) (?:date|day|time))\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+")


def asks_when(text: str) -> bool:
    """Whether a question asks when something was."""
    return _ASKS_WHEN.match(text) is not None


def since_when(text: str, topic: Link, other: Link | None, graph: Graph, ranker: PathRanker) -> Steps[Composed | None]:
    """Since when, or until when, what a question says of two topics, or of one, holds, in the direction that it says.

    The words between them are those of a relation whose relationships have a point in time; of several that which
    says when something began, unless the question asks when it ended.
    """
    words = _content(text, [topic, *([other] if other else [])])
    ended = bool({*words} & ENDINGS) or text.lower().lstrip().startswith("until")
    language = graph.mapping.language
    starts = yield from graph.first_steps([topic.entity])
    codes = tuple(starts.get(topic.entity.element_id, ()))
    way = ranker.directed(mask_topic(text, topic, [other] if other else []), codes)
    steps = [graph.mapping.step(code) for code in codes]
    steps = [step for step in steps if way is None or way.admits_path(ranker.schema.rows((step,)))]
    content = [word for word in words if word not in BEGINNINGS | ENDINGS]
    if any(step.relation.kind == "property" and _says(step.relation, content, language) for step in steps):
        return None  # "when was X admitted?" asks for what X has itself
    found: list[Composed] = []
    for step in steps:
        if step.relation.kind != "edge" or not _says(step.relation, content, language) or not _may_lead(step, other):
            continue
        qualifier = moment_of(step.relation, graph, ended=ended)
        if qualifier is None:
            continue
        plan = Follow(topic.entity, (step, Step(qualifier)), to=other.entity if other else None)
        if (yield from graph.execute(plan)).nodes:
            found.append(Composed(plan, 1.0, (topic, *((other,) if other else ()))))
    if not found and other is None and content:
        own = [step for step in steps if _is_own_moment(step, topic, language)]
        deeds = [word for word in content if any(_says(step.relation, [word], language) for step in steps)]
        if len(own) == 1 and deeds == content:
            return Composed(Follow(topic.entity, (own[0],)), 1.0, (topic,))
    return found[0] if len(found) == 1 else None


def _is_own_moment(step: Step, topic: Link, language: Language) -> bool:
    """Whether a property is a topic's date and nothing else: the order date of an order."""
    if step.relation.kind != "property":
        return False
    words = {*language.words_of(step.relation.type).split()}
    kinds = {word for label in topic.entity.labels for word in language.words_of(label).split()}
    return bool(words & {"date", "day", "time", "timestamp"}) and words <= kinds | {"date", "day", "time", "timestamp"}


def _content(text: str, links: Sequence[Link]) -> list[str]:
    """The words of a question that say what holds, without its topics."""
    for link in links:
        text = f"{text[: link.start]}{' ' * (link.end - link.start)}{text[link.end :]}"
    words = _WORD.findall(text.lower())
    return [word for word in words if word not in GRAMMAR_WORDS | FILLERS and word not in ("date", "day", "time")]


def _says(relation: Relation, words: Sequence[str], language: Language) -> bool:
    """Whether one of some words is a relation's."""
    texts = (language.words_of(relation.id), relation.phrase, relation.inverse_phrase)
    own = {word for text in texts for word in text.lower().split()} - GRAMMAR_WORDS
    return any(language.root(word) == language.root(one) for word in words for one in own)


def _may_lead(step: Step, other: Link | None) -> bool:
    """Whether a step may lead to the other topic, by its kind."""
    ends = {*end_labels(step)}
    return other is None or not ends or not other.entity.labels or bool(ends & {*other.entity.labels})


def moment_of(relation: Relation, graph: Graph, *, ended: bool) -> Relation | None:
    """The property of a relation's relationships that says when it began, or ended; ``None``: not just one does."""
    own = [one for one in graph.mapping.qualifiers if one.of in ("", relation.id)]
    moments = {one: {*graph.mapping.language.words_of(one.type).split()} for one in own}
    late = [one for one, words in moments.items() if words & UNTIL]
    if ended:
        return late[0] if len(late) == 1 else None
    early = [one for one, words in moments.items() if words & SINCE and one not in late]
    sure = [one for one in early if moments[one] & BEGINNINGS or moments[one] & {"since", "from"}]
    return early[0] if len(early) == 1 else sure[0] if len(sure) == 1 else None
