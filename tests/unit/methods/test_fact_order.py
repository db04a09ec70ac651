"""Facts on relation paths that fit a question come first, with the facts that lead to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.methods.fact_order import in_order
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.steps import Steps, run
from kgqa_graphdb.types import Entity, Fact, Scored, Subgraph, Value
from tests.unit.local import Local

STARRED, WROTE = make_relation("starred"), make_relation("wrote")
YEAR = make_relation("year", kind="property")
JOE, UP, IN, ANN, BO = (Entity(name.lower(), name) for name in ("Joe", "Up", "In", "Ann", "Bo"))
UP_JOE, IN_JOE = Fact(UP, STARRED, JOE), Fact(IN, STARRED, JOE)
ANN_UP, BO_IN, UP_1999 = Fact(ANN, WROTE, UP), Fact(BO, WROTE, IN), Fact(UP, YEAR, Value(1999))
LOOP = Fact(JOE, WROTE, JOE)
AROUND = Subgraph((UP_JOE, IN_JOE, UP_1999, ANN_UP, BO_IN, LOOP), False, (JOE,))


@dataclass
class Likes:
    """Ranks the path with these codes first."""

    codes: tuple[str, ...]

    def rank(self, question: str, candidates: Sequence[Follow]) -> Steps[tuple[Scored[Follow], ...]]:
        yield from ()
        scored = [Scored(one, float(tuple(step.code for step in one.path) == self.codes)) for one in candidates]
        return tuple(sorted(scored, key=lambda one: -one.score))


def order(*codes: str) -> tuple[Fact, ...]:
    return run(in_order("who?", AROUND, Likes(codes)), Local())


def test_each_way_on_the_best_path_is_whole() -> None:
    assert order("<starred", "<wrote")[:4] == (UP_JOE, ANN_UP, IN_JOE, BO_IN)
    assert order("<starred", ">year")[:2] == (UP_JOE, UP_1999)


def test_no_fact_is_lost_or_twice_there() -> None:
    found = order("<starred")
    assert found[:2] == (UP_JOE, IN_JOE)
    assert sorted(map(repr, found)) == sorted(map(repr, AROUND.facts))


def test_nothing_around_a_topic_is_nothing() -> None:
    assert run(in_order("who?", Subgraph((), False, (JOE,)), Likes(())), Local()) == ()
