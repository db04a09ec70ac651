"""Since when something holds between two topics, as their relationship says: "when was X diagnosed with Y?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgqa_graphdb.compose.composed import Composed, NoValue
from kgqa_graphdb.compose.fits import kind_words, says
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language import Language
from kgqa_graphdb.language.english_words import BEGINNINGS, ENDINGS, FILLERS, GRAMMAR_WORDS, SINCE, UNTIL
from kgqa_graphdb.language.masking import mask_mention
from kgqa_graphdb.link.topics import without_names
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.rank.direction import Directed
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Link, Path, Relation, Step

_ASKS_WHEN = re.compile(
    r"\W*(?:(?:since|from|until) when|when|(?:(?:on|at|in|since|from) )?(?:what|which) (?:date|day|time|year))\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_MOMENTS = {"date", "day", "time", "timestamp", "year"}


def asks_when(text: str) -> bool:
    """Whether a question asks when something was."""
    return _ASKS_WHEN.match(text) is not None


def since_when(
    text: str, topic: Link, other: Link | None, graph: Graph, ranker: PathRanker
) -> Steps[Composed | NoValue | None]:
    """Since when, or until when, what a question says of two topics, or of one, holds.

    The words between them are those of a relation whose relationships have a point in time; of several that which
    says when something began, unless the question asks when it ended. Where the two have no such relationship, or one
    without that, no other point in time answers.

    :param ranker: knows which way words walk
    """
    words = words_of_question(text, [topic, *([other] if other else [])])
    ended = bool({*words} & ENDINGS) or text.lower().lstrip().startswith("until")
    language = graph.mapping.language
    starts = yield from graph.first_steps([topic.entity])
    codes = starts.get(topic.entity.element_id, ())
    steps = [graph.mapping.step(code) for code in codes]
    content = [word for word in words if word not in BEGINNINGS | ENDINGS]
    if any(step.relation.kind == "property" and says(step.relation, content, language) for step in steps):
        return None  # "when was X admitted?" asks for what X has itself
    barred = barred_steps(text, topic, other, graph, ranker)
    between = {step.code for step in _between(topic, other, graph)} if other else set()
    found: list[Composed] = []
    for step in steps:
        if step.relation.kind != "edge" or not _may_lead(step, other) or step.code in barred:
            continue
        qualifier = moment_of(step.relation, graph, ended=ended)
        if qualifier is None:
            continue
        called = not content or says(qualifier, content, language)  # "until when does X's contract with Y run?"
        if not (says(step.relation, content, language) or (called and step.code in between)):
            continue
        plan = Follow(topic.entity, (step, Step(qualifier)), to=other.entity if other else None)
        if (yield from graph.execute(plan)).nodes:
            found.append(Composed(plan, 1.0, (topic, *((other,) if other else ()))))
    if not found and other is None and content:
        own = [step for step in steps if _is_own_moment(step, topic, language)]
        deeds = [word for word in content if any(says(step.relation, [word], language) for step in steps)]
        if len(own) == 1 and deeds == content:
            return Composed(Follow(topic.entity, (own[0],)), 1.0, (topic,))
    if not found and other:
        said = [step for step in _between(topic, other, graph) if all_said((step,), content, language)]
        return (yield from _of_their_own(said, content, (topic, other), graph, ended=ended)) if said else None
    return found[0] if len(found) == 1 else None


def _of_their_own(
    said: Sequence[Step], words: Sequence[str], links: tuple[Link, Link], graph: Graph, *, ended: bool
) -> Steps[Composed | NoValue | None]:
    """The date that one of two topics has itself, where what a question says of both holds without a date of its own.

    :param said: the steps from the one to the other that the words mean
    """
    lacking = NoValue("date of the end" if ended else "date", links)
    if any(moment_of(step.relation, graph, ended=late) for step in said for late in (False, True)):
        return lacking
    (topic, other), language = links, graph.mapping.language
    starts = yield from graph.first_steps([topic.entity, other.entity])
    own: list[Composed] = []
    for link in links:
        for step in map(graph.mapping.step, starts.get(link.entity.element_id, ())):
            if step.relation.kind == "property" and says(step.relation, words, language):
                return None  # "when did X launch Y?" asks for the launch date of Y
            if _is_own_moment(step, link, language):
                own.append(Composed(Follow(link.entity, (step,)), 1.0, links))
    for step in said if len(own) == 1 and not ended else ():
        if (yield from graph.execute(Follow(topic.entity, (step,), to=other.entity))).nodes:
            return own[0]
    return lacking


def barred_steps(text: str, topic: Link, other: Link | None, graph: Graph, ranker: PathRanker) -> set[str]:
    """The codes of the steps that say what a question does the wrong way round."""
    masked = mask_mention(text, topic.start, topic.end, [(other.start, other.end)] if other else [])
    codes = [f"{mark}{one.id}" for one in graph.mapping.relations if one.kind == "edge" for mark in "><"]
    way = ranker.directed(masked, [code for code in codes if code in ranker.schema.row_of])
    return {
        code for code in codes if way is not None and code in ranker.schema.row_of and _is_barred(way, code, ranker)
    }


def _is_barred(way: Directed, code: str, ranker: PathRanker) -> bool:
    row = ranker.schema.row_of[code]
    return bool(way.barred[row] or (way.meant[row ^ 1] and not way.meant[row]))


def _between(topic: Link, other: Link, graph: Graph) -> list[Step]:
    """The steps from entities of a topic's kinds to those of another's."""
    edges = [Step(one, inverse) for one in graph.mapping.relations if one.kind == "edge" for inverse in (False, True)]
    return [step for step in edges if leads_between(step, topic, other)]


def leads_between(step: Step, topic: Link, other: Link) -> bool:
    """Whether a step leads from entities of a topic's kinds to those of another's, where both have kinds."""
    starts, ends = end_labels(Step(step.relation, not step.inverse)), end_labels(step)
    return bool({*starts} & {*topic.entity.labels} and {*ends} & {*other.entity.labels})


def all_said(path: Path, words: Sequence[str], language: Language) -> bool:
    """Whether each of some words is that of a step, or of the kinds at its ends."""
    labels = {label for step in path for label in (*step.relation.heads, *step.relation.tails)}
    kinds = {
        form for label in labels for one in language.words_of(label).split() for form in (one, language.plural_of(one))
    }
    return all(word in kinds or any(says(step.relation, [word], language) for step in path) for word in words)


def _is_own_moment(step: Step, topic: Link, language: Language) -> bool:
    """Whether a property is a topic's date or year and nothing else: the order date of an order."""
    if step.relation.kind != "property":
        return False
    words = {*language.words_of(step.relation.type).split()}
    kinds = kind_words(topic, language)
    return bool(words & _MOMENTS) and words <= kinds | _MOMENTS


def words_of_question(text: str, links: Sequence[Link]) -> list[str]:
    """The words of a question that say what holds, without its topics."""
    text = without_names(text, links)
    words = _WORD.findall(text.lower())
    return [word for word in words if word not in GRAMMAR_WORDS | FILLERS and word not in _MOMENTS]


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
