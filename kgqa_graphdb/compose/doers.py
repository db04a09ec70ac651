"""The kind that "who" asks for, by what the question says of it: who commands ships is no ship."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from kgqa_graphdb.compose.composed import Composed
from kgqa_graphdb.parse.lexicon import Kind
from kgqa_graphdb.parse.parsed import ParsedQuestion
from kgqa_graphdb.plan import Aggregate, Combine, Every, Group, Plan
from kgqa_graphdb.rank import PathRanker
from kgqa_graphdb.rank.direction import start_labels

_WHO = re.compile(r"\W*whom?\b", re.IGNORECASE)


def with_doers(parsed: ParsedQuestion, text: str, nouns: Mapping[str, Kind], ranker: PathRanker) -> ParsedQuestion:
    """A question that begins with "who" and names nothing, as one of the kind that does what it says, if there is one.

    :param nouns: for kinds
    """
    if not _WHO.match(text) or not parsed.conditions:
        return parsed
    said = parsed.conditions[0]
    named = {nouns[word].label for word in said.text.split() if word in nouns}
    codes = [step.code for step in ranker.schema.steps if step.relation.kind == "edge"]
    way = ranker.directed(said.clause, codes) if said.clause else None
    if way is None:
        return parsed
    starts = [start_labels(ranker.schema.steps[row]) for row in np.flatnonzero(way.meant & way.said).tolist()]
    labels = {labels for labels in map(frozenset, starts) if not labels & named}
    label = min(next(iter(labels))) if len(labels) == 1 and len(next(iter(labels))) == 1 else ""
    return replace(parsed, kind=Kind(label)) if label else parsed


def together_of(found: Sequence[Composed]) -> Composed | None:
    """One plan of all kinds of which the same is asked: "who was hired first" is of managers and engineers together.

    :return: ``None``: there is no plan, or they differ in more than in the kind
    """
    if not found:
        return None
    kinds = tuple(dict.fromkeys(kind for kind in (_base(one.plan) for one in found) if kind))
    first, *others = (_over(one.plan, Every("")) for one in found)
    if len(found) == 1 or len(kinds) < len(found) or any(other != first for other in others):
        return found[0] if len(found) == 1 else None
    return replace(found[0], plan=_over(found[0].plan, Combine("or", kinds)))


def _base(plan: Plan) -> Every | None:
    """The kind that a plan begins with."""
    match plan:
        case Every():
            return plan
        case Aggregate(_, over) | Group(over):
            return _base(over)
        case Combine(_, parts):
            return _base(parts[0])
    return None


def _over(plan: Plan, base: Plan) -> Plan:
    """A plan that begins with another one in place of its kind."""
    match plan:
        case Every():
            return base
        case Aggregate() | Group():
            return replace(plan, over=_over(plan.over, base))
        case Combine(op, (first, *others)):
            return Combine(op, (_over(first, base), *others))
    return plan
