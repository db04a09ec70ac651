"""What is nearest to what a question asks for is no answer to it, over a made harbour and an untouched mapping."""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from kgqa_graphdb import KGQA
from kgqa_graphdb.encode import CachedEncoder
from tests.neo4j import harbour as asked
from tests.neo4j.databases import asked_as_proposed
from tests.neo4j.test_value_questions import answered

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def harbour(empty: neo4j.Driver, encoder: CachedEncoder) -> Iterator[KGQA]:
    """A client of the made graph; the server holds nothing else."""
    empty.execute_query(asked.FACTS)
    with asked_as_proposed(empty, "harbour", encoder) as kg:
        yield kg


def wrong(kg: KGQA, text: str) -> list[str]:
    """The questions of a text that are not answered as they should be, with what is answered."""
    lines = [line.partition(" => ") for line in text.strip().split("\n")]
    return [f"{question} {found}" for question, _, gold in lines if (found := answered(kg, question)) != gold]


def test_the_opposite_of_what_is_asked_for_is_no_answer(harbour: KGQA) -> None:
    assert wrong(harbour, asked.OPPOSITES) == []


def test_a_verb_beside_the_topic_is_of_the_step_that_leaves_it(harbour: KGQA) -> None:
    assert wrong(harbour, asked.WHO_DOES_WHAT) == []


def test_answers_are_what_the_noun_asks_for(harbour: KGQA) -> None:
    assert wrong(harbour, asked.OF_THE_SORT) == []


def test_next_and_previous_have_a_direction(harbour: KGQA) -> None:
    assert wrong(harbour, asked.NEXT) == []


def test_counts_and_sums_are_of_what_they_come_from_too(harbour: KGQA) -> None:
    assert wrong(harbour, asked.THERE_AND_BACK) == []


def test_since_when_is_no_date_of_somebody_else(harbour: KGQA) -> None:
    assert wrong(harbour, asked.SINCE_WHEN) == []


def test_a_word_of_a_name_is_not_another_name_that_has_it(harbour: KGQA) -> None:
    assert wrong(harbour, asked.LONGER_NAMES) == []
