"""Whether a path leads from one topic of a question to another: "did X discover Y?", "… before 1900?", "Y or Z?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from kgqa_graphdb.compose.composed import Composed, Model, may_end_at, proposed, starts_of
from kgqa_graphdb.compose.conditions import Conditions
from kgqa_graphdb.compose.finder import NEAR
from kgqa_graphdb.compose.fits import in_value
from kgqa_graphdb.compose.walked import followed
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language.masking import TOPIC, mask_mention
from kgqa_graphdb.mapping import reverse_step
from kgqa_graphdb.parse import Lexicon, ParsedQuestion, Parser
from kgqa_graphdb.parse.joined import asks_which
from kgqa_graphdb.parse.parsed import Bound, Condition
from kgqa_graphdb.plan import Aggregate, Combine, CombineOp, Follow, Plan, follow_either_way
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Entity, Link, Path, Question, Scored, Step

SOMETHING = "something"
"""What stands in the place of the other topic while a question is read."""


def asks_whether_so(parser: Parser, text: str, topic: Link, other: Link, lexicon: Lexicon) -> ParsedQuestion | None:
    """A question if something leads from one topic to the other, read; ``None``: it asks something else.

    It may compare what is said of that: "did X visit Y before 2018?".
    """
    without = f"{text[: other.start]}{SOMETHING}{text[other.end :]}"
    parsed = parser.parse(without, Lexicon(lexicon.nouns), (topic.start, topic.end))
    if parsed.wants != "exists" or parsed.kind or parsed.unsure or parsed.extreme or asks_which(text, topic, other):
        return None
    odd = any(one.negated or one.value or one.within or one.same for one in parsed.conditions)
    compared = [one for one in parsed.conditions if one.comparisons]
    plain = not compared or (len(parsed.conditions) == 1 and _compares_step(compared[0]))
    return parsed if plain and not odd else None


def _compares_step(condition: Condition) -> bool:
    """Whether a condition says what leads from the topic to something, and what a number of that compares with."""
    numbers = all(not (isinstance(one.value, Bound) or one.adjective) for one in condition.comparisons)
    return numbers and condition.topic and SOMETHING in condition.text.split()


def whether_compared(condition: Condition, topic: Link, other: Link, conditions: Conditions) -> Steps[Composed | None]:
    """Whether a path leads from one topic to the other by a relationship of which a comparison holds.

    ``None`` where that is not understood, or where what leads there has nothing to compare: neither yes nor no is
    right. Where nothing leads there, none holds.

    :param condition: what the question says, with the topic and the other in it, as :func:`asks_whether_so` reads it
    """
    graph, model = conditions.finder.graph, conditions.model
    said = f"did {condition.text}"
    topic, other = (
        replace(link, start=said.index(mark), end=said.index(mark) + len(mark))
        for link, mark in ((topic, TOPIC), (other, SOMETHING))
    )
    found = yield from whether(Question(said), topic, other, graph, model)
    if not (found and isinstance(found.plan, Aggregate)):
        return None
    leads = replace(found, plan=found.plan.over)
    if not (yield from graph.execute(leads.plan)).nodes:
        return found
    met = yield from conditions.hold(leads, replace(condition, text=condition.text.replace(SOMETHING, " ")))
    tested = [step for path in followed(met.plan) for step in path if step.tests] if met else []
    if not (met and tested) or isinstance(met.plan, Aggregate):
        return None
    value = Step(tested[0].tests[0].qualifier)
    known = yield from _lead_to(value, _follows(leads.plan), graph)
    return replace(met, plan=Aggregate("exists", met.plan)) if known else None


def _lead_to(value: Step, follows: Sequence[Follow], graph: Graph) -> Steps[bool]:
    """Whether what is followed has a value."""
    for one in follows:
        if (yield from graph.execute(replace(one, path=(*one.path, value)))).nodes:
            return True
    return False


def of_each(op: CombineOp, found: Sequence[Composed]) -> Composed | None:
    """Whether several things are so, or some of them, as one plan: of what all lead to, or are led to from."""
    plans = [one.plan.over for one in found if isinstance(one.plan, Aggregate)]
    ends = [{*_ends_of(plan)} for plan in plans]
    shared = set.intersection(*ends) if len(plans) == len(found) else set()
    if len(shared) != 1:
        return None
    (end,) = shared
    met = Combine(op, tuple(_led_to(end, plan) for plan in plans))
    links = tuple(dict.fromkeys(link for one in found for link in one.links))
    return Composed(Aggregate("exists", met), min(one.fit for one in found), links)


def _follows(plan: Plan) -> list[Follow]:
    """What a plan follows, of a symmetric relation both ways."""
    return [part for part in (plan.parts if isinstance(plan, Combine) else (plan,)) if isinstance(part, Follow)]


def _ends_of(plan: Plan) -> list[Entity]:
    return [end for one in _follows(plan)[:1] for end in (one.topic, one.to) if end is not None]


def _led_to(end: Entity, plan: Plan) -> Plan:
    """A plan that follows something between two entities, so that it leads to one of them."""
    if isinstance(plan, Combine):
        return replace(plan, parts=tuple(_led_to(end, part) for part in plan.parts))
    if not isinstance(plan, Follow) or plan.to is None or plan.to == end:
        return plan
    path = tuple(replace(step, inverse=not step.inverse) for step in reversed(plan.path))
    return Follow(plan.to, path, to=plan.topic)


def whether(question: Question, topic: Link, other: Link, graph: Graph, model: Model) -> Steps[Composed | None]:
    """Whether the path that a question speaks of leads from one topic to the other."""
    if stated := (yield from _stated(question, topic, other, graph, model)):
        return stated
    found, may_end = yield from _leading(question, topic, other, graph, model)
    if other.entity.labels:
        return next((_ends(topic, one, other) for one in found if one.item in may_end), None)
    # Where there are no kinds, nothing tells what longer paths lead to: one step from either of the two is meant.
    least = NEAR * found[0].score if found else 0.0
    direct = [one for one in found if len(one.item) == 1 and one.item in may_end and one.score >= least]
    if direct:
        return _ends(topic, direct[0], other)
    back, met = yield from _leading(question, other, topic, graph, model)
    if back and back[0].item not in met and (yield from _are_tied(topic, other, graph)):
        return None  # "no" would be of a relation that the one has no part in, where another ties the two
    if back and len(back[0].item) == 1 and back[0].item[0].inverse and back[0].score >= least:
        return _ends(other, back[0], topic)
    plausible = found and (len(found[0].item) == 1 or found[0].item in may_end)
    return _ends(topic, found[0], other) if plausible else None


def _stated(question: Question, topic: Link, other: Link, graph: Graph, model: Model) -> Steps[Composed | None]:
    """Whether a question that says one step holds, in that direction alone; ``None``: it does not say one."""
    masked = mask_mention(question.text, topic.start, topic.end, [(other.start, other.end)])
    codes, stated = yield from starts_of(topic, masked, graph, model)
    if not stated:
        return None
    proposal = yield from model.propose(masked, codes, look=partial(graph.endpoint_stats, topic.entity))
    direct = [one for one in proposal.paths if len(one.item) == 1 and not in_value(one.item)]
    may_end = yield from may_end_at([one.item for one in direct], other.entity, graph)
    best = next((one for one in direct if one.item in may_end), direct[0] if direct else None)
    return _ends(topic, best, other) if best else None


def _leading(
    question: Question, topic: Link, other: Link, graph: Graph, model: Model
) -> Steps[tuple[list[Scored[Path]], list[Path]]]:
    """The paths to entities that fit a question from a topic, best first, and those that may lead to the other."""
    masked = mask_mention(question.text, topic.start, topic.end, [(other.start, other.end)])
    proposal = yield from proposed(topic, masked, graph, model)
    fitting = [one for one in proposal.paths if one.score >= proposal.least_fit and not in_value(one.item)]
    return fitting, (yield from may_end_at([one.item for one in fitting], other.entity, graph))


def _are_tied(topic: Link, other: Link, graph: Graph) -> Steps[bool]:
    """Whether some fact is of both."""
    starts = yield from graph.first_steps([topic.entity, other.entity])
    of_other = {*starts.get(other.entity.element_id, ())}
    for code in starts.get(topic.entity.element_id, ()):
        step = graph.mapping.step(code)
        if step.relation.kind != "edge" or reverse_step(code) not in of_other:
            continue
        if (yield from graph.execute(Follow(topic.entity, (step,), to=other.entity))).nodes:
            return True
    return False


def _ends(topic: Link, path: Scored[Path], other: Link) -> Composed:
    """Whether a path from a topic ends at the other."""
    plan = Aggregate("exists", follow_either_way(Follow(topic.entity, path.item, to=other.entity)))
    return Composed(plan, path.score, (topic, other))
