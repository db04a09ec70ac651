"""The table of reductions: what each entry must say, and that plans take no other."""

from __future__ import annotations

from collections import Counter

import pytest

from kgqa_graphdb.compile import replay_statement
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.plan import Aggregate, Every, Group, Plan, yields_values
from kgqa_graphdb.reductions import REDUCTIONS, Reduction, of_family
from kgqa_graphdb.types import Step
from kgqa_graphdb.verbalise import describe_plan

DEPTH = make_relation("depth", kind="property", heads=("Lake",), unit="m")
MAPPING = GraphMapping(graph="lakes", entities=(EntityKind("Lake", "name", ("name",)),), relations=(DEPTH,))
LAKES, BY = Every("Lake"), (Step(DEPTH),)


def plan_of(reduction: Reduction) -> Plan:
    """What lakes are reduced to by it."""
    by = () if reduction.family == "answers" else BY
    return Aggregate(reduction.name, LAKES, by, 40 if reduction.family == "comparison" else None)


@pytest.mark.parametrize("reduction", REDUCTIONS.values(), ids=REDUCTIONS)
def test_each_is_compiled_and_told_as_it_says(reduction: Reduction) -> None:
    plan = plan_of(reduction)
    reduced = {"answers": "answer", "values": "value", "ranking": "", "comparison": "$value"}[reduction.family]
    assert reduction.cypher.format(reduced) in replay_statement(MAPPING, plan).text
    assert reduction.phrase in describe_plan(plan)
    assert yields_values(plan) == (reduction.family in ("answers", "values"))


@pytest.mark.parametrize("reduction", of_family("values"), ids=lambda one: one.name)
def test_each_of_values_is_one_of_several_values_of_an_answer_too(reduction: Reduction) -> None:
    plan = Aggregate("max", LAKES, BY, each=reduction.name)
    assert f"{reduction.cypher.format('value')} AS value" in replay_statement(MAPPING, plan).text
    assert f"the greatest {reduction.attribute} depth" in describe_plan(plan)
    group = Group(LAKES, BY, of=BY, each=reduction.name)
    assert reduction.cypher.format("number") in replay_statement(MAPPING, group).text
    assert describe_plan(group).endswith(f"by {reduction.attribute} depth")


def test_no_word_asks_for_two() -> None:
    words = Counter(word for one in REDUCTIONS.values() for word in (*one.words, *one.adjectives))
    assert max(words.values()) == 1


def test_a_plan_takes_no_reduction_that_there_is_none_of() -> None:
    with pytest.raises(UsageError, match=r"no reduction 'medain'; nearest: 'median'; choose from: count, .*starts"):
        Aggregate("medain", LAKES, BY)
    with pytest.raises(UsageError, match=r"no reduction 'count'; .*choose from: sum, mean, median"):
        Aggregate("max", LAKES, BY, each="count")
    with pytest.raises(UsageError, match="no reduction 'max'"):
        Group(LAKES, BY, of=BY, each="max")
