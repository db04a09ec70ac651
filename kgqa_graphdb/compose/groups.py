"""Plans that group: each value, or each entity of a kind, with what is counted or summed up of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from kgqa_graphdb.compose.compare import are_numbers, have_order
from kgqa_graphdb.compose.composed import Composed
from kgqa_graphdb.compose.finder import Finder
from kgqa_graphdb.compose.fits import in_value
from kgqa_graphdb.compose.scale import may_be_years
from kgqa_graphdb.language.english_words import MOMENTS, TOTALS
from kgqa_graphdb.mapping.hops import end_labels
from kgqa_graphdb.parse.parsed import ParsedQuestion
from kgqa_graphdb.plan import Aggregate, Each, Every, Group, Plan, yields_values
from kgqa_graphdb.steps import Steps
from kgqa_graphdb.types import Path, Scalar

Compose: TypeAlias = Callable[[ParsedQuestion], Steps[Composed | None]]


def groups_of(finder: Finder, compose: Compose, parsed: ParsedQuestion) -> Steps[Composed | None]:
    """The plan of a parsed question that groups.

    :param compose: composes plans of what is grouped
    """
    each: Each = parsed.wants if parsed.wants in TOTALS.values() else ""
    if parsed.per in finder.nouns:
        return (yield from _of_kind(finder, compose, parsed, each))
    years = parsed.per in ("year", "years")
    plain = replace(parsed, per="", extreme=None, tests=(), wants="answers")
    if years:  # "placed in each year": what was done then is in the words for the moment
        kept = tuple(one for one in parsed.conditions if one.topic or one.comparisons or one.value or one.negated)
        plain = replace(plain, conditions=kept)
    over = yield from compose(plain)
    if over is None or yields_values(over.plan):
        return None
    deeds = " ".join(one.text for one in parsed.conditions if not (one.topic or one.comparisons or one.value))
    texts = [deeds, f"{parsed.noun} {MOMENTS}"] if years else [parsed.per]
    ways: list[tuple[Path, float]] = []
    for text in filter(None, texts):
        ways += yield from finder.paths(over.plan, text, in_value)
    if years and not ways:
        ways = yield from _only_moment(finder, over.plan)
    for path, fit in ways:
        values = yield from finder.values(over.plan, path)
        if path[-1].relation.kind != "property" or not (years or finder.explains(path, parsed.per)):
            continue
        if years and not _tells_years(values):
            continue
        written = are_numbers(values)
        plan = Group(over.plan, path, years=years and not written)
        if each:
            numbers = yield from finder.paths(over.plan, parsed.measure, in_value)
            if not numbers or not are_numbers((yield from finder.values(over.plan, numbers[0][0]))):
                return None
            plan = Group(over.plan, path, plan.years, numbers[0][0], each)
        return replace(over, plan=_chosen(plan, parsed), fit=min(over.fit, fit))
    return None


def _chosen(plan: Plan, parsed: ParsedQuestion) -> Plan:
    """Those groups that are asked for."""
    if parsed.extreme:
        ((way, _),) = parsed.extreme.measures
        return Aggregate(way, plan, most=parsed.extreme.most)
    for one in parsed.tests:
        plan = Aggregate(one.op, plan, value=one.value if isinstance(one.value, int | float) else None)
    return plan


def _of_kind(finder: Finder, compose: Compose, parsed: ParsedQuestion, each: Each) -> Steps[Composed | None]:
    """Every entity of a kind with what is counted or summed up of it."""
    kind = finder.nouns[parsed.per]
    narrowing = tuple(one for one in parsed.conditions if one.comparisons or one.value or one.topic)
    deeds = " ".join(one.text for one in parsed.conditions if one not in narrowing)
    every: Plan = Every(kind.label)
    if kind.by:
        every = Aggregate(">", every, (kind.by,), 0)
    within = None
    if narrowing:
        if parsed.kind is None:
            return None
        within = yield from compose(replace(parsed, per="", wants="answers", conditions=narrowing))
        if within is None or yields_values(within.plan):
            return None
    text = f"{parsed.measure} {deeds} {parsed.noun}".strip()
    for path, fit in (yield from finder.paths(every, text, in_value if each else None, parsed.clause)):
        edges = [step for step in path if step.relation.kind == "edge"]
        through = not parsed.kind or any(parsed.kind.label in end_labels(step) for step in edges[-1:])
        if not through or (deeds and not finder.explains(path, deeds)):
            continue
        if each and not are_numbers((yield from finder.values(every, path))):
            continue
        if not each and path[-1].relation.kind != "edge":
            continue
        if each in ("mean", "median") and len(path) == 1 and not narrowing:  # each has but one of them
            return Composed(Aggregate(each, every, path), fit)
        only = within.plan if within else finder.only(path, parsed.noun)
        plan = Aggregate("measure", every, path, each=each, within=only)
        base = within or Composed(every, 1.0)
        return replace(base, plan=plan, fit=min(base.fit, fit))
    return None


def _only_moment(finder: Finder, plan: Plan) -> Steps[list[tuple[Path, float]]]:
    """The property that holds moments, where there is but one."""
    found: list[tuple[Path, float]] = []
    for path, fit in (yield from finder.properties(plan)):
        if _tells_years((yield from finder.values(plan, path))):
            found.append((path, fit))
    return found if len(found) == 1 else []


def _tells_years(values: Sequence[Scalar]) -> bool:
    """Whether values are years or moments."""
    if are_numbers(values):
        return may_be_years(values)
    return have_order(values)
