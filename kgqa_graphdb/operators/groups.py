"""Plans that group: each value, or each entity of a kind, with what is counted or summed up of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.operators.compare import are_numbers, have_order
from kgqa_graphdb.operators.composed import Composed
from kgqa_graphdb.operators.fits import explains, in_value
from kgqa_graphdb.operators.reading import Reading
from kgqa_graphdb.operators.words import MOMENTS
from kgqa_graphdb.plan import Aggregate, Each, Every, Group, Plan, yields_values
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Path, Scalar

if TYPE_CHECKING:
    from kgqa_graphdb.operators.composer import Composer

FIRST_YEAR, LAST_YEAR = 1000, 2999
"""Whole numbers that may be years."""


def groups_of(composer: Composer, reading: Reading) -> Steps[Composed | None]:
    """The plan of a reading that groups."""
    each: Each = "mean" if reading.wants == "mean" else "sum" if reading.wants == "sum" else ""
    if reading.per in composer.finder.nouns:
        return (yield from _of_kind(composer, reading, each))
    years = reading.per in ("year", "years")
    plain = replace(reading, per="", extreme=None, tests=(), wants="answers")
    if years:  # "placed in each year": what was done then is in the words for the moment
        kept = tuple(one for one in reading.conditions if one.topic or one.comparisons or one.value or one.negated)
        plain = replace(plain, conditions=kept)
    over = yield from composer.compose(plain)
    if over is None or yields_values(over.plan):
        return None
    said = " ".join(one.text for one in reading.conditions if not (one.topic or one.comparisons or one.value))
    texts = [said, f"{reading.noun} {MOMENTS}"] if years else [reading.per]
    ways: list[tuple[Path, float]] = []
    for text in filter(None, texts):
        ways += yield from composer.finder.paths(over.plan, text, in_value)
    if years and not ways:
        ways = yield from _only_moment(composer, over.plan)
    for path, fit in ways:
        values = yield from composer.finder.values(over.plan, path)
        if path[-1].relation.kind != "property" or not (years or explains(path, reading.per)):
            continue
        if years and not _tells_years(values):
            continue
        written = are_numbers(values)
        plan = Group(over.plan, path, years=years and not written)
        if each:
            numbers = yield from composer.finder.paths(over.plan, reading.measure, in_value)
            if not numbers or not are_numbers((yield from composer.finder.values(over.plan, numbers[0][0]))):
                return None
            plan = Group(over.plan, path, plan.years, numbers[0][0], each)
        return replace(over, plan=_chosen(plan, reading), fit=min(over.fit, fit))
    return None


def _chosen(plan: Plan, reading: Reading) -> Plan:
    """Those groups that are asked for."""
    if reading.extreme:
        ((way, _),) = reading.extreme.measures
        return Aggregate(way, plan, most=reading.extreme.most)
    for one in reading.tests:
        plan = Aggregate(one.op, plan, value=one.value if isinstance(one.value, int | float) else None)
    return plan


def _of_kind(composer: Composer, reading: Reading, each: Each) -> Steps[Composed | None]:
    """Every entity of a kind with what is counted or summed up of it."""
    kind = composer.finder.nouns[reading.per]
    told = tuple(one for one in reading.conditions if one.comparisons or one.value or one.topic)
    said = " ".join(one.text for one in reading.conditions if one not in told)
    every: Plan = Every(kind.label)
    if kind.by:
        every = Aggregate(">", every, (kind.by,), 0)
    within = None
    if told:
        if reading.kind is None:
            return None
        within = yield from composer.compose(replace(reading, per="", wants="answers", conditions=told))
        if within is None or yields_values(within.plan):
            return None
    text = f"{reading.measure} {said} {reading.noun}".strip()
    for path, fit in (yield from composer.finder.paths(every, text, in_value if each else None)):
        edges = [step for step in path if step.relation.kind == "edge"]
        through = not reading.kind or any(reading.kind.label in end_labels(step) for step in edges[-1:])
        if not through or (said and not explains(path, said)):
            continue
        if each and not are_numbers((yield from composer.finder.values(every, path))):
            continue
        if not each and path[-1].relation.kind != "edge":
            continue
        plan = Aggregate("measure", every, path, each=each, within=within.plan if within else None)
        base = within or Composed(every, 1.0)
        return replace(base, plan=plan, fit=min(base.fit, fit))
    return None


def _only_moment(composer: Composer, plan: Plan) -> Steps[list[tuple[Path, float]]]:
    """The property that holds moments, where there is but one."""
    found: list[tuple[Path, float]] = []
    for path, fit in (yield from composer.finder.properties(plan)):
        if _tells_years((yield from composer.finder.values(plan, path))):
            found.append((path, fit))
    return found if len(found) == 1 else []


def _tells_years(values: Sequence[Scalar]) -> bool:
    """Whether values are years or moments."""
    if are_numbers(values):
        return all(isinstance(one, int) and FIRST_YEAR <= one <= LAST_YEAR for one in values)
    return have_order(values)
