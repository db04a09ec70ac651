"""Facts on relation paths that fit a question come first, with the facts that lead to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kgqa_graphdb.mapping import make_relation
from kgqa_graphdb.methods.fact_order import by_similarity, in_order, similar_ends
from kgqa_graphdb.plan import Follow
from kgqa_graphdb.runtime import LocalModels
from kgqa_graphdb.steps import Steps, run
from kgqa_graphdb.types import Entity, Fact, Scored, Subgraph, Value, Vectors
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


class ByWord:
    """Embeds a text as whether it has each of some words."""

    name, dim, fingerprint = "words", 3, "words"

    def encode(self, texts: Sequence[str], *, keep: bool = False) -> Vectors:
        rows = [[float(word in text) for word in ("wrote", "starred", "year")] for text in texts]
        vectors = np.array(rows, dtype=np.float32)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def test_facts_most_like_the_question_come_first_of_equals_the_nearer() -> None:
    local = Local(LocalModels(ByWord()))
    assert run(by_similarity("who wrote it?", AROUND), local) == (ANN_UP, BO_IN, LOOP, UP_JOE, IN_JOE, UP_1999)
    assert run(by_similarity("who?", Subgraph((), False, (JOE,))), local) == ()


def test_without_a_reader_the_far_ends_of_facts_like_the_question_are_answers_and_topics_are_none() -> None:
    around = replace(AROUND, distances={JOE: 0, UP: 1, IN: 1, ANN: 2, BO: 2})
    local = Local(LocalModels(ByWord()))
    found = run(similar_ends("who wrote it?", around, 3), local)
    assert [(one.item, round(one.score, 3)) for one in found] == [(ANN, 1), (BO, 1), (UP, 0)]
    assert [one.item for one in run(similar_ends("which year?", around, 1), local)] == [Value(1999)]
    assert run(similar_ends("who?", Subgraph((), False, (JOE,)), 3), local) == ()


def test_both_ends_of_a_fact_between_equals_are_answers() -> None:
    around = Subgraph((UP_JOE, IN_JOE, Fact(UP, WROTE, IN)), False, (JOE,), {JOE: 0, UP: 1, IN: 1})
    assert [one.item for one in run(similar_ends("wrote?", around, 9), Local(LocalModels(ByWord())))] == [UP, IN]
