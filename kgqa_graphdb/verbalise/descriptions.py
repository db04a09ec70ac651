"""Plans in words: noun phrases such as "the directors of the films starring Joe"; the words are a language's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import reduce

from kgqa_graphdb.language import ENGLISH, Language, fill
from kgqa_graphdb.language.wording import spoken
from kgqa_graphdb.plan import Aggregate, Cite, Combine, Every, Follow, Group, Native, Onward, Plan, tells_amounts
from kgqa_graphdb.reductions import REDUCTIONS
from kgqa_graphdb.types import Node, Path, QualifierTest, Step, Value

FIRST_YEAR, LAST_YEAR = 1000, 2999
"""Whole numbers that may be years."""
MAX_NAMED = 10
"""Answers that a sentence names; the rest are counted."""


def enumerate_names(
    nodes: Sequence[Node], most: int = MAX_NAMED, amounts: Sequence[Value] = (), language: Language = ENGLISH
) -> str:
    """Names in a row: "A, B and C", or "A, B and 12 more"; with what each is ranked by, "A (9) and B (7)"."""
    names = [node.name for node in nodes[:most]]
    if amounts:
        names = [
            fill(language.wording.amount, name=name, amount=value_name(amount))
            for name, amount in zip(names, amounts, strict=False)
        ]
    return language.wording.row(names, max(0, len(nodes) - most))


def value_name(value: Value) -> str:
    """A value that was computed, as a person reads it: "1,604.43 km"; other digits than these mean nothing."""
    if not isinstance(value.value, float) or value.value.is_integer():
        return value.name
    number = f"{value.value:,.2f}".rstrip("0").rstrip(".") if abs(value.value) >= 1 else f"{value.value:.3g}"
    return f"{number} {value.unit}" if value.unit else number


def describe_path(topic: str, path: Path, *, many: bool = False, language: Language = ENGLISH) -> str:
    """What a path leads to, in words: "the director of the films starring Joe Thomas".

    :param many: it leads to several: "the directors of …"
    """
    return language.wording.path(topic, path, many, language.wording)


def _measured(path: Path, language: Language, *, many: bool = False) -> str:
    """What a path leads to from each of several, in words: "price of the product"."""
    wording = language.wording
    first, *others = [wording.noun(step, many and not place) for place, step in enumerate(reversed(spoken(path)))] or [
        ""
    ]
    measured = reduce(lambda noun, owner: fill(wording.part, noun=noun, owner=owner), others, first)
    return _with_tests(measured, path, language)


def _with_tests(text: str, path: Path, language: Language) -> str:
    """What a path leads to, with what the relationships on it are compared with: "… with since at least 2015"."""
    wording = language.wording
    for test in (test for step in path for test in step.tests if test not in _tests_of_end(path)):
        text = fill(wording.compared, over=text, measure=test.qualifier.phrase, wanted=wanted_of(test, language))
    return text


def wanted_of(test: QualifierTest, language: Language) -> str:
    """What a relationship's property is compared with, in words: "less than 2018"."""
    moment = _is_moment((Step(test.qualifier),), test.value, language)
    return _wanted(test.op, Value(test.value, test.qualifier.unit).name, language, moment=moment)


def describe_plan(plan: Plan, *, many: bool = False, language: Language = ENGLISH) -> str:
    """What a plan asks for, in words.

    :param many: it leads to several
    """
    wording = language.wording
    match plan:
        case Follow(topic, path, to):
            if to and path[-1].relation.kind == "qualifier":
                return fill(wording.of_both, phrase=path[-1].phrase, topic=topic.name, other=to.name)
            what = describe_path(topic.name, path, many=many, language=language)
            what = _with_tests(what, path, language)
            return fill(wording.pinned, what=what, name=to.name) if to else what
        case Combine(op, parts):
            texts = [describe_plan(part, many=many, language=language) for part in parts]
            return reduce(lambda one, other: fill(wording.combined[op], one=one, other=other), texts)
        case Every(label):
            return wording.kind(label)
        case Onward(over, walked):
            what = describe_path(describe_plan(over, language=language), walked, many=many, language=language)
            return _with_tests(what, walked, language)
        case Aggregate("count" as op, over):
            what = wording.bare(describe_plan(over, many=True, language=language))
            return fill(wording.counted, reduction=wording.reductions[op], what=what)
        case Aggregate("exists" | "none" as op, over):
            what = describe_plan(over, language=language)
            return fill(wording.exists, reduction=wording.reductions[op], what=what)
        case Aggregate():
            return _describe_compared(plan, language, many=many)
        case Group():
            return _describe_group(plan, language)
        case Native():
            return wording.native
        case Cite(nodes):
            return enumerate_names(nodes, language=language) if nodes else wording.cited


def measure_of(plan: Aggregate, language: Language = ENGLISH) -> str:
    """What a plan compares answers by, in words: "number of directors", "total price of the product"."""
    wording, number = language.wording, _counts(plan)
    measure = _bare_measure(plan, language, many=number)
    if number:
        measure = fill(wording.number_of, measure=measure)
    elif tells_amounts(plan.over) and not plan.by:
        measure = wording.number
    return fill(wording.attribute, attribute=wording.attributes[plan.each], measure=measure) if plan.each else measure


def _counts(plan: Aggregate) -> bool:
    """Whether what a plan compares is how many entities a path leads to."""
    return bool(plan.by) and plan.by[-1].relation.kind == "edge"


def _bare_measure(plan: Aggregate, language: Language, *, many: bool) -> str:
    measure = _measured(plan.by, language, many=many)
    for path in plan.meets:
        measure = fill(language.wording.also, measure=measure, other=_measured(path, language))
    if plan.within is not None:
        within = describe_plan(plan.within, language=language)
        measure = fill(language.wording.within, measure=measure, within=within)
    return measure


def _describe_compared(plan: Aggregate, language: Language, *, many: bool) -> str:
    """A plan over values, in words."""
    wording = language.wording
    over = describe_plan(plan.over, many=many, language=language)
    if _counts(plan) and (plan.op, plan.value) == (">", 0):
        measure = _bare_measure(plan, language, many=False).removesuffix(" of")
        return fill(wording.is_any, over=over, measure=measure)
    measure, reduction = measure_of(plan, language), wording.reductions[plan.op]
    parts = {"over": over, "measure": measure, "reduction": reduction}
    if plan.op == "measure":
        return fill(wording.measure, **parts)
    if REDUCTIONS[plan.op].family == "values":
        return fill(wording.reduced if measure else wording.reduced_bare, **parts)
    if REDUCTIONS[plan.op].family == "ranking":
        return fill(wording.with_extreme if measure else wording.reduced_bare, **parts)
    if (plan.op, plan.value) == ("contains", ""):
        return fill(wording.with_any, **parts)
    happened = len(plan.by) == 1 and not plan.each and wording.says_what_happened(plan.by[-1].phrase)
    pattern = wording.happened if happened and _is_moment(plan.by, plan.value, language) else wording.compared
    pattern = pattern if measure else wording.compared_bare
    text = fill(pattern, over=over, measure=measure, wanted=compared_with(plan, language))
    for test in _tests_of_end(plan.by):
        text = fill(pattern, over=text, measure=measure, wanted=wanted_of(test, language))
    return text


def _tests_of_end(path: Path) -> Sequence[QualifierTest]:
    """The tests of a qualifier that a path leads to."""
    return [test for step in path[-2:-1] for test in step.tests if test.qualifier == path[-1].relation]


def compared_with(plan: Aggregate, language: Language = ENGLISH) -> str:
    """What a plan compares with, in words: "more than 5"."""
    value = plan.value
    if isinstance(value, Plan):
        other = describe_plan(value, language=language)
    else:
        other = "" if value is None else Value(value).name
    return _wanted(plan.op, other, language, moment=not plan.each and _is_moment(plan.by, value, language))


def _wanted(op: str, value: str, language: Language, *, moment: bool) -> str:
    words = language.wording.when if moment else {}
    return fill(language.wording.wanted, reduction=words.get(op, language.wording.reductions[op]), value=value).strip()


def _is_moment(path: Path, value: object, language: Language) -> bool:
    """Whether a path leads to points in time, by what they are compared with and by its words."""
    if not path or path[-1].relation.kind == "edge":
        return False
    if isinstance(value, Plan):
        return language.wording.says_what_happened(path[-1].phrase)
    years = isinstance(value, int) and FIRST_YEAR <= value <= LAST_YEAR and language.wording.tells_when(path[-1].phrase)
    return isinstance(value, date) or years


def _describe_group(plan: Group, language: Language) -> str:
    wording, measure = language.wording, _measured(plan.by, language)
    if plan.years:
        measure = fill(wording.year, measure=measure)
    groups = fill(wording.groups, measure=measure, over=describe_plan(plan.over, language=language))
    if not plan.of:
        return groups
    attribute = wording.attributes[plan.each or "sum"]
    return fill(wording.by, groups=groups, attribute=attribute, number=_measured(plan.of, language))
