"""Names that are like those of the graph: another name is not answered for, a part or a misspelled one is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.mapping import write_mapping
from tests.neo4j import stages
from tests.neo4j.test_made_questions import proposed, questions
from tests.unit.rank.graphs import HAS_ENCODER

pytestmark = pytest.mark.skipif(not HAS_ENCODER, reason="the text encoder is not installed")

WRONG = {"How many actors acted in 2008?"}
"""Read as a year; the play called so is meant."""
NOT_UNDERSTOOD = {"When was Dr Pike born?", "Which plays are from 2008?"}


@pytest.fixture
def kg(driver: neo4j.Driver, tmp_path: Path) -> Iterator[KGQA]:
    """A client of the graph of stages, with a local index of its names."""
    driver.execute_query(stages.MAKE)
    try:
        write_mapping(proposed(driver, stages.LABELS), tmp_path / "made.toml")
        with KGQA(driver, graph="made", mapping=tmp_path / "made.toml") as client:
            yield client
    finally:
        clear = "MATCH (n) WHERE any(label IN labels(n) WHERE label IN $labels) DETACH DELETE n"
        driver.execute_query(clear, labels=list(stages.LABELS))


def test_other_names_are_not_answered_for_and_parts_are(kg: KGQA) -> None:
    got = {question: sorted(kg.ask(question).names) for question, _ in questions(stages.QUESTIONS)}
    right = {question: sorted(names) for question, names in questions(stages.QUESTIONS)}
    assert {question for question in right if got[question] != right[question]} == WRONG | NOT_UNDERSTOOD
    assert not any(got[question] for question in NOT_UNDERSTOOD)


def test_an_abstention_names_what_may_be_meant(kg: KGQA) -> None:
    for question, name, nearest in (
        ("When was Mary-Jane Cole born?", "Mary-Jane Cole", "'Mary-Ann Cole'"),
        ("Which plays did Peter Stone act in?", "Peter Stone", "'Stone' or 'Peter Vance'"),
        ("Who acted in Act #3?", "Act #3", "'Act #1' or 'Act #2'"),
    ):
        reply = kg.ask(question)
        assert reply.abstained == f"no entity of graph 'made' is called {name!r}"
        assert reply.to_dict()["notes"] == [f"did you mean {nearest}?"]


def test_shut_questions_are_answered_as_well(kg: KGQA) -> None:
    """Nobody read these answers while the rules were made."""
    got = {question: sorted(kg.ask(question).names) for question, _ in questions(stages.SHUT)}
    right = {question: sorted(names) for question, names in questions(stages.SHUT)}
    assert not any(got[question] for question in right if got[question] != right[question])
    assert sum(got[question] == right[question] for question in right) == 18
