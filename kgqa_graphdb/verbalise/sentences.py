"""Sentences from the relations' phrases and templates; no language model needed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import reduce

from kgqa_graphdb.language import ENGLISH, Language, fill
from kgqa_graphdb.plan import Aggregate, Cite, Combine, Follow, Plan, Result
from kgqa_graphdb.reductions import REDUCTIONS
from kgqa_graphdb.types import Fact, Node, Step, Value
from kgqa_graphdb.verbalise.descriptions import (
    compared_with,
    describe_path,
    describe_plan,
    enumerate_names,
    measure_of,
    value_name,
    wanted_of,
)


def fact_sentence(fact: Fact, language: Language = ENGLISH) -> str:
    """One fact as a sentence, by its relation's template, or where that is in another language by its words."""
    wording, relation = language.wording, fact.relation
    template = relation.template
    if not wording.is_template(template):
        template = language.guessed_template(relation.phrase, of_value=isinstance(fact.tail, Value))
    text = fill(template, head=fact.head.name, tail=fact.tail.name)
    if not fact.qualifiers:
        return text
    qualifiers = wording.between.join(f"{key} {value}" for key, value in fact.qualifiers)
    return fill(wording.qualified, fact=text.rstrip(wording.stop), qualifiers=qualifiers) + wording.stop


def fact_triple(fact: Fact) -> str:
    """One fact as a triple: "(Titan, discovered by, Christiaan Huygens)"."""
    qualifiers = "".join(f", {key} {value}" for key, value in fact.qualifiers)
    return f"({fact.head.name}, {fact.relation.phrase}, {fact.tail.name}{qualifiers})"


@dataclass(frozen=True, slots=True)
class FactLine:
    """Facts as a reader is shown them, in one line."""

    text: str
    facts: tuple[Fact, ...]


def sentence(result: Result, language: Language = ENGLISH) -> str:
    """A result as a sentence: one fact by its template, anything else as what was asked for and the names."""
    wording = language.wording
    if not result.nodes:
        return wording.no_answer
    plan, many = result.plan, len(result.nodes) > 1
    if isinstance(plan, Cite):
        if len(result.facts) == 1:
            return fact_sentence(result.facts[0], language)
        return fill(wording.named, names=enumerate_names(plan.nodes, language=language))
    # What a qualifier says is in no template.
    if isinstance(plan, Follow) and len(result.facts) == 1 and plan.path[-1].relation.kind != "qualifier":
        return fact_sentence(result.facts[0], language)
    if isinstance(plan, Aggregate) and plan.op == "exists" and isinstance(result.nodes[0], Value):
        return _yes_or_no(plan.over, language, is_so=bool(result.nodes[0].value))
    if isinstance(plan, Aggregate) and plan.op in ("max", "min") and plan.by and measure_of(plan, language):
        return _ranked(plan, result, language)
    names = enumerate_names(result.nodes, amounts=result.amounts, language=language)
    if isinstance(plan, Aggregate) and REDUCTIONS[plan.op].family == "values" and isinstance(result.nodes[0], Value):
        names = value_name(result.nodes[0])
    return _begun(language, fill(wording.answer, what=describe_plan(plan, many=many, language=language), names=names))


def _yes_or_no(over: Plan, language: Language, *, is_so: bool) -> str:
    """Whether there is something, as a sentence. That something is not in the graph does not say that it is not so."""
    wording = language.wording
    if isinstance(over, Aggregate) and not over.by and over.op in ("<", "<=", "=", ">=", ">") and not over.within:
        what, wanted = describe_plan(over.over, language=language), compared_with(over, language)
        return fill(wording.is_so if is_so else wording.is_not, what=what, wanted=wanted)
    if claim := _claim_of(over, language):
        return fill(wording.claimed if is_so else wording.unclaimed, claim=claim)
    return fill(wording.has if is_so else wording.has_not, what=describe_plan(over, language=language))


def _claim_of(plan: Plan, language: Language) -> str:
    """That what a plan follows leads where it must, of several both or either; empty: it leads to nothing named."""
    if isinstance(plan, Combine) and plan.op in ("and", "or"):
        # Of a symmetric relation both ways are one claim.
        parts = {frozenset((part.topic, part.to)): part for part in plan.parts[::-1] if isinstance(part, Follow)}
        others = [part for part in plan.parts if not isinstance(part, Follow) or part in parts.values()]
        claims = [_claim_of(part, language) for part in others]
        pattern = language.wording.both_claims if plan.op == "and" else language.wording.either_claim
        return reduce(lambda one, other: fill(pattern, one=one, other=other), claims) if all(claims) else ""
    if not isinstance(plan, Follow) or plan.to is None or plan.path[-1].relation.kind == "qualifier":
        return ""
    claim = _claim(plan.topic, plan.path, plan.to, language)
    tests = [f"{test.qualifier.phrase} {wanted_of(test, language)}" for step in plan.path for test in step.tests]
    between = language.wording.between
    return fill(language.wording.qualified, fact=claim, qualifiers=between.join(tests)) if tests else claim


def _claim(topic: Node, path: tuple[Step, ...], to: Node, language: Language) -> str:
    """That a path leads from one to the other, without a full stop: "Up was directed by Ann"."""
    (step, *more) = path
    head, tail = (to, topic) if step.inverse else (topic, to)
    if more or isinstance(head, Value):
        what = describe_path(topic.name, path, language=language)
        return fill(language.wording.is_one, name=to.name, what=what)
    return fact_sentence(Fact(head, step.relation, tail), language).rstrip(language.wording.stop)


def _ranked(plan: Aggregate, result: Result, language: Language) -> str:
    """The greatest or the least as a sentence: "Of the films starring Joe, the one with the greatest height: Up."."""
    wording = language.wording
    extreme = wording.reductions[plan.op]
    if result.amounts and all(isinstance(amount.value, date) for amount in result.amounts):
        extreme = wording.extremes[plan.op]
    text = fill(
        wording.ranked,
        over=describe_plan(plan.over, many=True, language=language),
        one=wording.those if len(result.nodes) > 1 else wording.the_one,
        extreme=extreme,
        measure=measure_of(plan, language),
        names=enumerate_names(result.nodes, amounts=result.amounts, language=language),
    )
    return _begun(language, text)


def _begun(language: Language, text: str) -> str:
    return text if not language.wording.capitals else f"{text[:1].upper()}{text[1:]}"
