"""Names that are like those of the graph: another name is not answered for, a part or a misspelled one is."""

from __future__ import annotations

import neo4j
import pytest

from tests.neo4j import stages
from tests.neo4j.test_made_questions import client, questions
from tests.unit.rank.graphs import HAS_ENCODER

pytestmark = pytest.mark.skipif(not HAS_ENCODER, reason="the text encoder is not installed")

WRONG = {"Who acted in 2008?"}
"""Read as a year; the play called so is meant."""
NOT_UNDERSTOOD = {"When was Dr Pike born?", "Which plays are from 2008?"}


def test_other_names_are_not_answered_for_and_parts_are(driver: neo4j.Driver) -> None:
    with client(driver, stages) as kg:
        got = {question: sorted(kg.ask(question).names) for question, _ in questions(stages.QUESTIONS)}
        right = {question: sorted(names) for question, names in questions(stages.QUESTIONS)}
        assert {question for question in right if got[question] != right[question]} == WRONG | NOT_UNDERSTOOD
        assert not any(got[question] for question in NOT_UNDERSTOOD)


def test_an_abstention_names_what_may_be_meant(driver: neo4j.Driver) -> None:
    with client(driver, stages) as kg:
        for question, name, nearest in (
            ("When was Mary-Jane Cole born?", "Mary-Jane Cole", "'Mary-Ann Cole'"),
            ("Which plays did Peter Stone act in?", "Peter Stone", "'Peter Vance' or 'Stone'"),
            ("Who acted in Act #3?", "Act #3", "'Act #1' or 'Act #2'"),
        ):
            reply = kg.ask(question)
            assert reply.abstained == f"no entity of graph 'made' is called {name!r}"
            assert reply.to_dict()["notes"] == [f"did you mean {nearest}?"]


def test_shut_questions_are_answered_as_well(driver: neo4j.Driver) -> None:
    """Nobody read these answers while the rules were made."""
    with client(driver, stages) as kg:
        got = {question: sorted(kg.ask(question).names) for question, _ in questions(stages.SHUT)}
    right = {question: sorted(names) for question, names in questions(stages.SHUT)}
    assert not any(got[question] for question in right if got[question] != right[question])
    assert sum(got[question] == right[question] for question in right) == 18
