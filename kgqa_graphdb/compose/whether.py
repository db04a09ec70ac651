"""Whether a path leads from one topic of a question to another: "did X discover Y?"."""

from __future__ import annotations

from functools import partial

from kgqa_graphdb.compose.composed import Composed, Model, may_end_at, proposed, starts_of
from kgqa_graphdb.compose.finder import NEAR
from kgqa_graphdb.compose.fits import in_value
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.language.masking import mask_mention
from kgqa_graphdb.mapping import reverse_step
from kgqa_graphdb.plan import Aggregate, Follow, follow_either_way
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Link, Path, Question, Scored


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
