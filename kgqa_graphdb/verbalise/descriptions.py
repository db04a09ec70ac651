"""Plans in words: noun phrases such as "the directors of the films starring Joe"."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa_graphdb.language.english import base_of, be_before, begins_clause, is_moment, is_verbal, plural_of, words_of
from kgqa_graphdb.language.english_words import NAME_AUXILIARIES, PREPOSITIONS
from kgqa_graphdb.plan import Aggregate, Cite, Combine, Every, Follow, Group, Native, Plan, tells_amounts
from kgqa_graphdb.reductions import REDUCTIONS
from kgqa_graphdb.types import Node, Path, Step, Value

MAX_NAMED = 10
"""Answers that a sentence names; the rest are counted."""
_SAID_OF = ("with", "that")
_ENDINGS = PREPOSITIONS | {"as", "during", "starring"}


def enumerate_names(nodes: Sequence[Node], most: int = MAX_NAMED, amounts: Sequence[Value] = ()) -> str:
    """Names in a row: "A, B and C", or "A, B and 12 more"; with what each is ranked by, "A (9) and B (7)"."""
    names = [node.name for node in nodes[:most]]
    if amounts:
        names = [f"{name} ({value_name(amount)})" for name, amount in zip(names, amounts, strict=False)]
    if len(nodes) > most:
        names.append(f"{len(nodes) - most:,} more")
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def value_name(value: Value) -> str:
    """A value that was computed, as a person reads it: "1,604.43 km"; other digits than these mean nothing."""
    if not isinstance(value.value, float) or value.value.is_integer():
        return value.name
    number = f"{value.value:,.2f}".rstrip("0").rstrip(".") if abs(value.value) >= 1 else f"{value.value:.3g}"
    return f"{number} {value.unit}" if value.unit else number


def describe_path(topic: str, path: Path, *, many: bool = False) -> str:
    """What a path leads to, in words: "the director of the films starring Joe Thomas".

    :param many: it leads to several: "the directors of …"
    """
    text = topic
    spoken = _spoken(path)
    for place, step in enumerate(spoken, start=1):
        last = place == len(spoken)
        if step.relation.kind == "property" and is_moment(step.phrase):
            text = f"when {text} was {step.phrase}"
        elif _is_clause(step):
            start = f"{text}, and what that" if text.startswith("what ") else f"what {text}"
            text = f"{start} {be_before(step.phrase)}{step.phrase}"
        else:
            text = f"{_leading(step, many=many and last)} {text}"
    return text


def _spoken(path: Path) -> list[Step]:
    """The steps that have words; that a year is its name goes without saying."""
    return [step for step in path if step.phrase]


def _measured(path: Path, *, many: bool = False) -> str:
    """What a path leads to from each of several, in words: "price of the product"."""
    first, *others = [_noun(step, many=many and not place) for place, step in enumerate(reversed(_spoken(path)))] or [
        ""
    ]
    return " of the ".join([first, *others])


def _noun(step: Step, *, many: bool) -> str:
    """A step's phrase as a noun: "director", "movies acted in", where its other end has a label."""
    labels = step.relation.heads if step.inverse else step.relation.tails
    first = step.phrase.split()[0].lower()
    if not (is_verbal(step.phrase) or first in PREPOSITIONS or first in _SAID_OF):
        return _plural(step.phrase) if many else step.phrase
    noun = words_of(labels[0]) if len(labels) == 1 else "thing"
    if first in NAME_AUXILIARIES:  # "is part of": "whole" is not known, so what stands there is said of it
        return f"{plural_of(noun) if many else noun} that it {step.phrase}"
    return f"{plural_of(noun) if many else noun} {step.phrase}"


def _leading(step: Step, *, many: bool) -> str:
    """A step that is no clause, before what it starts from: "the spacecraft that visited", "the directors of".

    What a phrase such as "that reports to" is about is its heads' label, if they have one; else it is about "those".
    """
    words = step.phrase.split()
    if not step.inverse or words[0].lower() not in _SAID_OF:
        return f"the {_joined(step, many=many)}"
    (label,) = step.relation.heads if len(step.relation.heads) == 1 else ("",)
    if (many or not label) and len(words) > 1:
        words[1] = base_of(words[1]) or words[1]  # "those that work at"
    noun = words_of(label) if label else ""
    about = f"the {plural_of(noun) if many else noun}" if noun else "those"
    return f"{about} {' '.join(words)}"


def _joined(step: Step, *, many: bool) -> str:
    """A step's phrase before what it starts from: "spacecraft that visited", "director of"."""
    words = step.phrase.lower().split() or [""]
    if words[-1] in _ENDINGS or "that" in words[1:-1]:
        return step.phrase
    return f"{_plural(step.phrase) if many and not step.inverse else step.phrase} of"


def _plural(phrase: str) -> str:
    """The plural of a phrase that is a noun of a language with such plurals."""
    return plural_of(phrase) if phrase.isascii() and not is_verbal(phrase) else phrase


def _is_clause(step: Step) -> bool:
    """Whether a step's phrase goes on after its start, as in "what Tom Hanks acted in"."""
    return step.relation.kind == "edge" and not step.inverse and is_verbal(step.phrase) and begins_clause(step.phrase)


def describe_plan(plan: Plan, *, many: bool = False) -> str:
    """What a plan asks for, in words.

    :param many: it leads to several
    """
    match plan:
        case Follow(topic, path, to):
            if to and path[-1].relation.kind == "qualifier":
                return f"{path[-1].phrase} of {topic.name} and {to.name}"
            end = f" that is {to.name}" if to else ""
            return describe_path(topic.name, path, many=many) + end
        case Combine(op, parts):
            words = {"and": " that are also ", "or": " or ", "not": " but not "}[op]
            return words.join(describe_plan(part, many=many) for part in parts)
        case Every(label):
            return f"the {plural_of(words_of(label))}"
        case Aggregate("count" as op, over):
            return f"{REDUCTIONS[op].phrase} of {describe_plan(over, many=True).removeprefix('the ')}"
        case Aggregate("exists" as op, over):
            return f"{REDUCTIONS[op].phrase} {describe_plan(over)}"
        case Aggregate():
            return _describe_compared(plan, many=many)
        case Group():
            return _describe_group(plan)
        case Native():
            return "what the query returns"
        case Cite(nodes):
            return enumerate_names(nodes) if nodes else "the facts cited"


def measure_of(plan: Aggregate) -> str:
    """What a plan compares answers by, in words: "number of directors", "total price of the product"."""
    number = _counts(plan)
    measure = _bare_measure(plan, many=number)
    if number:
        measure = f"number of {measure}"
    elif tells_amounts(plan.over) and not plan.by:
        measure = "number"
    return f"{REDUCTIONS[plan.each].attribute} {measure}" if plan.each else measure


def _counts(plan: Aggregate) -> bool:
    """Whether what a plan compares is how many entities a path leads to."""
    return bool(plan.by) and plan.by[-1].relation.kind == "edge"


def _bare_measure(plan: Aggregate, *, many: bool) -> str:
    measure = _measured(plan.by, many=many)
    if plan.meets:
        measure += "".join(f" that is also {_measured(path)}" for path in plan.meets)
    if plan.within is not None:
        measure += f" (only {describe_plan(plan.within)})"
    return measure


def _describe_compared(plan: Aggregate, *, many: bool) -> str:
    """A plan over values, in words."""
    over = describe_plan(plan.over, many=many)
    if _counts(plan) and (plan.op, plan.value) == (">", 0):
        return f"{over} with any {_bare_measure(plan, many=False).removesuffix(' of')}"
    measure, reduction = measure_of(plan), REDUCTIONS[plan.op]
    if plan.op == "measure":
        return f"{reduction.phrase} {measure} of {over}"
    if reduction.family == "values":
        return f"{reduction.phrase} of the {measure} of {over}" if measure else f"{reduction.phrase} of {over}"
    if reduction.family == "ranking":
        return f"{over} with {reduction.phrase} {measure}" if measure else f"{reduction.phrase} of {over}"
    if (plan.op, plan.value) == ("contains", ""):
        return f"{over} with any {measure}"
    wanted = compared_with(plan)
    return f"{over} with {measure} {wanted}" if measure else f"{over}, {wanted}"


def compared_with(plan: Aggregate) -> str:
    """What a plan compares with, in words: "more than 5"."""
    value = plan.value
    other = describe_plan(value) if isinstance(value, Plan) else Value(value).name if value is not None else ""
    return f"{REDUCTIONS[plan.op].phrase} {other}".strip()


def _describe_group(plan: Group) -> str:
    measure = _measured(plan.by)
    if plan.years:
        measure = f"year of {measure}"
    groups = f"each {measure} of {describe_plan(plan.over)}"
    if not plan.of:
        return groups
    number = _measured(plan.of)
    return f"{groups}, by {REDUCTIONS[plan.each or 'sum'].attribute} {number}"
