"""Replies made by hand, for what is done with them."""

from __future__ import annotations

from datetime import date

from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.plan import Answer, Combine, Follow, Result
from kgqa_graphdb.reply import Reply
from kgqa_graphdb.types import Entity, Fact, Link, Question, Scored, Statement, Step, Value

MOON = make_relation("moon_of", label="planet", inverse="moons of", template="{head} is a moon of {tail}.")
FOUND = make_relation("discovered_by", label="discoverer", inverse="worlds discovered by")
DATE = make_relation("found_on", kind="property", label="date of discovery", template="{head} was found on {tail}.")

MARS = Entity("Q111", "Mars")
PHOBOS, DEIMOS = Entity("Q7547", "Phobos"), Entity("Q7548", "Deimos <b>& co</b>")
HALL = Entity("Q310", "Asaph\nHall")


def two_hops() -> Reply:
    """Who discovered the moons of Mars?"""
    facts = (
        Fact(PHOBOS, MOON, MARS),
        Fact(DEIMOS, MOON, MARS),
        Fact(PHOBOS, FOUND, HALL, (("year", 1877),)),
        Fact(DEIMOS, FOUND, HALL),
    )
    plan = Follow(MARS, (Step(MOON, inverse=True), Step(FOUND)))
    return _reply("Who discovered the moons of Mars?", Result(plan, (HALL,), facts, False), Link(31, 32, MARS, 0.91))


def moons() -> Reply:
    """What are the moons of Mars?"""
    facts = (Fact(DEIMOS, MOON, MARS), Fact(PHOBOS, MOON, MARS))
    plan = Follow(MARS, (Step(MOON, inverse=True),))
    return _reply("What are the moons of Mars?", Result(plan, (DEIMOS, PHOBOS), facts, True))


def dated() -> Reply:
    """When was Phobos found?"""
    found = Value(date(1877, 8, 18))
    plan = Follow(PHOBOS, (Step(DATE),))
    return _reply("When was Phobos found?", Result(plan, (found,), (Fact(PHOBOS, DATE, found),), False))


def both() -> Reply:
    """Which moons of Mars did Asaph Hall discover?"""
    parts = (Follow(MARS, (Step(MOON, inverse=True),)), Follow(HALL, (Step(FOUND, inverse=True),)))
    facts = (Fact(PHOBOS, MOON, MARS), Fact(PHOBOS, FOUND, HALL))
    result = Result(Combine("and", parts), (PHOBOS,), facts, False)
    return _reply("Which moons of Mars did Asaph Hall discover?", result)


def abstention() -> Reply:
    """Who painted the Mona Lisa?"""
    answer = Answer(
        Question("Who painted the Mona Lisa?"), "paths", (), (), (), None, "I can't answer that: no.", "no", ("a note",)
    )
    return Reply("space", answer, {})


def _reply(question: str, result: Result, *links: Link) -> Reply:
    answer = Answer(
        question=Question(question),
        method="paths",
        links=links,
        answers=tuple(Scored(node, 0.87654) for node in result.nodes),
        proof=(Scored(result, 0.87654),),
        cypher=Statement("CYPHER 5\nMATCH (n {entity_id: $topic}) RETURN n", {"topic": "Q111"}, replays="facts"),
        text="The <answer>.",
    )
    return Reply("space", answer, {"link": 1.23456, "total": 9.0})
