"""Relationships alone that have what a question says of them."""

from __future__ import annotations

from kgqa_graphdb.mapping import EntityKind, GraphMapping, make_relation
from kgqa_graphdb.methods.said_values import with_said_values
from kgqa_graphdb.plan import Follow, Result
from kgqa_graphdb.types import Entity, Fact, Path, QualifierTest, Step

JOINS = make_relation("JOINS")
ROLE = make_relation("JOINS.role", kind="qualifier", type="role", of="JOINS")
MAPPING = GraphMapping("digs", (EntityKind("Person", "name", ("name",)),), (JOINS, ROLE))
MOUND, ANN, BO = (Entity(name, name) for name in ("Mound", "Ann", "Bo"))
FACTS = (
    Fact(ANN, JOINS, MOUND, (("role", "lead surveyor"),)),
    Fact(BO, JOINS, MOUND, (("role", "cook"),)),
)
JOINERS: Path = (Step(JOINS, inverse=True),)
LEAD: Path = (Step(JOINS, inverse=True, tests=(QualifierTest(ROLE, "=", "lead surveyor"),)),)


def said(question: str, path: Path) -> Path:
    plan = Follow(MOUND, path)
    result = Result(plan, (ANN, BO), FACTS, truncated=False)
    return with_said_values(plan, result, question, (), MAPPING).path


def test_those_of_whom_the_value_is_said_are_asked_for() -> None:
    assert said("Who was the lead surveyor?", JOINERS) == LEAD
    assert said("Who was the lead surveyor?", (*JOINERS, Step(ROLE))) == LEAD


def test_what_says_no_value_or_a_part_of_one_stays() -> None:
    assert said("Who was the surveyor?", JOINERS) == JOINERS
    assert said("Which roles are there?", (*JOINERS, Step(ROLE))) == (*JOINERS, Step(ROLE))
