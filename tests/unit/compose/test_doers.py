"""Who is asked for where several kinds are persons."""

from __future__ import annotations

from kgqa_graphdb.compose.composed import Composed
from kgqa_graphdb.compose.doers import together_of
from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.parse.lexicon import Kind, person_kinds
from kgqa_graphdb.plan import Aggregate, Combine, Every, Plan
from kgqa_graphdb.types import Step

AGE, RATE = (Step(make_relation(name, kind="property")) for name in ("age", "rate"))
BOTH = Combine("or", (Every("Nurse"), Every("Doctor")))


def oldest(kind: str, by: Step = AGE) -> Composed:
    return Composed(Aggregate("max", Every(kind), (by,)), 1.0)


def plan_of(*found: Composed) -> Plan | None:
    joint = together_of(found)
    return joint.plan if joint else None


def test_what_is_asked_of_several_kinds_alike_is_asked_of_them_together() -> None:
    assert plan_of(oldest("Nurse"), oldest("Doctor")) == Aggregate("max", BOTH, (AGE,))
    counted = [
        Composed(Aggregate("count", Aggregate(">", Every(kind), (AGE,), 40)), 1.0) for kind in ("Nurse", "Doctor")
    ]
    assert plan_of(*counted) == Aggregate("count", Aggregate(">", BOTH, (AGE,), 40))
    assert plan_of(oldest("Nurse")) == oldest("Nurse").plan


def test_what_differs_in_more_than_the_kind_is_no_plan() -> None:
    assert plan_of(oldest("Nurse"), oldest("Doctor", RATE)) is None
    assert plan_of() is None


def test_orders_are_no_persons() -> None:
    nouns = {one.lower(): Kind(one) for one in ("Nurse", "Order", "Teacher", "River", "Head Engineer")}
    assert [kind.label for kind in person_kinds(nouns)] == ["Nurse", "Teacher", "Head Engineer"]
