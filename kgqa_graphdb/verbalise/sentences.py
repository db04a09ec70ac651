"""Sentences from the relations' phrases and templates; no language model needed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgqa_graphdb.language.english import begins_clause, is_moment, is_verbal, plural_of, words_of
from kgqa_graphdb.language.english_words import PREPOSITIONS
from kgqa_graphdb.plan import (
    Aggregate,
    Cite,
    Combine,
    Every,
    Follow,
    Group,
    Native,
    Plan,
    Result,
    tells_amounts,
)
from kgqa_graphdb.reductions import REDUCTIONS
from kgqa_graphdb.types import Fact, Node, Path, Scalar, Step, Value

MAX_NAMED = 10
"""Answers that a sentence names; the rest are counted."""

_PLACEHOLDER = re.compile(r"\{head\}|\{tail\}")
_SAID_OF = ("with", "that")
_ENDINGS = PREPOSITIONS | {"as", "during", "starring"}


def enumerate_names(nodes: Sequence[Node], most: int = MAX_NAMED, amounts: Sequence[Value] = ()) -> str:
    """Names in a row: "A, B and C", or "A, B and 12 more"; with what each is ranked by, "A (9) and B (7)"."""
    names = [node.name for node in nodes[:most]]
    if amounts:
        names = [f"{name} ({amount.name})" for name, amount in zip(names, amounts, strict=False)]
    if len(nodes) > most:
        names.append(f"{len(nodes) - most:,} more")
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def describe_path(topic: str, path: Path) -> str:
    """What a path leads to, in words: "the director of the films starring Joe Thomas"."""
    text = topic
    for step in _spoken(path):
        if step.relation.kind == "property" and is_moment(step.phrase):
            text = f"when {text} was {step.phrase}"
        elif _is_clause(step):
            text = f"what {text} {step.phrase}"
        else:
            text = f"the {_what_leads(step)}{_joined(step)} {text}"
    return text


def _spoken(path: Path) -> list[Step]:
    """The steps that have words; that a year is its name goes without saying."""
    return [step for step in path if step.phrase]


def _measured(path: Path) -> str:
    """What a path leads to from each of several, in words: "price of the product"."""
    return " of the ".join(step.phrase for step in reversed(_spoken(path)))


def _what_leads(step: Step) -> str:
    """What a phrase such as "that reports to" or "with genre" is about: its heads' label, if they have one."""
    if not step.inverse or step.phrase.split()[0].lower() not in _SAID_OF or len(step.relation.heads) != 1:
        return ""
    return f"{words_of(step.relation.heads[0])} "


def _is_clause(step: Step) -> bool:
    """Whether a step's phrase goes on after its start, as in "what Tom Hanks acted in"."""
    return step.relation.kind == "edge" and not step.inverse and is_verbal(step.phrase) and begins_clause(step.phrase)


def _joined(step: Step) -> str:
    """A step's phrase before what it starts from: "spacecraft that visited", "director of"."""
    words = step.phrase.lower().split() or [""]
    goes_on = words[-1] in _ENDINGS or "that" in words[1:-1] or (step.inverse and words[0] in _SAID_OF)
    return step.phrase if goes_on else f"{step.phrase} of"


def describe_plan(plan: Plan) -> str:
    """What a plan asks for, in words."""
    match plan:
        case Follow(topic, path, to):
            if to and path[-1].relation.kind == "qualifier":
                return f"{path[-1].phrase} of {topic.name} and {to.name}"
            end = f" that is {to.name}" if to else ""
            return describe_path(topic.name, path) + end
        case Combine(op, parts):
            words = {"and": " that are also ", "or": " or ", "not": " but not "}[op]
            return words.join(describe_plan(part) for part in parts)
        case Every(label):
            return f"the {plural_of(words_of(label))}"
        case Aggregate("count" as op, over):
            return f"{REDUCTIONS[op].phrase} of {describe_plan(over).removeprefix('the ')}"
        case Aggregate("exists" as op, over):
            return f"{REDUCTIONS[op].phrase} {describe_plan(over)}"
        case Aggregate():
            return _describe_compared(plan)
        case Group():
            return _describe_group(plan)
        case Native():
            return "what the query returns"
        case Cite(nodes):
            return enumerate_names(nodes) if nodes else "the facts cited"


def _describe_compared(plan: Aggregate) -> str:
    """A plan over values, in words."""
    over = describe_plan(plan.over)
    measure = _measured(plan.by)
    if plan.meets:
        measure += "".join(f" that is also {_measured(path)}" for path in plan.meets)
    if plan.within is not None:
        measure += f" (only {describe_plan(plan.within)})"
    if plan.by and plan.by[-1].relation.kind == "edge":
        if (plan.op, plan.value) == (">", 0):
            return f"{over} with any {measure.removesuffix(' of')}"
        measure = f"number of {measure}"
    elif tells_amounts(plan.over) and not plan.by:
        measure = "number"
    if plan.each:
        measure = f"{REDUCTIONS[plan.each].attribute} {measure}"
    reduction = REDUCTIONS[plan.op]
    if plan.op == "measure":
        return f"{reduction.phrase} {measure} of {over}"
    if reduction.family == "values":
        return f"{reduction.phrase} of the {measure} of {over}" if measure else f"{reduction.phrase} of {over}"
    if reduction.family == "ranking":
        return f"{over} with {reduction.phrase} {measure}" if measure else f"{reduction.phrase} of {over}"
    if (plan.op, plan.value) == ("contains", ""):
        return f"{over} with any {measure}"
    wanted = f"{reduction.phrase} {_compared_with(plan.value)}".strip()
    return f"{over} with {measure} {wanted}" if measure else f"{over}, {wanted}"


def _compared_with(value: Scalar | Plan | None) -> str:
    if isinstance(value, Plan):
        return describe_plan(value)
    return Value(value).name if value is not None else ""


def _describe_group(plan: Group) -> str:
    measure = _measured(plan.by)
    if plan.years:
        measure = f"year of {measure}"
    groups = f"each {measure} of {describe_plan(plan.over)}"
    if not plan.of:
        return groups
    number = _measured(plan.of)
    return f"{groups}, by {REDUCTIONS[plan.each or 'sum'].attribute} {number}"


def fact_sentence(fact: Fact) -> str:
    """One fact as a sentence, by its relation's template."""
    names = {"{head}": fact.head.name, "{tail}": fact.tail.name}
    text = _PLACEHOLDER.sub(lambda found: names[found[0]], fact.relation.template)
    qualifiers = ", ".join(f"{key} {value}" for key, value in fact.qualifiers)
    return f"{text.rstrip('.')} ({qualifiers})." if qualifiers else text


def sentence(result: Result) -> str:
    """A result as a sentence: one fact by its template, anything else as what was asked for and the names."""
    if not result.nodes:
        return "The graph holds no answer."
    plan = result.plan
    if isinstance(plan, Cite):
        return fact_sentence(result.facts[0]) if len(result.facts) == 1 else f"{enumerate_names(plan.nodes)}."
    # What a qualifier says is in no template.
    if isinstance(plan, Follow) and len(result.facts) == 1 and plan.path[-1].relation.kind != "qualifier":
        return fact_sentence(result.facts[0])
    asked = describe_plan(result.plan)
    return f"{asked[:1].upper()}{asked[1:]}: {enumerate_names(result.nodes, amounts=result.amounts)}."
