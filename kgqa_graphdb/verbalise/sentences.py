"""Sentences from the relations' phrases and templates; no language model needed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from kgqa_graphdb.plan import Aggregate, Cite, Follow, Plan, Result
from kgqa_graphdb.reductions import REDUCTIONS
from kgqa_graphdb.types import Fact, Node, Step, Value
from kgqa_graphdb.verbalise.descriptions import (
    compared_with,
    describe_path,
    describe_plan,
    enumerate_names,
    measure_of,
    value_name,
)

_PLACEHOLDER = re.compile(r"\{head\}|\{tail\}")


def fact_sentence(fact: Fact) -> str:
    """One fact as a sentence, by its relation's template."""
    names = {"{head}": fact.head.name, "{tail}": fact.tail.name}
    text = _PLACEHOLDER.sub(lambda found: names[found[0]], fact.relation.template)
    qualifiers = ", ".join(f"{key} {value}" for key, value in fact.qualifiers)
    return f"{text.rstrip('.')} ({qualifiers})." if qualifiers else text


def fact_triple(fact: Fact) -> str:
    """One fact as a triple: "(Titan, discovered by, Christiaan Huygens)"."""
    qualifiers = "".join(f", {key} {value}" for key, value in fact.qualifiers)
    return f"({fact.head.name}, {fact.relation.phrase}, {fact.tail.name}{qualifiers})"


@dataclass(frozen=True, slots=True)
class FactLine:
    """Facts as a reader is shown them, in one line."""

    text: str
    facts: tuple[Fact, ...]


def sentence(result: Result) -> str:
    """A result as a sentence: one fact by its template, anything else as what was asked for and the names."""
    if not result.nodes:
        return "The graph holds no answer."
    plan, many = result.plan, len(result.nodes) > 1
    if isinstance(plan, Cite):
        return fact_sentence(result.facts[0]) if len(result.facts) == 1 else f"{enumerate_names(plan.nodes)}."
    # What a qualifier says is in no template.
    if isinstance(plan, Follow) and len(result.facts) == 1 and plan.path[-1].relation.kind != "qualifier":
        return fact_sentence(result.facts[0])
    if isinstance(plan, Aggregate) and plan.op == "exists" and isinstance(result.nodes[0], Value):
        return _yes_or_no(plan.over, is_so=bool(result.nodes[0].value))
    if isinstance(plan, Aggregate) and plan.op in ("max", "min") and measure_of(plan) and plan.by:
        return _ranked(plan, result)
    names = enumerate_names(result.nodes, amounts=result.amounts)
    if isinstance(plan, Aggregate) and REDUCTIONS[plan.op].family == "values" and isinstance(result.nodes[0], Value):
        names = value_name(result.nodes[0])
    return f"{_begun(describe_plan(plan, many=many))}: {names}."


def _yes_or_no(over: Plan, *, is_so: bool) -> str:
    """Whether there is something, as a sentence. That something is not in the graph does not say that it is not so."""
    answer = "Yes" if is_so else "No"
    if isinstance(over, Aggregate) and not over.by and over.op in ("<", "<=", "=", ">=", ">") and not over.within:
        return f"{answer}: {describe_plan(over.over)} is {'' if is_so else 'not '}{compared_with(over)}."
    if isinstance(over, Follow) and over.to is not None and over.path[-1].relation.kind != "qualifier":
        claim = _claim(over.topic, over.path, over.to)
        return f"Yes: {claim}." if is_so else f"No: the graph does not say that {claim}."
    return f"{answer}: the graph {'has' if is_so else 'does not have'} {describe_plan(over)}."


def _claim(topic: Node, path: tuple[Step, ...], to: Node) -> str:
    """That a path leads from one to the other, without a full stop: "Up was directed by Ann"."""
    (step, *more) = path
    head, tail = (to, topic) if step.inverse else (topic, to)
    if more or isinstance(head, Value):
        return f"{to.name} is {describe_path(topic.name, path)}"
    return fact_sentence(Fact(head, step.relation, tail)).rstrip(".")


def _ranked(plan: Aggregate, result: Result) -> str:
    """The greatest or the least as a sentence: "Of the films starring Joe, the one with the greatest height: Up."."""
    extreme = REDUCTIONS[plan.op].phrase
    if result.amounts and all(isinstance(amount.value, date) for amount in result.amounts):
        extreme = {"max": "the latest", "min": "the earliest"}[plan.op]
    one = "those" if len(result.nodes) > 1 else "the one"
    names = enumerate_names(result.nodes, amounts=result.amounts)
    return f"Of {describe_plan(plan.over, many=True)}, {one} with {extreme} {measure_of(plan)}: {names}."


def _begun(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
